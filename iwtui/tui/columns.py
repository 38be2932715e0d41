"""Rows of a table as lines of text: which columns there is room for, and how wide they are. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from textual.content import Content

GAP = 2
"""Cells between two columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """`width`: cells it needs; `grow`: its share of what is left over; `right`: numbers; `rank`: the highest go first.

    `wish`: cells for which columns of a higher rank make room. `by`: what rows can be ordered by, of a row; it may be None.
    """

    title: str
    width: int
    grow: int = 0
    right: bool = False
    rank: int = 0
    wish: int = 0
    by: Callable[[Any], Any] | None = None


Cell = Content | Callable[[int], Content]
"""What stands in a column; what is drawn to fill it is told its cells."""

Fitted = tuple[tuple[int, int], ...]
"""The columns that are shown: (index, cells)."""


def fit(columns: Sequence[Column], width: int) -> Fitted:
    """The columns that `width` cells have room for, the first always; what is left over goes to those that grow."""
    kept = list(range(len(columns)))
    while len(kept) > 1 and _wanted(columns, kept) > width:
        last = max(kept[1:], key=lambda index: (columns[index].rank, index))
        kept.remove(last)
    spare = max(0, width - _needed(columns, kept))
    shares = sum(columns[index].grow for index in kept)
    fitted: list[tuple[int, int]] = []
    for index in kept:
        extra = spare * columns[index].grow // shares if shares else 0
        fitted.append((index, min(columns[index].width + extra, max(1, width))))
    return tuple(fitted)


def _wanted(columns: Sequence[Column], kept: Sequence[int]) -> int:
    """The cells of the columns, with the wishes of those that others can make room for."""
    highest = max(columns[index].rank for index in kept)
    wishes = (columns[index] for index in kept if columns[index].rank < highest)
    return _needed(columns, kept) + sum(max(0, column.wish - column.width) for column in wishes)


def _needed(columns: Sequence[Column], kept: Sequence[int]) -> int:
    return sum(columns[index].width for index in kept) + GAP * (len(kept) - 1)


def line(columns: Sequence[Column], fitted: Fitted, cells: Sequence[Cell]) -> Content:
    """One row. A cell that is too long is cut, with a mark."""
    parts: list[Content] = []
    for place, (index, width) in enumerate(fitted):
        given = cells[index]
        cell = (given(width) if callable(given) else given).truncate(width, ellipsis=True)
        room = width - cell.cell_length
        if columns[index].right:
            parts.append(cell.pad_left(room))
        else:
            parts.append(cell if place == len(fitted) - 1 else cell.pad_right(room))
    return Content(" " * GAP).join(parts)


def heading(columns: Sequence[Column], fitted: Fitted, titles: Sequence[str]) -> Content:
    """The line of titles, one for each column."""
    return line(columns, fitted, [Content(title) for title in titles])


def column_at(fitted: Fitted, x: int) -> int | None:
    """The column that stands at so many cells from the left, with the gap before it; None past the last."""
    right = 0
    for place, (index, width) in enumerate(fitted):
        right += width + (GAP if place else 0)
        if 0 <= x < right:
            return index
    return None
