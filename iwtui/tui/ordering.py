"""How the rows of a table are ordered: by which column, and which end comes first. Pure."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from iwtui.tui.columns import Column

T = TypeVar("T")

DOWN, UP = "▾", "▴"


class Order(msgspec.Struct, frozen=True):
    """By the column of that title; `down`: the highest first. Without a title the rows stay as they come."""

    title: str = ""
    down: bool = False

    def __str__(self) -> str:
        return f"{self.title}{DOWN if self.down else UP}" if self.title else ""


def parse_order(text: str, columns: Sequence[Column]) -> Order:
    """An order from its text; of a text that names no column that rows can be ordered by, none."""
    title, end = text[:-1], text[-1:]
    known = any(column.title == title and column.by for column in columns)
    return Order(title, end == DOWN) if known and end in (DOWN, UP) else Order()


def next_order(order: Order, columns: Sequence[Column]) -> Order:
    """By the next column that rows can be ordered by; after the last one as they come."""
    titles = ["", *(column.title for column in columns if column.by)]
    place = titles.index(order.title) + 1 if order.title in titles else 0
    return first_order(titles[place % len(titles)], columns)


def clicked_order(order: Order, title: str, columns: Sequence[Column]) -> Order:
    """What a click on a title makes of an order: by this column, then the other way round, then as they come."""
    first = first_order(title, columns)
    if order.title != title:
        return first
    return turned(order) if order == first else Order()


def turned(order: Order) -> Order:
    """The other end first."""
    return Order(order.title, not order.down) if order.title else order


def first_order(title: str, columns: Sequence[Column]) -> Order:
    """By a column for the first time: numbers with the highest first, texts from A on."""
    column = next((column for column in columns if column.title == title and column.by), None)
    return Order(title, column.right) if column else Order()


def ordered(rows: Sequence[T], order: Order, columns: Sequence[Column]) -> Sequence[T]:
    """The rows in that order; what is unknown comes last, rows that are alike stay as they came."""
    by = next((column.by for column in columns if column.title == order.title and column.by), None)
    if by is None:
        return rows
    known: list[tuple[Any, T]] = []
    unknown: list[T] = []
    for row in rows:
        value = by(row)
        if value is None:
            unknown.append(row)
        else:
            known.append((value, row))
    known.sort(key=lambda pair: pair[0], reverse=order.down)
    return [*(row for _, row in known), *unknown]
