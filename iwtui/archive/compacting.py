"""Gives back the room that nothing in a store needs: blobs that are named nowhere, leavings of a break, air in the index."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from iwtui.archive.errors import IndexBusyError, IndexNewerError
from iwtui.archive.index import Index
from iwtui.archive.store import ASIDE, TRASH, Store

STALE = 3600.0
"""Seconds after which a file or folder that was being made is taken for what a break has left."""

MOST_FREE = 0.1
"""Share of the index that may be free; with more it is made anew from the logs."""


class Compacted(msgspec.Struct, frozen=True):
    """`before` and `after` are the bytes of all files of the store.

    `busy`: logs are being written just now, so no blob was removed. `index`: why the index was left as it is, or "".
    """

    before: int
    after: int
    blobs: int
    leavings: int
    rebuilt: bool
    busy: bool
    index: str = ""


def compact(store: Store, index: Index) -> Compacted:
    """Give back what can be, as far as nobody writes just now. Raises OSError."""
    before = size_of(store.root)
    leavings = sum(_remove(path) for path in list(_leavings(store.root)))
    collected = store.collect_blobs()
    rebuilt, left = False, ""
    if index.path.exists():
        try:
            index.catch_up()
            if _free(index) > MOST_FREE:
                index.rebuild()
                rebuilt = True
        except (IndexBusyError, IndexNewerError) as error:
            left = str(error)
    return Compacted(before, size_of(store.root), collected.blobs, leavings, rebuilt, collected.busy, left)


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def _leavings(root: Path) -> Iterator[Path]:
    """Removed runs, and what was being made long ago: runs, and blobs under the name of the process that wrote them."""
    yield from root.glob(f"runs/{TRASH}*")
    for pattern in (f"runs/{ASIDE}*", "blobs/??/.*", "annotations/.*.*.*"):
        yield from (path for path in root.glob(pattern) if time.time() - path.stat().st_mtime > STALE)


def _remove(path: Path) -> int:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    return 1


def _free(index: Index) -> float:
    """The share of the index's blocks that hold nothing."""
    query = "SELECT free_blocks, total_blocks FROM pragma_database_size()"
    free, total = index.read(lambda con: con.execute(query).fetchall())[0]
    return free / total if total else 0.0
