"""The reaper as a program of its own: what it starts is gone when it is let go, whatever dies first."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from iwtui.web import shim

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux makes orphans its children")

WORKER = """
import ctypes, os, subprocess, threading
subprocess.Popen(["sleep", "4000"], start_new_session=True, stdout=subprocess.DEVNULL)
def main():
    while open("/proc/self/stat").read().rpartition(")")[2].split()[0] != "Z":
        pass
    print("half dead", flush=True)
    threading.Event().wait()
threading.Thread(target=main).start()
ctypes.CDLL(None).pthread_exit(None)
"""
"""A server whose first thread is dead while another runs on: it is shown as a dead process, and keeps its daemon."""


def test_what_a_half_dead_process_has_started_is_ended_with_it() -> None:
    life, held = os.pipe()
    worker = ["sh", "-c", 'setsid "$@"; exit', "sh", sys.executable, "-I", "-S", "-c", WORKER]
    argv = [sys.executable, "-I", "-S", shim.__file__, str(life), *worker]
    with subprocess.Popen(argv, pass_fds=[life], stdout=subprocess.PIPE, text=True) as reaper:
        os.close(life)
        assert reaper.stdout is not None
        assert reaper.stdout.readline() == "half dead\n"
        below = psutil.Process(reaper.pid).children(recursive=True)
        assert [process.name() for process in below][-1] == "sleep"
        os.close(held)
        assert reaper.wait(10) == 137
    left = [process for process in below if process.is_running()]
    for process in left:
        process.kill()
    assert not left


def test_the_exit_code_is_that_of_the_command_and_its_daemons_are_ended(tmp_path: Path) -> None:
    life, held = os.pipe()
    script = f"sleep 4000 & echo $! > {tmp_path}/pid; exit 7"
    done = subprocess.run(
        [sys.executable, "-I", "-S", shim.__file__, str(life), "sh", "-c", script], pass_fds=[life], timeout=20, check=False
    )
    os.close(life)
    os.close(held)
    assert done.returncode == 7
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))
