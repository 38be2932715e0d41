"""One browser and one gateway for all end-to-end tests: real Chromium, scripted models through the real gateway."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.case import Case
from iwtui.bench.fold import JudgingState
from iwtui.bench.plan import Roles
from iwtui.cli.assignments import unfinished
from iwtui.cli.planning import new_plan
from iwtui.engine.episode import Stage, Stopping
from iwtui.engine.judging import judge_episode
from iwtui.engine.pool import Outcome, Pool
from iwtui.judges.acting import Patience
from iwtui.judges.base import Judge
from iwtui.judges.checks import ChecksJudge
from iwtui.models.call import Models
from iwtui.models.gateway import Gateway
from iwtui.web.browser import Browser
from iwtui.web.chromium import Chromium, find
from iwtui.web.grounds import Grounds

SCRIPTED = Roles(copilot="scripted/copilot", client="scripted/client")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these share one event loop, as they share one browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if item.get_closest_marker("asyncio"):
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session")
def chromium() -> Chromium:
    found = find()
    assert found is not None, "no browser: run `iwtui setup`"
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: Chromium) -> AsyncIterator[Browser]:
    async with Browser.launch(chromium) as running:
        yield running


@pytest.fixture(scope="session")
def gateway() -> Gateway:
    return Gateway()


class Player:
    """Plays cases in a store of its own, in this process."""

    def __init__(self, root: Path, chromium: Chromium, browser: Browser, gateway: Gateway) -> None:
        self.root = root
        self.store = Store(root / "store")
        self._chromium = chromium
        self._browser = browser
        self._gateway = gateway

    def new_run(self, cases: Sequence[Case], builders: Sequence[str]) -> RunFolder:
        plan = new_plan("test", cases, [f"scripted/{name}" for name in builders], SCRIPTED, 1, self._chromium)
        return self.store.create_run(plan, cases)

    async def play(
        self, cases: Sequence[Case], builders: Sequence[str], gateway: Models | None = None
    ) -> dict[tuple[str, str], Outcome]:
        """The outcomes by (case id, builder)."""
        return await self.go_on(self.new_run(cases, builders), gateway)

    async def go_on(self, folder: RunFolder, gateway: Models | None = None) -> dict[tuple[str, str], Outcome]:
        """Play what is left of a run."""
        stage = Stage(
            gateway=gateway or self._gateway,
            browser=self._browser,
            roles=folder.plan.roles,
            judge=ChecksJudge(Patience(find=1.5, hold=1.0)),
            scratch=self.root,
            stopping=Stopping(),
        )
        complaints: list[str] = []
        outcomes: list[Outcome] = []
        await Pool(stage, 4, complaints.append).play(unfinished(folder), outcomes.append)
        assert not complaints
        return {(o.assignment.case.id, o.assignment.builder.removeprefix("scripted/")): o for o in outcomes}

    async def judge(self, folder: RunFolder, judge: Judge) -> JudgingState:
        """Judge the first episode of a run once more."""
        name = folder.episodes()[0]
        case, number = folder.case_of(name), len(folder.judgings(name)) + 1
        assert case is not None
        root = self.root / f"judged-{number}"
        root.mkdir()
        with folder.lock(), folder.record_judging(name, f"{judge.name}-{number}") as recorder:
            episode = folder.fold_episode(name)
            grounds = Grounds(self.root / "cache")
            return await judge_episode(
                case, episode, judge, self._browser, grounds, root, recorder, lambda *_: None, self._gateway
            )


@pytest.fixture
def player(tmp_path: Path, chromium: Chromium, browser: Browser, gateway: Gateway) -> Player:
    return Player(tmp_path, chromium, browser, gateway)
