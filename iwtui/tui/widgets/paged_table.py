"""A table over a list that is too long to be read at once: pages come as they are looked at, ordered by the index."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from iwtui.tui.columns import Column, Fitted, fit, line
from iwtui.tui.ordering import Order
from iwtui.tui.pages import Pages, page_of
from iwtui.tui.widgets.table import Cells, Table

T = TypeVar("T", bound=Hashable)

AWAITED = Content.styled("…", "$dim")


class _PagedRows:
    """The rows as a source of lines; who looks at one that is not there asks for its page."""

    def __init__(
        self, columns: Sequence[Column], cells: Cells[Any], pages: Pages[Any], missing: Callable[[int], None]
    ) -> None:
        self._columns = columns
        self._cells = cells
        self._missing = missing
        self._fitted: tuple[int, Fitted] | None = None
        self.pages = pages

    def __len__(self) -> int:
        return len(self.pages)

    def key(self, index: int) -> Hashable:
        row = self.pages[index]
        if row is None:
            self._missing(index)
            return ("awaited", index)
        return cast(Hashable, row)

    def lines(self, index: int, width: int) -> list[Content]:
        row = self.pages[index]
        if row is None:
            return [AWAITED]
        if self._fitted is None or self._fitted[0] != width:
            self._fitted = width, fit(self._columns, width)
        return [line(self._columns, self._fitted[1], self._cells(row))]

    def chars(self, index: int) -> int:
        return 1


class PagedTable(Table[T]):
    """Rows by pages. `begin` shows another list, `renew` the same one as it is now; `put` adds a page of either.

    Who gives the rows answers `Wanted`, and orders them; the table only says which order the reader wants.
    """

    @dataclass
    class Wanted(Message):
        """Rows from this one on come into sight and are not there."""

        table: "PagedTable"  # type: ignore[type-arg]
        offset: int

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
        super().__init__(columns, cells, name_of, empty, id)
        self._pages: Pages[T] = Pages()
        self._asked: set[int] = set()
        self._show_pages()

    @property
    def current(self) -> T | None:
        """The row at the cursor, if it is there."""
        index = self._lines.index
        return self._pages[index] if 0 <= index < len(self._pages) else None

    @property
    def wanted(self) -> int:
        """The offset of the page that the cursor is on."""
        return page_of(self._lines.index)

    def begin(self, total: int, offset: int, rows: Sequence[T]) -> None:
        """Another list of so many rows, of which these are there; the cursor at the first."""
        self._pages = Pages(total)
        self._pages.put(offset, rows)
        self._asked.clear()
        self._show_pages(another=True, index=0)
        if total:
            self._lines.come()

    def renew(self, total: int, offset: int, rows: Sequence[T]) -> None:
        """The same list as it is now: what was there before is fetched anew, and the cursor stays on its row."""
        before, was = self.current, self._pages
        self._pages = Pages(total)
        self._pages.put(offset, rows)
        self._asked.clear()
        name = None if before is None else self._name_of(before)
        place = None if name is None else self._pages.place(name, self._name_of)
        if place is None:
            place = min(max(self._lines.index, 0), total - 1)
        self._show_pages(index=place)
        if total and not len(was):
            self._lines.come()

    def put(self, offset: int, rows: Sequence[T]) -> None:
        """A page that was asked for."""
        self._pages.put(offset, rows)
        self._asked.discard(offset)
        self._show_pages()

    def show(self, rows: Sequence[T]) -> None:
        """Not for this kind of table: its rows come by pages."""
        raise TypeError("a paged table is given its rows by pages")

    def copied_whole(self) -> str:
        """Nothing: most of its rows would have to be read first, which is for its screen to do."""
        return ""

    def choose(self, columns: Sequence[Column], cells: Cells[T]) -> None:
        """Other columns, of the same rows."""
        self._columns, self._cells = columns, cells
        self._titles.choose(columns)
        self._lines.forget()
        self._show_pages()

    def sort(self, order: Order) -> None:
        """The reader's order; the rows come in it when they are given anew."""
        self.order = order
        self._titles.show(order)

    def _show_pages(self, another: bool = False, index: int | None = None) -> None:
        source = _PagedRows(self._columns, self._cells, self._pages, self._missing)
        self.rows = cast(Sequence[T], self._pages)
        self._lines.show(source, index=index, another=another)

    def _missing(self, index: int) -> None:
        offset = page_of(index)
        if offset not in self._asked:
            self._asked.add(offset)
            self.post_message(self.Wanted(self, offset))
