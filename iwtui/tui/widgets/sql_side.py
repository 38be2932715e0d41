"""What can be asked about, and what was: tables with their columns, saved queries, the history. Enter takes one."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from iwtui.archive.catalog import Catalog
from iwtui.archive.saved_queries import SavedQuery
from iwtui.tui.actions import bindings_for
from iwtui.tui.sql_history import Asked
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.titled import Titled

COLUMN = 18
"""Cells of the names of columns, behind which their types begin."""


class Side(StrEnum):
    """What the pane shows."""

    TABLES = "tables"
    SAVED = "saved"
    HISTORY = "history"


EMPTY = {
    Side.TABLES: "Reading the index …",
    Side.SAVED: "No query is saved.",
    Side.HISTORY: "Nothing has been asked yet.",
}


class Entry(NamedTuple):
    """A line. `kind`: table, column, saved, asked, failed; `takes`: what goes into the editor; `told`: all about it."""

    kind: str
    name: str
    note: str
    takes: str
    told: str
    own: bool = False
    open: bool = False


class _Entries:
    """A source of lines."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries

    def __len__(self) -> int:
        return len(self.entries)

    def key(self, index: int) -> Hashable:
        return self.entries[index]

    def lines(self, index: int, width: int) -> list[Content]:
        entry = self.entries[index]
        name, note = safe_line(entry.name, 60), safe_line(entry.note, 200, "$dim")
        match entry.kind:
            case "table":
                fold = "▾ " if entry.open else "▸ "
                return [Content.assemble((fold, "$dim"), safe_line(entry.name, 60, "bold"), " ", note)]
            case "column":
                return [Content.assemble("  ", name.pad_right(max(0, COLUMN - name.cell_length)), " ", note)]
            case "saved":
                own = ("● ", "$accent") if entry.own else ("○ ", "$dim")
                return [Content.assemble(own, name.pad_right(max(0, COLUMN - name.cell_length)).stylize("bold"), " ", note)]
        sign = ("✗ ", "$error") if entry.kind == "failed" else ("  ", "")
        return [Content.assemble(sign, note, " ", safe_line(entry.name, 400))]

    def chars(self, index: int) -> int:
        return 1


class SqlSide(Titled):
    """One list of three, each with its own cursor."""

    BINDINGS: ClassVar = bindings_for("side")

    @dataclass
    class Taken(Message):
        """The reader wants this in the editor."""

        entry: Entry

    @dataclass
    class Deleted(Message):
        """The reader wants this saved query, which is his own, to be gone."""

        name: str

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__("Tables", id=id)
        self.shown = Side.TABLES
        self.list = LineList(empty=EMPTY[Side.TABLES], wrap=False)
        self._open: set[str] = set()
        self._at = dict.fromkeys(Side, 0)
        self._catalog = Catalog()
        self._saved: dict[str, SavedQuery] = {}
        self._asked: tuple[Asked, ...] = ()
        self._entries: list[Entry] = []

    def compose(self) -> ComposeResult:
        yield self.list

    # What the program does.

    def choose(self, side: Side) -> None:
        """Show this list."""
        if self.list.index >= 0:
            self._at[self.shown] = self.list.index
        self.shown = side
        self._show(another=True)

    def take_catalog(self, catalog: Catalog) -> None:
        """The tables."""
        self._catalog = catalog
        self._show()

    def take_saved(self, saved: dict[str, SavedQuery]) -> None:
        """The saved queries."""
        self._saved = saved
        self._show()

    def take_history(self, asked: tuple[Asked, ...]) -> None:
        """The queries that were asked."""
        self._asked = asked
        self._show()

    def _show(self, another: bool = False) -> None:
        match self.shown:
            case Side.TABLES:
                self._entries = list(self._tables())
            case Side.SAVED:
                self._entries = [_saved(name, one) for name, one in self._saved.items()]
            case Side.HISTORY:
                self._entries = [_asked(one) for one in reversed(self._asked)]
        self.list.empty = EMPTY[self.shown]
        self.list.show(_Entries(self._entries), index=self._at[self.shown] if another else None, another=another)
        self.list.refresh()
        self._tell()

    def _tables(self) -> Iterator[Entry]:
        for table in self._catalog.tables:
            is_open = table.name in self._open
            yield Entry("table", table.name, _without_name(table.comment), table.name, table.comment, open=is_open)
            for column in table.columns if is_open else ():
                told = f"{column.type.lower()} · {column.comment}"
                yield Entry("column", column.name, told, column.name, f"{column.name} {told}")

    @property
    def current(self) -> Entry | None:
        """The line at the cursor."""
        return self._entries[self.list.index] if 0 <= self.list.index < len(self._entries) else None

    def _tell(self) -> None:
        entry = self.current
        self.say(entry.told if entry else "", self.shown.capitalize())

    def copied(self) -> str:
        """What enter would take."""
        return self.current.takes if self.current else ""

    # What the reader does.

    @on(LineList.Moved)
    def _moved(self, message: LineList.Moved) -> None:
        message.stop()
        self._tell()

    @on(LineList.Opened)
    def _opened(self, message: LineList.Opened) -> None:
        message.stop()
        if self.current:
            self.post_message(self.Taken(self.current))

    def action_unfold(self) -> None:
        """The columns of the table, or the table alone again."""
        if (entry := self.current) and entry.kind == "table":
            self._open ^= {entry.name}
            self._show()

    def action_fold(self) -> None:
        """The table without its columns, with the cursor on it."""
        place = self.list.index
        while place > 0 and self._entries[place].kind == "column":
            place -= 1
        if self.current and self._entries[place].kind == "table":
            self._open.discard(self._entries[place].name)
            self._show()
            self.list.move_to(place)
            self._tell()

    def action_delete(self) -> None:
        """One's own saved query away."""
        if (entry := self.current) and entry.kind == "saved" and entry.own:
            self.post_message(self.Deleted(entry.name))


def _without_name(comment: str) -> str:
    """`Turns: one message of ..` without its first word, which is the table's name again."""
    before, colon, after = comment.partition(": ")
    return after if colon and len(before.split()) <= 2 else comment


def _saved(name: str, one: SavedQuery) -> Entry:
    return Entry("saved", name, one.trouble or one.title, one.sql, one.trouble or f"{name}: {one.title}", own=one.own)


def _asked(one: Asked) -> Entry:
    at = f"{datetime.fromtimestamp(one.at):%d %b %H:%M}"  # noqa: DTZ006 - local is meant
    rows = "? rows" if one.rows is None else f"{one.rows:,} rows"
    told = (
        f"{at} · failed: {one.fault}" if one.fault else f"{at} · {rows}" + (f" · {one.seconds:.2f} s" if one.seconds else "")
    )
    return Entry("failed" if one.fault else "asked", one.sql, at, one.sql, told)
