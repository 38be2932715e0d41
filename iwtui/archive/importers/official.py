"""Imports the logs of the official harness: each model's folder becomes a run of kind `import`.

The logs hold no times: every event bears the time of the file that it comes from. They hold no tokens, no cost and no
model but the builder's folder. Nothing is written where the logs stand.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from iwtui import __version__
from iwtui.archive.behind import BlobsBehind
from iwtui.archive.errors import NotFoundError, RunExistsError, StoreError
from iwtui.archive.importers.cases import PACK, UNKNOWN, case_of_log, read_tasks, seed_and_persona
from iwtui.archive.importers.finding import ModelLogs, content_hash, find_logs, unpack
from iwtui.archive.importers.histories import HISTORY, INTERACTION, History, read_history, read_interaction
from iwtui.archive.importers.judging import JUDGE, JUDGING, judging_events, read_pictures, read_talk
from iwtui.archive.importers.measures import Measures, read_measures
from iwtui.archive.importers.turns import Telling
from iwtui.archive.importers.verdicts import length
from iwtui.archive.importers.walking import Fault
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.case import Case, Persona
from iwtui.bench.events import Blob, EpisodeStarted, Event, JudgingEnded, JudgingStarted, Warned
from iwtui.bench.longtext import keep
from iwtui.bench.names import EpisodeName, episode_name, slug
from iwtui.bench.plan import Plan, Roles
from iwtui.bench.protocols import Blobs
from iwtui.bench.weights import LIMITS, Limits

UNKNOWN_LIMITS = Limits(turns=20, failed_verifies=5)
"""The official harness's own defaults, for an episode whose case is not known."""

MAX_WAITING = 16_000_000
"""Bytes that wait for the disk at a time."""

Tell = Callable[[str], None]


class ImportedRun(msgspec.Struct, frozen=True):
    """What became of one model's folder. `known` episodes were there already; `faults` name what was not taken."""

    run: str
    builder: str
    source: str
    added: int
    known: int
    faults: tuple[Fault, ...]


class Done(msgspec.Struct, frozen=True):
    """What an import did. `faults` are those of no single model."""

    runs: tuple[ImportedRun, ...]
    faults: tuple[Fault, ...]


def import_logs(path: Path, tasks: Path | None, store: Store, personas: Mapping[str, Persona], tell: Tell) -> Done:
    """Import all logs at a path, a folder or a tar file; `tasks` is the benchmark's task file.

    Raises NotFoundError when there are none, StoreError for a file that is no archive, RunBusyError, OSError.
    """
    faults: list[Fault] = []
    cases = read_tasks(tasks, personas, faults) if tasks else {}
    with _opened(path, faults) as folder:
        models = find_logs(folder, faults)
        if not models:
            raise NotFoundError(f"{path}: no log of the official harness in it: no {INTERACTION}, no {HISTORY}")
        pack = tasks.stem if tasks else PACK
        runs = [_Model(logs, store, cases, personas, slug(pack), tell).run() for logs in models]
    return Done(tuple(runs), tuple(faults))


@contextmanager
def _opened(path: Path, faults: list[Fault]) -> Iterator[Path]:
    if path.is_dir():
        yield path
        return
    if not path.exists():
        raise NotFoundError(f"{path}: no such file or folder")
    with tempfile.TemporaryDirectory(prefix="iwtui-import-") as made:
        folder = Path(made) / (path.name.split(".")[0] or "logs")
        folder.mkdir()
        try:
            unpack(path, folder, faults)
        except ValueError as error:
            raise StoreError(str(error)) from error
        yield folder


class _Model:
    """The import of one model's folder."""

    def __init__(
        self,
        logs: ModelLogs,
        store: Store,
        cases: Mapping[str, Case],
        personas: Mapping[str, Persona],
        pack: str,
        tell: Tell,
    ) -> None:
        self._logs = logs
        self._store = store
        self._cases = cases
        self._personas = personas
        self._pack = pack
        self._tell = tell
        self._faults: list[Fault] = []

    def run(self) -> ImportedRun:
        name = f"{slug(self._logs.name)}-{content_hash(self._logs)}"
        folder = self._folder(name)
        added = known = 0
        with folder.lock():
            measures = read_measures(self._logs.folder, self._faults)
            for task in self._logs.tasks:
                episode = episode_name(name, task.name, self._logs.name, 1, 1)
                if _is_whole(folder, episode):
                    known += 1
                    continue
                self._tell(f"{self._logs.name}: {task.name}")
                writing = _Task(task, self._logs.name, folder, episode)
                writing.write(measures)
                for fault in writing.faults:
                    self._fault(task, fault)
                added += 1
        return ImportedRun(name, self._logs.name, str(self._logs.folder), added, known, tuple(self._faults))

    def _folder(self, name: str) -> RunFolder:
        """The run's folder, with the cases frozen: made, or there from an import before."""
        try:
            return self._store.run(name)
        except NotFoundError:
            pass
        cases = list(self._frozen())
        plan = Plan(
            run=name,
            kind="import",
            pack=self._pack,
            builders=(self._logs.name,),
            roles=Roles(copilot="", client="", judge=""),
            case_ids=tuple(task.name for task in self._logs.tasks),
            created=time.time(),
            primary_judge=JUDGE,
            outside="allow",
            versions={"iwtui": __version__},
        )
        try:
            return self._store.create_run(plan, cases)
        except RunExistsError:
            return self._store.run(name)

    def _frozen(self) -> Iterator[Case]:
        for task in self._logs.tasks:
            given = self._cases.get(task.name)
            case, why = (given, "") if given else self._of_log(task)
            if case:
                yield msgspec.structs.replace(case, pack=self._pack)
            else:
                self._fault(task, Fault(INTERACTION, f"no case: {why}"))

    def _of_log(self, task: Path) -> tuple[Case | None, str]:
        # The faults met here are told when the episode is written.
        history = History(tuple(read_interaction(task, self._store.blobs, [])), {}, None)
        talk = read_talk(task, history.final, [])
        telling = Telling(history, self._store.blobs, self._logs.name, (), {})
        return case_of_log(task.name, telling.instruction, history.final, talk.told, self._personas)

    def _fault(self, task: Path, fault: Fault) -> None:
        self._faults.append(msgspec.structs.replace(fault, file=f"{task.name}/{fault.file}"))


