"""What every judge is: something that gives each slot of a case a verdict and writes down what it saw."""

from typing import Protocol

from iwtui.bench.case import Case
from iwtui.bench.protocols import Recorder
from iwtui.web.page import SitePage


class Judge(Protocol):
    """One pass over the slots of one episode's site."""

    @property
    def name(self) -> str: ...

    async def judge(self, case: Case, page: SitePage, recorder: Recorder, turn: int) -> None:
        """Append a BrowserStepped for each action and a SlotJudged for each slot to the judging's own log.

        A page that crashes or hangs fails the slot it happened in. Raises web's BrowserLostError when the browser
        itself is gone: a fault of ours, which no verdict may be drawn from.
        """
        ...
