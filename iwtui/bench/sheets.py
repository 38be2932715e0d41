"""Rows as json, csv and markdown whose bytes are stable. Every cell is data. Pure."""

import csv
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from iwtui.bench.cells import Cells, distinct, numeric, short, to_json, whole
from iwtui.bench.text import one_line, visible

Writer = Callable[[Sequence[str], Sequence[Cells], TextIO], None]


def write_json(columns: Sequence[str], rows: Iterable[Cells], out: TextIO) -> None:
    """A list of objects, one a line."""
    names = distinct(columns)
    lines = (to_json(dict(zip(names, row, strict=True))) for row in rows)
    first = next(lines, None)
    if first is None:
        out.write("[]\n")
        return
    out.write(f"[\n  {first}")
    out.writelines(f",\n  {line}" for line in lines)
    out.write("\n]\n")


def write_csv(columns: Sequence[str], rows: Iterable[Cells], out: TextIO) -> None:
    """RFC 4180, but with LF; NULL is an empty field."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([visible(column) for column in distinct(columns)])
    writer.writerows(["" if cell is None else whole(cell) for cell in row] for row in rows)


def write_markdown(columns: Sequence[str], rows: Sequence[Cells], out: TextIO) -> None:
    """A pipe table, numbers to the right."""
    numbers = numeric(columns, rows)
    out.write(_piped(columns))
    out.write("|" + "|".join(" ---: " if right else " --- " for right in numbers) + "|\n")
    out.writelines(_piped([short(cell) for cell in row]) for row in rows)


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_markdown_cell(cell) for cell in cells) + " |\n"


def _markdown_cell(cell: str) -> str:
    escaped = one_line(cell, 10_000)
    for char in "\\`*_[]<>|":
        escaped = escaped.replace(char, "\\" + char)
    return escaped


FOR_PROGRAMS: dict[str, Writer] = {"json": write_json, "csv": write_csv, "markdown": write_markdown}
