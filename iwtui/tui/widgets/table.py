"""A table: a line of titles over a list of rows, of which only those in sight are formatted."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from iwtui.tui.columns import Column, Fitted, fit, heading, line
from iwtui.tui.widgets.line_view import GUTTER
from iwtui.tui.widgets.lines import LineList

T = TypeVar("T", bound=Hashable)

Cells = Callable[[T], Sequence[Content]]
"""One Content a column for a row."""

SCROLL_BAR = 1


class _Titles(Widget):
    """The titles of the columns, over the rows."""

    DEFAULT_CSS = """
    _Titles { height: 1; color: $text-muted; }
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        super().__init__()
        self._columns = columns

    def render(self) -> Content:
        fitted = fit(self._columns, max(1, self.size.width - GUTTER - SCROLL_BAR))
        return heading(self._columns, fitted).pad_left(GUTTER)


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
    """Rows of one kind. The cursor stays on its row, as `name_of` names it, when rows come, go or change."""

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
        self._columns = columns
        self._cells = cells
        self._name_of = name_of
        self._source: _Rows[T] = _Rows(columns, cells, ())
        self._lines = LineList(empty=empty, wrap=False)

    def compose(self) -> ComposeResult:
        yield _Titles(self._columns)
        yield self._lines

    @property
    def lines(self) -> LineList:
        """The list itself, which has the focus."""
        return self._lines

    @property
    def current(self) -> T | None:
        """The row at the cursor."""
        return self.rows[self._lines.index] if 0 <= self._lines.index < len(self.rows) else None

    def say(self, empty: str) -> None:
        """What stands there when there are no rows."""
        if self._lines.empty != empty:
            self._lines.empty = empty
            self._lines.refresh()

    def show(self, rows: Sequence[T]) -> None:
        """These rows. Only those that changed are painted anew, if they are the same ones in the same order."""
        rows = tuple(rows)
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
        if not kept:
            self.post_message(self.Moved(self, self._lines.index))

    def go(self, name: Hashable) -> None:
        """The cursor to the row of this name, if there is one."""
        place = next((place for place, row in enumerate(self.rows) if self._name_of(row) == name), None)
        if place is not None and place != self._lines.index:
            self._lines.move_to(place)
            self.post_message(self.Moved(self, place))

    def on_line_list_moved(self, event: LineList.Moved) -> None:
        event.stop()
        self.post_message(self.Moved(self, event.index))

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        event.stop()
        self.post_message(self.Opened(self, event.index))
