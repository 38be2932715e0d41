"""Real runs at 1, 2 and 4 episodes at a time: vite projects, models over HTTP that answer at once, the voyager judge.

The official harness took 77.5 s of wall an episode for these behaviours (mean of ten). Where the time goes is told by phase;
how busy the machine was otherwise, by the seconds of processor time beside.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.case import Case
from iwtui.bench.events import CommandRan
from iwtui.bench.plan import Roles
from iwtui.bench.protocols import Recorder
from iwtui.bench.settings import Settings, read_section
from iwtui.bench.status import Status
from iwtui.cli.assignments import StoredAssignment, unfinished
from iwtui.cli.planning import new_plan
from iwtui.engine.episode import Stage, Stopping
from iwtui.engine.pool import Outcome, Pool
from iwtui.judges.choosing import primary
from iwtui.models.gateway import Gateway
from iwtui.web.browser import Browser
from iwtui.web.chromium import find
from iwtui.web.grounds import Grounds
from tests.support.behaviours import cases

JOBS = (1, 2, 4)
BEAT = 0.02
LONGEST = 300.0
"""Seconds for one pass; after that something hangs, and no figure would be worth anything."""

BUILDER = "openai/builder"
ROLES = Roles(copilot="openai/copilot", client="openai/client", judge="openai/judge")
OFFICIAL = 77.5


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
    """By number of jobs: wall and CPU seconds an episode, how many times quicker than the official harness that is, wall
    seconds by phase, and the loop's delays in ms.

    `cold_install_s` is what the first site of all pays; `again_s` what any other with the same dependencies does.
    """
    with tempfile.TemporaryDirectory() as folder, _models() as url:
        return asyncio.run(_bench(Path(folder), url))


@contextmanager
def _models() -> Iterator[str]:
    """Served by another process, whose work is none of ours."""
    command = [sys.executable, "-m", "tests.support.behaviours"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        assert server.stdin is not None
        server.stdin.close()


async def _bench(root: Path, url: str) -> dict[str, Any]:
    chromium = find()
    assert chromium is not None, "no browser: run `iwtui setup`"
    os.environ["IWTUI_BENCH_KEY"] = "any"
    section = read_section({"api_base": url, "api_key": "env:IWTUI_BENCH_KEY"})
    named = (BUILDER, ROLES.copilot, ROLES.client, ROLES.judge)
    settings = Settings(models=dict.fromkeys(named, section))
    grounds, gateway = Grounds(root / "cache"), Gateway(settings=settings)
    store = Store(root / "store")

    def new_run(some: Sequence[Case]) -> RunFolder:
        return store.create_run(new_plan("bench", some, [BUILDER], ROLES, 1, chromium, settings, grounds=grounds), some)

    figures: dict[str, Any] = {}
    async with Browser.launch(chromium) as browser:
        stage = Stage(gateway, browser, ROLES, primary(ROLES), root, Stopping(), grounds=grounds)
        cold = new_run(cases(["IS"]))  # LiteLLM is loaded, npm's packages are fetched
        await _play(stage, cold, 1)
        figures["cold_install_s"] = _installs(cold)[0]
        for jobs in JOBS:
            run = new_run(cases())
            figures[str(jobs)] = await _play(stage, run, jobs)
            figures["again_s"] = max(figures.get("again_s", 0.0), *_installs(run))
    return figures


async def _play(stage: Stage, run: RunFolder, jobs: int) -> dict[str, Any]:
    phases, delays, outcomes = Phases(), [0.0], list[Outcome]()
    beating = asyncio.create_task(_beat(delays))
    began, cpu = time.perf_counter(), _cpu()
    async with asyncio.timeout(LONGEST):
        await Pool(stage, jobs, print).play(list(_timed(run, phases)), outcomes.append)
    wall, cpu = time.perf_counter() - began, _cpu() - cpu
    beating.cancel()
    assert {outcome.status for outcome in outcomes} == {Status.SCORED}, [(o.episode.ended, o.judging) for o in outcomes]
    number, late = len(outcomes), sorted(delays)
    return {
        "episodes": number,
        "wall_s_an_episode": round(wall / number, 2),
        "official_ratio": round(OFFICIAL * number / wall, 1),
        "cpu_s_an_episode": round(cpu / number, 2),
        "s_in_phase_an_episode": {phase: round(spent / number, 2) for phase, spent in sorted(phases.spent.items())},
        "loop_late_ms": {"p95": round(1000 * late[len(late) * 95 // 100], 1), "max": round(1000 * late[-1], 1)},
    }


def _installs(run: RunFolder) -> list[float]:
    """Seconds of each installation, in the order of the episodes."""
    commands = [command for name in run.episodes() for turn in run.fold_episode(name).turns for command in turn.commands]
    return [command.seconds for command in commands if isinstance(command, CommandRan) and command.command == "npm install"]


def _timed(run: RunFolder, phases: Phases) -> Iterator[Timed]:
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
    """Of this process, the browser and all they started, those that ended included."""
    spent = 0.0
    me = psutil.Process()
    for process in (me, *me.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        spent += times.user + times.system + times.children_user + times.children_system
    return spent
