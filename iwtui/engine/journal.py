"""A log while it is written: every event is written first, then folded into the state the engine goes by."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from iwtui.bench.events import Blob, Event, Record, Text
from iwtui.bench.fold import EpisodeState, JudgingState, step, step_judging
from iwtui.bench.longtext import keep, read
from iwtui.bench.protocols import Blobs, Recorder

Told = Callable[[str, str], None]
"""Called with a phase and a detail when what an episode does right now changes."""


class Writing(ABC):
    """What the logs of an episode and of a judging have in common."""

    def __init__(self, recorder: Recorder, told: Told) -> None:
        self.recorder = recorder
        self._told = told
        self._doing = ("", "")

    @property
    @abstractmethod
    def turn(self) -> int:
        """The number of the turn that events belong to now."""

    @abstractmethod
    def write(self, event: Event) -> None:
        """Append an event of the current turn."""

    def keep(self, text: str) -> Text:
        """The text as an event may hold it: a long one goes to a blob."""
        return keep(self.recorder.blobs, text)

    def read(self, text: Text) -> str:
        """A text of an event, whole."""
        return read(self.recorder.blobs, text)

    def keep_bytes(self, content: bytes) -> Blob:
        return self.recorder.blobs.put(content)

    @property
    def blobs(self) -> Blobs:
        return self.recorder.blobs

    def progress(self, phase: str, detail: str = "", text: str = "") -> None:
        """Tell watchers, in this process and elsewhere, what is going on."""
        self._doing = (phase, detail)
        self.recorder.progress(phase, detail, text)
        self._told(phase, detail)

    def tell(self, more: str, text: str = "") -> None:
        """Say more of what is going on still; `text` is the end of what a model is writing."""
        phase, detail = self._doing
        detail = ", ".join(filter(None, (detail, more)))
        self.recorder.progress(phase, detail, text)
        self._told(phase, detail)


class Journal(Writing):
    """The log of one episode and its fold."""

    def __init__(self, recorder: Recorder, state: EpisodeState, told: Told) -> None:
        super().__init__(recorder, told)
        self.state = state

    @property
    def turn(self) -> int:
        return self.state.turn

    def write(self, event: Event, turn: int | None = None) -> None:
        """Append an event of the current turn, or of the turn given."""
        record = self.recorder.append(event, self.state.turn if turn is None else turn)
        self.state = step(self.state, record)


class JudgingJournal(Writing):
    """The log of one judging and its fold; for its judge, a recorder."""

    def __init__(self, recorder: Recorder, told: Told, turn: int) -> None:
        super().__init__(recorder, told)
        self.state = JudgingState()
        self._turn = turn

    @property
    def turn(self) -> int:
        return self._turn

    def write(self, event: Event) -> None:
        self.append(event, self._turn)

    def append(self, event: Event, turn: int) -> Record:
        record = self.recorder.append(event, turn)
        self.state = step_judging(self.state, record)
        return record

    def sync(self) -> None:
        self.recorder.sync()
