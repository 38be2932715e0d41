"""Where official logs are: in a model's folder, in its `logs`, in a tree with several models, or in an archive of such."""

import gzip
import hashlib
import lzma
import os
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from iwtui.archive.importers.histories import HISTORY, INTERACTION
from iwtui.archive.importers.measures import INTENT_FILE, LOOKS_FILE
from iwtui.archive.importers.walking import Fault

MAX_DEPTH = 8
MAX_MEMBERS = 2_000_000
MAX_UNPACKED = 20_000_000_000
"""Bytes that are taken out of an archive."""

LOGS = "logs"
MESSAGES = "interact_messages.json"
COPIES = frozenset({"error_logs", "overlap_logs"})
"""The official analyser's copies of logs that stand in `logs` as well."""

_NO_LOGS = frozenset({"workspaces", "error_workspaces", "node_modules", ".git"})
_JSON = frozenset({INTERACTION, HISTORY, MESSAGES, INTENT_FILE, LOOKS_FILE})
_PIECE = 1 << 20


class ModelLogs(msgspec.Struct, frozen=True):
    """The logs of one model: its folder, and a folder a task."""

    name: str
    folder: Path
    tasks: tuple[Path, ...]


def find_logs(root: Path, faults: list[Fault]) -> list[ModelLogs]:
    """The models under a folder, each with its tasks. Links are not followed. Raises OSError for the folder itself."""
    root = root.resolve()
    found: dict[Path, list[Path]] = {}

    def unread(error: OSError) -> None:
        faults.append(Fault(str(error.filename), f"left out: {error.strerror}"))

    for place, folders, names in os.walk(root, onerror=unread):
        folder = Path(place)
        copies = sorted(COPIES.intersection(folders))
        faults += [Fault(str((folder / name).relative_to(root)), "left out: copies of other logs") for name in copies]
        deep = len(folder.relative_to(root).parts) >= MAX_DEPTH
        folders[:] = [] if deep else sorted(set(folders) - COPIES - _NO_LOGS)
        if {INTERACTION, HISTORY}.intersection(names):
            found.setdefault(_model_of(folder), []).append(folder)
            folders.clear()
    for logs in sorted({task.parent for tasks in found.values() for task in tasks if task.parent.name == LOGS}):
        tasks = {task for tasks in found.values() for task in tasks}
        empty = sorted(folder for folder in logs.iterdir() if folder.is_dir() and folder not in tasks)
        why = f"left out: neither {INTERACTION} nor {HISTORY} is there"
        faults += [Fault(str(folder.relative_to(root)), why) for folder in empty if folder.name not in COPIES]
    return [ModelLogs(model.name, model, tuple(sorted(tasks))) for model, tasks in sorted(found.items())]


def _model_of(task: Path) -> Path:
    return task.parent.parent if task.parent.name == LOGS else task.parent


def files_of(task: Path) -> Iterator[Path]:
    """The files of a task that an import reads, in a fixed order."""
    for file in sorted(task.rglob("*")):
        if (file.name in _JSON or file.suffix == ".png") and file.is_file() and not file.is_symlink():
            yield file


def content_hash(logs: ModelLogs) -> str:
    """The first 12 hex digits of a digest of all that an import reads, names and contents."""
    digest = hashlib.sha256()
    own = [file for name in (INTENT_FILE, LOOKS_FILE) if (file := logs.folder / name).is_file()]
    for file in [*own, *(file for task in logs.tasks for file in files_of(task))]:
        digest.update(str(file.relative_to(logs.folder)).encode("utf-8", "surrogateescape") + b"\0")
        with file.open("rb") as opened:
            digest.update(hashlib.file_digest(opened, "sha256").digest())
    return digest.hexdigest()[:12]


def unpack(archive: Path, into: Path, faults: list[Fault]) -> None:
    """Take what an import reads out of a tar file, compressed or not, with its times; links and odd paths stay out.

    Raises OSError, and ValueError for what is no tar file.
    """
    members = size = 0
    try:
        with tarfile.open(archive, "r:*") as tar:
            for member in tar:
                members += 1
                path = _confined(member.name)
                if not member.isreg() or path is None or not (path.name in _JSON or path.suffix == ".png"):
                    continue
                size += member.size
                if members > MAX_MEMBERS or size > MAX_UNPACKED:
                    faults.append(
                        Fault(archive.name, "the rest is left out: the archive is too large", key=member.name[:200])
                    )
                    return
                _take(tar, member, into.joinpath(*path.parts))
    except (tarfile.ReadError, EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        if not members:
            raise ValueError(f"{archive}: no archive: {error}") from error
        faults.append(Fault(archive.name, f"the rest cannot be read: {error}", key=f"member {members}"))


def _confined(name: str) -> PurePosixPath | None:
    path = PurePosixPath(name)
    odd = path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or len(name) > 1_000
    return None if odd or not path.parts else path


def _take(tar: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    source = tar.extractfile(member)
    if source is None:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, target.open("wb") as file:
        while piece := source.read(_PIECE):
            file.write(piece)
    os.utime(target, (member.mtime, member.mtime))
