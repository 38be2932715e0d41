"""kill -9 of a runner at random moments: what was written is there, and a resume plays no turn twice and loses none."""

import json
import os
import random
import signal
import time
from pathlib import Path

import psutil
import pytest

from tests.support.runner import count_lines, kept_turns, logs, run, start, whole_lines

KILLS = int(os.environ.get("IWTUI_SOAK_KILLS", "20"))
GONE = 5.0
"""Seconds after which nothing that the runner started is left."""

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


def assert_gone(processes: list[psutil.Process]) -> None:
    """Browser, driver, and whatever served a site."""
    _, left = psutil.wait_procs(processes, timeout=GONE)
    assert not left


@pytest.mark.soak
@pytest.mark.browser
def test_twenty_kills(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    store = tmp_path / "store"
    kills = finished = 0
    command = ["demo", "--headless", "--json", "--jobs", "4"]
    while kills < KILLS:
        before = written(store)
        process = start([*command, "--store", str(store)], tmp_path)
        if wait_for_lines(process, store, count_lines(store) + chance.randint(1, 60)):
            time.sleep(chance.random() * 0.2)
            started = psutil.Process(process.pid).children(recursive=True)
            process.kill()
            kills += 1
            assert_gone(started)
        else:
            finished += 1
        process.communicate()
        check_prefix(before, store)
        command = ["resume", "last", "--json"] if process.returncode else ["demo", "--headless", "--json", "--jobs", "4"]
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
    print(f"\n{kills} kills over {len(runs)} runs ({finished} came to their end before the kill)")


@pytest.mark.soak
@pytest.mark.browser
def test_two_interrupts_stop_four_episodes_and_a_resume_goes_on_from_their_last_whole_turns(tmp_path: Path) -> None:
    store = tmp_path / "store"
    process = start(["demo", "--jobs", "4", "--store", str(store)], tmp_path)
    assert process.stderr is not None
    assert wait_for_lines(process, store, 60)
    process.send_signal(signal.SIGINT)
    while "press Ctrl-C again" not in process.stderr.readline():
        assert process.poll() is None
    started = psutil.Process(process.pid).children(recursive=True)
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert time.monotonic() - began < 10
    assert process.returncode == 130
    assert_gone(started)
    before = written(store)
    whole = {log: kept_turns(log)[:-1] for log in before if log.parent.name == "episodes"}
    assert any(whole.values())
    assert run(["sql", "select count(*) from episodes", "--store", str(store)], tmp_path).returncode == 0
    done = run(["resume", "last", "--json", "--store", str(store)], tmp_path)
    assert done.returncode == 0, done.stderr
    check_prefix(before, store)
    for log, turns in whole.items():
        after = [json.loads(line) for line in whole_lines(log)[len(before[log]) :]]
        again = {event["turn"] for event in after if event["kind"] == "TurnStarted"}
        assert not again & set(turns), "a whole turn is not played again"
