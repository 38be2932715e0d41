"""A demo run at 1, 2 and 4 episodes at a time: where their time goes, and how late the event loop comes."""

import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from iwtui.archive.store import Store
from iwtui.bench.plan import Roles
from iwtui.bench.protocols import Recorder
from iwtui.cli.assignments import StoredAssignment, unfinished
from iwtui.cli.planning import new_plan
from iwtui.engine.episode import Stage, Stopping
from iwtui.engine.pool import Outcome, Pool
from iwtui.judges.checks import ChecksJudge
from iwtui.models.gateway import Gateway
from iwtui.packs import load_pack
from iwtui.web.browser import Browser
from iwtui.web.chromium import find

JOBS = (1, 2, 4)
SEED = "bakery"
BUILDERS = ("scripted/blind", "scripted/clarifier")
BEAT = 0.005


class Phases:
    """Wall seconds of all episodes by phase; waiting for the browser is one of its own."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    @contextmanager
    def of(self, recorder: Recorder) -> Iterator[Recorder]:
        current, then = "start", time.perf_counter()
        told = recorder.progress

        def enter(new: str) -> None:
            nonlocal current, then
            now = time.perf_counter()
            self.spent[current] += now - then
            current, then = new, now

        def progress(phase: str, detail: str = "", text: str = "") -> None:
            enter("queue" if detail.startswith("waits for") else phase)
            told(phase, detail, text)

        recorder.progress = progress  # type: ignore[method-assign]
        yield recorder
        enter("over")


class Timed(StoredAssignment):
    """An assignment whose recorders tell of their phases."""

    phases: Phases

    @contextmanager
    def record(self) -> Iterator[Recorder]:
        with super().record() as recorder, self.phases.of(recorder) as timed:
            yield timed

    @contextmanager
    def record_judging(self, judge: str) -> Iterator[Recorder]:
        with super().record_judging(judge) as recorder, self.phases.of(recorder) as timed:
            yield timed


def bench() -> dict[str, Any]:
    """By number of jobs: wall and CPU seconds an episode, wall seconds by phase, and the loop's delays in ms."""
    return {str(jobs): asyncio.run(_play(jobs)) for jobs in JOBS}


async def _play(jobs: int) -> dict[str, Any]:
    chromium = find()
    assert chromium is not None, "no browser: run `iwtui setup`"
    cases = [case for case in load_pack("starter") if case.seed == SEED]
    roles = Roles(copilot="scripted/copilot", client="scripted/client")
    gateway, phases, delays = Gateway(), Phases(), [0.0]
    await gateway.call("scripted/blind", [{"role": "user", "content": "warm up"}])
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        run = Store(root / "store").create_run(new_plan("bench", cases, BUILDERS, roles, 1, chromium), cases)
        async with Browser.launch(chromium) as browser:
            stage = Stage(gateway, browser, roles, ChecksJudge(), root, Stopping())
            beating = asyncio.create_task(_beat(delays))
            began, cpu = time.perf_counter(), _cpu()
            await Pool(stage, jobs, print).play(list(_timed(run, phases)), outcomes.append)
            wall, cpu = time.perf_counter() - began, _cpu() - cpu
            beating.cancel()
    assert {outcome.status for outcome in outcomes} == {"scored"}
    number = len(outcomes)
    late = sorted(delays)
    return {
        "episodes": number,
        "wall_s_an_episode": round(wall / number, 2),
        "cpu_s_an_episode": round(cpu / number, 2),
        "s_in_phase_an_episode": {phase: round(spent / number, 2) for phase, spent in sorted(phases.spent.items())},
        "loop_late_ms": {"p95": round(1000 * late[len(late) * 95 // 100], 1), "max": round(1000 * late[-1], 1)},
    }


def _timed(run: Any, phases: Phases) -> Iterator[Timed]:
    for left in unfinished(run):
        assignment = Timed(left.folder_of_run, left.episode, left.case, left.builder)
        assignment.phases = phases
        yield assignment


async def _beat(delays: list[float]) -> None:
    while True:
        then = time.perf_counter()
        await asyncio.sleep(BEAT)
        delays.append(time.perf_counter() - then - BEAT)


def _cpu() -> float:
    """Of this process, the browser and all they started."""
    spent = 0.0
    me = psutil.Process()
    for process in (me, *me.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        spent += times.user + times.system
    return spent
