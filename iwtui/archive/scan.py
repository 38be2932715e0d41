"""What there is to index: the runs of a store and their logs, as the file system has them at this moment."""

import contextlib
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from iwtui.archive.annotations import FOLDER
from iwtui.archive.run_folder import JUDGING_NAME, RUN_NAME
from iwtui.bench.names import EpisodeName, parse_stem


class LogKey(NamedTuple):
    """One log: an episode's own (`judging` is "") or that of one of its judgings."""

    episode: EpisodeName
    judging: str


class Stamp(NamedTuple):
    """By which a file that has not changed is known: bytes, and time of the last change in nanoseconds."""

    size: int
    changed: int


class Scan(NamedTuple):
    """`runs`: a digest of each run's fixed files. `logs`: the stamp of each log; `annotations`: of each file of those."""

    runs: dict[str, str]
    logs: dict[LogKey, Stamp]
    annotations: dict[str, Stamp]


def scan(root: Path) -> Scan:
    """The runs and logs of the store at `root`; a file or folder that is no log of ours is left out."""
    runs: dict[str, str] = {}
    logs: dict[LogKey, Stamp] = {}
    for folder in _entries(root / "runs"):
        if not RUN_NAME.fullmatch(folder.name) or (digest := _digest(Path(folder.path))) is None:
            continue
        runs[folder.name] = digest
        for file in _entries(Path(folder.path) / "episodes"):
            _note(logs, parse_stem(folder.name, file.name.removesuffix(".jsonl")), "", file)
        for file in _entries(Path(folder.path) / "judgings"):
            stem, _, judging = file.name.removesuffix(".jsonl").rpartition(".")
            if JUDGING_NAME.fullmatch(judging):
                _note(logs, parse_stem(folder.name, stem), judging, file)
    return Scan(runs, dict(sorted(logs.items())), _annotations(root))


def _annotations(root: Path) -> dict[str, Stamp]:
    found: dict[str, Stamp] = {}
    for file in _entries(root / FOLDER):
        if file.name.endswith(".jsonl") and not file.name.startswith("."):
            with contextlib.suppress(FileNotFoundError):  # removed since the folder was read
                status = file.stat()
                found[file.name] = Stamp(status.st_size, status.st_mtime_ns)
    return found


def _note(logs: dict[LogKey, Stamp], name: EpisodeName | None, judging: str, file: "os.DirEntry[str]") -> None:
    if name and file.name.endswith(".jsonl") and not file.name.startswith("."):
        try:
            status = file.stat()
        except FileNotFoundError:
            return  # removed since the folder was read
        logs[LogKey(name, judging)] = Stamp(status.st_size, status.st_mtime_ns)


def _entries(folder: Path) -> "Iterator[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except (FileNotFoundError, NotADirectoryError):
        return  # not there yet, or removed meanwhile


def _digest(folder: Path) -> str | None:
    try:
        cases = (folder / "cases.jsonl").stat()
        plan = (folder / "run.json").read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return hashlib.sha256(plan + b"%d %d" % (cases.st_size, cases.st_mtime_ns)).hexdigest()
