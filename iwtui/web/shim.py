"""Run a command and end all that it started, daemons too, when it ends or when our parent is gone.

Started as a script of its own: `python -I -S shim.py FD COMMAND..`. FD is the reading end of a pipe that the parent holds
open: it ends with the parent, however that dies. The exit code is the command's, 128 + N after signal N.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
PATIENCE = 5.0
DYING = 0.002


def main() -> int:
    life = int(sys.argv[1])
    os.set_inheritable(life, False)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    wakeup, waker = os.pipe()
    os.set_blocking(waker, False)
    os.set_blocking(wakeup, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    command = subprocess.Popen(sys.argv[2:], start_new_session=True)
    code = None
    while code is None:
        ready, _, _ = select.select([life, wakeup], [], [])
        if life in ready:
            code = 128 + signal.SIGKILL
        elif wakeup in ready:
            os.read(wakeup, 4096)
            code = reap(command.pid)
    end_all(command.pid)
    return code


def reap(pid: int) -> "int | None":
    """Take leave of every child that ended; the exit code of the command, if it is among them."""
    code = None
    while True:
        try:
            gone, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if gone == 0:
            return code
        if gone == pid:
            code = os.waitstatus_to_exitcode(status)
            code = 128 - code if code < 0 else code


def end_all(group: int) -> None:
    """Kill what is below us, again and again: a process may be born while we look."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        for pid in descendants():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if childless():
            return
        time.sleep(DYING)


def childless() -> bool:
    """Whether none is left, which only the kernel knows for sure: every orphan below us has become our own child."""
    while True:
        try:
            gone, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        if gone == 0:
            return False


def descendants() -> "list[int]":
    """All processes below this one, dead ones too: as long as threads of a dead one still run, it keeps its children."""
    listed = from_proc() if sys.platform == "linux" else os.popen("ps -A -o pid=,ppid=").read()  # noqa: S605
    children: dict[int, list[int]] = {}
    for line in listed.splitlines():
        pid, parent = map(int, line.split())
        children.setdefault(parent, []).append(pid)
    found = list(children.get(os.getpid(), []))
    for pid in found:
        found += children.get(pid, [])
    return found


def from_proc() -> str:
    """Lines of a process and its parent."""
    lines = []
    for name in os.listdir("/proc"):  # noqa: PTH208  no pathlib: this starts for every command
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:  # noqa: PTH123
                    lines.append(f"{name} {file.read().rpartition(')')[2].split()[1]}")
            except OSError:
                continue
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
