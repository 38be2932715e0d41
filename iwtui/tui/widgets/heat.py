"""A heat map: groups of episodes by two columns, the colour of a cell being its mean TCR; the figure stands in it too."""

from dataclasses import dataclass

from textual import events
from textual.app import RenderResult
from textual.color import Color
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for
from iwtui.tui.answers import Cell, Grid, Label, Margin
from iwtui.tui.text import safe_line
from iwtui.tui.written import margin, percent

LABEL = 10
"""Columns of a row's name."""

AROUND = 11
"""Columns of a cell without its n: its edges, the figure, and the gaps before the n and after the cell."""

WIDEST = 26

INTERVAL = 6
"""Columns of the interval, in cells that have room for it."""


class HeatMap(Widget, can_focus=True):
    """The cell at the cursor is `chosen`; the reader moves it with the arrow keys, opens it with enter."""

    BINDINGS = bindings_for("list", "chart")
    DEFAULT_CSS = """
    HeatMap { height: auto; padding: 0 1; }
    """

    @dataclass
    class Moved(Message):
        """The reader moved the cursor to another cell."""

        heat: "HeatMap"

    @dataclass
    class Opened(Message):
        """The reader opened the cell at the cursor."""

        heat: "HeatMap"

    def __init__(self, grid: Grid, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.grid = grid
        self.active = True
        """Whether the cursor is shown."""
        self._place = (0, 0)
        self._first = 0
        """The column that stands at the left, after that of the margin."""
        self._top = 0
        """The row that stands at the top."""
        self._told = "reading …"
        self._n = _longest_n(grid)

    @property
    def chosen(self) -> tuple[Label, Label]:
        """Row and column of the cell at the cursor; all episodes in an empty map."""
        row, column = self._place
        if not self.grid.rows:
            return (Margin.ALL, Margin.ALL)
        return (self.grid.rows[row], self.grid.columns[column])

    def show(self, grid: Grid) -> None:
        """Another grid; the cursor stays on its cell when that is still there."""
        row, column = self.chosen
        if grid == self.grid and self._told == "no episodes yet":
            return
        relaid = len(grid.rows) != len(self.grid.rows)
        self._told = "no episodes yet"
        self.grid = grid
        self._n = _longest_n(grid)
        self._place = (
            grid.rows.index(row) if row in grid.rows else 0,
            grid.columns.index(column) if column in grid.columns else 0,
        )
        self.refresh(layout=relaid)

    def activate(self, active: bool) -> None:
        """Show the cursor, or do not."""
        if active != self.active:
            self.active = active
            self.refresh()

    def move(self, rows: int, columns: int) -> None:
        """The cursor so many cells on, within the map."""
        row = max(0, min(self._place[0] + rows, len(self.grid.rows) - 1))
        column = max(0, min(self._place[1] + columns, len(self.grid.columns) - 1))
        self._go(row, column)

    def _go(self, row: int, column: int) -> None:
        if self.grid.rows and (row, column) != self._place:
            self._place = (row, column)
            self.refresh()
            self.post_message(self.Moved(self))

    def action_left(self) -> None:
        """The cell to the left."""
        self.move(0, -1)

    def action_right(self) -> None:
        """The cell to the right."""
        self.move(0, 1)

    def action_cursor_up(self) -> None:
        self.move(-1, 0)

    def action_cursor_down(self) -> None:
        self.move(1, 0)

    def action_page_up(self) -> None:
        self.move(-len(self.grid.rows), 0)

    def action_page_down(self) -> None:
        self.move(len(self.grid.rows), 0)

    def action_half_page_up(self) -> None:
        self.move(-len(self.grid.rows) // 2, 0)

    def action_half_page_down(self) -> None:
        self.move(len(self.grid.rows) // 2, 0)

    def action_first(self) -> None:
        self._go(0, 0)

    def action_last(self) -> None:
        self.move(len(self.grid.rows), len(self.grid.columns))

    def action_choose(self) -> None:
        """Open the cell."""
        if self.grid.rows:
            self.post_message(self.Opened(self))

    def copied(self) -> str:
        """The whole map, with tabs between its cells."""
        grid = self.grid
        lines = [["persona", *(_text(column) for column in grid.columns)]]
        for row in grid.rows:
            cells = (grid.cells.get((row, column)) for column in grid.columns)
            lines.append([_text(row), *(percent(cell.tcr) if cell else "" for cell in cells)])
        return "\n".join("\t".join(line) for line in lines) if grid.rows else ""

    def on_click(self, event: events.Click) -> None:
        spot = event.get_content_offset(self)
        if spot is None or not self.grid.rows:
            return
        row, place = self._top + spot.y - 1, (spot.x - LABEL) // self._cell
        shown = self._shown()
        if spot.y > 0 and row < len(self.grid.rows) and spot.x >= LABEL and place < len(shown):
            self._go(row, shown[place])
            if event.chain == 2:
                self.action_choose()

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self.grid.rows) + 1 if self.grid.rows else 1

    # Painting.

    @property
    def _cell(self) -> int:
        count = max(1, len(self.grid.columns))
        return max(AROUND + self._n, min(WIDEST, (self.content_size.width - LABEL) // count))

    def _shown(self) -> list[int]:
        """The columns that there is room for: the margin's always, the cursor's always, and those about it."""
        room = max(1, (self.content_size.width - LABEL) // self._cell)
        count = len(self.grid.columns)
        if room >= count or room == 1:
            return list(range(count)) if room >= count else [self._place[1]]
        at = max(1, self._place[1])
        self._first = max(at - (room - 2), min(self._first or 1, at))
        self._first = max(1, min(self._first, count - room + 1))
        return [0, *range(self._first, self._first + room - 1)]

    def _rows(self) -> range:
        """The rows that there is room for, with the cursor's."""
        room = max(1, self.content_size.height - 1)
        self._top = max(self._place[0] - room + 1, min(self._top, self._place[0], len(self.grid.rows) - room), 0)
        return range(self._top, min(self._top + room, len(self.grid.rows)))

    def render(self) -> RenderResult:
        if not self.grid.rows:
            return Content.styled(self._told, "$dim")
        shown = self._shown()
        titles = [self._title(place, shown) for place in shown]
        lines = [Content(" " * LABEL) + Content("").join(titles)]
        for row in self._rows():
            cells = [self._painted(row, column) for column in shown]
            here = self.active and row == self._place[0]
            name = _named(self.grid.rows[row], LABEL - 2, "bold" if here else "$dim")
            lines.append(name.pad_right(LABEL - name.cell_length) + Content("").join(cells))
        return Content("\n").join(lines)

    def _title(self, place: int, shown: list[int]) -> Content:
        label = self.grid.columns[place]
        style = "bold" if self.active and place == self._place[1] else "$dim"
        more = place == shown[-1] and shown[-1] < len(self.grid.columns) - 1
        name = Content("  ") + _named(label, self._cell - (5 if more else 3), style)
        if more:
            name = name.pad_right(self._cell - 2 - name.cell_length) + Content.styled("›", "$accent")
        return name.pad_right(self._cell - name.cell_length)

    def _painted(self, row: int, column: int) -> Content:
        cell = self.grid.cells.get((self.grid.rows[row], self.grid.columns[column]))
        here = self.active and (row, column) == self._place
        width = self._cell - 1
        marks = ("▐", "▌") if here else (" ", " ")
        text = "·".rjust(6) if cell is None else percent(cell.tcr).rjust(6)
        count = "" if cell is None else f"n {cell.n}"
        between = margin(cell.low, cell.high) if cell else ""
        wide = INTERVAL if self._cell >= AROUND + self._n + INTERVAL else 0
        inner = Content.assemble(
            (text, "bold" if here else ""),
            (between.rjust(wide) if wide else "", "$dim" if not here else ""),
            ("  " + count.ljust(width - AROUND + 1 - wide), "$dim" if not here else ""),
        )
        edge = "$accent" if here and self.has_focus else "$foreground"
        whole = Content.assemble((marks[0], edge), inner, (marks[1], edge))
        background = self._colour(cell)
        painted = whole.stylize_before(Style(background=background)) if background else whole
        return painted + " "

    def _colour(self, cell: Cell | None) -> Color | None:
        if cell is None or cell.tcr is None:
            return None
        variables = self.app.theme_variables
        return Color.parse(variables["heat-low"]).blend(Color.parse(variables["heat-high"]), cell.tcr)


def _longest_n(grid: Grid) -> int:
    """Columns of the longest n of a grid; those that a small one needs, at least."""
    return max([len("n 99"), *(len(f"n {cell.n}") for cell in grid.cells.values())])


def _text(label: Label) -> str:
    return "all" if isinstance(label, Margin) else one_line(label if label is not None else "unknown")


def _named(label: Label, width: int, style: str) -> Content:
    if isinstance(label, Margin):
        return Content.styled(_text(label), style)
    return safe_line(_text(label), 60, style).truncate(width, ellipsis=True)
