"""Files that are whole and there after a power cut: written aside, flushed to the disk, then named."""

import itertools
import os
from pathlib import Path

_serial = itertools.count()


def write_durably(path: Path, content: bytes) -> None:
    """Put the file in place in one step; what stood there before stays whole until then."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.{next(_serial)}")
    try:
        write_synced(aside, content)
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_synced(path: Path, content: bytes) -> None:
    """Write a new file and wait until the disk has it. Its name is durable only after `sync_folder`."""
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, with durable names."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)
