"""Saved queries: one `.sql` file each, the first comment of which is the title. The shipped ones, and the user's own."""

import re
from pathlib import Path
from typing import NamedTuple

from iwtui.archive.durable import make_folder, write_durably
from iwtui.archive.errors import StoreError
from iwtui.archive.schema import first_comment
from iwtui.resources import shipped, users_own

LARGEST = 1_000_000
"""Bytes of a file that is read."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")


class SavedQueryError(StoreError):
    """A query that cannot be saved under that name, or taken away."""


class SavedQuery(NamedTuple):
    """A query with its title. `own`: it stands in the user's folder; `trouble`: why its file cannot be read."""

    title: str
    sql: str
    own: bool = False
    trouble: str = ""


def saved_queries() -> dict[str, SavedQuery]:
    """The saved queries by name: the shipped ones and the user's own, which may replace them."""
    found: dict[str, SavedQuery] = {}
    for folder, own in ((_shipped(), False), (own_folder(), True)):
        for file in sorted(folder.glob("*.sql")):
            try:
                found[file.stem] = read_query(file)._replace(own=own)
            except (OSError, ValueError) as error:
                found[file.stem] = SavedQuery(f"{file} cannot be read", "", own, str(error))
    return dict(sorted(found.items()))


def read_query(file: Path) -> SavedQuery:
    """The query in a file. Raises OSError, ValueError (no UTF-8, or too large)."""
    with file.open("rb") as stream:
        content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"larger than {LARGEST:,} bytes")
    sql = content.decode("utf-8")
    return SavedQuery(first_comment(sql), sql)


def own_folder() -> Path:
    """Where the user's own queries stand; it need not exist."""
    return users_own("storage") / "queries"


def file_of(name: str) -> Path:
    """The file of one's own query of that name. Raises SavedQueryError for a name that is none."""
    if not _NAME.fullmatch(name):
        raise SavedQueryError(
            f"{name!r} is no name of a query: up to 60 of a-z, 0-9, `.`, `_` and `-`, a letter or digit first"
        )
    return own_folder() / f"{name}.sql"


def save_query(name: str, sql: str) -> Path:
    """Keep a query under a name in the user's folder, over one that is there. Raises SavedQueryError, OSError."""
    if not sql.strip():
        raise SavedQueryError("there is no query to be saved")
    file = file_of(name)
    make_folder(file.parent)
    write_durably(file, (sql.strip() + "\n").encode("utf-8"))
    return file


def delete_query(name: str) -> None:
    """Take one's own query away. Raises SavedQueryError when there is none, OSError."""
    try:
        file_of(name).unlink()
    except FileNotFoundError as error:
        raise SavedQueryError(f"there is no query {name!r} of your own; shipped ones stay") from error


def _shipped() -> Path:
    return shipped("storage") / "queries"
