"""A run in one terminal, a watcher that came through ssh in another: real sshd, real browser."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.support.ptys import Terminal
from tests.support.runner import environment, run, start
from tests.support.sshd import Door, door, missing

SEEN = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "IWTUI_IMAGES": "halfcell"}


@pytest.fixture
def ssh(tmp_path: Path) -> Iterator[Door]:
    if why := missing():
        pytest.skip(why)
    with door(tmp_path / "keys") as opened:
        yield opened


def _environ(home: Path) -> dict[str, str]:
    folders = {key: value for key, value in environment(home).items() if key.startswith("XDG_")}
    return folders | SEEN | {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])}


@pytest.mark.soak
@pytest.mark.browser
def test_a_run_is_followed_and_outlives_its_watchers(ssh: Door, tmp_path: Path) -> None:
    store = tmp_path / "store"
    environ = _environ(tmp_path)
    runner = start(["run", "starter", "--jobs", "2", "--headless", "--json", "--store", str(store)], tmp_path)
    command = ssh.command([sys.executable, "-m", "iwtui", "watch"], environ)
    with Terminal(command, environ, 100, 30, folder=tmp_path) as killed:
        with Terminal(command, environ, 160, 48, folder=tmp_path) as terminal:
            terminal.until(b"running", 60)
            assert not list(_held(runner.pid, store)), "a watcher holds a file of the store"
            terminal.press("\r")
            terminal.read(0.5)
            terminal.press("\r")
            terminal.until(b"Timeline")
            terminal.until(b"Dialogue")
            # A reply of the terminal that comes late is no key that was pressed: q would leave, / would open a field.
            terminal.press("\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?62;4c")
            terminal.read(0.5)
            assert b"rgb:" not in terminal.sent
            terminal.hang_up()
        killed.until(b"running", 60)
        os.killpg(killed.process.pid, signal.SIGKILL)
    out, err = runner.communicate(timeout=600)
    assert runner.returncode == 0, err[-3000:]
    report = run(["report", "--by", "run", "--format", "json", "--store", str(store)], tmp_path).stdout
    assert '"infra": 0' in report or '"infra":0' in report, out[-2000:]


def _held(runner: int, store: Path) -> Iterator[str]:
    """Files of the store that a process holds which is not the runner's."""
    root = psutil.Process(runner)
    family = {root.pid, *(child.pid for child in root.children(recursive=True))}
    for process in psutil.process_iter():
        try:
            if process.pid not in family and "watch" in process.cmdline():
                yield from (file.path for file in process.open_files() if Path(file.path).is_relative_to(store))
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
