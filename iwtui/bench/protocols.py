"""What the engine writes to. The archive implements both; the wings know nothing else of each other."""

from typing import Protocol

from iwtui.bench.events import Blob, Event, Record


class Blobs(Protocol):
    """Content-addressed bytes."""

    def put(self, content: bytes) -> Blob:
        """Store the bytes durably and return their address."""
        ...

    def get(self, blob: Blob) -> bytes:
        """The bytes at an address. Raises LookupError when they are missing or damaged."""
        ...


class Recorder(Protocol):
    """The one writer of one event log."""

    @property
    def blobs(self) -> Blobs: ...

    def append(self, event: Event, turn: int) -> Record:
        """Write the event as the log's next line and flush it."""
        ...

    def sync(self) -> None:
        """Make all that was written durable (once a turn)."""
        ...

    def progress(self, phase: str, detail: str = "", text: str = "") -> None:
        """Tell watchers what is going on right now; replaced each time, not history.

        `text` is the end of what a model is writing, at most 2,000 characters.
        """
        ...
