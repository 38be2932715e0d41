"""Rows to text: a table for people, and json, csv and markdown whose bytes are stable. Every cell is data."""

import csv
import io
import json
import math
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, TextIO

from iwtui.bench.text import one_line, storable, visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

CELL = 60
"""Characters of a cell in a table; a longer one is cut with a mark."""

BLOB_HEAD = 16
UNBOUNDED = 100_000

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


def write_json(columns: Sequence[str], rows: Sequence[Cells], out: TextIO) -> None:
    """A list of objects, one a line."""
    lines = [to_json(row) for row in objects(columns, rows)]
    out.write("[" + ",".join(f"\n  {line}" for line in lines) + ("\n]\n" if lines else "]\n"))


def write_csv(columns: Sequence[str], rows: Sequence[Cells], out: TextIO) -> None:
    """RFC 4180, but with LF; NULL is an empty field."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([visible(column) for column in distinct(columns)])
    writer.writerows([["" if cell is None else whole(cell) for cell in row] for row in rows])


def write_markdown(columns: Sequence[str], rows: Sequence[Cells], out: TextIO) -> None:
    """A pipe table, numbers to the right."""
    numeric = _numeric(columns, rows)
    out.write(_piped(columns))
    out.write("|" + "|".join(" ---: " if right else " --- " for right in numeric) + "|\n")
    out.writelines(_piped([short(cell) for cell in row]) for row in rows)


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_markdown_cell(cell) for cell in cells) + " |\n"


def _markdown_cell(cell: str) -> str:
    escaped = one_line(cell, 10_000)
    for char in "\\`*_[]<>|":
        escaped = escaped.replace(char, "\\" + char)
    return escaped


def write_table(columns: Sequence[str], rows: Sequence[Cells], out: TextIO) -> None:
    """A table as wide as it needs to be; on a terminal too narrow for it, one line a value."""
    console = console_on(out)
    table = make_table(columns, [[short(cell) for cell in row] for row in rows], _numeric(columns, rows))
    natural = console.measure(table, options=console.options.update(max_width=UNBOUNDED)).maximum
    if out.isatty() and natural > console.width:
        _write_records(columns, rows, out)
    else:
        _print(console, table, out)


def make_table(columns: Sequence[str], rows: Iterable[Sequence[str]], numeric: Sequence[bool]) -> "Table":
    """A quiet table of texts that were made visible before."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for column, right in zip(columns, numeric, strict=True):
        table.add_column(Text(one_line(column, CELL)), justify="right" if right else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def console_on(out: TextIO) -> "Console":
    """A rich console that knows no markup, has no colour off a terminal and is as wide as needed there."""
    import click
    from rich.console import Console

    context = click.get_current_context(silent=True)
    colour = context.color if context else None
    return Console(
        file=io.StringIO(),
        width=shutil.get_terminal_size((80, 24)).columns if out.isatty() else UNBOUNDED,
        force_terminal=out.isatty(),
        no_color=colour is False,
        markup=False,
        highlight=False,
        emoji=False,
    )


def _print(console: "Console", table: "Table", out: TextIO) -> None:
    with console.capture() as captured:
        console.print(table)
    out.writelines(line.rstrip() + "\n" for line in captured.get().splitlines())


def _write_records(columns: Sequence[str], rows: Sequence[Cells], out: TextIO) -> None:
    width = max(len(column) for column in columns)
    for number, row in enumerate(rows, 1):
        out.write(f"— {number} —\n")
        for column, cell in zip(columns, row, strict=True):
            out.write(f"{one_line(column, CELL):>{width}}  {short(cell)}\n")


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


def _numeric(columns: Sequence[str], rows: Sequence[Cells]) -> list[bool]:
    def right(place: int) -> bool:
        known = [row[place] for row in rows if row[place] is not None]
        return bool(known) and all(isinstance(cell, NUMBERS) and not isinstance(cell, bool) for cell in known)

    return [right(place) for place in range(len(columns))]


Writer = Callable[[Sequence[str], Sequence[Cells], TextIO], None]

WRITERS: dict[str, Writer] = {
    "table": write_table,
    "json": write_json,
    "csv": write_csv,
    "markdown": write_markdown,
}


def counted(number: int, what: str) -> str:
    """The number with its noun in the singular or the plural."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
