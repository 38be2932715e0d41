"""Every run that is being played for this user, of whatever store, and the episodes of the one at the cursor.

It asks no index, holds no lock and writes nothing into a store: whoever watches never holds a run up.
"""

import time
from dataclasses import replace
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from iwtui.archive.store import Store
from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for
from iwtui.tui.answers import EpisodeLine
from iwtui.tui.app_protocol import console
from iwtui.tui.board import Watcher
from iwtui.tui.boards import Boards, Sight, SightsChanged
from iwtui.tui.columns import Column
from iwtui.tui.live import FollowingFailed
from iwtui.tui.rows import EPISODE_COLUMNS, RUN_COLUMNS, episode_cells, run_cells
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.written import counted

FRAME = 3
"""Lines of a pane that are not rows: the border and the titles."""

LEAST = 4
"""Rows that the runs have room for when there are fewer."""

TAKEN = ("run", "state", "played", "begun", "builders")
"""The columns of a run that make sense without an index."""

_PLACES = [at for at, column in enumerate(RUN_COLUMNS) if column.title in TAKEN]

NOTHING = "Nothing is being played.\n\nA run that you start in any terminal, in whatever store, shows up here by itself."


def _of_sight(column: Column) -> Column:
    """A column of runs, in a table of sights."""
    by = column.by
    return replace(column, by=None if by is None else lambda sight: by(sight.row))


COLUMNS = (
    *(_of_sight(RUN_COLUMNS[at]) for at in _PLACES),
    Column("store", 20, grow=2, rank=1, by=lambda sight: str(sight.store)),
)


class WatchScreen(Screen[None]):
    """Enter on a run leads to its episodes, enter on an episode to the episode, which then follows its log."""

    TITLE = "being played"
    BINDINGS = bindings_for("watch")
    DEFAULT_CSS = """
    WatchScreen #sights { height: 7; min-height: 5; max-height: 45%; }
    WatchScreen #seen { height: 1fr; min-height: 5; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._own: Store | None = None
        self._wished = ""
        self._height = 0
        self._sights: Table[Sight] = Table(COLUMNS, _cells, lambda sight: sight.key, id="sight-table")
        self._episodes: Table[EpisodeLine] = Table(
            EPISODE_COLUMNS, episode_cells, lambda line: line.name.played, id="seen-table"
        )

    def compose(self) -> ComposeResult:
        yield Crumbs()
        with Titled("Being played", id="sights"):
            yield self._sights
        with Titled("Episodes", id="seen"):
            yield self._episodes
        yield Keys()

    def on_mount(self) -> None:
        """The watching begins."""
        self._own = console(self).store
        self._wished = console(self).run_opened_for or ""
        self._sights.say("Looking for runs …", reading=True)
        self._sights.lines.focus()
        self._watcher = Watcher(self, Boards(self._own))
        self._watcher.start()

    def on_unmount(self) -> None:
        """The watching ends."""
        self._watcher.stop()

    def on_screen_resume(self) -> None:
        """Back from an episode of another store."""
        if self._own is not None:
            console(self).store = self._own

    @on(SightsChanged)
    def _changed(self, message: SightsChanged) -> None:
        message.stop()
        sights = message.sights(time.time())
        self._sights.say(NOTHING)
        self._sights.show(sights)
        if wished := next((sight for sight in sights if sight.row.name == self._wished), None):
            self._wished = ""
            self._sights.go(wished.key)
        live = sum(not sight.row.idle for sight in sights)
        pane = self.query_one("#sights", Titled)
        pane.entitle(f"{counted(live, 'run')} being played" if sights else "Being played")
        height = max(len(sights), LEAST) + FRAME
        if height != self._height:
            self._height = pane.styles.height = height
        self._show_episodes()

    @on(FollowingFailed)
    def _following_failed(self, message: FollowingFailed) -> None:
        message.stop()
        console(self).notify_text(message.why, title="The logs cannot be followed", severity="error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            console(self).notify_text(str(event.worker.error), title=f"{event.worker.group} failed", severity="error")

    def _show_episodes(self) -> None:
        sight = self._sights.current
        pane = self.query_one("#seen", Titled)
        self._episodes.say("" if sight is None else "Nothing of this run has begun yet.")
        self._episodes.show(sight.episodes if sight else ())
        paused = f"paused: {one_line(sight.row.paused, 120)}" if sight and sight.row.paused else ""
        pane.entitle(f"Episodes of {sight.row.name}" if sight else "Episodes", paused)

    @on(Table.Moved, "#sight-table")
    def _sight_moved(self) -> None:
        self._show_episodes()

    @on(Table.Opened, "#sight-table")
    def _sight_opened(self) -> None:
        if self._episodes.rows:
            self._episodes.lines.focus()

    @on(Table.Opened, "#seen-table")
    def _episode_opened(self) -> None:
        from iwtui.tui.screens.episode import EpisodeScreen

        sight, line = self._sights.current, self._episodes.current
        if sight is not None and line is not None:
            self._enter(sight.store)
            self.app.push_screen(EpisodeScreen(line.name))

    def action_open_store(self) -> None:
        """The runs of the store at the cursor, with this one chosen."""
        from iwtui.tui.screens.home import HomeScreen

        sight = self._sights.current
        if sight is not None:
            self._enter(sight.store)
            console(self).run_opened_for = sight.row.name
            self.app.push_screen(HomeScreen())

    def _enter(self, store: Path) -> None:
        """What is opened next is of that store."""
        console(self).store = Store(store)


def _cells(sight: Sight) -> list[Content]:
    cells = run_cells(sight.row)
    return [*(cells[at] for at in _PLACES), safe_line(str(sight.store), 120, "$dim")]
