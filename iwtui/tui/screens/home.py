"""The runs of a store, live and over, with their progress and scores; and the episodes of the run at the cursor."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from textual import events, on
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.bench.names import EpisodeName
from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for
from iwtui.tui.answers import Age, EpisodeLine, Overview
from iwtui.tui.app_protocol import console
from iwtui.tui.board import Board, BoardChanged, Going, Playing, Progress, Watcher, ask_to_stop
from iwtui.tui.launch import Launched, LaunchError, go_on
from iwtui.tui.live import FollowingFailed
from iwtui.tui.queries import Questions
from iwtui.tui.rows import (
    EPISODE_COLUMNS,
    RUN_COLUMNS,
    RunRow,
    as_shown,
    episode_cells,
    episode_rows,
    run_cells,
    run_rows,
)
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.written import counted, percent

REFRESH = 2.0
"""Seconds between two looks at the index."""

OLD = 10.0
"""Seconds from which on the age of the index is told."""

STARTING = 15.0
"""Seconds that a process may take until it gives a sign of life."""

FRAME = 3
"""Lines of a pane that are not rows: the border and the titles."""

NO_RUNS = "No run is here yet.\n\nr starts one; `iwtui demo` or `iwtui run` in another terminal shows up here as well."
NO_EPISODES = "Nothing of this run has begun yet."


class HomeScreen(Screen[None]):
    """Enter on a run leads to its metrics, enter on an episode to the episode."""

    TITLE = "runs"
    BINDINGS = bindings_for("home")
    DEFAULT_CSS = """
    HomeScreen #runs { height: 8; min-height: 6; max-height: 45%; }
    HomeScreen #episodes { height: 1fr; min-height: 6; }
    """

    @dataclass
    class OverviewCame(Message):
        """The runs, from the index or, at first, from their own files alone."""

        overview: Overview
        indexed: bool

    @dataclass
    class EpisodesCame(Message):
        """The episodes of a run, from the index."""

        run: str
        lines: tuple[EpisodeLine, ...]

    @dataclass
    class AskingFailed(Message):
        """The index said no."""

        why: str
        title: str = ""

    @dataclass
    class GoingOnFailed(Message):
        """No process could go on with the run."""

        run: str
        why: str

    @dataclass
    class RunStarted(Message):
        """A process plays the run."""

        launched: Launched

    def __init__(self) -> None:
        super().__init__()
        self._overview = Overview()
        self._lines: dict[str, tuple[EpisodeLine, ...]] = {}
        self._going: dict[str, Going] = {}
        self._progress: dict[EpisodeName, Progress] = {}
        self._wanted = ""
        self._asking = False
        self._loaded_ahead = False
        self._elsewhere = 0
        self._height = 0
        self._told = ""
        self._ended: set[str] = set()
        """Runs of which the process has gone, until the index tells whether anything was left to play."""
        self._begun: dict[str, float] = {}
        """When a process was started for a run from here."""
        self._seen_live: set[str] = set()
        """Runs that have given a sign of life since."""
        self._chosen_first: str | None = None
        self._runs: Table[RunRow] = Table(RUN_COLUMNS, run_cells, lambda row: row.name, id="run-table")
        self._episodes: Table[EpisodeLine] = Table(
            EPISODE_COLUMNS, episode_cells, lambda line: line.name.played, id="episode-table"
        )

    def compose(self) -> ComposeResult:
        yield Crumbs()
        with Titled("Runs", id="runs"):
            yield self._runs
        with Titled("Episodes", id="episodes"):
            yield self._episodes
        find = FindBar()
        find.placeholder = "keep the runs and episodes that hold this text"
        yield find
        yield Keys()

    def on_mount(self) -> None:
        """The runs' names come at once, their figures when the index was asked; then the logs are watched."""
        store = console(self).store
        self.sub_title = one_line(str(store.root))
        self._questions = Questions(store)
        self._board = Board(store)
        self._watcher = Watcher(self, self._board)
        self._chosen_first = console(self).run_opened_for
        self._runs.say("Looking for runs …")
        self._runs.lines.focus()
        self._in_thread("plans", self._ask_plans)
        self._timer = self.set_interval(REFRESH, self._ask)
        self._ask()

    def on_unmount(self) -> None:
        """The watching ends with the screen."""
        self._watcher.stop()

    def on_screen_suspend(self) -> None:
        """While another screen is looked at, the index rests."""
        self._timer.pause()

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Up to date again at once."""
        if self._overview.runs:
            self._timer.resume()
            self._ask()

    # Asking, in threads.

    def _in_thread(self, group: str, work: Callable[[], None]) -> None:
        self.run_worker(work, group=group, thread=True, exit_on_error=False)

    def _ask(self) -> None:
        if not self._asking:
            self._asking = True
            self._in_thread("overview", self._ask_overview)

    def _ask_plans(self) -> None:
        self.post_message(self.OverviewCame(self._questions.plans(), indexed=False))

    def _ask_overview(self) -> None:
        try:
            self.post_message(self.OverviewCame(self._questions.overview(), indexed=True))
        except (StoreError, OSError) as error:
            self.post_message(self.AskingFailed(str(error)))

    def _ask_episodes(self, run: str) -> None:
        try:
            self.post_message(self.EpisodesCame(run, self._questions.episodes(run)))
        except (StoreError, OSError) as error:
            self.post_message(self.AskingFailed(str(error)))

    @on(OverviewCame)
    def _overview_came(self, message: OverviewCame) -> None:
        if not message.indexed and self._board.over:
            return
        self._overview = message.overview
        if message.indexed:
            self._asking = False
            self._board.over = message.overview.over
            self._watch()
            self._tell_age(message.overview.age)
        self._runs.say(NO_RUNS)
        self._show_runs()
        if message.indexed:
            self._tell_ended()
            self._ask_current()
            if not self._loaded_ahead:
                self._loaded_ahead = True
                self._in_thread("ahead", _load_ahead)

    @on(EpisodesCame)
    def _episodes_came(self, message: EpisodesCame) -> None:
        self._lines = {message.run: message.lines}
        self._show_episodes()

    @on(AskingFailed)
    def _asking_failed(self, message: AskingFailed) -> None:
        self._asking = False
        self._watch()
        if message.why != self._told:
            self._told = message.why
            console(self).notify_text(message.why, title=message.title or "The index cannot be read", severity="error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of, and asking goes on."""
        if event.state is WorkerState.ERROR:
            self.post_message(self.AskingFailed(str(event.worker.error), title=f"{event.worker.group} failed"))

    @on(FollowingFailed)
    def _following_failed(self, message: FollowingFailed) -> None:
        console(self).notify_text(message.why, title="The logs cannot be followed", severity="error")

    def _watch(self) -> None:
        if not self._watcher.started:
            self._watcher.start()

    def _tell_age(self, age: Age) -> None:
        old = age.why and (age.seconds is None or age.seconds > OLD)
        since = "at first" if age.seconds is None else f"{age.seconds:.0f} s ago"
        elsewhere = f"{counted(self._elsewhere, 'run')} live in other stores" if self._elsewhere else ""
        self.query_one("#runs", Titled).say(f"figures as of {since}: {age.why}" if old else elsewhere)

    # What goes on.

    @on(BoardChanged)
    def _board_changed(self, message: BoardChanged) -> None:
        gone = {run for run, going in self._going.items() if going.playing is Playing.LIVE and run not in message.runs}
        come = message.runs.keys() - self._going.keys()
        over = {name for name, one in message.episodes.items() if one.status != "running"}
        news = over - self._overview.over - {name for name, one in self._progress.items() if one.status != "running"}
        self._going, self._progress, self._elsewhere = message.runs, message.episodes, message.elsewhere
        self._ended |= gone
        self._seen_live |= message.runs.keys()
        self._show_runs()
        self._show_episodes()
        if gone or come or news:
            self._ask()

    def _tell_ended(self) -> None:
        """Says that a run is not played any more though something is left of it."""
        for row in self._runs.rows:
            if row.name in self._ended and row.broken_off:
                console(self).notify_text(
                    f"{row.over} of {row.line.planned} episodes are over; R goes on with it",
                    title=f"{one_line(row.name)} is not being played any more",
                    severity="warning",
                )
        self._ended.clear()

    # Showing.

    def _show_runs(self) -> None:
        rows = run_rows(self._overview.runs, self._overview.over, self._going, self._progress, self._starting())
        wanted = self._wanted
        if wanted:
            rows = [row for row in rows if self._run_fits(row, wanted)]
        self._runs.show(rows)
        if self._chosen_first is not None and any(row.name == self._chosen_first for row in rows):
            self._runs.go(self._chosen_first)
            self._chosen_first = None
        pane = self.query_one("#runs", Titled)
        height = max(len(rows), 4) + FRAME
        if height != self._height:
            self._height = pane.styles.height = height
        live = sum(going.playing in (Playing.LIVE, Playing.SILENT) for going in self._going.values())
        named = counted(len(rows), "run") + (f", {live} live" if live else "") + (f" with “{wanted}”" if wanted else "")
        pane.entitle(named if rows or wanted else "Runs")

    def _starting(self) -> set[str]:
        """Runs that were created, or set going from here, a moment ago, so that no sign of life is missed yet."""
        begun = {line.run: line.created for line in self._overview.runs} | self._begun
        return {run for run, since in begun.items() if 0 <= time.time() - since < STARTING and run not in self._seen_live}

    def _run_fits(self, row: RunRow, wanted: str) -> bool:
        if any(wanted in text.casefold() for text in (row.name, row.line.pack, *row.line.builders)):
            return True
        return row is self._runs.current or any(as_shown(line, wanted) for line in self._lines.get(row.name, ()))

    def _show_episodes(self) -> None:
        row = self._runs.current
        pane = self.query_one("#episodes", Titled)
        if row is None:
            self._episodes.show(())
            self._episodes.say("")
            pane.entitle("Episodes", "")
            return
        lines = self._lines.get(row.name)
        progress = [one for one in self._progress.values() if one.name.run == row.name]
        if lines is None and not progress:
            self._episodes.say("Reading …")
            self._episodes.show(())
        else:
            self._episodes.say(NO_EPISODES)
            shown = episode_rows(lines or (), progress, idle=row.broken_off)
            wanted = self._wanted
            kept = [line for line in shown if as_shown(line, wanted)] if wanted else shown
            self._episodes.show(kept or shown)
        figures = row.line.figures
        waiting = row.line.planned - row.over - row.running
        said = [counted(waiting, "episode") + " waiting"] if waiting > 0 else []
        said += [f"TCR {percent(figures.tcr)} % (n {figures.n})"] if figures and figures.n else []
        pane.entitle(f"Episodes of {row.name}", " · ".join(said))

    def _ask_current(self) -> None:
        row = self._runs.current
        if row is not None and not row.line.trouble:
            self._in_thread("episodes", partial(self._ask_episodes, row.name))

    # What the reader does.

    @on(Table.Moved, "#run-table")
    def _run_moved(self) -> None:
        self._show_episodes()
        self._ask_current()

    @on(Table.Opened, "#run-table")
    def _run_opened(self) -> None:
        row = self._runs.current
        if row is None:
            return
        if row.line.trouble:
            console(self).notify_text(row.line.trouble, title="This run cannot be read", severity="error")
            return
        self._open_metrics(row.name)

    @on(Table.Opened, "#episode-table")
    def _episode_opened(self) -> None:
        from iwtui.tui.screens.episode import EpisodeScreen

        line = self._episodes.current
        if line is not None:
            self.app.push_screen(EpisodeScreen(line.name))

    def action_all_metrics(self) -> None:
        """The figures of all runs together."""
        if not self._overview.runs:
            console(self).notify_text("there is no run yet; r starts one")
            return
        self._open_metrics(None)

    def _open_metrics(self, run: str | None) -> None:
        from iwtui.tui.screens.metrics import MetricsScreen

        self.app.push_screen(MetricsScreen(run))

    def action_find(self) -> None:
        """Keep what holds some text."""
        self.query_one(FindBar).open()

    @on(FindBar.Asked)
    def _find_asked(self, message: FindBar.Asked) -> None:
        self._wanted = message.text.casefold()
        self._runs.lines.focus()
        self._show_runs()
        self._show_episodes()

    @on(FindBar.GivenUp)
    def _find_given_up(self) -> None:
        self._runs.lines.focus()

    def action_new_run(self) -> None:
        """Choose what to play."""
        from iwtui.tui.screens.run import RunScreen

        self.app.push_screen(RunScreen(), self._new_run_started)

    def _new_run_started(self, launched: Launched | None) -> None:
        if launched is not None:
            self._started(launched)

    @on(RunStarted)
    def _run_started(self, message: RunStarted) -> None:
        self._started(message.launched)

    def _started(self, launched: Launched) -> None:
        console(self).started(launched.pid)
        console(self).notify_text(f"played by process {launched.pid}, also after the console is left", title=launched.run)
        self._chosen_first = launched.run
        if launched.run not in self._begun:
            self._begin(launched.run)
        self._ask()

    def _begin(self, run: str) -> None:
        """A process is being started for it: until it gives a sign of life, that is what the run's row says."""
        self._begun[run] = time.time()
        self._seen_live.discard(run)
        self._show_runs()

    def action_resume(self) -> None:
        """Go on with the run at the cursor, or play again what faults of ours ended."""
        row = self._runs.current
        if row is None or not (row.broken_off or row.faulty):
            said = "it is being played" if row and row.going.playing is not Playing.IDLE else "nothing is left to play"
            console(self).notify_text(said, title=row.name if row else "No run")
            return
        self._in_thread("resume", partial(self._go_on, row.name, row.faulty))
        self._begin(row.name)

    def _go_on(self, run: str, retry: bool) -> None:
        store = console(self).store
        try:
            self.post_message(self.RunStarted(go_on(store, store.run(run), retry)))
        except (LaunchError, StoreError) as error:
            self.post_message(self.GoingOnFailed(run, str(error)))

    @on(GoingOnFailed)
    def _going_on_failed(self, message: GoingOnFailed) -> None:
        self._begun.pop(message.run, None)
        self._show_runs()
        console(self).notify_text(message.why, title=f"{one_line(message.run)} does not go on", severity="error")

    def action_stop(self) -> None:
        """Ask the process that plays the run at the cursor to finish its turns and stop."""
        row = self._runs.current
        runner = row.going.runner if row else None
        if row is None or runner is None or not ask_to_stop(runner):
            console(self).notify_text("no process of this machine plays it", title=row.name if row else "No run")
            return
        console(self).notify_text("it finishes the current turns, then stops; R goes on with it later", title=row.name)


def _load_ahead() -> None:
    """The modules of the screens that are opened from here, while the reader looks at the first figures."""
    import iwtui.tui.screens.episode
    import iwtui.tui.screens.metrics  # noqa: F401
