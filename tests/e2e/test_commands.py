"""Runs as processes of their own: their output, their signals, and what is left behind."""

import contextlib
import json
import signal
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.runner import count_lines, run, start

ONE = ["run", "starter", "--case", "bakery_P-BASE", "--builder", "scripted/clarifier"]
BLIND = [*ONE[:-1], "scripted/blind"]
FIELDS = "episode case_id persona builder status tcr tcr_clean sr hallucinated turns clarifies scripted".split()


def ask(query: str, store: Path, home: Path) -> list[dict[str, Any]]:
    done = run(["sql", query, "--format", "json", "--store", str(store)], home)
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def test_a_run_prints_json_that_the_other_commands_agree_with(tmp_path: Path) -> None:
    store = tmp_path / "store"
    done = run([*ONE, "--json", "--headless", "--store", str(store)], tmp_path)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    (episode,) = printed["episodes"]
    assert all(field in episode for field in FIELDS)
    assert printed["scripted"] is True
    assert episode["scripted"] is True
    assert (episode["status"], episode["tcr"], episode["sr"]) == ("scored", 1.0, True)
    assert ask("select episode, tcr from episodes", store, tmp_path) == [{"episode": episode["episode"], "tcr": 1.0}]
    story = run(["show", "last", "--plain", "--store", str(store)], tmp_path).stdout
    for told in ("asks:", "client:", "add index.html", "the audit: success", "✓ passed", "because:", "scripted"):
        assert told in story
    report = json.loads(run(["report", "--by", "run", "--format", "json", "--store", str(store)], tmp_path).stdout)
    row = report["rows"][-1]
    assert row["tcr"] == 1.0
    assert row["scripted_episodes"] == 1


def wait_for_lines(process: Any, store: Path, wanted: int) -> None:
    deadline = time.monotonic() + 90
    while count_lines(store) < wanted:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline, "the run writes nothing"
        time.sleep(0.02)


def test_two_interrupts_end_four_episodes_that_a_hang_up_did_not(tmp_path: Path) -> None:
    store = tmp_path / "store"
    process = start(["demo", "--jobs", "4", "--store", str(store)], tmp_path)
    wait_for_lines(process, store, 10)
    process.send_signal(signal.SIGHUP)
    wait_for_lines(process, store, count_lines(store) + 3)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "press Ctrl-C again" not in process.stderr.readline():
        assert process.poll() is None
    started = psutil.Process(process.pid).children(recursive=True)
    assert any("chrom" in child.name() for child in started)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 10
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "iwtui resume" in err
    assert out == ""
    (counted,) = ask("select count(*) as n from events", store, tmp_path)
    assert counted["n"] == count_lines(store)
    _, left = psutil.wait_procs(started, timeout=5)
    assert not left


def test_orders_reach_a_run_from_other_processes(tmp_path: Path) -> None:
    where = ["--store", str(tmp_path / "store")]
    process = start(["demo", "--jobs", "2", *where], tmp_path)
    wait_for_lines(process, tmp_path / "store", 10)
    paused = run(["pause", "last", *where], tmp_path)
    assert (paused.returncode, "is paused" in paused.stdout) == (0, True), paused.stderr
    control = next((tmp_path / "store" / "runs").glob("*/control"))
    assert list(control.iterdir()) == [], "an order is taken once"
    unknown = run(["cancel", "last", "nosuch", *where], tmp_path)
    assert (unknown.returncode, "no episode 'nosuch'" in unknown.stderr) == (3, True), unknown.stderr
    assert run(["continue", "last", *where], tmp_path).returncode == 0
    cancelled = run(["cancel", "last", *where], tmp_path)
    assert cancelled.returncode == 0, cancelled.stderr
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the run was cancelled" in err
    assert "Traceback" not in err
    rows = ask("select distinct status from episodes where status <> 'scored'", tmp_path / "store", tmp_path)
    assert rows == [{"status": "cancelled"}], "in the middle of a turn or of a judging"
    late = run(["pause", "last", *where], tmp_path)
    assert (late.returncode, "is not being played" in late.stderr) == (2, True)


def test_a_detached_run_goes_on_by_itself(tmp_path: Path) -> None:
    store = tmp_path / "store"
    started = run([*BLIND, "--detach", "--json", "--store", str(store)], tmp_path)
    assert started.returncode == 0, started.stderr
    launch = json.loads(started.stdout)
    with contextlib.suppress(psutil.NoSuchProcess):  # it was quicker
        psutil.Process(launch["pid"]).wait(timeout=120)
    assert ask("select run, status from episodes", store, tmp_path) == [{"run": launch["run"], "status": "scored"}]
    assert "scored" in Path(launch["log"]).read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["run", "nosuch"], 3, "no pack 'nosuch'"),
        (["run", "starter", "--case", "bakery_PMIN"], 2, "bakery_P-MIN"),
        (["run", "starter", "--judge", "oracle"], 2, "no judge 'oracle'"),
        (["run", "starter", "--judge", "intent"], 2, "with --intent"),
        (["run", "starter", "--second-sweep"], 2, "name it with --judge"),
        (["run", "starter", "--builder", "scripted/nobody"], 2, "no script 'scripted/nobody'; there are scripted/blind"),
        (["run", "starter", "--builder", "a/b", "--builder", "a-b"], 2, "same name"),
        (["resume", "nosuch"], 3, "there is no run"),
        (["pause", "nosuch"], 3, "there is no run"),
        (["show", "nosuch"], 3, "there is no episode"),
    ],
)
def test_wrong_use_is_told_in_a_line(tmp_path: Path, arguments: list[str], code: int, said: str) -> None:
    done = run([*arguments, "--store", str(tmp_path / "store")], tmp_path)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "store" / "runs").exists()


def test_a_dry_run_plays_nothing(tmp_path: Path) -> None:
    store = tmp_path / "store"
    done = run(
        ["run", "starter", "--persona", "P-MIN", "--repeat", "3", "--dry-run", "--json", "--store", str(store)], tmp_path
    )
    assert json.loads(done.stdout)["episodes"] == 5 * 2 * 3, "a case of each seed, by both scripted builders"
    assert not store.exists()
