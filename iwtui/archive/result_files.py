"""A query's rows as a file, in one step: what stood there before stays whole until the new one is."""

import contextlib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from iwtui.bench.sheets import FOR_PROGRAMS, Writer

if TYPE_CHECKING:
    from iwtui.archive.query import Result

PARQUET = "parquet"
FORMATS = (*FOR_PROGRAMS, PARQUET)
SUFFIXES = {".json": "json", ".csv": "csv", ".md": "markdown", ".parquet": PARQUET}
"""The format that the name of a file tells."""


def write_result(result: "Result", file: Path, form: str) -> None:
    """The rows in one of FORMATS. Raises OSError."""
    if form == PARQUET:
        from pyarrow import parquet

        with replacing(file) as aside:
            parquet.write_table(result.arrow, aside)
    else:
        write_text(result, file, FOR_PROGRAMS[form])


def write_text(result: "Result", file: Path, writer: Writer) -> None:
    """The rows as a writer of text puts them. Raises OSError."""
    with replacing(file) as aside, aside.open("w", encoding="utf-8", newline="") as out:
        writer(result.columns, result.rows, out)


@contextlib.contextmanager
def replacing(file: Path) -> Iterator[Path]:
    """A file beside another that takes its place once it is whole. Raises OSError."""
    aside = file.with_name(f".{file.name[:200]}-{uuid.uuid4().hex[:12]}")
    aside.touch(exist_ok=False)  # with the rights that the user's files have
    try:
        yield aside
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)
