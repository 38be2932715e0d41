"""The figures of a run, or of all: tiles, outcomes, heat maps; and the episodes of the cell that is chosen."""

from dataclasses import dataclass
from functools import partial

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.bench.filters import FilterError
from iwtui.bench.names import EpisodeName
from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for, key_of
from iwtui.tui.answers import EpisodeLine, Grid, Label, Margin, Metrics
from iwtui.tui.app_protocol import console
from iwtui.tui.comparing import mark_or_compare
from iwtui.tui.queries import Questions
from iwtui.tui.rows import EPISODE_COLUMNS, episode_cells
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.heat import HeatMap
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.tiles import OutcomeBar, Tiles
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.written import counted

POLICIES = ("default", "strict", "scored", "official")

REFRESH = 3.0
"""Seconds between two looks at the index."""

WIDE = 140
"""Columns from which on both heat maps are seen."""

TALL = 36
"""Lines from which on there is room for air."""

FLAT = 16
"""Lines below which there are none for boxes, tiles and outcomes: the map has the figure of all."""

BREAKDOWNS = ("difficulty", "builder")
TITLES = {"difficulty": "TCR % by persona × difficulty", "builder": "TCR % by persona × builder"}


class MetricsScreen(Screen[None]):
    """Enter on a cell leads to its episodes, enter on one of them to the episode. `run` is None for all runs together."""

    BINDINGS = bindings_for("metrics")
    DEFAULT_CSS = """
    MetricsScreen.-tall Tiles { height: 5; padding: 1 1; }
    MetricsScreen.-tall OutcomeBar { height: 2; }
    MetricsScreen #maps { height: auto; max-height: 60%; }
    MetricsScreen .map { height: auto; width: 1fr; display: none; }
    MetricsScreen .map.-shown, MetricsScreen.-wide .map { display: block; }
    MetricsScreen #cell { height: 1fr; min-height: 5; }
    MetricsScreen.-flat Tiles, MetricsScreen.-flat OutcomeBar { display: none; }
    MetricsScreen.-flat #maps { max-height: 4; }
    MetricsScreen.-flat HeatMap { height: 3; }
    MetricsScreen.-flat #cell { min-height: 3; }
    """

    @dataclass
    class MetricsCame(Message):
        """The figures, as they were asked for."""

        metrics: Metrics
        filter_text: str

    @dataclass
    class AskingFailed(Message):
        """The index said no, or the filter cannot be read."""

        why: str
        filter_text: str = ""

    def __init__(self, run: str | None) -> None:
        super().__init__()
        self.run = run
        self.title = "metrics of all runs" if run is None else f"metrics of {one_line(run, 60)}"
        self._metrics: Metrics | None = None
        self._policy = POLICIES[0]
        self._filter = ""
        self._breakdown = BREAKDOWNS[0]
        self._asking = False
        self._told = ""
        self._maps = {column: HeatMap(Grid(column), id=f"by-{column}") for column in BREAKDOWNS}
        self._table: Table[EpisodeLine] = Table(EPISODE_COLUMNS, episode_cells, _episode, id="cell-table")

    def compose(self) -> ComposeResult:
        yield Crumbs()
        yield Tiles(id="tiles")
        yield OutcomeBar(id="outcomes")
        with Horizontal(id="maps"):
            for column, heat in self._maps.items():
                with Titled(TITLES[column], id=f"map-{column}", classes="pane map"):
                    yield heat
        with Titled("Episodes", id="cell"):
            yield self._table
        find = FindBar()
        find.placeholder = "persona:P-MIN status:scored builder:qwen* tcr<0.3"
        yield find
        yield Keys()

    def on_mount(self) -> None:
        """Asks at once, and again from time to time."""
        self._questions = Questions(console(self).store)
        self._table.say("Reading …", reading=True)
        self._choose_breakdown(self._breakdown)
        self._maps[self._breakdown].focus()
        self._timer = self.set_interval(REFRESH, self._ask)
        self._ask()

    def on_screen_suspend(self) -> None:
        """While another screen is looked at, the index rests."""
        self._timer.pause()

    def on_screen_resume(self) -> None:
        """Up to date again."""
        if self._metrics is not None:
            self._timer.resume()
            self._ask()

    def on_resize(self, event: events.Resize) -> None:
        """Both maps side by side, and some air, where there is room."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.height >= TALL, "-tall")
        self.set_class(event.size.height < FLAT, "-flat")

    # Asking, in a thread.

    def _ask(self) -> None:
        if not self._asking:
            self._asking = True
            asking = partial(self._ask_index, self._policy, self._filter)
            self.run_worker(asking, group="metrics", thread=True, exit_on_error=False)

    def _ask_index(self, policy: str, filter_text: str) -> None:
        try:
            metrics = self._questions.metrics(self.run, policy, filter_text)
        except (StoreError, FilterError, OSError) as error:
            self.post_message(self.AskingFailed(str(error), filter_text if isinstance(error, FilterError) else ""))
        else:
            self.post_message(self.MetricsCame(metrics, filter_text))

    @on(MetricsCame)
    def _metrics_came(self, message: MetricsCame) -> None:
        self._asking = False
        if (message.metrics.policy, message.filter_text) != (self._policy, self._filter):
            self._ask()
            return
        self._metrics = message.metrics
        figures = message.metrics.figures
        self.query_one(Tiles).show(figures)
        self.query_one(OutcomeBar).show(figures, self._policy)
        self._maps["difficulty"].show(message.metrics.by_difficulty)
        self._maps["builder"].show(message.metrics.by_builder)
        of = counted(len(message.metrics.runs), "run")
        kept = f" with {self._filter}" if self._filter else ""
        scripted = "" if not figures.scripted_episodes else " · scripted"
        self.sub_title = one_line(f"{counted(figures.episodes, 'episode')} of {of}{kept}{scripted}", 60)
        self._show_cell()

    @on(AskingFailed)
    def _asking_failed(self, message: AskingFailed) -> None:
        self._asking = False
        if message.filter_text and message.filter_text == self._filter:
            self._filter = ""
            console(self).notify_text(message.why, title="This filter cannot be read", severity="error")
            self._ask()
        elif message.why != self._told:
            self._told = message.why
            console(self).notify_text(message.why, title="The index cannot be read", severity="error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of, and asking goes on."""
        if event.state is WorkerState.ERROR:
            self.post_message(self.AskingFailed(str(event.worker.error)))

    # Showing.

    @property
    def _heat(self) -> HeatMap:
        return self._maps[self._breakdown]

    def _show_cell(self) -> None:
        if self._metrics is None:
            return
        row, column = self._heat.chosen
        lines = self._metrics.within(self._breakdown, row, column)
        self._table.say(self._nothing())
        self._table.show(lines)
        whole = row is Margin.ALL and column is Margin.ALL
        named = "all episodes" if whole else " × ".join(_name(label) for label in (row, column) if label is not Margin.ALL)
        order = f"by {self._table.order}" if self._table.order.title else "the lowest TCR first"
        self.query_one("#cell", Titled).entitle(f"{named}: {counted(len(lines), 'episode')}, {order}")

    def _nothing(self) -> str:
        if self._filter:
            return "No episode fits the filter; / changes it."
        return "No episode has begun yet." if self._metrics and not self._metrics.episodes else "No episode is in this cell."

    def _choose_breakdown(self, column: str) -> None:
        had_focus = self._heat.has_focus
        self._breakdown = column
        for each in BREAKDOWNS:
            self.query_one(f"#map-{each}").set_class(each == column, "-shown")
            self._maps[each].activate(each == column)
        if had_focus:
            self._heat.focus()
        self._show_cell()

    # What the reader does.

    @on(HeatMap.Moved)
    def _cell_moved(self, message: HeatMap.Moved) -> None:
        self._follow_focus(message.heat)
        self._show_cell()

    @on(HeatMap.Opened)
    def _cell_opened(self, message: HeatMap.Opened) -> None:
        self._follow_focus(message.heat)
        self._show_cell()
        if self._table.rows:
            self._table.lines.focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The map that has the focus is the one whose cell is shown."""
        if isinstance(event.widget, HeatMap):
            self._follow_focus(event.widget)

    def _follow_focus(self, heat: HeatMap) -> None:
        if heat.grid.column != self._breakdown:
            self._choose_breakdown(heat.grid.column)

    @on(Tiles.Chosen)
    def _figure_chosen(self, message: Tiles.Chosen) -> None:
        self._table.sort(message.order)
        self._table.lines.move_to(0)
        self._table.lines.focus()
        self._show_cell()

    @on(Table.Ordered)
    def _table_ordered(self) -> None:
        self._show_cell()

    @on(Table.Opened, "#cell-table")
    def _episode_opened(self) -> None:
        from iwtui.tui.screens.episode import EpisodeScreen

        line = self._table.current
        if line is not None:
            self.app.push_screen(EpisodeScreen(line.name))

    def action_left(self) -> None:
        """The cell to the left."""
        self._heat.move(0, -1)

    def action_right(self) -> None:
        """The cell to the right."""
        self._heat.move(0, 1)

    def action_next_breakdown(self) -> None:
        """The other heat map."""
        self._heat.focus()
        self._choose_breakdown(BREAKDOWNS[(BREAKDOWNS.index(self._breakdown) + 1) % len(BREAKDOWNS)])

    def action_policy(self) -> None:
        """The next way to say who counts."""
        self._policy = POLICIES[(POLICIES.index(self._policy) + 1) % len(POLICIES)]
        self._ask()

    def action_compare(self) -> None:
        """Mark this run as A, or compare it with the one that is."""
        if self.run is None:
            console(self).notify_text("these are all runs together; the metrics of one run, or Home, can mark it")
            return
        mark_or_compare(self, self.run, key_of(self, "metrics.compare"))

    def action_find(self) -> None:
        """Keep the episodes that fit a filter."""
        self.query_one(FindBar).open()

    @on(FindBar.Asked)
    def _filter_asked(self, message: FindBar.Asked) -> None:
        self._filter = message.text
        self._heat.focus()
        self._ask()

    @on(FindBar.GivenUp)
    def _filter_given_up(self) -> None:
        self._heat.focus()


def _episode(line: EpisodeLine) -> EpisodeName:
    return line.name


def _name(label: Label) -> str:
    return "unknown" if label is None else str(label)
