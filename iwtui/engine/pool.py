"""Many episodes at once, sharing one browser: played, judged, and reported as they end."""

import asyncio
import errno
import shutil
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from iwtui.bench.case import Case
from iwtui.bench.events import EpisodeEnded, JudgingEnded
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.protocols import Recorder
from iwtui.bench.status import Status, status
from iwtui.engine.episode import Play, Stage
from iwtui.engine.faults_in_a_row import TOO_MANY, FaultsInARow
from iwtui.engine.journal import Journal
from iwtui.engine.judging import judge_episode
from iwtui.engine.steered import SteeredModels
from iwtui.engine.steering import EpisodeCancelledError, EpisodeLeftError, Log, Reins, Steering
from iwtui.judges.base import Judge
from iwtui.models.budget import BudgetSpentError
from iwtui.models.call import Models
from iwtui.web.workspace import Workspace

ROOM_NEEDED = 5_000_000
"""Bytes that must be free before a run that ran into a full disk goes on."""

ROOM_POLL = 1.0
"""Seconds between looks at a full disk; a file system tells nobody when room is made."""


class Assignment(Protocol):
    """One episode to be played or finished, and where its records go."""

    @property
    def name(self) -> str: ...
    @property
    def case(self) -> Case: ...
    @property
    def builder(self) -> str: ...
    @property
    def repeat(self) -> int: ...
    @property
    def attempt(self) -> int: ...

    def fold(self) -> EpisodeState: ...
    def judging(self) -> JudgingState | None: ...
    def record(self) -> AbstractContextManager[Recorder]: ...
    def record_judging(self, judge: str) -> AbstractContextManager[Recorder]: ...
    def judged_by(self) -> frozenset[str]: ...
    def folder(self) -> Path: ...


@dataclass
class Standing:
    """What one running episode does right now."""

    name: str
    phase: str = "waiting"
    detail: str = ""
    turn: int = 0
    since: float = field(default_factory=time.monotonic)

    def doing(self) -> tuple[str, str]:
        """The phase and its detail."""
        return self.phase, self.detail


@dataclass(frozen=True)
class Outcome:
    """An episode that this pool is done with; `status` is running when it was stopped."""

    assignment: Assignment
    episode: EpisodeState
    judging: JudgingState | None
    status: Status


Warn = Callable[[str], None]

_CANCELLED = "a person cancelled it"


