"""Runs outlive the console that started them, and a console tells within seconds that a runner is gone."""

import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

from iwtui.archive.registry import LiveRun, live_runs
from tests.support.ptys import Terminal, terminal_environment
from tests.support.runner import count_lines

IWTUI = [sys.executable, "-m", "iwtui"]
SIZE = (120, 36)
T = TypeVar("T")
TOLD = 5.0
"""Seconds in which a console has to tell that a runner is gone."""


class Machine:
    """The folders of a stranger, and the processes that came to be with them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.store = home / "store"
        self.environ = terminal_environment(home, IWTUI_STORE=str(self.store))
        self._registry = home / "runtime" / "iwtui" / "live"
        self._seen: dict[int, psutil.Process] = {}

    def console(self, *arguments: str) -> Terminal:
        return Terminal([*IWTUI, *arguments], self.environ, *SIZE, folder=self.home)

    def registered(self) -> list[LiveRun]:
        """What the registry tells; the processes of it are remembered, with all that they started."""
        found = live_runs(self._registry)
        for live in found:
            with contextlib.suppress(psutil.NoSuchProcess):
                process = psutil.Process(live.runner.pid)
                self._seen |= {one.pid: one for one in (process, *process.children(recursive=True))}
        return found

    def alive(self, but: int = 0) -> LiveRun | None:
        """The runner that is alive, another than the process `but`."""
        return next((live for live in self.registered() if live.alive and live.runner.pid != but), None)

    def end(self) -> None:
        """Kill what is left of all that was seen; a pid that another process has by now is left alone."""
        self.registered()
        for process in self._seen.values():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    try:
        yield made
    finally:
        made.end()


def until(look: Callable[[], T | None], limit: float = 20.0) -> T:
    """What is found, once it is; fails after `limit` seconds."""
    ends = time.monotonic() + limit
    while not (found := look()):
        assert time.monotonic() < ends, "it did not come to be"
        time.sleep(0.05)
    return found


def plain(wire: bytes) -> str:
    """What the wire says in words: without colours and moves of the cursor, the gaps of what is painted closed up."""
    words = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[▌│]", " ", wire.decode("utf-8", "replace"))
    return " ".join(words.split())


def test_a_run_outlives_its_console_and_a_console_tells_of_a_dead_runner(machine: Machine) -> None:
    with machine.console("demo", "--jobs", "2") as first:
        first.until(b"1 live")
        first.until("▸ playing".encode())
        runner = until(machine.alive).runner
        assert os.getsid(runner.pid) != os.getsid(first.process.pid), "a session of its own"
        until(lambda: count_lines(machine.store) > 0)
        os.killpg(first.process.pid, signal.SIGKILL)
        assert first.process.wait(5) == -signal.SIGKILL

    killed = time.time()
    lines = count_lines(machine.store)
    beat = until(lambda: next((live for live in machine.registered() if live.file.stat().st_mtime > killed), None))
    assert (beat.runner, beat.alive) == (runner, True), "its heart beats on"
    until(lambda: count_lines(machine.store) > lines + 10)

    with machine.console() as second:
        second.until(b"1 run, 1 live")
        second.until("▸ playing".encode())
        sent = len(second.sent)
        os.kill(runner.pid, signal.SIGKILL)
        began = time.monotonic()
        second.until(lambda wire: b"! broken off" in wire[sent:], TOLD)
        second.until(lambda wire: "goes on with it" in plain(wire[sent:]), TOLD - (time.monotonic() - began))
        assert time.monotonic() - began < TOLD

        second.press("R")
        again = until(lambda: machine.alive(but=runner.pid)).runner
        assert again.run == runner.run
        sent = len(second.sent)
        second.until(lambda wire: "▸ playing".encode() in wire[sent:])


def test_a_console_that_is_killed_alone_gives_the_terminal_back(machine: Machine) -> None:
    with machine.console("demo", "--jobs", "1") as terminal:
        terminal.until("▸ playing".encode())
        runner = until(machine.alive).runner
        (shown,) = [one for one in psutil.Process(terminal.process.pid).children() if one.pid != runner.pid]
        shown.kill()
        assert terminal.end() == 128 + signal.SIGKILL
        assert b"runs go on" in terminal.sent
        assert runner.run.encode() in terminal.sent[-3000:], "and the way back to it is told"
        assert terminal.now() == terminal.modes
        assert until(machine.alive).runner == runner
