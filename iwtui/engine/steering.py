"""Holding, letting go, cancelling and stopping episodes while they are played.

What is asked is written at once into the log of each episode that it touches; an episode is held before its next call of a
model. A cancelled one is broken off wherever it is; a stop lets the turns under way come to their end.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from iwtui.bench.events import PAUSED, QUEUED, Controlled
from iwtui.engine.episode import Stopping
from iwtui.web.seats import queueing


class EpisodeCancelledError(Exception):
    """A person cancelled the episode."""


class EpisodeLeftError(Exception):
    """The run stops while the episode cannot go on: its turn stays unfinished, and a resume plays it again."""


@dataclass(frozen=True)
class Log:
    """Where an episode's events and its progress go right now."""

    write: Callable[[Controlled], object]
    progress: Callable[[str, str], None]
    doing: Callable[[], tuple[str, str]]
    """The phase and its detail."""


class Reins:
    """One episode's part of the steering."""

    def __init__(self, run: "Steering") -> None:
        self.cancelled = False
        self.held = False
        self._run = run
        self._free = asyncio.Event()
        self._log: Log | None = None
        self._task: asyncio.Task[object] | None = None
        self.update()

    def _halted(self) -> bool:
        return bool(self.held or self._run.paused)

    def update(self) -> None:
        """Hold it or let it go, as things stand."""
        over = self.cancelled or self._run.stopping.asked
        if over or not self._halted():
            self._free.set()
        else:
            self._free.clear()

    @contextmanager
    def on(self, log: Log) -> Iterator[None]:
        """While this task plays or judges the episode, and writes to `log`: it can be broken off meanwhile."""
        self._log, self._task = log, asyncio.current_task()
        before = queueing.set(_told_of_the_queue(log))
        try:
            yield
        finally:
            queueing.reset(before)
            self._log = self._task = None

    async def come_by(self) -> None:
        """Wait while the episode is held. Raises EpisodeCancelledError, EpisodeLeftError."""
        if self._halted() and not self._free.is_set():
            before = self._log.doing() if self._log else None
            self.tell(PAUSED, by="run")
            if self._log:
                self._log.progress(PAUSED, self._run.paused)
            await self._free.wait()
            if self._log and before and not self._halted():
                self._log.progress(*before)
        if self.cancelled:
            raise EpisodeCancelledError
        if self._halted():
            raise EpisodeLeftError

    def tell(self, what: str, by: str) -> None:
        """Write it into the episode's log, if it has one open."""
        if self._log:
            self._log.write(Controlled(what=what, by=by))

    def cancel(self, by: str) -> None:
        """Break it off; one that has not begun is over as soon as it does."""
        self.cancelled = True
        self.tell("cancel", by)
        self.update()
        if self._task:
            self._task.cancel()

    def was_cancelled(self) -> bool:
        """In a task that is being cancelled: whether a person cancelled this episode. Takes the cancelling back then."""
        if self.cancelled and (task := asyncio.current_task()):
            task.uncancel()
        return self.cancelled


class Steering:
    """What is asked of a run, now and for the episodes to come. `paused` says why it is paused, if it is."""

    def __init__(self, stopping: Stopping) -> None:
        self.stopping = stopping
        self.paused = ""
        self._reins: dict[str, Reins] = {}
        self._running: set[str] = set()

    @contextmanager
    def episode(self, name: str) -> Iterator[Reins]:
        """The reins of an episode while the run is at it."""
        reins = self._of(name)
        self._running.add(name)
        try:
            yield reins
        finally:
            self._running.discard(name)
            del self._reins[name]

    def pause(self, why: str, episode: str | None = None, by: str = "person") -> None:
        """Hold the run, or one episode, before its next model call."""
        if episode is None:
            self.paused = why
        else:
            self._of(episode).held = True
        self._spread("pause", episode, by)

    def go_on(self, episode: str | None = None, by: str = "person") -> None:
        """Let the run go on with all its episodes, or with one."""
        if episode is None:
            self.paused = ""
        for reins in self._touched(episode):
            reins.held = False
        self._spread("go on", episode, by)

    def cancel(self, episode: str | None = None, by: str = "person") -> None:
        """Break off one episode; or all that are played, and begin no other."""
        if episode is None:
            self.stopping.ask("the run was cancelled")
            for name in self._running:
                self._reins[name].cancel(by)
        else:
            self._of(episode).cancel(by)

    def stop(self) -> None:
        """Begin no further turn and no further episode; what is held is left as it is."""
        self.stopping.asked = True
        for reins in self._reins.values():
            reins.update()

    def _spread(self, what: str, episode: str | None, by: str) -> None:
        for reins in self._touched(episode):
            reins.tell(what, by)
            reins.update()

    def _touched(self, episode: str | None) -> list[Reins]:
        return list(self._reins.values()) if episode is None else [self._of(episode)]

    def _of(self, name: str) -> Reins:
        return self._reins.setdefault(name, Reins(self))


def _told_of_the_queue(log: Log) -> Callable[[bool], None]:
    before = log.doing()

    def told(waiting: bool) -> None:
        nonlocal before
        if waiting:
            before = log.doing()
            log.progress(before[0], QUEUED)
        else:
            log.progress(*before)

    return told
