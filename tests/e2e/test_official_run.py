"""Cases of the benchmark itself, through models over HTTP, with projects of their own and all judges."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from iwtui.web.node import find
from tests.support import mason, official, openai_server, runner
from tests.support.openai_server import OpenAIServer, failing

pytestmark = pytest.mark.skipif(find() is None, reason="no Node on this machine")

SECTION = """
[roles.{role}]
api_base = "{url}"
api_key = "env:KEY_OF_THE_TRIAL"
vision = "assume"
"""
KEY = "not-a-real-key-2718281828"


def chosen(number: int) -> list[str]:
    """The first case of each persona and difficulty, and of those twelve as many."""
    first: dict[tuple[str, str], str] = {}
    for row in official.rows():
        first.setdefault((row["persona"], row["difficulty"]), row["id"])
    assert len(first) == 12
    return sorted(first.values())[:number]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[OpenAIServer]:
    openai_server.MAKERS.update(mason.MODELS)
    with OpenAIServer(log=tmp_path / "served.jsonl") as server:
        yield server
    for role in mason.MODELS:
        del openai_server.MAKERS[role]


def iwtui(home: Path, *arguments: str, timeout: float = 240) -> Any:
    done = runner.run([*arguments, "--store", str(home / "store")], home, timeout)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("number", [2, pytest.param(10, marks=pytest.mark.soak)])
def test_totals_are_those_of_the_servers_log_and_a_replay_asks_nobody(
    number: int, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_OF_THE_TRIAL", KEY)
    roles = ("builder", "copilot", "client", "judge", "intent", "visual")
    (tmp_path / "iwtui.toml").write_text("".join(SECTION.format(role=role, url=server.url) for role in roles))
    iwtui(tmp_path, "tasks", "import", str(official.official_file()), "--name", "official", "--json")
    cases = [argument for case in chosen(number) for argument in ("--case", case)]
    models = [f"--{role}=openai/{role}" for role in roles]
    played = iwtui(tmp_path, "run", "official", *cases, *models, "--jobs", "4", "--headless", "--json")
    assert len(played["episodes"]) == number
    assert not played["scripted"]

    script = [
        sys.executable,
        str(Path(__file__).with_name("totals.py")),
        str(tmp_path / "served.jsonl"),
        str(tmp_path / "store"),
    ]
    expected = json.loads(subprocess.run(script, check=True, capture_output=True, timeout=60).stdout)
    by_role = iwtui(
        tmp_path, "sql", "--format", "json",
        "select role, count(*) as n, sum(tokens_in) as tokens_in, sum(tokens_out) as tokens_out from calls group by role",
    )  # fmt: skip
    assert {row["role"]: [row["n"], row["tokens_in"], row["tokens_out"]] for row in by_role} == expected["calls"]
    assert set(expected["calls"]) == set(roles)
    rows = iwtui(
        tmp_path, "sql", "--format", "json",
        "select e.episode, e.status, e.turns, e.clarifies, j.passed, e.tcr from episodes e"
        " join judgings j on j.episode = e.episode and j.is_primary",
    )  # fmt: skip
    assert len(rows) == number
    for row in rows:
        told = expected["episodes"][row.pop("episode")]
        assert row.pop("tcr") == pytest.approx(told.pop("tcr"))
        assert row == told
    measured = iwtui(tmp_path, "sql", "--format", "json", "select count(ias) as ias, count(vbr) as vbr from episodes")
    assert measured == [{"ias": number, "vbr": number}]

    server.always("judge", failing(500))
    asked = len(server.requests)
    again = iwtui(tmp_path, "run", "--replay", played["run"], "--headless", "--json")
    assert len(server.requests) == asked
    verdicts = "select case_id, slot, verdict, reason from verdicts v join attempts a using (episode) where v.run = '{}'"
    both = [
        iwtui(tmp_path, "sql", "--format", "json", verdicts.format(run) + " order by all")
        for run in (played["run"], again["run"])
    ]
    assert both[0] == both[1] != []
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
