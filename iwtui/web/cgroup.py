"""Limits by control groups, where we may make them: they hold against a fork bomb even for root."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from iwtui.web.limits import Limits

_ROOT = Path("/sys/fs/cgroup")
_THREADS = 4
"""A group counts threads, of which a process of Node has about ten; most processes have one."""


class ControlGroup:
    """Folders whose `cgroup.procs` a process is to write itself into; empty where none can be made."""

    def __init__(self, limits: Limits) -> None:
        self.folders: list[Path] = []
        for parent, settings in _places(limits):
            folder = parent / f"iwtui-{os.getpid()}-{secrets.token_hex(4)}"
            try:
                folder.mkdir()
                self.folders.append(folder)
                for name, value in settings.items():
                    (folder / name).write_text(str(value))
            except OSError:
                self.folders = [made for made in self.folders if made != folder or not _removed(folder)]

    def remove(self) -> bool:
        """Take the folders away; False while one still holds a process that is dying."""
        self.folders = [folder for folder in self.folders if not _removed(folder)]
        return not self.folders


def sweep() -> None:
    """Remove groups that processes which are gone have left."""
    for parent in {parent for parent, _ in _places(Limits())}:
        for folder in parent.glob("iwtui-*"):
            owner = folder.name.split("-")[1]
            if owner.isdigit() and not Path(f"/proc/{owner}").exists():
                _removed(folder)


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _places(limits: Limits) -> Iterator[tuple[Path, dict[str, int]]]:
    """Where groups may be made, with the files that limit them: version 2, else the two of version 1."""
    own = _own_groups()
    if (_ROOT / "cgroup.controllers").exists():
        # A group that holds processes may have no limited groups below it, but for the root.
        enabled = _read(_ROOT / "cgroup.subtree_control").split()
        if own.get("") == "/" and {"pids", "memory"} <= set(enabled):
            yield _ROOT, {"pids.max": limits.processes * _THREADS, "memory.max": limits.memory}
        return
    for name, setting, value in (
        ("pids", "pids.max", limits.processes * _THREADS),
        ("memory", "memory.limit_in_bytes", limits.memory),
    ):
        if name in own:
            below = _ROOT / name / own[name].lstrip("/")
            parent = below if below.is_dir() else _ROOT / name
            if os.access(parent, os.W_OK) and (parent / "cgroup.procs").exists():
                yield parent, {setting: value}


def _own_groups() -> dict[str, str]:
    """Our group by the name of its controller; the one of version 2 by the empty name."""
    groups: dict[str, str] = {}
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, names, path = line.split(":", 2)
        groups |= dict.fromkeys(names.split(","), path)
    return groups


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""
