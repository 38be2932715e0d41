"""`iwtui watch --plain`: one line an event, of whatever store, until nobody plays the run any more."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from iwtui.archive.log import LogWriter
from iwtui.archive.registry import Registration
from iwtui.archive.store import Store
from iwtui.bench.events import TurnStarted
from iwtui.bench.names import EpisodeName
from tests.cli.scribe import Command
from tests.support.stores import make_case, make_run, play

HOSTILE = "\x1b[2J\x1b]52;c;eA==\x07 [/] \u202e"


@pytest.fixture(autouse=True)
def _own_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runtime").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))


def _played(root: Path, run: str = "run") -> EpisodeName:
    case = make_case()
    return play(make_run(Store(root), run, [case]), case, actions="CI", end=None, began=time.time() - 60)


def test_a_run_of_another_store_until_it_is_over(iwtui: Command, tmp_path: Path) -> None:
    root = tmp_path / "elsewhere"
    name = _played(root)
    registration = Registration(root, "run")
    registration.__enter__()

    def write() -> None:
        store = Store(root)
        with LogWriter(store.run("run").episode_log(name), store.blobs) as log:
            for turn in range(3, 6):
                log.append(TurnStarted(message=f"news {turn} {HOSTILE}"), turn)
        registration.__exit__()

    writer = threading.Timer(1.5, write)
    writer.start()
    told = iwtui("watch", "run", "--plain")
    writer.join()
    lines = told.stdout.splitlines()
    assert told.exit_code == 0
    assert [line.split(" turn ")[1].split()[0] for line in lines] == ["3", "4", "5"]
    assert all(f"{name} " in line and "TurnStarted" in line for line in lines)
    assert not [char for char in told.output if ord(char) < 32 and char != "\n"]
    assert "nobody plays run any more" in told.stderr


def test_what_was_written_before_is_told_when_asked_for(iwtui: Command, tmp_path: Path) -> None:
    _played(tmp_path / "elsewhere")
    registration = Registration(tmp_path / "elsewhere", "run")
    registration.__enter__()
    timer = threading.Timer(1.0, registration.__exit__)
    timer.start()
    told = iwtui("watch", "run", "--plain", "--all")
    timer.join()
    assert told.stdout.splitlines()[0].split(" #")[1].startswith("0 EpisodeStarted")
    assert "ActionChosen ? clarify" in told.stdout


def test_a_name_that_no_live_run_has(iwtui: Command, tmp_path: Path) -> None:
    _played(tmp_path / "store", "over")
    told = iwtui("watch", "over", "--plain")
    assert told.exit_code == 3
    assert "nothing is being played" in told.stderr
    with Registration(tmp_path / "store", "over"), Registration(tmp_path / "other", "over"):
        told = iwtui("watch", "ov", "--plain")
    assert told.exit_code == 2
    assert "may be any of" in told.stderr


def test_all_that_is_played_until_one_interrupts(tmp_path: Path) -> None:
    root = tmp_path / "store"
    name = _played(root)
    program = [sys.executable, "-m", "iwtui", "watch", "--plain", "--store", str(root)]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None and process.stdout is not None
        assert "waiting for a run" in process.stderr.readline()
        with Registration(root, "run"):
            assert "is being played" in process.stderr.readline()
            with LogWriter(Store(root).run("run").episode_log(name), Store(root).blobs) as log:
                log.append(TurnStarted(message="news"), 3)
            assert "news" in process.stdout.readline()
        assert "nobody plays" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
    finally:
        process.kill()
        process.communicate()
