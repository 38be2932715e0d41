"""The columns that a reader may choose for a table, and those that were chosen. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from iwtui.tui.columns import Cell, Column

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choosable(Generic[T]):
    """A column, what stands in it for a row, and what it means. `asks`: the column of the index that it is ordered by."""

    column: Column
    cell: Callable[[T], Cell]
    help: str
    asks: str = ""

    @property
    def title(self) -> str:
        return self.column.title


class Chosen(Generic[T]):
    """The columns of a table, in their own order; the first is always there. `usual`: until others are chosen."""

    def __init__(self, known: Sequence[Choosable[T]], usual: Sequence[str], titles: Iterable[str] = ()) -> None:
        self.known = known
        self._usual = frozenset(usual)
        self.choose(titles)

    def choose(self, titles: Iterable[str]) -> None:
        """Those of these titles; without any that is known the usual ones."""
        names = {one.title for one in self.known}
        wanted = names.intersection(titles) or self._usual
        self._shown = tuple(one for place, one in enumerate(self.known) if place == 0 or one.title in wanted)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(one.title for one in self._shown)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(one.column for one in self._shown)

    def cells(self, row: T) -> list[Cell]:
        """What stands in the columns for a row."""
        return [one.cell(row) for one in self._shown]

    def asks(self, title: str) -> str:
        """The column of the index behind a title; empty where there is none."""
        return next((one.asks for one in self.known if one.title == title), "")
