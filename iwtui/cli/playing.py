"""Plays what is left of a run: browser, models, pool, index and progress, wired together in one process."""

import asyncio
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from iwtui.archive.index import Index
from iwtui.archive.registry import Registration
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.status import Status
from iwtui.cli.assignments import StoredAssignment
from iwtui.cli.progress import Progress
from iwtui.engine.episode import Stage, Stopping
from iwtui.engine.pool import Outcome, Pool
from iwtui.judges import choosing
from iwtui.models.gateway import Gateway
from iwtui.models.retries import Retries
from iwtui.resources import cache_folder
from iwtui.web.browser import Browser
from iwtui.web.chromium import Chromium

INDEX_EVERY = 1.5
"""Seconds between two batches into the index; watching does not need it."""

DRAW_EVERY = 0.25


@dataclass(frozen=True)
class Means:
    """What a run is played with on this machine."""

    chromium: Chromium
    jobs: int
    token_limit: float = 60.0
    call_limit: float = 600.0
    retries: Retries | None = None


class Interrupted(Exception):  # noqa: N818 - not an error
    """A person stopped the run; it can be resumed."""


def play(
    store: Store, folder: RunFolder, left: Callable[[RunFolder], Iterable[StoredAssignment]], means: Means
) -> list[Outcome]:
    """Play what is left of the run and bring the index up to date. Raises Interrupted, RunBusyError."""
    with folder.lock(), Registration(store.root, folder.name):
        try:
            return asyncio.run(_Runner(store, folder, list(left(folder)), means).run())
        except asyncio.CancelledError:
            raise Interrupted from None


class _Runner:
    def __init__(self, store: Store, folder: RunFolder, assignments: Sequence[StoredAssignment], means: Means) -> None:
        self._index = Index(store)
        self._folder = folder
        self._assignments = assignments
        self._means = means
        self._stopping = Stopping()
        self._outcomes: list[Outcome] = []
        planned = len(folder.plan.case_ids) * len(folder.plan.builders) * folder.plan.repeats
        self._progress = Progress(len(assignments), planned - len(assignments))
        self._index_complaint = ""

    async def run(self) -> list[Outcome]:
        self._handle_signals()
        scratch = cache_folder() / "scratch"
        scratch.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f"{self._folder.name}-", dir=scratch))
        try:
            async with Browser.launch(self._means.chromium) as browser:
                stage = Stage(
                    gateway=Gateway(
                        self._means.token_limit,
                        self._means.call_limit,
                        settings=self._folder.plan.settings,
                        retries=self._means.retries,
                    ),
                    browser=browser,
                    roles=self._folder.plan.roles,
                    judge=choosing.primary(self._folder.plan.roles),
                    scratch=folder,
                    stopping=self._stopping,
                    beside=choosing.beside(self._folder.plan.roles),
                )
                await self._play(Pool(stage, self._means.jobs, self._progress.say))
        finally:
            self._progress.close()
            shutil.rmtree(folder, ignore_errors=True)
        if self._stopping.asked:
            raise Interrupted
        return self._outcomes

    async def _play(self, pool: Pool) -> None:
        drawing = asyncio.create_task(self._keep_drawing(pool))
        indexing = asyncio.create_task(self._keep_indexing())
        try:
            await pool.play(self._assignments, self._ended)
        finally:
            for task in (drawing, indexing):
                task.cancel()
            await asyncio.gather(drawing, indexing, return_exceptions=True)
            await self._catch_up()

    def _ended(self, outcome: Outcome) -> None:
        self._outcomes.append(outcome)
        if outcome.status is not Status.RUNNING:
            self._progress.ended(outcome)

    async def _keep_drawing(self, pool: Pool) -> None:
        while True:
            self._progress.draw(list(pool.board.values()))
            await asyncio.sleep(DRAW_EVERY)

    async def _keep_indexing(self) -> None:
        while True:
            await asyncio.sleep(INDEX_EVERY)
            await self._catch_up()

    async def _catch_up(self) -> None:
        """The logs are the truth: an index that cannot be written now is brought up to date later."""
        try:
            await asyncio.to_thread(self._index.catch_up)
            self._index_complaint = ""
        except Exception as error:  # duckdb and OS errors alike; said once
            if str(error) != self._index_complaint:
                self._index_complaint = str(error)
                self._progress.say(f"the index is not up to date: {error}")

    def _handle_signals(self) -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        assert task is not None

        def stop() -> None:
            if self._stopping.asked:
                task.cancel()
                return
            self._stopping.asked = True
            self._progress.say("finishing the current turns; press Ctrl-C again to stop now")

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
