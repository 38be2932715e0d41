"""kill -9 of a runner at random moments: what was written is there, and a resume plays no turn twice and loses none."""

import json
import random
import time
from pathlib import Path

import psutil
import pytest

from tests.support.runner import count_lines, kept_turns, logs, run, start, whole_lines

KILLS = 20
SEED = 20261129


def written(store: Path) -> dict[Path, list[bytes]]:
    return {log: whole_lines(log) for log in logs(store)}


def wait_for_lines(process: "object", store: Path, wanted: int) -> bool:
    """Until the logs hold that many lines (True) or the process is over (False)."""
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        if count_lines(store) >= wanted:
            return True
        if process.poll() is not None:  # type: ignore[attr-defined]
            return False
        time.sleep(0.01)
    raise AssertionError("the run wrote nothing for four minutes")


def check_prefix(before: dict[Path, list[bytes]], store: Path) -> None:
    """Every whole line that was there before still stands, at the same place."""
    now = written(store)
    for log, lines in before.items():
        assert now[log][: len(lines)] == lines, log


@pytest.mark.soak
@pytest.mark.browser
def test_twenty_kills(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    store = tmp_path / "store"
    kills = finished = 0
    command = ["demo", "--headless", "--json", "--jobs", "2"]
    while kills < KILLS:
        before = written(store)
        process = start([*command, "--store", str(store)], tmp_path)
        if wait_for_lines(process, store, count_lines(store) + chance.randint(1, 60)):
            time.sleep(chance.random() * 0.2)
            process.kill()
            kills += 1
        else:
            finished += 1
        process.communicate()
        check_prefix(before, store)
        command = ["resume", "last", "--json"] if process.returncode else ["demo", "--headless", "--json", "--jobs", "2"]
    runs = sorted(folder.name for folder in (store / "runs").iterdir())
    for name in runs:
        done = run(["resume", name, "--json", "--store", str(store)], tmp_path)
        assert done.returncode == 0, done.stderr
        episodes = json.loads(done.stdout)["episodes"]
        assert [episode["status"] for episode in episodes] == ["scored"] * 10
        assert {episode["attempt"] for episode in episodes} == {1}
    for log in logs(store):
        assert [json.loads(line)["seq"] for line in whole_lines(log)] == list(range(len(whole_lines(log)))), log
        if log.parent.name == "episodes":
            turns = kept_turns(log)
            assert turns == list(range(1, len(turns) + 1)), log
    counted = run(["sql", "select count(*) as n from events", "--format", "json", "--store", str(store)], tmp_path)
    assert json.loads(counted.stdout) == [{"n": count_lines(store)}]
    ours = [p for p in psutil.process_iter(["cmdline"]) if str(tmp_path) in " ".join(p.info["cmdline"] or [])]
    assert not ours
    print(f"\n{kills} kills over {len(runs)} runs ({finished} came to their end before the kill)")
