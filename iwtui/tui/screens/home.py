"""The runs of a store, live and over, with their progress and scores; and the episodes of the run at the cursor."""

from textual import events, on
from textual.app import ComposeResult
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from iwtui.bench.text import one_line
from iwtui.tui.actions import BY_ID, bindings_for, key_of
from iwtui.tui.answers import EpisodeLine
from iwtui.tui.app_protocol import console
from iwtui.tui.board import Playing
from iwtui.tui.comparing import mark_or_compare
from iwtui.tui.garbage import settle
from iwtui.tui.launch import Launched
from iwtui.tui.rows import EPISODE_COLUMNS, RUN_COLUMNS, RunRow, as_shown, episode_cells, run_cells
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.screens.going_on import GoingOn
from iwtui.tui.screens.home_feed import HomeFeed
from iwtui.tui.screens.home_memory import HomeMemory
from iwtui.tui.screens.steering import Steering
from iwtui.tui.steerable import why_not
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.written import about, counted, percent

FRAME = 3
"""Lines of a pane that are not rows: the border and the titles."""

FLAT = 16
"""Lines below which there are none for the boxes of the panes."""

STEERING = ("home.resume", "home.pause", "home.stop", "home.cancel", "home.cancel_all")
"""What is asked of a run or of an episode, each possible at times only."""

NO_RUNS = "No run is here yet.\n\n{} starts one; `iwtui demo` or `iwtui run` in another terminal shows up here as well."
NO_EPISODES = "Nothing of this run has begun yet."


