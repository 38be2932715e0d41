"""`iwtui run` with models behind HTTP: refused, stopped by its limit on costs, resumed, and played again from its record."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from iwtui.archive.store import Store
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.cli.main import cli
from iwtui.packs import load_pack
from tests.support.openai_server import OpenAIServer, failing

CASE = ["run", "starter", "--case", "bakery_P-MIN", "--builder", "openai/clarifier"]
SETTINGS = """
copilot = "openai/copilot"
client = "openai/client"
attempts = 1
{models}
"""
MODEL = """
[models."openai/{name}"]
api_base = "{url}"
api_key = "env:THE_KEY_OF_TESTS"
vision = "assume"
input_cost_per_token = 0.001
output_cost_per_token = 0.001
"""
Command = Callable[..., Result]


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def iwtui(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    for name in ("CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("IWTUI_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("THE_KEY_OF_TESTS", "plain-words-as-a-key-0123")
    monkeypatch.chdir(tmp_path)
    few = [msgspec.structs.replace(case, slots=case.slots[:2]) for case in load_pack("starter")]
    monkeypatch.setattr("iwtui.packs.load_pack", lambda *_: few)  # which is quickly judged
    models = "".join(MODEL.format(name=name, url=server.url) for name in ("clarifier", "copilot", "client"))
    (tmp_path / "iwtui.toml").write_text(SETTINGS.format(models=models))
    return lambda *arguments: CliRunner().invoke(cli, arguments, prog_name="iwtui")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def only_episode(store: Store, run: str) -> tuple[EpisodeState, JudgingState | None]:
    folder = store.run(run)
    (name,) = folder.episodes()
    judged = folder.primary_judging(name)
    return folder.fold_episode(name), judged[1] if judged else None


def test_a_model_that_does_not_answer_refuses_the_run(iwtui: Command, server: OpenAIServer, store: Store) -> None:
    server.always("copilot", failing(401, "bad key {key}"))
    refused = iwtui(*CASE, "--headless")
    assert refused.exit_code == 2, refused.output
    assert "copilot openai/copilot gives no answer" in refused.stderr
    assert "--no-preflight" in refused.stderr
    assert "plain-words" not in refused.output
    assert store.runs() == []
    assert len(server.asked("clarifier")) == 1


def test_a_model_that_does_not_see_refuses_the_run(iwtui: Command, store: Store, tmp_path: Path) -> None:
    settings = tmp_path / "iwtui.toml"
    settings.write_text(settings.read_text().replace('vision = "assume"', 'vision = "probe"'))
    refused = iwtui(*CASE, "--headless")
    assert refused.exit_code == 2, refused.output
    for role in ("builder openai/clarifier", "copilot openai/copilot"):
        assert f"{role} does not see pictures: shown the word " in refused.stderr
    assert 'vision = "assume" in [roles.copilot]' in refused.stderr
    assert "client openai/client answers" in refused.stderr
    assert store.runs() == []


def test_a_dry_run_says_what_it_may_take(iwtui: Command, server: OpenAIServer) -> None:
    done = iwtui(*CASE, "--builder", "openai/nobody-knows", "--dry-run", "--json", "--max-cost", "2.5")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["episodes"], told["max_cost"], told["unpriced"]) == (2, 2.5, ["openai/nobody-knows"])
    assert 2 <= told["calls"]["least"] < told["calls"]["most"]
    assert 0 < told["cost"]["least"] < told["cost"]["most"]
    assert server.requests == []


def test_a_limit_on_costs_stops_the_run_and_a_higher_one_goes_on(iwtui: Command, server: OpenAIServer, store: Store) -> None:
    stopped = iwtui(*CASE, "--headless", "--no-preflight", "--max-cost", "0.9")
    assert stopped.exit_code == 130, stopped.output
    assert "$0.90, is reached" in stopped.stderr
    assert "--max-cost USD" in stopped.stderr
    (name,) = store.runs()
    before, _ = only_episode(store, name)
    assert before.ended is None
    assert before.spent.cost >= 0.9
    asked = len(server.requests)
    still = iwtui("resume", name, "--no-preflight", "--max-cost", "0.9")
    assert (still.exit_code, len(server.requests)) == (130, asked), "what was spent before counts"

    done = iwtui("resume", name, "--no-preflight", "--max-cost", "1000")
    assert done.exit_code == 0, done.output
    whole, judged = only_episode(store, name)
    assert whole.spent.cost > before.spent.cost
    asked = len(server.requests)

    again = iwtui("run", "--replay", name, "--headless", "--json")
    assert again.exit_code == 0, again.output
    assert len(server.requests) == asked, "a replay asks nobody"
    replayed, judged_again = only_episode(store, json.loads(again.stdout)["run"])
    assert [turn.action for turn in replayed.turns] == [turn.action for turn in whole.turns]
    assert [turn.reply for turn in replayed.turns] == [turn.reply for turn in whole.turns]
    assert replayed.manifest == whole.manifest
    assert judged is not None
    assert judged_again is not None
    assert judged_again.slot_verdicts(20) == judged.slot_verdicts(20)
    counted = iwtui("sql", "select run from episodes", "--format", "json")
    assert json.loads(counted.stdout) == [{"run": name}], "a replay counts nowhere"