class Pool:
    """Plays assignments, `jobs` at a time. `board` shows what is going on, by the name of the episode."""

    def __init__(self, stage: Stage, jobs: int, warn: Warn, models: Callable[[Assignment], Models] | None = None) -> None:
        """`models` says who answers the calls of an episode; without it, those that the stage has for all."""
        self.board: dict[str, Standing] = {}
        self.steering = Steering(stage.stopping)
        self._stage = stage
        self._jobs = jobs
        self._warn = warn
        self._models = models or (lambda _: stage.gateway)
        self._faults = FaultsInARow()

    async def play(self, assignments: Iterable[Assignment], ended: Callable[[Outcome], None]) -> None:
        """Play them in order; `ended` is called with each outcome. Stops early when the stage's stop is asked for."""
        waiting = iter(assignments)

        async def worker() -> None:
            for assignment in waiting:
                if self._stage.stopping.asked:
                    return
                self.board[assignment.name] = Standing(assignment.name)
                try:
                    with self.steering.episode(assignment.name) as reins:
                        outcome = await self._play_through(assignment, reins)
                finally:
                    del self.board[assignment.name]
                ended(outcome)
                self._look_for_a_row(outcome)

        async with asyncio.TaskGroup() as group:
            for _ in range(self._jobs):
                group.create_task(worker())

    def _look_for_a_row(self, outcome: Outcome) -> None:
        fault = self._faults.ended(outcome.episode, outcome.judging)
        if fault is not None and not self.steering.paused:
            run = outcome.assignment.name.partition("/")[0]
            why = f"{TOO_MANY} episodes in a row ended by the same fault: {fault}"
            self.steering.pause(why, by="run")
            self._warn(
                f"{why}\nthe run is paused: mend the cause, then `iwtui continue {run}`; or stop it with Ctrl-C. "
                f"`iwtui retry {run}` plays those episodes again, once the run is over"
            )

    async def _play_through(self, assignment: Assignment, reins: Reins) -> Outcome:
        while True:
            try:
                return await self._play_and_judge(assignment, reins)
            except EpisodeLeftError:
                return self._as_it_stands(assignment)
            except OSError as error:
                if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                    raise
                if not await self._wait_for_room(assignment, error):
                    return self._as_it_stands(assignment)

    def _as_it_stands(self, assignment: Assignment) -> Outcome:
        episode, judging = assignment.fold(), assignment.judging()
        return Outcome(assignment, episode, judging, status(episode, judging))

    async def _play_and_judge(self, assignment: Assignment, reins: Reins) -> Outcome:
        episode, judging = assignment.fold(), assignment.judging()
        if episode.ended is None:
            if not reins.cancelled:
                await reins.come_by()
            episode = await self._play_episode(assignment, episode, reins)
        to_judge = episode.ended and episode.ended.status == "played" and (judging is None or judging.ended is None)
        if to_judge and not self._stage.stopping.asked:
            judging = await self._judge(assignment, episode, reins, self._stage.judge) or assignment.judging()
        await self._judge_beside(assignment, episode, judging, reins)
        return Outcome(assignment, episode, judging, status(episode, judging))

    async def _play_episode(self, assignment: Assignment, episode: EpisodeState, reins: Reins) -> EpisodeState:
        standing = self.board[assignment.name]
        with assignment.record() as recorder:
            journal = Journal(recorder, episode, _teller(standing, lambda: journal.state.turn))
            stage = replace(self._stage, gateway=SteeredModels(self._models(assignment), reins))
            async with self._folder() as root:
                play = Play(assignment.case, assignment.builder, stage, journal, Workspace(root, recorder.blobs))
                try:
                    with reins.on(Log(journal.write, journal.progress, standing.doing)):
                        return await play.run(assignment.repeat, assignment.attempt)
                except (asyncio.CancelledError, EpisodeCancelledError):
                    if not reins.was_cancelled():
                        raise
                    return _ended(journal, "cancelled", "person", _CANCELLED)
                except EpisodeLeftError:
                    recorder.sync()
                    raise
                except Exception as error:  # a fault of ours must not take the other episodes with it
                    return _ended(journal, "infra", "machine", self._fault(assignment, error))

    def _fault(self, assignment: Assignment, error: Exception) -> str:
        """What to write of a fault of ours. Raises it again when it is a full disk, which is waited for."""
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise error
        self._warn(f"{assignment.name}: {''.join(traceback.format_exception(error))}")
        return f"{type(error).__name__}: {error}"

    async def _judge_beside(
        self, assignment: Assignment, episode: EpisodeState, judging: JudgingState | None, reins: Reins
    ) -> None:
        """Measure an episode that came to a result, by each judge that has not done so yet."""
        if status(episode, judging) not in (Status.SCORED, Status.CRASHED):
            return
        done = assignment.judged_by() if self._stage.beside else frozenset()
        for judge in self._stage.beside:
            if judge.name not in done and not self._stage.stopping.asked and not reins.cancelled:
                await self._judge(assignment, episode, reins, judge)

    async def _judge(self, assignment: Assignment, episode: EpisodeState, reins: Reins, judge: Judge) -> JudgingState | None:
        """The judging, once it is over; None when it was broken off, which its log has."""
        standing = self.board[assignment.name]
        turn = episode.turn
        told = _teller(standing, lambda: turn)
        with assignment.record_judging(judge.name) as recorder:

            def progress(phase: str, detail: str) -> None:
                recorder.progress(phase, detail)
                told(phase, detail)

            async with self._folder() as root:
                stage, case = self._stage, assignment.case
                try:
                    with reins.on(Log(lambda event: recorder.append(event, turn), progress, standing.doing)):
                        await reins.come_by()
                        models = SteeredModels(self._models(assignment), reins)
                        return await judge_episode(
                            case, episode, judge, stage.browser, stage.grounds, root, recorder, told, models
                        )
                except (asyncio.CancelledError, EpisodeCancelledError):
                    if not reins.was_cancelled():
                        raise
                    recorder.append(JudgingEnded(status="cancelled", text=_CANCELLED), turn)
                except BudgetSpentError as limit:
                    stage.stopping.ask(str(limit))
                    raise EpisodeLeftError from limit
                except EpisodeLeftError:
                    raise
                except Exception as error:
                    text = self._fault(assignment, error)[:2_000]
                    recorder.append(JudgingEnded(status="infra", text=text), turn)
        return None

    @asynccontextmanager
    async def _folder(self) -> AsyncIterator[Path]:
        with tempfile.TemporaryDirectory(prefix="site-", dir=self._stage.scratch) as folder:
            yield Path(folder)

    async def _wait_for_room(self, assignment: Assignment, error: OSError) -> bool:
        """Whether there is room again; False when the run is to stop meanwhile."""
        folder = assignment.folder()
        self.board[assignment.name].phase = "paused"
        self._warn(
            f"{assignment.name}: {folder}: {error.strerror}; the run is paused until there are "
            f"{ROOM_NEEDED // 1_000_000} MB free, then goes on by itself"
        )
        while shutil.disk_usage(folder).free < ROOM_NEEDED:
            if self._stage.stopping.asked:
                return False
            await asyncio.sleep(ROOM_POLL)
        self._warn(f"{assignment.name}: there is room again; going on")
        return True


def _ended(journal: Journal, how: str, stop_reason: str, text: str) -> EpisodeState:
    journal.write(EpisodeEnded(status=how, stop_reason=stop_reason, text=text[:2_000]))
    journal.recorder.sync()
    return journal.state


def _teller(standing: Standing, turn: Callable[[], int]) -> Callable[[str, str], None]:
    def told(phase: str, detail: str) -> None:
        if phase != standing.phase:
            standing.since = time.monotonic()
        standing.phase, standing.detail, standing.turn = phase, detail, turn()

    return told