class HomeScreen(Screen[None]):
    """Enter on a run leads to its metrics, enter on an episode to the episode."""

    TITLE = "runs"
    BINDINGS = bindings_for("home")
    DEFAULT_CSS = """
    HomeScreen #runs { height: 8; min-height: 6; max-height: 45%; }
    HomeScreen #episodes { height: 1fr; min-height: 6; }
    HomeScreen.-flat #runs, HomeScreen.-flat #episodes { min-height: 3; max-height: 50%; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.feed = HomeFeed()
        self._wanted = ""
        self._loaded_ahead = False
        self._height: int | str = 0
        self._reasons: tuple[str, ...] = ()
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
        yield self.feed
        yield GoingOn()
        yield Steering()

    def on_mount(self) -> None:
        """The cursor goes where it was the last time, or to the run that the console was opened for."""
        self.sub_title = one_line(str(console(self).store.root))
        self._memory = HomeMemory(console(self), self._runs, self._episodes)
        self._runs.say("Looking for runs …", reading=True)
        self._runs.lines.focus()

    def on_resize(self, event: events.Resize) -> None:
        """A very low screen is shared by halves."""
        self.set_class(event.size.height < FLAT, "-flat")
        self._share()

    def _share(self) -> None:
        """As many lines for the runs as there are runs, up to a limit of the style; the rest for the episodes."""
        height = "1fr" if self.has_class("-flat") else max(len(self._runs.rows), 4) + FRAME
        if height != self._height:
            self._height = self.query_one("#runs").styles.height = height

    def on_descendant_focus(self) -> None:
        """Where it stands is where it begins the next time; an action may be about something else there."""
        self._memory.note()
        self._look_at_reasons()

    @on(Table.Moved, "#episode-table")
    def _episode_moved(self) -> None:
        self._memory.note()
        self._look_at_reasons()

    def on_screen_suspend(self) -> None:
        """While another screen is looked at, the index rests."""
        self._memory.keep()
        self.feed.pause()

    def on_screen_resume(self) -> None:
        """Up to date again at once."""
        self.feed.resume()

    # What the feed tells.

    @on(HomeFeed.Changed)
    def _changed(self, message: HomeFeed.Changed) -> None:
        if not self.feed.known:
            return
        self._runs.say(NO_RUNS.format(key_of(self, "home.new_run")))
        self._show_runs()
        self._show_episodes()
        if not message.indexed:
            return
        self.query_one("#runs", Titled).say(self.feed.note)
        for row in self.feed.take_ended():
            said = f"{row.over} of {row.line.planned} episodes are over; {key_of(self, 'home.resume')} goes on with it"
            console(self).notify_text(said, title=f"{one_line(row.name)} is not being played any more", severity="warning")
        self._ask_current()
        if not self._loaded_ahead:
            self._loaded_ahead = True
            self.run_worker(_load_ahead, group="ahead", thread=True, exit_on_error=False)

    @on(HomeFeed.EpisodesCame)
    def _episodes_came(self) -> None:
        self._show_episodes()

    @on(HomeFeed.Failed)
    def _failed(self, message: HomeFeed.Failed) -> None:
        console(self).notify_text(message.why, title=message.title, severity="error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            console(self).notify_text(str(event.worker.error), title=f"{event.worker.group} failed", severity="error")

    # Showing.

    def _show_runs(self) -> None:
        rows = self.feed.rows()
        wanted = self._wanted
        if wanted:
            rows = [row for row in rows if self._run_fits(row, wanted)]
        self._runs.show(rows)
        self._memory.runs_shown()
        pane = self.query_one("#runs", Titled)
        self._share()
        live = sum(row.going.playing in (Playing.LIVE, Playing.SILENT) for row in rows)
        named = counted(len(rows), "run") + (f", {live} live" if live else "") + (f" with “{wanted}”" if wanted else "")
        pane.entitle(named if rows or wanted else "Runs")

    def _run_fits(self, row: RunRow, wanted: str) -> bool:
        if any(wanted in text.casefold() for text in (row.name, row.line.pack, *row.line.builders)):
            return True
        return row is self._runs.current or any(as_shown(line, wanted) for line in self.feed.lines(row.name) or ())

    def _show_episodes(self) -> None:
        row = self._runs.current
        pane = self.query_one("#episodes", Titled)
        self._look_at_reasons()
        if row is None:
            self._episodes.show(())
            self._episodes.say("")
            pane.entitle("Episodes", "")
            return
        shown = self.feed.episodes(row)
        self._episodes.say("Reading …" if shown is None else NO_EPISODES, reading=shown is None)
        kept = [line for line in shown or () if as_shown(line, self._wanted)] if self._wanted else []
        self._episodes.show(kept or shown or ())
        if shown is not None:
            self._memory.episodes_shown(row.name)
        figures = row.line.figures
        waiting = row.line.planned - row.over - row.running
        said = [f"paused: {one_line(row.paused, 120)}"] if row.paused else []
        said += [counted(waiting, "episode") + " waiting"] if waiting > 0 and not row.reading else []
        said += [f"{about(row.to_go)} to go"] if row.to_go is not None else []
        said += [f"TCR {percent(figures.tcr)} % (n {figures.n})"] if figures and figures.n else []
        pane.entitle(f"Episodes of {row.name}", " · ".join(said))

    def _ask_current(self) -> None:
        row = self._runs.current
        if row is not None and not row.line.trouble:
            self.feed.ask_episodes(row.name)

    # What the reader does.

    @on(Table.Moved, "#run-table")
    def _run_moved(self) -> None:
        self._memory.note()
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

    @on(Table.Ordered)
    def _table_ordered(self) -> None:
        self._memory.keep()

    def action_all_metrics(self) -> None:
        """The figures of all runs together."""
        if not self._runs.rows:
            console(self).notify_text(f"there is no run yet; {key_of(self, 'home.new_run')} starts one")
            return
        self._open_metrics(None)

    def _open_metrics(self, run: str | None) -> None:
        from iwtui.tui.screens.metrics import MetricsScreen

        self.app.push_screen(MetricsScreen(run))

    def action_watch(self) -> None:
        """All that is being played, of whatever store."""
        from iwtui.tui.screens.watch import WatchScreen

        self.app.push_screen(WatchScreen())

    def action_adjudicate(self) -> None:
        """A person's verdicts on slots: of the run at the cursor."""
        from iwtui.tui.screens.adjudicate import AdjudicateScreen

        row = self._runs.current
        if row is None or row.line.trouble:
            console(self).notify_text("there is no run here whose sites could have been judged")
            return
        self.app.push_screen(AdjudicateScreen(row.name))

    def action_weights(self) -> None:
        """Scores and ranks of all runs under other weights."""
        from iwtui.tui.screens.weights import WeightsScreen

        self.app.push_screen(WeightsScreen(None))

    def action_compare(self) -> None:
        """Mark the run at the cursor as A, or compare it with the one that is."""
        row = self._runs.current
        if row is None or row.line.trouble:
            console(self).notify_text("there is no run at the cursor that can be compared")
            return
        mark_or_compare(self, row.name, key_of(self, "home.compare"))

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

    # Starting runs, going on with them, pausing, stopping and cancelling them.

    @property
    def _line(self) -> EpisodeLine | None:
        """The episode at the cursor, when the reader is among the episodes."""
        return self._episodes.current if self._episodes.lines.has_focus else None

    def why_not(self, action: str) -> str:
        """Why an action of the registry is not possible now; empty when it is."""
        return why_not(action, self._runs.current, self._line)

    def _look_at_reasons(self) -> None:
        """The footer is made anew when other actions are possible than before."""
        reasons = tuple(self.why_not(action) for action in STEERING)
        if reasons != self._reasons:
            self._reasons = reasons
            self.refresh_bindings()

    def _possible(self, action: str) -> RunRow | None:
        """The run at the cursor when the action is possible there; else the reason is told."""
        row, reason = self._runs.current, self.why_not(action)
        if not reason:
            return row
        console(self).notify_text(reason, title=f"{row.name if row else 'No run'}: no {BY_ID[action].name}")
        return None

    def action_new_run(self) -> None:
        """Choose what to play."""
        from iwtui.tui.screens.run import RunScreen

        self.app.push_screen(RunScreen(), self._new_run_started)

    def _new_run_started(self, launched: Launched | None) -> None:
        if launched is not None:
            self._started(launched)

    @on(GoingOn.Started)
    def _went_on(self, message: GoingOn.Started) -> None:
        self._started(message.launched)

    def _started(self, launched: Launched) -> None:
        console(self).started(launched.pid)
        console(self).notify_text(f"played by process {launched.pid}, also after the console is left", title=launched.run)
        self._memory.wish(launched.run)
        self.feed.begun(launched.run)

    @on(GoingOn.Begun)
    def _begun(self, message: GoingOn.Begun) -> None:
        self.feed.begin(message.run)

    @on(GoingOn.Failed)
    def _not_begun(self, message: GoingOn.Failed) -> None:
        self.feed.not_begun(message.run)

    def action_resume(self) -> None:
        """Go on with the run at the cursor, or play again what faults of ours ended."""
        if row := self._possible("home.resume"):
            self.query_one(GoingOn).resume(row)

    def action_pause(self) -> None:
        """Hold the run or the episode at the cursor before its next model call, or let it go on."""
        if row := self._possible("home.pause"):
            self.query_one(Steering).pause(row, self._line)

    def action_stop(self) -> None:
        """Ask the process that plays the run at the cursor to finish its turns and stop."""
        if row := self._possible("home.stop"):
            self.query_one(GoingOn).stop(row)

    def action_cancel(self) -> None:
        """End the episode at the cursor."""
        if row := self._possible("home.cancel"):
            self.query_one(Steering).cancel(row, self._line)

    def action_cancel_all(self) -> None:
        """End all episodes of the run at the cursor."""
        if row := self._possible("home.cancel_all"):
            self.query_one(Steering).cancel(row, None)


def _load_ahead() -> None:
    """The modules of the screens that are opened from here, while the reader looks at the first figures."""
    import iwtui.tui.screens.episode
    import iwtui.tui.screens.metrics  # noqa: F401

    settle()
