"""Pause, go on, cancel and stop, on episodes that are being played."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from iwtui.archive.log import read_log
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.case import Case
from iwtui.bench.events import Controlled
from iwtui.bench.names import EpisodeName
from iwtui.bench.settings import Settings
from iwtui.bench.status import Status
from iwtui.cli.assignments import faulty, unfinished
from iwtui.engine.episode import Stage, Stopping
from iwtui.engine.pool import Outcome, Pool
from iwtui.judges.acting import Patience
from iwtui.judges.checks import ChecksJudge
from iwtui.models.call import Call, Listener, Reply
from iwtui.models.errors import ModelFaultError
from iwtui.packs import load_pack
from tests.support.replies import said

SITE = (
    '<boltArtifact id="s" title="s"><boltAction type="file" filePath="index.html">'
    "<!doctype html><title>T</title><body><h1>Bread</h1></body></boltAction></boltArtifact>"
)
DONE = '<boltAction type="finish">done</boltAction>'
LIMIT = 60


class Turnstile:
    """A builder that hands a page in at its second call. Each call waits until it is let through."""

    settings = Settings()

    def __init__(self) -> None:
        self.calls = 0
        self.through = asyncio.Semaphore(0)
        self.fault: Exception | None = None

    async def ask(self, call: Call, listener: Listener) -> Reply:
        self.calls += 1
        await self.through.acquire()
        if self.fault:
            raise self.fault
        return said(SITE if len(call.messages) < 3 else DONE)


class Game:
    """One run that is being played in this process."""

    def __init__(self, player: Any, cases: Sequence[Case], builders: Sequence[str], jobs: int = 4) -> None:
        self.folder: RunFolder = player.new_run(cases, builders)
        self.gateway = Turnstile()
        self.outcomes: list[Outcome] = []
        self.said: list[str] = []
        self.stage = Stage(
            gateway=self.gateway,
            browser=player._browser,
            roles=self.folder.plan.roles,
            judge=ChecksJudge(Patience(find=0.5, hold=0.3)),
            scratch=player.root,
            stopping=Stopping(),
        )
        self.jobs = jobs
        self.pool = Pool(self.stage, jobs, self.said.append)
        self.steering = self.pool.steering
        self.names = [str(one.episode) for one in unfinished(self.folder)]

    def begin(self, left: Any = unfinished) -> "asyncio.Task[None]":
        self.pool = Pool(self.stage, self.jobs, self.said.append)
        self.steering = self.pool.steering
        return asyncio.create_task(self.pool.play(left(self.folder), self.outcomes.append))

    def let_through(self, calls: int = 1) -> None:
        for _ in range(calls):
            self.gateway.through.release()

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(LIMIT):
            while not holds():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    def name(self, place: int = 0) -> EpisodeName:
        return self.folder.episodes()[place]

    def controls(self, name: EpisodeName) -> list[str]:
        log = self.folder.episode_log(name)
        return [r.event.what for _, r in read_log(log) if isinstance(r.event, Controlled)]

    def doing(self) -> set[str]:
        return {standing.phase for standing in self.pool.board.values()}


def cases(number: int) -> list[Case]:
    """Cases with one slot each, which is quickly judged."""
    bakery = [case for case in load_pack("starter") if case.seed == "bakery"]
    return [msgspec.structs.replace(case, slots=case.slots[:1]) for case in bakery[:number]]


async def test_a_paused_run_calls_no_model_until_it_goes_on(player: Any) -> None:
    game = Game(player, cases(2), ["blind"])
    playing = game.begin()
    await game.until(lambda: game.gateway.calls == 2)
    game.steering.pause("a person paused it")
    game.let_through(2)
    await game.until(lambda: game.doing() == {"paused"})
    assert game.gateway.calls == 2
    log = game.folder.episode_log(game.name())
    assert b'"phase":"paused"' in Path(f"{log}.live").read_bytes()
    game.steering.go_on()
    game.let_through(2)
    await asyncio.wait_for(playing, LIMIT)
    assert [outcome.status for outcome in game.outcomes] == [Status.SCORED] * 2
    assert game.controls(game.name()) == ["pause", "paused", "go on"]


async def test_a_cancelled_episode_ends_at_once_and_the_others_go_on(player: Any) -> None:
    game = Game(player, cases(3), ["blind"], jobs=2)
    playing = game.begin()
    await game.until(lambda: game.gateway.calls == 2)
    first, _, third = game.names
    game.steering.cancel(first)
    game.steering.cancel(third)  # not begun yet
    await game.until(lambda: len(game.outcomes) == 2)
    assert [outcome.status for outcome in game.outcomes] == [Status.CANCELLED] * 2
    game.let_through(10)
    await asyncio.wait_for(playing, LIMIT)
    ends = {str(name): game.folder.fold_episode(name).ended for name in game.folder.episodes()}
    assert [(end.status, end.stop_reason) for end in (ends[first], ends[third]) if end] == [("cancelled", "person")] * 2
    assert game.outcomes[-1].status is Status.SCORED
    assert list(unfinished(game.folder)) == []
    assert list(faulty(game.folder)) == []


async def test_a_cancelled_run_begins_nothing_more(player: Any) -> None:
    game = Game(player, cases(3), ["blind"], jobs=2)
    playing = game.begin()
    await game.until(lambda: game.gateway.calls == 2)
    game.steering.cancel()
    await asyncio.wait_for(playing, LIMIT)
    assert [outcome.status for outcome in game.outcomes] == [Status.CANCELLED] * 2
    assert [str(one.episode) for one in unfinished(game.folder)] == game.names[2:]
    assert game.stage.browser._open == 0, "no page is left"


async def test_a_stop_leaves_what_is_paused_as_it_is_and_a_resume_plays_that_turn_again(player: Any) -> None:
    game = Game(player, cases(1), ["blind"])
    playing = game.begin()
    await game.until(lambda: game.gateway.calls == 1)
    game.steering.pause("a person paused it")
    game.let_through()
    await game.until(lambda: game.doing() == {"paused"})
    game.steering.stop()
    await asyncio.wait_for(playing, LIMIT)
    assert [outcome.status for outcome in game.outcomes] == [Status.RUNNING]
    assert game.gateway.calls == 1
    game.stage.stopping.asked = False
    game.let_through(2)
    await asyncio.wait_for(game.begin(), LIMIT)
    assert game.outcomes[-1].status is Status.SCORED
    assert [turn.number for turn in game.outcomes[-1].episode.turns] == [1, 2]


async def test_five_faults_in_a_row_pause_the_run_and_retry_plays_them_again(player: Any) -> None:
    game = Game(player, cases(3), ["blind", "clarifier"], jobs=2)
    game.gateway.fault = ModelFaultError("authentication", "the key was refused")
    game.let_through(5)
    playing = game.begin()
    await game.until(lambda: game.steering.paused)
    assert "the key was refused" in game.steering.paused
    assert any("iwtui continue" in line and "iwtui retry" in line for line in game.said)
    await game.until(lambda: len(game.outcomes) == 5)
    game.gateway.fault = None
    game.steering.go_on()
    game.let_through(12)
    await asyncio.wait_for(playing, LIMIT)
    assert [outcome.status for outcome in game.outcomes] == [Status.INFRA] * 5 + [Status.SCORED]
    again = list(faulty(game.folder))
    assert [one.attempt for one in again] == [2] * 5
    await asyncio.wait_for(game.begin(lambda folder: again[:1]), LIMIT)
    assert game.outcomes[-1].status is Status.SCORED
    assert len(list(faulty(game.folder))) == 4
    assert len(game.folder.episodes()) == 7, "the attempts stand side by side"
