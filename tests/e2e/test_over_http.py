"""An episode by models that are reached over HTTP and misbehave; the same again from its record; and no episode at all."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from iwtui.archive.log import read_log
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.case import Case
from iwtui.bench.events import ModelCalled, Record, Warned
from iwtui.bench.plan import Roles
from iwtui.bench.settings import Settings, read_section
from iwtui.bench.status import Status, episode_score
from iwtui.cli.planning import new_plan
from iwtui.models.budget import Budget
from iwtui.models.gateway import Gateway
from iwtui.models.recorded import Recorded, calls_of
from iwtui.models.retries import Retries
from iwtui.packs import load_pack
from iwtui.web.chromium import Chromium
from tests.support.openai_server import OpenAIServer, answering, failing, rate_limited

KEY = "plain-words-as-a-key-0123"
PLAYED = ("clarifier", "eye", "voice")
"""The builder, the copilot and the client."""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    monkeypatch.setenv("THE_KEY_OF_TESTS", KEY)
    monkeypatch.setattr("iwtui.models.retries.FIRST_WAIT", 0.02)
    with OpenAIServer(log=tmp_path / "requests.jsonl") as running:
        yield running


@pytest.fixture
def folder(player: Any, chromium: Chromium, server: OpenAIServer) -> RunFolder:
    """A run of one easy case by models of the local server."""
    case = easy_case()
    reach = {"api_base": server.url, "api_key": "env:THE_KEY_OF_TESTS", "output_cost_per_token": 0.001}
    section = read_section(reach | {"input_cost_per_token": 0.0})
    settings = Settings(models={f"openai/{name}": section for name in PLAYED})
    roles = Roles("openai/eye", "openai/voice")
    plan = new_plan("test", [case], ["openai/clarifier"], roles, 1, chromium, settings)
    found: RunFolder = player.store.create_run(plan, [case])
    return found


def easy_case() -> Case:
    case = next(case for case in load_pack("starter") if case.difficulty == "easy" and case.persona.id == "P-MIN")
    return msgspec.structs.replace(case, slots=case.slots[:2])


def gateway(folder: RunFolder, budget: Budget | None = None) -> Gateway:
    return Gateway(20, 60, settings=folder.plan.settings, retries=Retries(attempts=3), budget=budget)


async def play(player: Any, folder: RunFolder, models: Any) -> Any:
    (outcome,) = (await player.go_on(folder, models)).values()
    return outcome


def records(folder: RunFolder) -> list[Record]:
    (name,) = folder.episodes()
    return [record for _, record in read_log(folder.episode_log(name))]


def comparable(outcome: Any) -> object:
    """What a replay must repeat: actions, replies, manifests and verdicts."""
    turns = [
        (turn.action, turn.reply, turn.files and turn.files.manifest, turn.verified and turn.verified.status)
        for turn in outcome.episode.turns
    ]
    return turns, outcome.episode.ended, [(v.slot, v.verdict) for v in outcome.judging.verdicts]


async def test_faults_on_the_way_change_nothing_and_a_replay_repeats_it(
    player: Any, folder: RunFolder, server: OpenAIServer, chromium: Chromium, tmp_path: Path
) -> None:
    server.misbehave("clarifier", rate_limited("0.05"), failing(500))
    server.misbehave("voice", answering("Let me think."), rate_limited("0.05"))
    server.misbehave("eye", answering("I see a page."), failing(503))
    played = await play(player, folder, gateway(folder))
    assert played.status is Status.SCORED
    assert played.episode.ended.stop_reason == "submitted"
    assert played.episode.turns[0].action.action == "clarify"
    score = episode_score(easy_case(), played.episode, played.judging)
    assert score.tcr is not None

    calls = [record.event for record in records(folder) if isinstance(record.event, ModelCalled)]
    assert [call.fault_kind for call in calls if call.retried] == ["rate limit", "server", "rate limit", "server"]
    assert not any(call.fault for call in calls if not call.retried)
    assert len(calls) == len(server.requests)
    assert {asked.key for asked in server.requests} == {KEY}
    stored = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"env:THE_KEY_OF_TESTS" in stored, "the run says how its models are reached"
    assert KEY.encode() not in stored

    asked = len(server.requests)
    again = player.store.create_run(
        new_plan("test", [easy_case()], folder.plan.builders, folder.plan.roles, 1, chromium), [easy_case()]
    )
    replayed = await play(player, again, Recorded(calls_of(played.episode), player.store.blobs))
    assert comparable(replayed) == comparable(played)
    assert len(server.requests) == asked, "nothing was requested"
    assert replayed.episode.spent.cost == 0.0
    assert not [r.event for r in records(again) if isinstance(r.event, Warned) and r.event.where == "replay"]


async def test_an_endless_rate_limit_is_a_fault_of_ours(player: Any, folder: RunFolder, server: OpenAIServer) -> None:
    server.always("clarifier", rate_limited("0.01"))
    outcome = await play(player, folder, gateway(folder))
    assert outcome.status is Status.INFRA
    assert outcome.episode.ended.stop_reason == "model"
    assert outcome.episode.ended.text.startswith("rate limit")
    assert episode_score(easy_case(), outcome.episode, None).tcr is None
    assert len(server.requests) == 3


async def test_a_spent_budget_stops_the_run_and_fails_nothing(player: Any, folder: RunFolder, server: OpenAIServer) -> None:
    budget = Budget(0.001)
    outcome = await play(player, folder, gateway(folder, budget))
    assert outcome.status is Status.RUNNING
    assert outcome.episode.ended is None
    assert "cost limit of the run" in outcome.episode.controls[-1].what
    assert len(server.requests) == 1
    assert budget.spent > 0.001
