"""An episode while it is played: every event is written first, then folded into the state the engine goes by."""

from collections.abc import Callable

from iwtui.bench.events import Blob, Event, Text
from iwtui.bench.fold import EpisodeState, step
from iwtui.bench.longtext import keep, read
from iwtui.bench.protocols import Blobs, Recorder

Told = Callable[[str, str], None]
"""Called with a phase and a detail when what an episode does right now changes."""


class Journal:
    """The log of one episode and its fold."""

    def __init__(self, recorder: Recorder, state: EpisodeState, told: Told) -> None:
        self.recorder = recorder
        self.state = state
        self._told = told
        self._doing = ("", "")

    def write(self, event: Event, turn: int | None = None) -> None:
        """Append an event of the current turn, or of the turn given."""
        record = self.recorder.append(event, self.state.turn if turn is None else turn)
        self.state = step(self.state, record)

    def keep(self, text: str) -> Text:
        """The text as an event may hold it: a long one goes to a blob."""
        return keep(self.recorder.blobs, text)

    def read(self, text: Text) -> str:
        """A text of an event, whole."""
        return read(self.recorder.blobs, text)

    def keep_bytes(self, content: bytes) -> Blob:
        return self.recorder.blobs.put(content)

    @property
    def turn(self) -> int:
        """The number of the current turn."""
        return self.state.turn

    @property
    def blobs(self) -> Blobs:
        return self.recorder.blobs

    def progress(self, phase: str, detail: str = "") -> None:
        """Tell watchers, in this process and elsewhere, what is going on."""
        self._doing = (phase, detail)
        self.recorder.progress(phase, detail)
        self._told(phase, detail)

    def tell(self, more: str, text: str = "") -> None:
        """Say more of what is going on still; `text` is the end of what a model is writing."""
        phase, detail = self._doing
        detail = ", ".join(filter(None, (detail, more)))
        self.recorder.progress(phase, detail, text)
        self._told(phase, detail)
