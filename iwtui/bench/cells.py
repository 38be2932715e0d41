"""Values of the database as text: for people, as JSON, as programs read them. Every cell is data. Pure."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from iwtui.bench.text import one_line, storable, visible

CELL = 60
"""Characters of a cell in a table; a longer one is cut with a mark."""

BLOB_HEAD = 16

Cells = Sequence[object]


class Written(str):
    """A number that is written out already, with as many places as it should have."""

    __slots__ = ()


def _escapes() -> dict[int, str]:
    raw = [0x7F, *range(0x80, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
    return {code: f"\\u{code:04x}" for code in raw}


_JSON_ESCAPES = _escapes()


def to_json(value: object, indent: int | None = None) -> str:
    """JSON in which characters that could act on a terminal are escaped, so that it is exact and may be printed."""
    return json.dumps(plain(value), ensure_ascii=False, indent=indent).translate(_JSON_ESCAPES)


def plain(value: object) -> object:
    """A value of the database as JSON can hold it: NaN and infinities as text, bytes in hexadecimal, times in ISO 8601."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return storable(value)[0]
        case float():
            return value if math.isfinite(value) else str(value)
        case Decimal():
            return int(value) if value.is_finite() and value.as_tuple().exponent == 0 else plain(float(value))
        case bytes() | bytearray() | memoryview():
            return bytes(value).hex()
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case Mapping():
            return {storable(str(key))[0]: plain(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(item) for item in value]
    return str(value)


def objects(columns: Sequence[str], rows: Iterable[Cells]) -> list[dict[str, object]]:
    """Each row as an object. Columns that share a name are told apart by a number."""
    names = distinct(columns)
    return [dict(zip(names, row, strict=True)) for row in rows]


def distinct(columns: Sequence[str]) -> list[str]:
    """The names, a repeated one with `_2`, `_3`, .. behind it."""
    names: list[str] = []
    for column in columns:
        name, number = column, 1
        while name in names:
            number += 1
            name = f"{column}_{number}"
        names.append(name)
    return names


def short(cell: object) -> str:
    """A cell on one line, cut with a mark."""
    match cell:
        case None:
            return "—"
        case float():
            return f"{cell:.4g}" if math.isfinite(cell) and abs(cell) < 1e4 else str(cell)
        case bytes() | bytearray():
            head = bytes(cell[:BLOB_HEAD]).hex(" ")
            return f"{head}{' …' if len(cell) > BLOB_HEAD else ''} ({len(cell)} bytes)".strip()
        case str() if len(cell) > CELL * 4:
            return one_line(cell[: CELL * 4], CELL - 1).removesuffix("…") + "…"
    return one_line(whole(cell), CELL)


def whole(cell: object) -> str:
    """A cell as text that may be printed."""
    shown = plain(cell)
    if isinstance(shown, str):
        return visible(shown)
    return visible(to_json(shown))


NUMBERS = (int, float, Decimal, Written)


def numeric(columns: Sequence[str], rows: Sequence[Cells]) -> list[bool]:
    def right(place: int) -> bool:
        known = [row[place] for row in rows if row[place] is not None]
        return bool(known) and all(isinstance(cell, NUMBERS) and not isinstance(cell, bool) for cell in known)

    return [right(place) for place in range(len(columns))]
