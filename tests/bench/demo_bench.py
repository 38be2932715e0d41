"""Wall and CPU seconds of one demo episode by phase: the process, the browser and all they started."""

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

CASE = "bakery_P-MIN"


class Meter:
    """Adds what passes between two changes of the phase to the phase before."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._me = psutil.Process()
        self._phase = "start"
        self._then = self._now()

    def enter(self, phase: str) -> None:
        now = self._now()
        for place in (0, 1):
            self.spent[self._phase][place] += now[place] - self._then[place]
        self._phase, self._then = phase, now

    def _now(self) -> tuple[float, float]:
        cpu = 0.0
        for process in (self._me, *self._me.children(recursive=True)):
            try:
                times = process.cpu_times()
            except psutil.NoSuchProcess:
                continue
            cpu += times.user + times.system
        return time.perf_counter(), cpu


class Metered(StoredAssignment):
    """An assignment whose recorder tells a meter of each phase."""

    meter: Meter

    @contextmanager
    def record(self) -> Iterator[Recorder]:
        with super().record() as recorder:
            yield self._metered(recorder)

    @contextmanager
    def record_judging(self, judge: str) -> Iterator[Recorder]:
        with super().record_judging(judge) as recorder:
            yield self._metered(recorder)

    def _metered(self, recorder: Recorder) -> Recorder:
        told = recorder.progress

        def progress(phase: str, detail: str = "", text: str = "") -> None:
            self.meter.enter(phase)
            told(phase, detail, text)

        recorder.progress = progress  # type: ignore[method-assign]
        return recorder


def bench() -> dict[str, Any]:
    """`{phase: {wall_s, cpu_s}}` of one episode, and its sums."""
    with tempfile.TemporaryDirectory() as folder:
        meter = asyncio.run(_play(Path(folder)))
    phases = {phase: {"wall_s": round(wall, 2), "cpu_s": round(cpu, 2)} for phase, (wall, cpu) in meter.spent.items()}
    total = {key: round(sum(phase[key] for phase in phases.values()), 2) for key in ("wall_s", "cpu_s")}
    return {"case": CASE, "builder": "scripted/clarifier", "by_phase": phases, "episode": total}


async def _play(root: Path) -> Meter:
    chromium = find()
    assert chromium is not None, "no browser: run `iwtui setup`"
    cases = [case for case in load_pack("starter") if case.id == CASE]
    roles = Roles(copilot="scripted/copilot", client="scripted/client")
    store = Store(root / "store")
    run = store.create_run(new_plan("bench", cases, ["scripted/clarifier"], roles, 1, chromium), cases)
    gateway = Gateway()
    await gateway.call("scripted/blind", [{"role": "user", "content": "warm up"}])
    outcomes: list[Outcome] = []
    async with Browser.launch(chromium) as browser:
        stage = Stage(gateway, browser, roles, ChecksJudge(), root, Stopping())
        (left,) = unfinished(run)
        assignment = Metered(left.folder_of_run, left.episode, left.case, left.builder)
        assignment.meter = Meter()
        await Pool(stage, 1, print).play([assignment], outcomes.append)
        assignment.meter.enter("end")
    assert [outcome.status for outcome in outcomes] == ["scored"]
    return assignment.meter
