"""The views of Metrics: maps, bars, plots, published figures. Each knows which episodes are chosen in it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget

from iwtui.tui.answers import Cell, Grid, Label, Margin, Metrics, cell_filter
from iwtui.tui.cause_rows import CAUSE_COLUMNS, cause_cells, cause_filter, cause_name, group_of
from iwtui.tui.charts import by_cost, by_lines, by_turn
from iwtui.tui.choosable import Chosen
from iwtui.tui.part_rows import PART_CHOICES, USUAL_PART, PartRow, label_text, part_rows, told_of
from iwtui.tui.published_rows import PUBLISHED_COLUMNS, published_cells, published_name
from iwtui.tui.share_rows import SHARE_COLUMNS, share_cells
from iwtui.tui.widgets.heat import HeatMap
from iwtui.tui.widgets.plot import Plot
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.written import percent

if TYPE_CHECKING:
    from iwtui.analysis.causes import Share
    from iwtui.analysis.plots import Bar
    from iwtui.analysis.published import Compared

WIDE = 140
"""Columns from which on both heat maps are seen."""

PLOT = 46
"""Columns that a plot needs to stand beside another."""

MAPS = {"difficulty": "TCR % by persona × difficulty", "builder": "TCR % by persona × builder"}
GROUPS = ("persona", "difficulty", "builder", "application_type", "category", "language", "run", "judge", "repeat")
"""What bars can be by."""

T = TypeVar("T")


@dataclass(frozen=True)
class Selection:
    """The episodes that are chosen in a view: what they are called, and the filter that keeps them.

    `none`: why there are none whatever the filter; empty when there may be some.
    """

    named: str = "all episodes"
    filter: str = ""
    none: str = ""


class View(Vertical):
    """One view of several; the screen displays one of them."""

    DEFAULT_CSS = "View { height: 3fr; }"

    @dataclass
    class Selected(Message):
        """Other episodes are chosen; `opened`: the reader wants to go to them."""

        view: "View"
        opened: bool = False

    @property
    def selection(self) -> Selection:
        """What is chosen."""
        raise NotImplementedError

    @property
    def heart(self) -> Widget:
        """The widget that has the focus when the view is looked at."""
        raise NotImplementedError

    def show(self, metrics: Metrics) -> None:
        """These figures."""
        raise NotImplementedError

    def step(self, way: int) -> None:
        """The next part of the view, or the one before."""

    def selected(self, opened: bool = False) -> None:
        """Says what is chosen now."""
        self.post_message(self.Selected(self, opened))


class MapsView(View):
    """Two heat maps; the one that has the focus, or had it last, is the one whose cell is chosen."""

    DEFAULT_CSS = """
    MapsView { height: auto; max-height: 60%; }
    MapsView > Horizontal { height: auto; }
    MapsView .map { height: auto; width: 1fr; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._maps = {column: HeatMap(Grid(column), id=f"by-{column}") for column in MAPS}
        self._column = next(iter(MAPS))
        self._wide = False

    def compose(self) -> ComposeResult:
        with Horizontal():
            for column, heat in self._maps.items():
                with Titled(MAPS[column], id=f"map-{column}", classes="pane map"):
                    yield heat

    def on_mount(self) -> None:
        self._activate(self._column)

    def on_resize(self, event: events.Resize) -> None:
        """Both side by side where there is room."""
        self._wide = event.size.width >= WIDE
        self._activate(self._column)

    @property
    def heart(self) -> HeatMap:
        return self._maps[self._column]

    @property
    def selection(self) -> Selection:
        row, column = self.heart.chosen
        named = " × ".join(label_text(label) for label in (row, column) if label is not Margin.ALL)
        return Selection(named or "all episodes", cell_filter({"persona": row, self._column: column}))

    def show(self, metrics: Metrics) -> None:
        self._maps["difficulty"].show(metrics.by_difficulty)
        self._maps["builder"].show(metrics.by_builder)
        self._say()

    def _say(self) -> None:
        """What there is to say of the cell at the cursor stands below its map."""
        for column, heat in self._maps.items():
            cell = heat.grid.cells.get(heat.chosen) if column == self._column else None
            self.query_one(f"#map-{column}", Titled).say(cell_told(cell) if cell else "")

    def step(self, way: int) -> None:
        columns = list(MAPS)
        self._activate(columns[(columns.index(self._column) + way) % len(columns)])
        self.heart.focus()
        self.selected()

    def _activate(self, column: str) -> None:
        self._column = column
        for each, heat in self._maps.items():
            self.query_one(f"#map-{each}").display = self._wide or each == column
            heat.activate(each == column)
        self._say()

    @on(HeatMap.Moved)
    @on(HeatMap.Opened)
    def _cell_chosen(self, message: HeatMap.Moved | HeatMap.Opened) -> None:
        message.stop()
        self._activate(message.heat.grid.column)
        self.selected(isinstance(message, HeatMap.Opened))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The map that has the focus is the one whose cell is chosen."""
        if isinstance(event.widget, HeatMap) and event.widget.grid.column != self._column:
            self._activate(event.widget.grid.column)
            self.selected()


class _TableView(View, Generic[T]):
    """A view that is one table in a pane."""

    _table: "Table[Any]"

    @property
    def table(self) -> "Table[Any]":
        """The table itself."""
        return self._table

    @property
    def heart(self) -> Widget:
        return self._table.lines

    @on(Table.Moved)
    @on(Table.Opened)
    def _row_chosen(self, message: Table.Moved | Table.Opened) -> None:
        message.stop()
        self.selected(isinstance(message, Table.Opened))


class BarsView(_TableView[PartRow]):
    """A bar of the mean TCR for each value of a column, with its interval and the other figures."""

    DEFAULT_CSS = """
    BarsView { height: auto; max-height: 60%; }
    BarsView Titled { height: auto; min-height: 6; }
    """

    class Regrouped(Message):
        """The reader wants bars by another column."""

    def __init__(self, by: str, chosen: Chosen[PartRow], id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.by = by
        self.chosen = chosen
        self._shown_by = by
        self._table: Table[PartRow] = Table(
            chosen.columns, chosen.cells, lambda row: row.label, "reading …", id="bars-table"
        )

    def compose(self) -> ComposeResult:
        with Titled(self._title, id="bars-pane"):
            yield self._table

    @property
    def _title(self) -> str:
        return f"TCR % by {self.by.replace('_', ' ')} · {GROUPS.index(self.by) + 1} of {len(GROUPS)}"

    @property
    def selection(self) -> Selection:
        row = self._table.current
        return Selection() if row is None else Selection(told_of(row, self._shown_by.replace("_", " ")), row.filter)

    def show(self, metrics: Metrics) -> None:
        if metrics.by != self.by:
            return
        rows = part_rows(metrics)
        self._table.say("no episodes yet")
        self._table.styles.height = max(3, len(rows) + 1)
        another = self._shown_by != metrics.by
        self._shown_by = metrics.by
        self._table.show(rows)
        if another and self.display:
            self._table.lines.move_to(0)
            self.selected()

    def step(self, way: int) -> None:
        self.by = GROUPS[(GROUPS.index(self.by) + way) % len(GROUPS)]
        self.query_one(Titled).entitle(self._title)
        self.post_message(self.Regrouped())

    def choose(self, titles: tuple[str, ...]) -> None:
        """These columns."""
        self.chosen.choose(titles)
        self._table.choose(self.chosen.columns, self.chosen.cells)


class PublishedView(_TableView["Compared"]):
    """The published figures, and ours beside them under the official reading."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._table: Table[Compared] = Table(
            PUBLISHED_COLUMNS, published_cells, published_name, "reading …", id="published-table"
        )

    def compose(self) -> ComposeResult:
        with Titled("Published figures, and ours under the official reading (no scripts)", id="published-pane"):
            yield self._table

    @property
    def selection(self) -> Selection:
        row = self._table.current
        if row is None:
            return Selection()
        if not row.filter:
            whose = row.published.model
            why = f"No builder here bears the name {whose}." if whose else "A range over all models has no episodes here."
            return Selection(published_name(row), "", why)
        return Selection(published_name(row), row.filter)

    def show(self, metrics: Metrics) -> None:
        """Its figures come apart: see `show_published`."""

    def show_published(self, rows: "tuple[Compared, ...]") -> None:
        """These."""
        self._table.say("The table of published figures is empty.")
        self._table.show(rows)


