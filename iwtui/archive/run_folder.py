"""The folder of one run: what was asked, the frozen cases, and the logs of its episodes and judgings."""

import fcntl
import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import filelock
import msgspec

from iwtui.archive.annotations_read import read_annotations
from iwtui.archive.blobs import BlobStore
from iwtui.archive.choosing import Pass, primary_judging
from iwtui.archive.durable import write_durably
from iwtui.archive.errors import LogBusyError, RunBrokenError, RunBusyError, RunForeignError
from iwtui.archive.flock import Wait, take
from iwtui.archive.log import LogWriter, read_log
from iwtui.bench.case import Case
from iwtui.bench.fold import EpisodeState, JudgingState, fold, fold_judging
from iwtui.bench.names import EpisodeName, parse_stem, slug
from iwtui.bench.plan import Plan, is_scripted
from iwtui.bench.status import Status
from iwtui.packs import PackError, read_cases

RUN_NAME = re.compile(r"[A-Za-z0-9_+][A-Za-z0-9_+.-]{0,199}")
JUDGING_NAME = re.compile(r"[A-Za-z0-9_+-]{1,100}")
FOREIGN = ".foreign"
"""Stands in the folder of a run that a bundle brought."""

WRITERS = ".writers"
COLLECTING = 60.0
"""Seconds to wait for a collection of blobs to end before a log can be opened for writing."""


class Holder(msgspec.Struct, frozen=True):
    """Who plays a run. `since` is seconds since the epoch."""

    pid: int
    host: str
    since: float


