"""Writing what is shown to a file, in a thread: as JSON, CSV, Markdown or Parquet, whole or not at all."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from iwtui.archive.durable import write_durably
from iwtui.bench.cells import distinct, plain, whole
from iwtui.bench.sheets import FOR_PROGRAMS
from iwtui.tui.answers import Sheet

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET = "parquet"

SUFFIXES = {"json": ".json", "csv": ".csv", "markdown": ".md", PARQUET: ".parquet"}
"""The formats, and what the name of a file ends in."""


def write_sheet(sheet: Sheet, form: str, path: Path) -> int:
    """Puts the file in place in one step; how many bytes it has. Raises OSError."""
    content = as_bytes(sheet, form)
    write_durably(path, content)
    return len(content)


def as_bytes(sheet: Sheet, form: str) -> bytes:
    """The rows in one of the formats."""
    if form == PARQUET:
        import pyarrow as pa
        import pyarrow.parquet as pq

        out = pa.BufferOutputStream()
        pq.write_table(_arrow(sheet), out)
        return bytes(out.getvalue())
    text = io.StringIO()
    FOR_PROGRAMS[form](sheet.columns, sheet.rows, text)
    return text.getvalue().encode("utf-8")


def _arrow(sheet: Sheet) -> "pa.Table":
    """Each column by the type of its values; one that holds values of several types becomes text."""
    import pyarrow as pa

    columns: list[pa.Array] = []
    for place in range(len(sheet.columns)):
        values = [plain(row[place]) for row in sheet.rows]
        try:
            columns.append(pa.array(values))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            columns.append(pa.array([None if value is None else whole(value) for value in values], pa.string()))
    return pa.table(columns, names=distinct(sheet.columns))


def tabbed(sheet: Sheet) -> str:
    """The rows with tabs between their cells, for a spreadsheet."""
    lines = [sheet.columns, *([("" if cell is None else whole(cell)) for cell in row] for row in sheet.rows)]
    return "\n".join("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in line) for line in lines)