class CausesView(_TableView["Share"]):
    """Why weight was lost, in all and by persona."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._table: Table[Share] = Table(CAUSE_COLUMNS, cause_cells, cause_name, "reading …", id="causes-table")

    def compose(self) -> ComposeResult:
        with Titled("Lost weight of scored episodes by cause, in all and by persona", id="causes-pane"):
            yield self._table

    @property
    def selection(self) -> Selection:
        share = self._table.current
        return Selection() if share is None else Selection(f"{group_of(share)} with slots lost", cause_filter(share))

    def show(self, metrics: Metrics) -> None:
        """Its figures come apart: see `show_causes`."""

    def show_causes(self, rows: "tuple[Share, ...]") -> None:
        """These."""
        self._table.say("Nothing was lost.")
        self._table.show(rows)


class PlotsView(View):
    """The plots side by side, as many as there is room for."""

    DEFAULT_CSS = """
    PlotsView > Horizontal { height: 1fr; }
    PlotsView .plot { width: 1fr; height: 1fr; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._plots = {"turns": Plot(), "lines": Plot(), "cost": Plot()}
        self._shares: dict[str, Table[Bar]] = {
            name: Table(SHARE_COLUMNS, share_cells, lambda bar: bar.label, "reading …", id=f"{name}-table")
            for name in ("actions", "endings")
        }
        self._names = (*self._plots, *self._shares)
        self._active = self._names[0]
        self._first = 0

    def compose(self) -> ComposeResult:
        with Horizontal():
            for name in self._names:
                with Titled(_PLOT_TITLES[name], id=f"plot-{name}", classes="pane plot"):
                    yield self._plots[name] if name in self._plots else self._shares[name]

    def on_mount(self) -> None:
        self._activate(self._active)

    def on_resize(self) -> None:
        """As many as there is room for."""
        self._window()

    @property
    def heart(self) -> Widget:
        return self._plots[self._active] if self._active in self._plots else self._shares[self._active].lines

    @property
    def selection(self) -> Selection:
        if self._active in self._plots:
            mark = self._plots[self._active].chosen
            return Selection(mark.named, mark.filter) if mark else Selection()
        bar = self._shares[self._active].current
        return Selection(f"{_SHARED[self._active]} {bar.label}", bar.filter) if bar else Selection()

    def show(self, metrics: Metrics) -> None:
        points = metrics.points
        for name, make in (("turns", by_turn), ("lines", by_lines), ("cost", by_cost)):
            chart = make(points)
            self._plots[name].show(chart)
            self._entitle(name, chart.title)
        for name, bars in (("actions", points.actions), ("endings", points.stop_reasons)):
            self._shares[name].say("no episodes yet")
            self._shares[name].show(bars)

    def step(self, way: int) -> None:
        self._activate(self._names[(self._names.index(self._active) + way) % len(self._names)])
        self.heart.focus()
        self.selected()

    def _entitle(self, name: str, title: str) -> None:
        self.query_one(f"#plot-{name}", Titled).entitle(title)

    def _activate(self, name: str) -> None:
        self._active = name
        for each, plot in self._plots.items():
            plot.activate(each == name)
        self._window()

    def _window(self) -> None:
        room = max(1, min(len(self._names), self.size.width // PLOT))
        at = self._names.index(self._active)
        self._first = max(0, min(self._first, at, len(self._names) - room), at - room + 1)
        for place, name in enumerate(self._names):
            pane = self.query_one(f"#plot-{name}", Titled)
            pane.display = self._first <= place < self._first + room
            pane.say(f"{place + 1} of {len(self._names)}")

    @on(Plot.Moved)
    @on(Plot.Opened)
    def _mark_chosen(self, message: Plot.Moved | Plot.Opened) -> None:
        message.stop()
        self.selected(isinstance(message, Plot.Opened))

    @on(Table.Moved)
    @on(Table.Opened)
    def _bar_chosen(self, message: Table.Moved | Table.Opened) -> None:
        message.stop()
        self.selected(isinstance(message, Table.Opened))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The plot that has the focus is the one whose mark is chosen."""
        hearts: dict[Widget, str] = {plot: name for name, plot in self._plots.items()}
        hearts |= {table.lines: name for name, table in self._shares.items()}
        name = hearts.get(event.widget)
        if name is not None and name != self._active:
            self._activate(name)
            self.selected()


def cell_told(cell: Cell) -> str:
    """A cell in words: its figure, its interval, and how many of its episodes count."""
    between = "" if cell.low is None or cell.high is None else f", 95 % {percent(cell.low)} to {percent(cell.high)}"
    return f"TCR {percent(cell.tcr)} %{between}, n {cell.n} of {cell.episodes}"


_PLOT_TITLES = {
    "turns": "TCR % by turns played",
    "lines": "HR % by LOC",
    "cost": "TCR % against $",
    "actions": "what the turns did",
    "endings": "why the episodes ended",
}
_SHARED = {"actions": "episodes with a turn of", "endings": "ended by"}


def usual_parts(titles: tuple[str, ...]) -> Chosen[PartRow]:
    """The columns of the bars: those that were chosen, or the usual ones."""
    return Chosen(PART_CHOICES, USUAL_PART, titles)


def grid_values(metrics: Metrics | None) -> dict[str, tuple[str, ...]]:
    """What may stand in the filter's fields, as far as the figures tell."""
    if metrics is None:
        return {}
    found = {
        "persona": _texts(metrics.by_difficulty.rows),
        "difficulty": _texts(metrics.by_difficulty.columns),
        "builder": _texts(metrics.by_builder.columns),
        "stop_reason": tuple(bar.label for bar in metrics.points.stop_reasons),
        "run": ("last", *metrics.runs),
    }
    return {metrics.by: _texts(tuple(part.label for part in metrics.breakdown))} | found


def _texts(labels: tuple[Label, ...]) -> tuple[str, ...]:
    return tuple(label for label in labels if isinstance(label, str))
