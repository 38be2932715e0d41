"""Which runs are going on at this machine, of whatever store: one small file a runner, renewed while it lives."""

import contextlib
import os
import socket
import threading
import time
import uuid
from pathlib import Path
from typing import Self

import msgspec
import psutil

from iwtui.archive.durable import write_durably
from iwtui.resources import runtime_folder

BEAT = 2.0
"""Seconds between two heartbeats."""

SILENT = 5 * BEAT
"""Seconds without a heartbeat after which a process that is still there is not known to be alive (stopped, say)."""


MAX_SAID = 1_000
"""Characters of what a runner says of itself."""


class Runner(msgspec.Struct, frozen=True):
    """A process that plays a run. `born` is its creation time, which tells it from a later process with its pid.

    `paused` says why the run is paused, if it is.
    """

    store: str
    run: str
    pid: int
    born: float
    boot: str
    host: str
    started: float
    paused: str = ""


class LiveRun(msgspec.Struct, frozen=True):
    """`alive`: True; False for a process that is gone; None when that cannot be told. `silence`: seconds since a beat."""

    runner: Runner
    silence: float
    alive: bool | None
    file: Path


def boot_id() -> str:
    """What stays the same until the machine starts again."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return f"boot-{psutil.boot_time():.0f}"


class Registration:
    """Tells others of a run while it lasts; beats by itself in a thread, from `with` on to its end."""

    def __init__(self, store: Path, run: str, folder: Path | None = None) -> None:
        self._folder = folder or _folder()
        self._file = self._folder / f"{uuid.uuid4().hex}.json"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat_on, name="heartbeat", daemon=True)
        pid = os.getpid()
        self.runner = Runner(
            str(store.resolve()), run, pid, psutil.Process(pid).create_time(), boot_id(), socket.gethostname(), time.time()
        )

    def beat(self) -> None:
        """Renew the heartbeat; when the file was swept away meanwhile, register anew."""
        try:
            os.utime(self._file)
        except FileNotFoundError:
            self._register()

    def say(self, paused: str) -> None:
        """Tell others why the run is paused; an empty text: it goes on. Raises OSError."""
        if paused[:MAX_SAID] != self.runner.paused:
            self.runner = msgspec.structs.replace(self.runner, paused=paused[:MAX_SAID])
            self._register()

    def _register(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_durably(self._file, msgspec.json.encode(self.runner))

    def _beat_on(self) -> None:
        while not self._over.wait(BEAT):
            self.beat()

    def __enter__(self) -> Self:
        for other in live_runs(self._folder):
            if other.alive is False:
                other.file.unlink(missing_ok=True)
        self._register()
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()
        self._file.unlink(missing_ok=True)


def live_runs(folder: Path | None = None) -> list[LiveRun]:
    """All runs that are registered, the dead ones too, oldest first. Files that are no registration are left out."""
    found = []
    for file in (folder or _folder()).glob("*.json"):
        with contextlib.suppress(FileNotFoundError, msgspec.MsgspecError):  # gone meanwhile, or not ours
            runner = msgspec.json.decode(file.read_bytes(), type=Runner)
            silence = max(0.0, time.time() - file.stat().st_mtime)
            found.append(LiveRun(runner, silence, _alive(runner, silence), file))
    return sorted(found, key=lambda live: live.runner.started)


def _alive(runner: Runner, silence: float) -> bool | None:
    if runner.host != socket.gethostname():
        return None
    if runner.boot != boot_id() or not _is_running(runner):
        return False
    return True if silence <= SILENT else None


def _is_running(runner: Runner) -> bool:
    try:
        process = psutil.Process(runner.pid)
        return bool(abs(process.create_time() - runner.born) < 1.0 and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _folder() -> Path:
    return runtime_folder() / "live"
