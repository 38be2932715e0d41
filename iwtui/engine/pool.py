"""Many episodes at once, sharing one browser: played, judged, and reported as they end."""

import asyncio
import errno
import shutil
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from iwtui.bench.case import Case
from iwtui.bench.events import EpisodeEnded
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.protocols import Recorder
from iwtui.bench.status import Status, status
from iwtui.engine.episode import Play, Stage
from iwtui.engine.journal import Journal
from iwtui.engine.judging import judge_episode
from iwtui.judges.base import Judge
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


@dataclass(frozen=True)
class Outcome:
    """An episode that this pool is done with; `status` is running when a person stopped it."""

    assignment: Assignment
    episode: EpisodeState
    judging: JudgingState | None
    status: Status


Warn = Callable[[str], None]


class Pool:
    """Plays assignments, `jobs` at a time. `board` shows what is going on, by the name of the episode."""

    def __init__(self, stage: Stage, jobs: int, warn: Warn) -> None:
        self.board: dict[str, Standing] = {}
        self._stage = stage
        self._jobs = jobs
        self._warn = warn

    async def play(self, assignments: Iterable[Assignment], ended: Callable[[Outcome], None]) -> None:
        """Play them in order; `ended` is called with each outcome. Stops early when the stage's stop is asked for."""
        waiting = iter(assignments)

        async def worker() -> None:
            for assignment in waiting:
                if self._stage.stopping.asked:
                    return
                self.board[assignment.name] = Standing(assignment.name)
                try:
                    ended(await self._play_through(assignment))
                finally:
                    del self.board[assignment.name]

        async with asyncio.TaskGroup() as group:
            for _ in range(self._jobs):
                group.create_task(worker())

    async def _play_through(self, assignment: Assignment) -> Outcome:
        while True:
            try:
                return await self._play_and_judge(assignment)
            except OSError as error:
                if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                    raise
                await self._wait_for_room(assignment, error)

    async def _play_and_judge(self, assignment: Assignment) -> Outcome:
        episode = assignment.fold()
        if episode.ended is None:
            episode = await self._play_episode(assignment, episode)
        judging = assignment.judging()
        if episode.ended and episode.ended.status == "played" and (judging is None or judging.ended is None):
            judging = await self._judge(assignment, episode, self._stage.judge)
        await self._judge_beside(assignment, episode, judging)
        return Outcome(assignment, episode, judging, status(episode, judging))

    async def _play_episode(self, assignment: Assignment, episode: EpisodeState) -> EpisodeState:
        with assignment.record() as recorder:
            journal = Journal(recorder, episode, self._teller(assignment, lambda: journal.state.turn))
            async with self._folder() as root:
                workspace = Workspace(root, recorder.blobs)
                play = Play(assignment.case, assignment.builder, self._stage, journal, workspace)
                try:
                    return await play.run(assignment.repeat, assignment.attempt)
                except OSError as error:
                    if error.errno in (errno.ENOSPC, errno.EDQUOT):
                        raise
                    return self._fault(assignment, journal, error)
                except Exception as error:  # a fault of ours must not take the other episodes with it
                    return self._fault(assignment, journal, error)

    def _fault(self, assignment: Assignment, journal: Journal, error: Exception) -> EpisodeState:
        self._warn(f"{assignment.name}: {''.join(traceback.format_exception(error))}")
        journal.write(EpisodeEnded(status="infra", stop_reason="machine", text=f"{type(error).__name__}: {error}"[:2_000]))
        journal.recorder.sync()
        return journal.state

    async def _judge(self, assignment: Assignment, episode: EpisodeState, judge: Judge) -> JudgingState:
        told = self._teller(assignment, lambda: episode.turn)
        stage = self._stage
        with assignment.record_judging(judge.name) as recorder:
            async with self._folder() as root:
                return await judge_episode(
                    assignment.case, episode, judge, stage.browser, root, recorder, told, stage.gateway
                )

    async def _judge_beside(self, assignment: Assignment, episode: EpisodeState, judging: JudgingState | None) -> None:
        """Measure an episode that came to a result, by each judge that has not done so yet."""
        if status(episode, judging) in (Status.SCORED, Status.CRASHED):
            done = assignment.judged_by()
            for judge in self._stage.beside:
                if judge.name not in done:
                    await self._judge(assignment, episode, judge)

    def _teller(self, assignment: Assignment, turn: Callable[[], int]) -> Callable[[str, str], None]:
        standing = self.board[assignment.name]

        def told(phase: str, detail: str) -> None:
            if phase != standing.phase:
                standing.since = time.monotonic()
            standing.phase, standing.detail, standing.turn = phase, detail, turn()

        return told

    @asynccontextmanager
    async def _folder(self) -> AsyncIterator[Path]:
        with tempfile.TemporaryDirectory(prefix="site-", dir=self._stage.scratch) as folder:
            yield Path(folder)

    async def _wait_for_room(self, assignment: Assignment, error: OSError) -> None:
        folder = assignment.folder()
        self.board[assignment.name].phase = "paused"
        self._warn(
            f"{assignment.name}: {folder}: {error.strerror}; the run is paused until there are "
            f"{ROOM_NEEDED // 1_000_000} MB free, then goes on by itself"
        )
        while shutil.disk_usage(folder).free < ROOM_NEEDED and not self._stage.stopping.asked:  # noqa: ASYNC110
            await asyncio.sleep(ROOM_POLL)
        if self._stage.stopping.asked:
            raise error
        self._warn(f"{assignment.name}: there is room again; going on")
