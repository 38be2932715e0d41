"""`iwtui import`: what it says, how it ends, and that what it took is shown like our own."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.scribe import Command
from tests.support.harness import FINISH, REPLY, SLOTS, write_task

TASK = "000001_P-MIN"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    logs = tmp_path / "maker-7b" / "logs"
    write_task(logs, TASK)
    return logs


def test_an_imported_episode_is_shown_and_reported(iwtui: Command, logs: Path) -> None:
    done = iwtui("import", str(logs))
    assert done.exit_code == 0, done.output
    assert "1 episode added" in done.stdout and "report maker-7b-" in done.stderr
    shown = iwtui("show", TASK, "--plain").stdout
    assert REPLY in shown and "tokens unknown" in shown and "time unknown" in shown and "it is silent" in shown
    before = json.loads(iwtui("show", TASK, "--event", "4", "--json").stdout)
    assert (before["upto"], before["seconds"], before["spent"]["tokens_in"]) == (4, None, None)
    report = json.loads(iwtui("report", "maker", "--policy", "official", "--format", "json").stdout)
    assert report["rows"][0]["tcr"] == 0.5
    assert report["rows"][0]["official"]["means"]["steps"] == 5
    assert report["rows"][0]["official"]["terminations"]["submit"] == 1
    flat = iwtui("report", "maker", "--policy", "official", "--format", "csv").stdout
    assert "official.means.asks" in flat.splitlines()[0]
    rows = json.loads(iwtui("sql", "SELECT kind, pack FROM runs", "--format", "json").stdout)
    assert rows == [{"kind": "import", "pack": "interactweb-bench"}]
    asked = json.loads(iwtui("sql", "SELECT official_kinds k FROM turns ORDER BY turn", "--format", "json").stdout)
    assert [row["k"] for row in asked] == [["clarify"], ["implement"], ["verify"], [], ["submit"]]


def test_the_second_time_it_says_that_it_is_there(iwtui: Command, logs: Path) -> None:
    iwtui("import", str(logs))
    again = iwtui("import", str(logs.parent), "--json")
    assert again.exit_code == 0
    (run,) = json.loads(again.stdout)["runs"]
    assert (run["added"], run["known"], run["faults"], run["builder"]) == (0, 1, [], "maker-7b")


def test_a_part_that_cannot_be_read_is_named_and_is_exit_code_1(iwtui: Command, logs: Path) -> None:
    file = logs / TASK / "history.json"
    file.write_bytes(file.read_bytes()[:-100])
    done = iwtui("import", str(logs))
    assert done.exit_code == 1
    assert f"{TASK}/history.json" in done.stderr and "byte" in done.stderr
    assert "1 episode added, 1 fault" in done.stdout


def test_hostile_names_and_texts_reach_no_terminal(iwtui: Command, tmp_path: Path) -> None:
    logs = tmp_path / "m\x1b]0;x\x07" / "logs"
    said: list[dict[str, Any]] = [
        {"role": "user", "content": "Make\x1b[2J a clock."},
        {"role": "assistant", "content": FINISH + "\x1b[31m"},
        {"role": "user", "content": "", "debug_info": {"evaluation_detail": {"status": "\x1b[1m", "raw_metrics": {}}}},
    ]
    write_task(logs, "a\x1bb", said, {"messages": [{"role": "user"}, 7], "workspace_snapshots": {"\x1b[5m": {}}})
    for done in (iwtui("import", str(logs)), iwtui("show", "last", "--plain"), iwtui("report", "--policy", "official")):
        assert "\x1b]" not in done.output and "\x1b[2J" not in done.output and "\x1b[31m" not in done.output
    assert "Make␛[2J a clock." in iwtui("show", "last", "--plain").stdout


def test_tasks_give_the_cases(iwtui: Command, logs: Path, tmp_path: Path) -> None:
    row = {
        "id": TASK,
        "original_id": "000001",
        "persona": "P-MIN",
        "instruction": "Make a clock.",
        "ground_truth_instruction": "Please make a clock. It is red.",
        "difficulty": "easy",
        "Category": {"primary_category": "Data Management"},
        "oracle_slots": SLOTS,
    }
    tasks = tmp_path / "seeds.jsonl"
    tasks.write_text(json.dumps(row) + "\nno row\n")
    done = iwtui("import", str(logs), "--tasks", str(tasks))
    assert done.exit_code == 1 and "seeds.jsonl: line 2" in done.stderr
    rows = json.loads(iwtui("sql", "SELECT golden, facts, pack FROM cases", "--format", "json").stdout)
    assert rows == [{"golden": "Please make a clock. It is red.", "facts": 2, "pack": "seeds"}]
    by = json.loads(iwtui("report", "--by", "category,judge", "--format", "json").stdout)["rows"]
    assert (by[1]["category"], by[1]["judge"], by[1]["n"], by[1]["loc"]) == ("Data Management", "official", 1, 2.0)


def test_nothing_to_import_is_not_found(iwtui: Command, tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_text("x")
    assert iwtui("import", str(tmp_path / "none")).exit_code == 3
    assert iwtui("import", str(tmp_path / "x.tar")).exit_code == 2
    assert iwtui("import", str(tmp_path), "--tasks", "none").exit_code == 2
