"""What every judge is: something that looks at one episode and writes down what it saw and what it thinks of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from iwtui.bench.case import Case
from iwtui.bench.fold import EpisodeState, Message
from iwtui.bench.protocols import Recorder
from iwtui.models.call import Reply
from iwtui.web.page import SitePage


class Asking(Protocol):
    """Asks the judge's own model, and records the call."""

    async def __call__(
        self,
        prompt: str,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        **values: object,
    ) -> Reply:
        """The answer; an empty one is an empty text. `prompt` names a prompt, which is filled with `values`.

        Raises ModelFaultError.
        """
        ...


@dataclass(frozen=True)
class Sitting:
    """What lies before a judge. `page` shows the site as it was handed in; None for a judge that does not open it."""

    case: Case
    episode: EpisodeState
    turn: int
    recorder: Recorder
    page: SitePage | None
    ask: Asking

    @property
    def site(self) -> SitePage:
        """The page, for a judge that opens it."""
        if self.page is None:
            raise ValueError("this judge was given no site")
        return self.page


class Judge(Protocol):
    """One pass over one episode. `model` is its LiteLLM model string, None for a judge without one."""

    @property
    def name(self) -> str: ...
    @property
    def model(self) -> str | None: ...
    @property
    def role(self) -> str:
        """The role that its calls are recorded under."""
        ...

    @property
    def opens_site(self) -> bool: ...

    async def judge(self, sitting: Sitting) -> None:
        """Append what was seen (BrowserStepped) and what comes of it (SlotJudged, EpisodeMeasured) to the judging's log.

        A page that crashes or hangs fails the slot it happened in. Raises BrowserLostError and ModelFaultError when the
        browser or the model fails: faults of ours, which no verdict may be drawn from.
        """
        ...