class RunFolder:
    """One run. The plan and the cases are read once; logs are read anew each time."""

    def __init__(self, path: Path, blobs: BlobStore) -> None:
        self.path = path
        self.name = path.name
        self.blobs = blobs

    @cached_property
    def plan(self) -> Plan:
        """What was asked. Raises RunBrokenError."""
        file = self.path / "run.json"
        try:
            return msgspec.json.decode(file.read_bytes(), type=Plan)
        except (OSError, msgspec.MsgspecError) as error:
            raise RunBrokenError(f"{file}: {error}") from error

    @cached_property
    def cases(self) -> dict[str, Case]:
        """The cases as they were frozen, by id. Raises RunBrokenError."""
        file = self.path / "cases.jsonl"
        try:
            return {case.id: case for case in read_cases(file.read_bytes())}
        except (OSError, PackError) as error:
            raise RunBrokenError(f"{file}: {error}") from error

    def case_of(self, name: EpisodeName) -> Case | None:
        """The frozen case of an episode."""
        return next((case for case_id, case in self.cases.items() if slug(case_id) == name.case), None)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the run, so that nobody else plays, judges or removes it. Raises RunBusyError at once when it is held."""
        lock = filelock.FileLock(self.path / ".lock", is_singleton=False)
        note = self.path / ".holder.json"
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout as error:
            raise RunBusyError(f"run {self.name} is held by {_describe(note)}") from error
        try:
            holder = Holder(os.getpid(), socket.gethostname(), time.time())
            write_durably(note, msgspec.json.encode(holder))
            yield
        finally:
            note.unlink(missing_ok=True)
            lock.release()

    def check_own(self) -> None:
        """Raises RunForeignError for a run that a bundle brought and that would call models.

        Its settings say where they are reached: whoever made the bundle would be sent this user's keys.
        """
        mark = self.path / FOREIGN
        if mark.exists() and not all(is_scripted(model) for _, model in self.plan.models):
            raise RunForeignError(
                f"{self.name} came in a bundle, and its own settings say where its models are reached, with your keys: it "
                f"is not gone on with. Read the settings in {self.path / 'run.json'}; if you trust them, remove {mark}"
            )

    def episodes(self) -> list[EpisodeName]:
        """All attempts of all episodes that have a log, in the order of their names."""
        names = [parse_stem(self.name, file.stem) for file in (self.path / "episodes").glob("*.jsonl")]
        return sorted(name for name in names if name)

    def attempts(self, case_id: str, builder: str, repeat: int) -> list[EpisodeName]:
        """The attempts at one planned episode, the first one first."""
        wanted = (self.name, slug(case_id), slug(builder, dots=True), repeat)
        return [name for name in self.episodes() if name.played == wanted]

    def judgings(self, name: EpisodeName) -> list[str]:
        """The names of an episode's judgings."""
        stems = [file.stem.rpartition(".") for file in (self.path / "judgings").glob("*.jsonl")]
        return sorted(judging for stem, _, judging in stems if stem == name.stem)

    def episode_log(self, name: EpisodeName) -> Path:
        """Where the log of an episode stands, or would stand."""
        return self.path / "episodes" / f"{name.stem}.jsonl"

    def judging_log(self, name: EpisodeName, judging: str) -> Path:
        """Where the log of a judging stands, or would stand. Raises ValueError for a name that no file should bear."""
        if not JUDGING_NAME.fullmatch(judging):
            raise ValueError(f"{judging[:100]!r} is no name for a judging")
        return self.path / "judgings" / f"{name.stem}.{judging}.jsonl"

    def record_episode(self, name: EpisodeName, clock: Callable[[], float] = time.time) -> LogWriter:
        """The writer of an episode's log; goes on with one that is there. Hold `lock` meanwhile."""
        return self._record(self.episode_log(name), clock)

    def record_judging(self, name: EpisodeName, judging: str, clock: Callable[[], float] = time.time) -> LogWriter:
        """The writer of a judging's log. Hold `lock` meanwhile."""
        return self._record(self.judging_log(name, judging), clock)

    def _record(self, log: Path, clock: Callable[[], float]) -> LogWriter:
        writers = hold_blobs(self.path.parent.parent)
        try:
            return LogWriter(log, self.blobs, clock, on_close=lambda: os.close(writers))
        except BaseException:
            os.close(writers)
            raise

    def fold_episode(self, name: EpisodeName) -> EpisodeState:
        """The state of an episode now. Raises FileNotFoundError."""
        return fold(record for _, record in read_log(self.episode_log(name)))

    def fold_judging(self, name: EpisodeName, judging: str) -> JudgingState:
        """The state of a judging now. Raises FileNotFoundError."""
        return fold_judging(record for _, record in read_log(self.judging_log(name, judging)))

    def primary_judging(self, name: EpisodeName) -> tuple[str, JudgingState] | None:
        """The judging whose score is the episode's, with its state, or None before there is one."""
        states = {judging: self.fold_judging(name, judging) for judging in self.judgings(name)}
        passes = [as_pass(judging, state) for judging, state in states.items()]
        by_person = read_annotations(self.path.parent.parent).of(str(name)).primary
        chosen = primary_judging(passes, self.plan.primary_judge, self.plan.primary_model, by_person)
        return (chosen, states[chosen]) if chosen else None


def hold_blobs(root: Path) -> int:
    """A descriptor; until it is closed no blob of the store is swept away, as some may not be named by an event yet.

    Raises LogBusyError when blobs are being collected for too long.
    """
    writers = os.open(root / WRITERS, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        take(writers, fcntl.LOCK_SH, Wait(COLLECTING), LogBusyError("the store's blobs are being collected"))
    except BaseException:
        os.close(writers)
        raise
    return writers


def as_pass(judging: str, state: JudgingState) -> Pass:
    """A judging's state as choosing needs it."""
    status = Status(state.ended.status) if state.ended else Status.RUNNING
    started = state.started
    if started is None:
        return Pass(judging, None, status, state.began)
    return Pass(judging, started.judge, status, state.began, started.model, started.turn_judged)


def _describe(note: Path) -> str:
    try:
        holder = msgspec.json.decode(note.read_bytes(), type=Holder)
    except (OSError, msgspec.MsgspecError):
        return "a process that has only just taken it"
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(holder.since))
    return f"process {holder.pid} on {holder.host} since {since}"
