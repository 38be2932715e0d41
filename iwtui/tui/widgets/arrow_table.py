"""Rows of an Arrow table with a cursor on one cell. Only the cells in sight are read, and each is cut before it is."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import clamp
from textual.message import Message
from textual.widget import Widget

from iwtui.tui.actions import bindings_for
from iwtui.tui.columns import GAP, Column, Fitted, column_at, line
from iwtui.tui.state.sql_cells import cell_text, is_number, whole_cell
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.line_view import GUTTER
from iwtui.tui.widgets.lines import LineList

if TYPE_CHECKING:
    import pyarrow as pa

MEASURED = 3_000
"""Cells that the widths of the columns are taken from, of the first rows, the last and some between."""

WIDEST = 48
"""Cells of a column at most, while there are others."""

CELL = 400
"""Characters of a cell that reach the table."""

LEFT, RIGHT = "◂", "▸"


class Sheet:
    """An Arrow table as a source of lines. Made in a thread: it measures the columns."""

    def __init__(self, columns: Sequence[str], table: "pa.Table") -> None:
        self.names = tuple(columns)
        self.table = table
        self.columns = tuple(self._column(place, name) for place, name in enumerate(columns))
        self.left = 0
        """The first column in sight."""
        self.at = 0
        """The column of the cursor."""
        self.row = -1
        """The row of the cursor."""
        self._fitted: tuple[int, int, Fitted] | None = None

    def _column(self, place: int, name: str) -> Column:
        title = safe_line(name, WIDEST)
        right = self.is_number(place)
        shown = [self.cell(row, place).cell_length for row in self._sample()]
        if right and self.table.num_rows:
            from pyarrow import compute

            ends = compute.min_max(self.table.column(place))
            shown += [len(cell_text(ends[end]) or "") for end in ("min", "max")]
        most = WIDEST if len(self.names) > 1 else CELL
        return Column(title.plain, clamp(max([title.cell_length, *shown]), 1, most), right=right)

    def _sample(self) -> Sequence[int]:
        rows = self.table.num_rows
        third = max(5, MEASURED // (3 * len(self.names)))
        if rows <= 3 * third:
            return range(rows)
        return [*range(third), *range(third, rows - third, (rows - 2 * third) // third + 1), *range(rows - third, rows)]

    def is_number(self, place: int) -> bool:
        """Whether the column holds numbers."""
        return is_number(self.table.schema.field(place).type)

    def scalar(self, row: int, place: int) -> Any:
        """The value of a cell, as Arrow has it."""
        return self.table.column(place)[row]

    def cell(self, row: int, place: int) -> Content:
        """A cell on one line."""
        text = cell_text(self.scalar(row, place))
        return Content.styled("NULL", "$dim italic") if text is None else safe_line(text, CELL)

    def fitted(self, width: int) -> Fitted:
        """The columns in sight from `left` on, the last of them maybe in part."""
        if self._fitted is None or self._fitted[:2] != (self.left, width):
            found: list[tuple[int, int]] = []
            used = 0
            for place in range(self.left, len(self.columns)):
                room = width - used
                if found and room < min(self.columns[place].width, 4):
                    break
                found.append((place, min(self.columns[place].width, max(1, room))))
                used += self.columns[place].width + GAP
            self._fitted = self.left, width, tuple(found)
        return self._fitted[2]

    def reveal(self, width: int) -> bool:
        """Brings the column of the cursor whole into sight if it can; whether another column is the first now."""
        before = self.left
        if self.at < self.left:
            self.left = self.at
        while self.left < self.at and not any(
            place == self.at and cells == self.columns[place].width for place, cells in self.fitted(width)
        ):
            self.left += 1
        return self.left != before

    # As a source of lines.

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def key(self, index: int) -> Hashable:
        return id(self), index, self.left, self.at if index == self.row else -1

    def lines(self, index: int, width: int) -> list[Content]:
        fitted = self.fitted(width)
        cells: list[Content] = [Content()] * len(self.columns)
        for place, room in fitted:
            cell = self.cell(index, place)
            if index == self.row and place == self.at:
                cell = cell.truncate(room, ellipsis=True)
                pad = cell.pad_left if self.columns[place].right else cell.pad_right
                cell = pad(room - cell.cell_length).stylize(".line-list--cell")
            cells[place] = cell
        return [line(self.columns, fitted, cells)]

    def chars(self, index: int) -> int:
        return 1


@dataclass
class _ColumnClicked(Message):
    """The reader clicked into this column."""

    place: int


class _Titles(Widget):
    """The titles of the columns in sight; arrows tell that there are others beside them."""

    DEFAULT_CSS = """
    _Titles { height: 1; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.sheet: Sheet | None = None

    @property
    def _width(self) -> int:
        return max(1, self.size.width - GUTTER - 1)

    def render(self) -> Content:
        if self.sheet is None or not self.sheet.columns:
            return Content()
        sheet, fitted = self.sheet, self.sheet.fitted(self._width)
        titles = [Content(column.title) for column in sheet.columns]
        titles[sheet.at] = titles[sheet.at].stylize("bold $foreground")
        shown = line(sheet.columns, fitted, titles)
        more = fitted[-1][0] < len(sheet.columns) - 1 or fitted[-1][1] < sheet.columns[fitted[-1][0]].width
        shown = shown.truncate(self._width, ellipsis=True).pad_right(max(0, self._width - shown.cell_length))
        return Content.assemble(LEFT if sheet.left else " ", shown, RIGHT if more else " ")

    def on_click(self, event: events.Click) -> None:
        if self.sheet is not None:
            place = column_at(self.sheet.fitted(self._width), event.x - GUTTER)
            if place is not None:
                self.post_message(_ColumnClicked(place))


class _Lines(LineList):
    """The rows. The list moves from row to row; from column to column the table does."""

    COMPONENT_CLASSES: ClassVar = {"line-list--cell"}
    DEFAULT_CSS = """
    _Lines { & > .line-list--cell { text-style: reverse; } }
    """

    def __init__(self, empty: str) -> None:
        super().__init__(empty=empty, wrap=False)
        self.sheet: Sheet | None = None

    def _repaint(self, index: int) -> None:
        """The sheet knows which row has the cursor before any is painted."""
        if self.sheet is not None:
            self.sheet.row = self.index
        super()._repaint(index)

    def on_click(self, event: events.Click) -> None:
        """What the list itself does then is done as well: Textual calls both."""
        place = event.get_content_offset(self)
        if self.sheet is not None and place is not None:
            column = column_at(self.sheet.fitted(self.width), place.x - GUTTER)
            if column is not None:
                self.post_message(_ColumnClicked(column))

    @property
    def width(self) -> int:
        """Cells for the text of a row."""
        return self._text_width

    def repaint(self) -> None:
        """The row of the cursor anew."""
        self._repaint(self.index)


class ArrowTable(Vertical):
    """A sheet, or a word where there is none."""

    BINDINGS: ClassVar = bindings_for("result")
    DEFAULT_CSS = """
    ArrowTable { height: 1fr; }
    ArrowTable > LineList { height: 1fr; }
    """

    @dataclass
    class Moved(Message):
        """The cursor came to another cell."""

        table: "ArrowTable"

    @dataclass
    class Opened(Message):
        """The reader opened the cell at the cursor."""

        table: "ArrowTable"

    @dataclass
    class RowOpened(Message):
        """The reader wants what the row at the cursor is about."""

        table: "ArrowTable"

    @dataclass
    class ExportWanted(Message):
        """The reader wants the rows in a file of his choice."""

        table: "ArrowTable"

    def __init__(self, empty: str = "", id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.sheet: Sheet | None = None
        self._titles = _Titles()
        self._lines = _Lines(empty)

    def compose(self) -> ComposeResult:
        yield self._titles
        yield self._lines

    @property
    def lines(self) -> LineList:
        """The list itself, which has the focus."""
        return self._lines

    def say(self, empty: str) -> None:
        """What stands there when there are no rows."""
        if self._lines.empty != empty:
            self._lines.empty = empty
            self._lines.refresh()

    def show(self, sheet: Sheet) -> None:
        """Another result."""
        self.sheet = self._lines.sheet = self._titles.sheet = sheet
        sheet.row = 0 if len(sheet) else -1
        self._lines.show(sheet, index=0, follow=False, another=True)
        self._lines.refresh()
        self._titles.refresh()
        self.post_message(self.Moved(self))

    @property
    def cell(self) -> tuple[int, int] | None:
        """Row and column of the cursor."""
        if self.sheet is None or self._lines.index < 0 or not self.sheet.columns:
            return None
        return self._lines.index, self.sheet.at

    def copied(self) -> str:
        """The cell at the cursor, whole."""
        if self.sheet is None or self.cell is None:
            return ""
        return whole_cell(self.sheet.scalar(*self.cell)).text

    def go(self, column: int) -> None:
        """The cursor to this column."""
        sheet = self.sheet
        if sheet is None or not sheet.columns:
            return
        column = clamp(column, 0, len(sheet.columns) - 1)
        if column == sheet.at:
            return
        sheet.at = column
        if sheet.reveal(self._lines.width):
            self._lines.refresh()
        else:
            self._lines.repaint()
        self._titles.refresh()
        self.post_message(self.Moved(self))

    def action_left(self) -> None:
        """The column to the left."""
        self.go(self.sheet.at - 1 if self.sheet else 0)

    def action_right(self) -> None:
        """The column to the right."""
        self.go(self.sheet.at + 1 if self.sheet else 0)

    def action_first_column(self) -> None:
        """The first column."""
        self.go(0)

    def action_last_column(self) -> None:
        """The last column."""
        self.go(len(self.sheet.columns) - 1 if self.sheet else 0)

    @on(_ColumnClicked)
    def _column_clicked(self, message: _ColumnClicked) -> None:
        message.stop()
        self.go(message.place)

    def on_line_list_moved(self, event: LineList.Moved) -> None:
        event.stop()
        self.post_message(self.Moved(self))

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        event.stop()
        if self.cell is not None:
            self.post_message(self.Opened(self))

    def action_view(self) -> None:
        """The whole of the cell."""
        if self.cell is not None:
            self.post_message(self.Opened(self))

    def action_open(self) -> None:
        """What the row is about."""
        if self.cell is not None:
            self.post_message(self.RowOpened(self))

    def action_export(self) -> None:
        """The rows in a file."""
        self.post_message(self.ExportWanted(self))
