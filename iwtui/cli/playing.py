"""Plays what is left of a run: browser, models, pool, index and progress, wired together in one process."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from iwtui.archive.index import Index
from iwtui.archive.registry import Registration
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.status import Status
from iwtui.cli.asking import new_gateway
from iwtui.cli.assignments import StoredAssignment
from iwtui.cli.orders import Orders
from iwtui.cli.progress import Progress
from iwtui.cli.replaying import models_of
from iwtui.cli.spending import budget
from iwtui.cli.stopping import Signals
from iwtui.config import Config
from iwtui.engine.episode import Stage, Stopping
from iwtui.engine.pool import Outcome, Pool
from iwtui.judges import choosing
from iwtui.resources import cache_folder
from iwtui.web.browser import Browser
from iwtui.web.chromium import Chromium
from iwtui.web.grounds import Grounds
from iwtui.web.sweep import our_mark, sweep

INDEX_EVERY = 1.5
"""Seconds between two batches into the index; watching does not need it."""

INDEX_AT_ONCE = 2.0
"""Seconds that a batch may take: whoever stops the run waits no longer for it."""

DRAW_EVERY = 0.25


class Interrupted(Exception):  # noqa: N818 - not an error
    """The run was stopped before its end, and can be resumed. The message says by what, where it was not just a stop."""


class OverBudget(Interrupted):
    """The run's limit on costs is reached."""


def play(
    store: Store,
    folder: RunFolder,
    left: Callable[[RunFolder], Iterable[StoredAssignment]],
    chromium: Chromium,
    config: Config,
) -> list[Outcome]:
    """Play what is left of the run and bring the index up to date. Raises Interrupted, RunBusyError.

    The outcomes; none when nothing was left.
    """
    with folder.lock():
        if not (assignments := list(left(folder))):
            Index(store).catch_up()
            return []
        runner = _Runner(store, folder, assignments, chromium, config)
        with Registration(store.root, folder.name) as registration:
            try:
                return asyncio.run(runner.run(registration))
            except asyncio.CancelledError:
                raise Interrupted from None
            finally:
                runner.signals.over()


class _Runner:
    def __init__(
        self,
        store: Store,
        folder: RunFolder,
        assignments: Sequence[StoredAssignment],
        chromium: Chromium,
        config: Config,
    ) -> None:
        self._store = store
        self._index = Index(store)
        self._folder = folder
        self._assignments = assignments
        self._config = config
        self._chromium = chromium
        self._stopping = Stopping()
        self._outcomes: list[Outcome] = []
        planned = len(folder.plan.case_ids) * len(folder.plan.builders) * folder.plan.repeats
        self._progress = Progress(len(assignments), planned - len(assignments))
        self._index_complaint = ""
        self._pool: Pool | None = None
        self._budget = budget(folder, config.max_cost)
        self.signals = Signals(folder.name, self._stop)
        self._orders = Orders(folder, self._progress.say)
        self._orders.set_old_aside()

    async def run(self, registration: Registration) -> list[Outcome]:
        self.signals.install()
        scratch = cache_folder() / "scratch"
        scratch.mkdir(parents=True, exist_ok=True)
        await asyncio.to_thread(sweep, scratch, cache_folder() / "node_modules")
        folder = Path(tempfile.mkdtemp(prefix=f"{self._folder.name}-{our_mark()}-", dir=scratch))
        try:
            async with Browser.launch(self._chromium) as browser:
                gateway = new_gateway(self._config, self._folder.plan.settings, self._budget)
                stage = Stage(
                    gateway=gateway,
                    browser=browser,
                    roles=self._folder.plan.roles,
                    terms=self._folder.plan.terms,
                    judge=choosing.primary(self._folder.plan.roles, self._folder.plan.second_sweep),
                    scratch=folder,
                    stopping=self._stopping,
                    beside=choosing.beside(self._folder.plan.roles),
                    grounds=Grounds(cache_folder(), self._config.sandbox),
                )
                models = models_of(self._store, self._folder.plan, gateway)
                self._pool = Pool(stage, self._config.jobs, self._progress.say, models)
                await self._play(self._pool, registration)
        finally:
            self._progress.close()
            shutil.rmtree(folder, ignore_errors=True)
        if self._stopping.asked:
            limit = self._budget.limit
            over = limit is not None and self._budget.spent >= limit
            raise (OverBudget if over else Interrupted)(self._stopping.why)
        return self._outcomes

    async def _play(self, pool: Pool, registration: Registration) -> None:
        beside = [
            asyncio.create_task(work)
            for work in (self._keep_drawing(pool, registration), self._keep_indexing(), self._orders.watch(pool.steering))
        ]
        whole = False
        try:
            await pool.play(self._assignments, self._ended)
            whole = True
        finally:
            for task in beside:
                task.cancel()
            for fault in await asyncio.gather(*beside, return_exceptions=True):
                if isinstance(fault, Exception):
                    self._progress.say(f"beside the run: {type(fault).__name__}: {fault}")
            await self._catch_up(None if whole else INDEX_AT_ONCE)

    def _ended(self, outcome: Outcome) -> None:
        self._outcomes.append(outcome)
        if outcome.status is not Status.RUNNING:
            self._progress.ended(outcome)

    async def _keep_drawing(self, pool: Pool, registration: Registration) -> None:
        while True:
            spent = self._budget.told() if self._budget.spent or self._budget.unpriced else ""
            self._progress.draw(list(pool.board.values()), pool.steering.paused, spent)
            registration.say(pool.steering.paused)
            await asyncio.sleep(DRAW_EVERY)

    async def _keep_indexing(self) -> None:
        while True:
            await asyncio.sleep(INDEX_EVERY)
            await self._catch_up(INDEX_AT_ONCE)

    async def _catch_up(self, seconds: float | None) -> None:
        """The logs are the truth: an index that cannot be written now is brought up to date later."""
        try:
            await asyncio.to_thread(self._index.catch_up, seconds)
            self._index_complaint = ""
        except Exception as error:  # duckdb and OS errors alike; said once
            if str(error) != self._index_complaint:
                self._index_complaint = str(error)
                self._progress.say(f"the index is not up to date: {error}")

    def _stop(self) -> bool:
        """Let the turns under way end, and begin no other; whether that was not asked for before."""
        if self._stopping.asked:
            return False
        self._stopping.asked = True
        if self._pool:
            self._pool.steering.stop()
        self._progress.say("finishing the current turns; press Ctrl-C again to stop now")
        return True
