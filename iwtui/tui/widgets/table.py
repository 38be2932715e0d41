"""A table: a line of titles over a list of rows, of which only those in sight are formatted."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for
from iwtui.tui.columns import Cell, Column, Fitted, column_at, fit, heading, line
from iwtui.tui.ordering import DOWN, UP, Order, clicked_order, next_order, ordered, turned
from iwtui.tui.widgets.line_view import GUTTER
from iwtui.tui.widgets.lines import LineList

T = TypeVar("T", bound=Hashable)

Cells = Callable[[T], Sequence[Cell]]
"""What stands in the columns for a row."""

SCROLL_BAR = 1


class _Titles(Widget):
    """The titles of the columns, over the rows; that of the column which they are ordered by bears a sign."""

    DEFAULT_CSS = """
    _Titles { height: 1; color: $text-muted; }
    """

    @dataclass
    class Clicked(Message):
        """The reader clicked on a title."""

        title: str

    def __init__(self, columns: Sequence[Column]) -> None:
        super().__init__()
        self._columns = columns
        self._order = Order()

    def show(self, order: Order) -> None:
        """The rows have this order."""
        if order != self._order:
            self._order = order
            self.refresh()

    def choose(self, columns: Sequence[Column]) -> None:
        """Other columns."""
        self._columns = columns
        self.refresh()

    @property
    def _fitted(self) -> Fitted:
        return fit(self._columns, max(1, self.size.width - GUTTER - SCROLL_BAR))

    def render(self) -> Content:
        sign = DOWN if self._order.down else UP
        titles = [
            (f"{sign}{column.title}" if column.right else f"{column.title} {sign}")
            if column.title == self._order.title and column.by
            else column.title
            for column in self._columns
        ]
        return heading(self._columns, self._fitted, titles).pad_left(GUTTER)

    def on_click(self, event: events.Click) -> None:
        index = column_at(self._fitted, event.x - GUTTER)
        if index is not None and self._columns[index].by:
            self.post_message(self.Clicked(self._columns[index].title))


class _Lines(LineList):
    """The rows. A row that is opened before any is there is opened when they come, unless the reader does something else."""

    def __init__(self) -> None:
        super().__init__(wrap=False)
        self.reading = False
        self._eager = False

    def action_choose(self) -> None:
        """Open the row at the cursor; wait for it while the rows are being read."""
        self._eager = self.reading and self.index < 0
        super().action_choose()

    def on_key(self) -> None:
        self._eager = False

    def on_blur(self, event: events.Blur) -> None:
        """What the list itself does then is done as well: Textual calls both."""
        self._eager = False

    def come(self) -> None:
        """Rows are there; where the cursor is to be among them may be decided only now."""
        if self._eager:
            self.call_later(self._open)

    def _open(self) -> None:
        if self._eager:
            self.action_choose()


class _Rows(Generic[T]):
    """The rows as a source of lines. A row that changes is another value, and so another key."""

    def __init__(self, columns: Sequence[Column], cells: Cells[T], rows: Sequence[T]) -> None:
        self._columns = columns
        self._cells = cells
        self.rows = rows
        self._fitted: tuple[int, Fitted] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def key(self, index: int) -> Hashable:
        return self.rows[index]

    def lines(self, index: int, width: int) -> list[Content]:
        if self._fitted is None or self._fitted[0] != width:
            self._fitted = width, fit(self._columns, width)
        return [line(self._columns, self._fitted[1], self._cells(self.rows[index]))]

    def chars(self, index: int) -> int:
        return 1


class Table(Vertical, Generic[T]):
    """Rows of one kind. The cursor stays on its row, as `name_of` names it, when rows come, go, change or move."""

    BINDINGS = bindings_for("table")
    DEFAULT_CSS = """
    Table { height: 1fr; }
    Table > LineList { height: 1fr; }
    """

    @dataclass
    class Moved(Message):
        """The cursor came to another row: the reader moved it, or the row is gone. `index` is -1 in an empty table."""

        table: "Table"  # type: ignore[type-arg]
        index: int

        @property
        def control(self) -> Widget:
            return self.table

    @dataclass
    class Opened(Message):
        """The reader opened a row."""

        table: "Table"  # type: ignore[type-arg]
        index: int

        @property
        def control(self) -> Widget:
            return self.table

    @dataclass
    class Ordered(Message):
        """The reader ordered the rows anew."""

        table: "Table"  # type: ignore[type-arg]
        order: Order

        @property
        def control(self) -> Widget:
            return self.table

    def __init__(
        self,
        columns: Sequence[Column],
        cells: Cells[T],
        name_of: Callable[[T], Hashable],
        empty: str = "",
        id: str | None = None,  # noqa: A002 - Textual's own name
    ) -> None:
        super().__init__(id=id)
        self.rows: Sequence[T] = ()
        self.order = Order()
        self._given: Sequence[T] = ()
        self._columns = columns
        self._cells = cells
        self._name_of = name_of
        self._source: _Rows[T] = _Rows(columns, cells, ())
        self._lines = _Lines()
        self._lines.empty = empty
        self._titles = _Titles(columns)

    def compose(self) -> ComposeResult:
        yield self._titles
        yield self._lines

    @property
    def lines(self) -> LineList:
        """The list itself, which has the focus."""
        return self._lines

    def choose(self, columns: Sequence[Column], cells: Cells[T]) -> None:
        """Other columns, of the same rows; an order by one that is there no more stays."""
        self._columns, self._cells = columns, cells
        self._titles.choose(columns)
        self._source = _Rows(columns, cells, self.rows)
        self._lines.forget()
        self._lines.show(self._source)

    def copied_whole(self) -> str:
        """All rows as they are shown, with tabs between their cells."""
        rows = [[column.title for column in self._columns]]
        rows += [[_plain(cell) for cell in self._cells(row)] for row in self.rows]
        return "\n".join("\t".join(row) for row in rows) if self.rows else ""

    @property
    def current(self) -> T | None:
        """The row at the cursor."""
        return self.rows[self._lines.index] if 0 <= self._lines.index < len(self.rows) else None

    def say(self, empty: str, reading: bool = False) -> None:
        """What stands there when there are no rows. `reading`: they are on their way."""
        self._lines.reading = reading
        if self._lines.empty != empty:
            self._lines.empty = empty
            self._lines.refresh()

    def show(self, rows: Sequence[T]) -> None:
        """These rows, in the reader's order. Only those that changed are painted anew, if they stay in their places."""
        self._given = rows
        rows = tuple(ordered(rows, self.order, self._columns))
        before, was = self.current, self.rows
        if rows == was:
            return
        self.rows = rows
        names = [self._name_of(row) for row in rows]
        if names == [self._name_of(row) for row in was]:
            self._source.rows = rows
            for place, (row, old) in enumerate(zip(rows, was, strict=True)):
                if row != old:
                    self._lines.refresh_lines(place)
            return
        name = self._name_of(before) if before is not None else None
        kept = before is not None and name in names
        place = names.index(name) if kept else min(max(self._lines.index, 0), len(rows) - 1)
        self._source = _Rows(self._columns, self._cells, rows)
        self._lines.show(self._source, index=None if place == self._lines.index else place)
        if rows:
            self._lines.come()
        if not kept:
            self.post_message(self.Moved(self, self._lines.index))

    def go(self, name: Hashable) -> None:
        """The cursor to the row of this name, if there is one."""
        place = next((place for place, row in enumerate(self.rows) if self._name_of(row) == name), None)
        if place is not None and place != self._lines.index:
            self._lines.move_to(place)
            self.post_message(self.Moved(self, place))

    def sort(self, order: Order) -> None:
        """The rows in this order, also those to come."""
        self.order = order
        self._titles.show(order)
        self.show(self._given)

    def action_next_order(self) -> None:
        """By the next column."""
        self._ordered(next_order(self.order, self._columns))

    def action_turn_order(self) -> None:
        """The other end first."""
        self._ordered(turned(self.order))

    @on(_Titles.Clicked)
    def _title_clicked(self, message: _Titles.Clicked) -> None:
        message.stop()
        self._ordered(clicked_order(self.order, message.title, self._columns))

    def _ordered(self, order: Order) -> None:
        self.sort(order)
        self.post_message(self.Ordered(self, order))

    def on_line_list_moved(self, event: LineList.Moved) -> None:
        event.stop()
        self.post_message(self.Moved(self, event.index))

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        event.stop()
        self.post_message(self.Opened(self, event.index))


def _plain(cell: Cell) -> str:
    return "" if callable(cell) else one_line(cell.plain.strip(), 200)
