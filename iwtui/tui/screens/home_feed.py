"""What Home is fed with: the runs and their figures from the index, and how those that are played go on, from the logs."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from textual import on
from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.bench.names import EpisodeName
from iwtui.tui.answers import Age, EpisodeLine, Overview
from iwtui.tui.app_protocol import console
from iwtui.tui.board import Board, BoardChanged, Going, Playing, Progress, Watcher
from iwtui.tui.live import FollowingFailed
from iwtui.tui.queries import Questions
from iwtui.tui.rows import RunRow, episode_rows, run_rows
from iwtui.tui.written import counted

REFRESH = 2.0
"""Seconds between two looks at the index."""

OLD = 10.0
"""Seconds from which on the age of the index is told."""

STARTING = 15.0
"""Seconds that a process may take until it gives a sign of life."""


class HomeFeed(Widget):
    """Shows nothing. It asks the index in threads and watches the board until it is unmounted.

    `known`: the runs were looked for. `note`: what is to be said of all of them.
    """

    DEFAULT_CSS = "HomeFeed { display: none; }"

    @dataclass
    class Changed(Message):
        """The runs, or how they go on, are others than before; `indexed`: with new figures."""

        indexed: bool

    class EpisodesCame(Message):
        """The episodes of the run that was asked about are there."""

    @dataclass
    class Failed(Message):
        """Something could not be read."""

        title: str
        why: str

    @dataclass
    class _Overview(Message):
        """The runs, from the index or, at first, from their own files alone."""

        overview: Overview
        indexed: bool

    @dataclass
    class _Episodes(Message):
        run: str
        lines: tuple[EpisodeLine, ...]

    @dataclass
    class _AskingFailed(Message):
        why: str
        title: str = "The index cannot be read"

    def __init__(self) -> None:
        super().__init__()
        self.known = False
        self.note = ""
        self._overview = Overview()
        self._indexed = False
        self._lines: dict[str, tuple[EpisodeLine, ...]] = {}
        self._going: dict[str, Going] = {}
        self._progress: dict[EpisodeName, Progress] = {}
        self._elsewhere = 0
        self._asking = False
        self._told = ""
        self._ended: set[str] = set()
        """Runs of which the process has gone, until the index tells whether anything was left to play."""
        self._begun: dict[str, float] = {}
        """When a process was started for a run from here."""
        self._seen_live: set[str] = set()
        """Runs that have given a sign of life since."""

    def on_mount(self) -> None:
        """The runs' names come at once, their figures when the index was asked; then the logs are watched."""
        store = console(self).store
        self._questions = Questions(store)
        self._board = Board(store)
        self._watcher = Watcher(self, self._board)
        self._in_thread("plans", self._ask_plans)
        self._timer = self.set_interval(REFRESH, self.ask)
        self.ask()

    def on_unmount(self) -> None:
        """The watching ends."""
        self._watcher.stop()

    # What Home asks.

    def pause(self) -> None:
        """While another screen is looked at, the index rests."""
        self._timer.pause()

    def resume(self) -> None:
        """Up to date again at once."""
        if self.known:
            self._timer.resume()
            self.ask()

    def ask(self) -> None:
        """Ask the index for the runs, if that is not being done."""
        if not self._asking:
            self._asking = True
            self._in_thread("overview", self._ask_overview)

    def ask_episodes(self, run: str) -> None:
        """Ask the index for the episodes of a run."""
        self._in_thread("episodes", partial(self._ask_episodes, run))

    def rows(self) -> list[RunRow]:
        """All runs as they are known now."""
        overview = self._overview
        reading = not self._indexed
        return run_rows(overview.runs, overview.over, self._going, self._progress, self._starting(), time.time(), reading)

    def episodes(self, row: RunRow) -> list[EpisodeLine] | None:
        """The episodes of a run; None when nothing is known of them yet."""
        lines = self.lines(row.name)
        progress = [one for one in self._progress.values() if one.name.run == row.name]
        if lines is None and not progress:
            return None
        return episode_rows(lines or (), progress, row.idle, time.time())

    def lines(self, run: str) -> tuple[EpisodeLine, ...] | None:
        """The episodes of a run as the index has them, if it was asked for them last."""
        return self._lines.get(run)

    def begin(self, run: str) -> None:
        """A process is being started for a run: until it gives a sign of life, that is how the run is played."""
        self._begun[run] = time.time()
        self._seen_live.discard(run)
        self.post_message(self.Changed(indexed=False))

    def begun(self, run: str) -> None:
        """A process was started for it."""
        if run not in self._begun:
            self.begin(run)
        self.ask()

    def not_begun(self, run: str) -> None:
        """No process was started for it after all."""
        self._begun.pop(run, None)
        self.post_message(self.Changed(indexed=False))

    def take_ended(self) -> list[RunRow]:
        """The runs that are not played any more though something is left of them; each is told of once."""
        ended = [row for row in self.rows() if row.name in self._ended and row.broken_off]
        self._ended.clear()
        return ended

    def _starting(self) -> set[str]:
        """Runs that were created, or set going from here, a moment ago, so that no sign of life is missed yet."""
        begun = {line.run: line.created for line in self._overview.runs} | self._begun
        return {run for run, since in begun.items() if 0 <= time.time() - since < STARTING and run not in self._seen_live}

    # Asking, in threads.

    def _in_thread(self, group: str, work: Callable[[], None]) -> None:
        self.run_worker(work, group=group, thread=True, exit_on_error=False)

    def _ask_plans(self) -> None:
        self.post_message(self._Overview(self._questions.plans(), indexed=False))

    def _ask_overview(self) -> None:
        try:
            self.post_message(self._Overview(self._questions.overview(), indexed=True))
        except (StoreError, OSError) as error:
            self.post_message(self._AskingFailed(str(error)))

    def _ask_episodes(self, run: str) -> None:
        try:
            self.post_message(self._Episodes(run, self._questions.episodes(run)))
        except (StoreError, OSError) as error:
            self.post_message(self._AskingFailed(str(error)))

    @on(_Overview)
    def _overview_came(self, message: _Overview) -> None:
        if not message.indexed and self._board.over:
            return
        self.known = True
        self._overview = message.overview
        if message.indexed:
            self._asking = False
            self._indexed = True
            self._board.over = message.overview.over
            self._watch()
            self.note = self._said_of_all(message.overview.age)
        self.post_message(self.Changed(message.indexed))

    @on(_Episodes)
    def _episodes_came(self, message: _Episodes) -> None:
        self._lines = {message.run: message.lines}
        self.post_message(self.EpisodesCame())

    @on(_AskingFailed)
    def _asking_failed(self, message: _AskingFailed) -> None:
        self._asking = False
        self._watch()
        if message.why != self._told:
            self._told = message.why
            self.post_message(self.Failed(message.title, message.why))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of, and asking goes on."""
        if event.state is WorkerState.ERROR:
            self.post_message(self._AskingFailed(str(event.worker.error), f"{event.worker.group} failed"))

    @on(FollowingFailed)
    def _following_failed(self, message: FollowingFailed) -> None:
        message.stop()
        self.post_message(self.Failed("The logs cannot be followed", message.why))

    def _said_of_all(self, age: Age) -> str:
        old = age.why and (age.seconds is None or age.seconds > OLD)
        since = "at first" if age.seconds is None else f"{age.seconds:.0f} s ago"
        elsewhere = f"{counted(self._elsewhere, 'run')} live in other stores" if self._elsewhere else ""
        return f"figures as of {since}: {age.why}" if old else elsewhere

    # What goes on.

    def _watch(self) -> None:
        if not self._watcher.started:
            self._watcher.start()

    @on(BoardChanged)
    def _board_changed(self, message: BoardChanged) -> None:
        message.stop()
        gone = {run for run, going in self._going.items() if going.playing is Playing.LIVE and run not in message.runs}
        come = message.runs.keys() - self._going.keys()
        over = {name for name, one in message.episodes.items() if one.status != "running"}
        news = over - self._overview.over - {name for name, one in self._progress.items() if one.status != "running"}
        self._going, self._progress, self._elsewhere = message.runs, message.episodes, message.elsewhere
        self._ended |= gone
        self._seen_live |= message.runs.keys()
        self.post_message(self.Changed(indexed=False))
        if gone or come or news:
            self.ask()
