"""The tables of one run as text: a CSV file each, or one JSON file with all."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from iwtui.archive.exporters.tables import Table, read_table, run_tables
from iwtui.bench.cells import to_json, whole

if TYPE_CHECKING:
    import pyarrow as pa

    from iwtui.archive.index import Index


def write_csv_files(index: "Index", run: str, folder: Path) -> dict[str, int]:
    """One CSV file a table (RFC 4180, but with LF): an empty field is NULL, `""` an empty text. The rows of each."""
    written: dict[str, int] = {}
    for table in run_tables(index):
        with (folder / f"{table.name}.csv").open("w", encoding="utf-8", newline="") as out:

            def write(reader: "pa.RecordBatchReader", out: TextIO = out) -> int:
                out.write(",".join(_quoted(name) for name in reader.schema.names) + "\n")
                rows = 0
                for batch in reader:
                    rows += batch.num_rows
                    columns = [column.to_pylist() for column in batch.columns]
                    out.writelines(",".join(map(_cell, row)) + "\n" for row in zip(*columns, strict=True))
                return rows

            written[table.name] = read_table(index, table, run, write)
    return written


def _cell(cell: object) -> str:
    match cell:
        case None:
            return ""
        case bool() | int() | float():
            return whole(cell)
    return _quoted(whole(cell))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def write_json_file(index: "Index", run: str, target: Path) -> dict[str, int]:
    """`{run, tables: {name: [row, ..]}}`, a row a line, NULL as null. The rows of each."""
    written: dict[str, int] = {}
    with target.open("w", encoding="utf-8", newline="") as out:
        out.write(f'{{\n"run": {to_json(run)},\n"tables": {{')
        for number, table in enumerate(run_tables(index)):
            out.write(("," if number else "") + f"\n{to_json(table.name)}: [")
            written[table.name] = _write_rows(index, table, run, out)
            out.write("\n]")
        out.write("\n}\n}\n")
    return written


def _write_rows(index: "Index", table: Table, run: str, out: TextIO) -> int:
    def write(reader: "pa.RecordBatchReader") -> int:
        rows = 0
        names: Sequence[str] = reader.schema.names
        for batch in reader:
            for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                out.write(("," if rows else "") + "\n  " + to_json(dict(zip(names, values, strict=True))))
                rows += 1
        return rows

    return read_table(index, table, run, write)