class _Bounded:
    """Blobs of which no more than so much waits for the disk at a time."""

    def __init__(self, blobs: BlobsBehind) -> None:
        self._blobs = blobs
        self._waiting = 0

    def put(self, content: bytes) -> Blob:
        self._waiting += len(content)
        blob = self._blobs.put(content)
        if self._waiting > MAX_WAITING:
            self._blobs.settle()
            self._waiting = 0
        return blob

    def get(self, blob: Blob) -> bytes:
        return self._blobs.get(blob)


class _Task:
    """The import of one task's folder."""

    def __init__(self, task: Path, builder: str, folder: RunFolder, name: EpisodeName) -> None:
        self._task = task
        self._builder = builder
        self._folder = folder
        self._name = name
        self._case = folder.case_of(name)
        self.faults: list[Fault] = []

    def write(self, measures: Measures) -> None:
        """Write the judgings, then the episode; what an import that was broken off left of them is replaced."""
        for judging in self._folder.judgings(self._name):
            self._folder.judging_log(self._name, judging).unlink()
        self._folder.episode_log(self._name).unlink(missing_ok=True)
        with self._folder.record_episode(self._name, self._clock) as recorder:
            blobs = _Bounded(recorder.blobs)
            history = read_history(self._task, blobs, self.faults)
            final = history.final
            talk = read_talk(self._task, final, self.faults)
            pictures = read_pictures(self._task, blobs, self.faults)
            facts = self._case.facts if self._case else ()
            telling = Telling(history, blobs, self._builder, facts, pictures)
            told = list(telling.events())
            slots, manifest, turn = self._slots(final), telling.manifest, telling.turns
            judgings = {JUDGING: list(judging_events(final, talk, slots, manifest, turn, pictures, blobs))}
            for judge, found in measures.items():
                measured = found.get(self._task.name, [])
                judgings[f"{judge}-1"] = list(_measuring(judge, measured, slots, manifest, turn))
            recorder.blobs.settle()
            for judging, events in judgings.items():
                self._judge(judging, events, turn)
            recorder.append(self._started(telling, blobs), 0)
            for fault in self.faults:
                recorder.append(Warned(where="import", text=described(fault)), 0)
            for turn, event in told:
                recorder.append(event, turn)

    def _clock(self) -> float:
        files = (self._task / INTERACTION, self._task / HISTORY)
        return next(file.stat().st_mtime for file in files if file.exists())

    def _slots(self, final: Mapping[str, Any]) -> int:
        detail = final.get("evaluation_detail")
        graded = length(detail.get("raw_metrics")) if isinstance(detail, dict) else 0
        if self._case is None:
            return graded
        slots = len(self._case.slots)
        if graded not in (0, slots):
            fault = Fault(INTERACTION, f"{graded} verdicts for the {slots} slots of the case: taken by their places")
            if fault not in self.faults:
                self.faults.append(fault)
        return slots

    def _started(self, telling: Telling, blobs: Blobs) -> EpisodeStarted:
        case = self._case
        limits = LIMITS[case.difficulty] if case else UNKNOWN_LIMITS
        persona = case.persona.id if case else seed_and_persona(self._task.name)[1]
        return EpisodeStarted(
            case_id=self._task.name,
            persona="" if persona == UNKNOWN else persona,
            builder=self._builder,
            repeat=1,
            attempt=1,
            difficulty=case.difficulty if case else "",
            turns=limits.turns,
            failed_verifies=limits.failed_verifies,
            verify_steps=limits.verify_steps,
            models={"builder": self._builder},
            system=keep(blobs, telling.system),
            scripted=False,
        )

    def _judge(self, judging: str, events: Sequence[Event], turn: int) -> None:
        if events:
            with self._folder.record_judging(self._name, judging, self._clock) as recorder:
                for event in events:
                    recorder.append(event, turn)


def _measuring(judge: str, measured: Sequence[Event], slots: int, manifest: Blob, turn: int) -> Iterator[Event]:
    if measured:
        yield JudgingStarted(judge=judge, slots=slots, manifest=manifest, turn_judged=turn)
        yield from measured
        yield JudgingEnded(status="scored")


def _is_whole(folder: RunFolder, name: EpisodeName) -> bool:
    try:
        return folder.fold_episode(name).ended is not None
    except FileNotFoundError:
        return False


def described(fault: Fault) -> str:
    """A fault in one line."""
    place = ", ".join(filter(None, (fault.key, "" if fault.at is None else f"byte {fault.at:,}")))
    return f"{fault.file}{f' ({place})' if place else ''}: {fault.text}"
