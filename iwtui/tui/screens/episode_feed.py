"""What an episode's screen is fed with: its logs, what they grow by, whole texts, and whether somebody plays it."""

import time
from dataclasses import dataclass
from functools import partial

from textual import on
from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, WorkerState, get_current_worker

from iwtui.archive.errors import StoreError
from iwtui.archive.registry import live_runs
from iwtui.archive.store import Store
from iwtui.bench.blame import Blame, blames
from iwtui.bench.case import Case
from iwtui.bench.events import Blob
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.names import EpisodeName
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status, status
from iwtui.tui.app_protocol import console
from iwtui.tui.garbage import let_go
from iwtui.tui.live import Follower, FollowingFailed, LogsGrew
from iwtui.tui.opening import Opened, read_texts, verdicts_of
from iwtui.tui.state.doing import NOTHING, doing
from iwtui.tui.state.episode import EpisodeView

CHECK = 2.0
"""Seconds between two looks whether the runner of an unfinished episode is alive."""

TICK = 1.0
"""Seconds between two looks at how long the episode has been idle."""

MISSES = 2
"""Looks in a row that find no runner, after which there is none."""

TEXTS_AT_ONCE = 200
"""Long texts that are read at once."""


class EpisodeFeed(Widget):
    """Shows nothing. It opens the episode in a thread; told to `go_on`, it keeps `view` up with the logs to the end.

    `reading`: whole texts are on their way. `broken`: the episode is not over, and nobody plays it. `doing`: what it does
    right now.
    """

    DEFAULT_CSS = "EpisodeFeed { display: none; }"

    @dataclass
    class Ready(Message):
        """The logs were read as far as they went; the view is there."""

        view: EpisodeView

    @dataclass
    class Failed(Message):
        """The episode cannot be read, or not any more."""

        why: str

    class Grew(Message):
        """The view holds more events than before, or others."""

    class DoesElse(Message):
        """`doing` is another now, or it has been the same for so long that there is something to be said of it."""

    @dataclass
    class TextsCame(Message):
        """The view holds whole texts where there were beginnings only, or (not `some`) all that are to be had are there."""

        some: bool

    class Blamed(Message):
        """The view holds the causes of the slots that failed."""

    class PlayedOrNot(Message):
        """`broken` is another now."""

    @dataclass
    class _Opened(Message):
        opened: Opened

    @dataclass
    class _TextsRead(Message):
        texts: dict[Blob, str]

    @dataclass
    class _CausesFound(Message):
        causes: dict[str, tuple[Blame, ...]]
        before: tuple[Verdict, ...]

    @dataclass
    class _RunnerSeen(Message):
        alive: bool

    def __init__(self, episode: EpisodeName) -> None:
        super().__init__()
        self.reading = False
        self.broken = False
        self.doing = NOTHING
        self._said = ""
        self._episode = episode
        self._opened: Opened | None = None
        self._follower: Follower | None = None
        self._missed = 0

    @property
    def _store(self) -> Store:
        return console(self).store

    @property
    def view(self) -> EpisodeView | None:
        """The episode, once its logs were read."""
        return self._opened.view if self._opened else None

    def on_mount(self) -> None:
        """Begin."""
        self.run_worker(self._open, thread=True, group="opening", exit_on_error=False)
        self.set_interval(CHECK, self._check_runner)
        self.set_interval(TICK, self._tick)

    def on_unmount(self) -> None:
        """Follow no longer."""
        if self._follower:
            self._follower.stop()
        let_go()

    def _open(self) -> None:
        """In a thread."""
        try:
            opened = Opened(self._store, self._episode)
            opened.read_all()
        except (StoreError, OSError) as error:
            self.post_message(self.Failed(str(error)))
        else:
            self.post_message(self._Opened(opened))

    @on(_Opened)
    def _is_open(self, message: _Opened) -> None:
        message.stop()
        self._opened = opened = message.opened
        self.reading = True
        self.doing = doing(opened.live, NOTHING).after(opened.view.latest.t)
        self.post_message(self.Ready(opened.view))
        self.post_message(self.DoesElse())

    def go_on(self) -> None:
        """Follow the logs, and read whole texts: to be called when what was ready is painted, which threads would slow."""
        if self._opened is None or not self.is_attached:
            return
        self._follower = Follower(self, self._opened.logs)
        self._follower.start()
        self.reading = False
        self._read_on()
        self._blame()

    @on(LogsGrew)
    def _logs_grew(self, message: LogsGrew) -> None:
        message.stop()
        assert self._opened
        if self._episode in message.live:
            self.doing = doing(message.live[self._episode], self.doing)
            self.post_message(self.DoesElse())
        if message.growths:
            newest = max((growth.records[-1].t for growth in message.growths if growth.records), default=0.0)
            self.doing = self.doing.after(newest)
            self._opened.take(message.growths)
            self.post_message(self.Grew())
            self._read_on()
            self._blame()

    def _tick(self) -> None:
        """The seconds for which it has been idle go on."""
        if (said := self.doing.words(time.time())) != self._said:
            self._said = said
            self.post_message(self.DoesElse())

    @on(FollowingFailed)
    def _not_followed(self, message: FollowingFailed) -> None:
        message.stop()
        self.post_message(self.Failed(message.why))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A fault of ours in a thread is told as well."""
        event.stop()
        if event.state is WorkerState.ERROR:
            self.post_message(self.Failed(f"{type(event.worker.error).__name__}: {event.worker.error}"))

    # Long texts stand in blobs; they are read little by little, for the dialogue and for finding.

    def _read_on(self) -> None:
        view = self.view
        if view and not self.reading:
            self.reading = True
            self.run_worker(partial(self._read_texts, view), thread=True, group="texts", exit_on_error=False)

    def _read_texts(self, view: EpisodeView) -> None:
        """In a thread: to learn which texts there are takes a moment as well."""
        worker = get_current_worker()
        texts = read_texts(self._store.blobs, view.wanted(TEXTS_AT_ONCE))
        if not worker.is_cancelled:
            self.post_message(self._TextsRead(texts))

    @on(_TextsRead)
    def _texts_read(self, message: _TextsRead) -> None:
        message.stop()
        self.reading = False
        assert self.view
        if message.texts:
            self.view.supply(message.texts)
            self._read_on()
        self.post_message(self.TextsCame(bool(message.texts)))

    # Why slots failed: told once a judging is over, from the whole code.

    def _blame(self) -> None:
        view = self.view
        if view and view.case and (judgings := view.unblamed()):
            work = partial(self._find_causes, view.case, view.latest, judgings)
            self.run_worker(work, thread=True, group="causes", exclusive=True, exit_on_error=False)

    def _find_causes(self, case: Case, episode: EpisodeState, judgings: dict[str, JudgingState]) -> None:
        """In a thread."""
        blobs = self._store.blobs
        causes = {name: blames(case, episode, one, blobs) for name, one in judgings.items()}
        before = verdicts_of(self._store, episode.forked.parent, len(case.slots)) if episode.forked else ()
        self.post_message(self._CausesFound(causes, before))

    @on(_CausesFound)
    def _causes_found(self, message: _CausesFound) -> None:
        message.stop()
        assert self.view
        self.view.blamed(message.causes)
        self.view.compare(message.before)
        self.post_message(self.Blamed())

    # The runner.

    def _check_runner(self) -> None:
        view = self.view
        if view and status(view.latest, view.judging) is Status.RUNNING:
            self.run_worker(self.look_for_runner, thread=True, group="runner", exclusive=True, exit_on_error=False)
        else:
            self._found(alive=True)

    def look_for_runner(self) -> None:
        """In a thread: is there a process that plays this run?"""
        store = str(self._store.root.resolve())
        mine = [live for live in live_runs() if (live.runner.store, live.runner.run) == (store, self._episode.run)]
        self.post_message(self._RunnerSeen(any(live.alive is not False for live in mine)))

    @on(_RunnerSeen)
    def _runner_seen(self, message: _RunnerSeen) -> None:
        message.stop()
        self._found(message.alive)

    def _found(self, alive: bool) -> None:
        self._missed = 0 if alive else self._missed + 1
        broken = self._missed >= MISSES
        if broken != self.broken:
            self.broken = broken
            self.post_message(self.PlayedOrNot())
