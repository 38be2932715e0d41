"""The store: a folder with runs, blobs and an index. Finding things in it by name, making and removing runs."""

import os
import shutil
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.archive.collect import Collected, collect
from iwtui.archive.durable import make_folder, sync_folder, write_durably
from iwtui.archive.errors import AmbiguousError, NotFoundError, RunExistsError, RunMissingError
from iwtui.archive.log import read_log
from iwtui.archive.run_folder import RUN_NAME, RunFolder
from iwtui.bench.case import Case
from iwtui.bench.names import EpisodeName, matching
from iwtui.bench.plan import Plan
from iwtui.packs import write_cases
from iwtui.resources import data_folder

TRASH = ".removed-"
ASIDE = ".new-"


class _Created(msgspec.Struct):
    created: float


def find_store(option: str | None) -> Path:
    """The store's folder: the option, IWTUI_STORE, `./.iwtui` if it exists, else the user's data folder."""
    if named := option or os.environ.get("IWTUI_STORE"):
        return Path(named).expanduser().absolute()
    here = Path.cwd() / ".iwtui"
    return here if here.is_dir() else data_folder()


class Store:
    """A store. Its folder is made when the first run is."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.blobs = BlobStore(root / "blobs")
        self._runs = root / "runs"

    @property
    def writable(self) -> bool:
        """Whether this user may write here."""
        there = self.root
        while not there.exists() and there != there.parent:
            there = there.parent
        return os.access(there, os.W_OK)

    @property
    def packs(self) -> Path:
        """The folder of imported task packs; it need not exist."""
        return self.root / "packs"

    def create_run(self, plan: Plan, cases: Sequence[Case], prepare: Callable[[RunFolder], None] | None = None) -> RunFolder:
        """Make a run's folder with its plan and its frozen cases, in one step. Raises RunExistsError, ValueError.

        `prepare` may write into the run before anybody else can see it.
        """
        if not RUN_NAME.fullmatch(plan.run):
            raise ValueError(f"{plan.run[:100]!r} is no name for a run: letters, digits, and _ + - . after the first")
        folder = self._runs / plan.run
        aside = self._runs / f"{ASIDE}{plan.run}-{uuid.uuid4().hex[:8]}"
        for part in ("episodes", "judgings", "control"):
            make_folder(aside / part)
        write_durably(aside / "cases.jsonl", write_cases(cases))
        write_durably(aside / "run.json", msgspec.json.format(msgspec.json.encode(plan)) + b"\n")
        try:
            if prepare:
                prepare(RunFolder(aside, self.blobs))
            aside.rename(folder)
        except BaseException as error:
            shutil.rmtree(aside)
            if isinstance(error, OSError) and folder.exists():
                raise RunExistsError(f"there is a run {plan.run} already") from error
            raise
        sync_folder(self._runs)
        return RunFolder(folder, self.blobs)

    def runs(self) -> list[str]:
        """The names of all runs, the oldest first."""
        if not self._runs.is_dir():
            return []
        names = [folder.name for folder in self._runs.iterdir() if self._is_run(folder.name)]
        return sorted(names, key=lambda name: (_created(self._runs / name), name))

    def _is_run(self, name: str) -> bool:
        return bool(RUN_NAME.fullmatch(name)) and (self._runs / name / "run.json").is_file()

    def run(self, name: str) -> RunFolder:
        """A run by its full name. Raises RunMissingError."""
        if not self._is_run(name):
            raise RunMissingError(f"no run {name[:200]!r} in {self.root}")
        return RunFolder(self._runs / name, self.blobs)

    def resolve_run(self, text: str) -> RunFolder:
        """A run by `last`, by its name, or by a unique part of it. Raises RunMissingError, AmbiguousError."""
        names = self.runs()
        if not names:
            raise RunMissingError(f"there is no run in {self.root} yet")
        found = names[-1:] if text == "last" else matching(text, names)
        if not found:
            raise RunMissingError(f"no run {text[:200]!r} in {self.root}; the latest is {names[-1]}")
        if len(found) > 1:
            raise AmbiguousError(text, found)
        return self.run(found[0])

    def resolve_episode(self, text: str) -> EpisodeName:
        """An episode by `last` (the one begun last), by its name, or by a part of it; of several attempts the last.

        Raises NotFoundError, AmbiguousError.
        """
        names = [name for run in self.runs() for name in self.run(run).episodes()]
        if not names:
            raise NotFoundError(f"there is no episode in {self.root} yet")
        if text == "last":
            return self._last_begun(names[-1].run)
        found = set(matching(text, [str(name) for name in names]))
        if not found:
            raise NotFoundError(f"no episode {text[:200]!r} in {self.root}")
        fitting = [name for name in names if str(name) in found]
        if len({name.played for name in fitting}) > 1:
            raise AmbiguousError(text, [str(name) for name in fitting])
        return max(fitting)

    def _last_begun(self, run: str) -> EpisodeName:
        folder = self.run(run)

        def began(name: EpisodeName) -> float:
            first = next(read_log(folder.episode_log(name)), None)
            return first[1].t if first else 0.0

        return max(folder.episodes(), key=lambda name: (began(name), name))

    def remove_run(self, name: str) -> None:
        """Remove a run; its blobs stay until `collect_blobs`. Raises RunMissingError, RunBusyError.

        It is gone in one step, by a rename; what a power cut leaves of the renamed folder goes at the next removal.
        """
        folder = self.run(name)
        with folder.lock():
            folder.path.rename(self._runs / f"{TRASH}{name}-{uuid.uuid4().hex[:8]}")
            sync_folder(self._runs)
        for removed in self._runs.glob(f"{TRASH}*"):
            shutil.rmtree(removed)

    def collect_blobs(self) -> Collected:
        """Remove the blobs that no log, pack or annotation names; none while any log is being written."""
        return collect(self.root, self.blobs)


def _created(folder: Path) -> float:
    try:
        return msgspec.json.decode((folder / "run.json").read_bytes(), type=_Created).created
    except (OSError, msgspec.MsgspecError):
        return 0.0
