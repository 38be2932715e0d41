"""A parent that outlives the console and leaves the terminal usable, however the console ends."""

import os
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

RESET = "".join(
    (
        "\x1b[?1049l",  # back from the alternate screen
        *(f"\x1b[?{mode}l" for mode in (1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016)),  # mouse and focus
        "\x1b[?2004l\x1b[?2026l\x1b[?2048l",  # bracketed paste, synchronised output, size reports
        "\x1b[<u\x1b[>4;0m",  # the key protocols of kitty and xterm
        "\x1b[?1l\x1b>",  # cursor keys and keypad as usual
        "\x1b(B\x0f\x1b[0m\x1b[?7h\x1b[?25h",  # character set, colours, wrapping, cursor
    )
)
"""Undoes every mode of a terminal that a full-screen program may have left on."""


Modes = list[Any]
"""What termios.tcgetattr gives."""


def reset_terminal(terminal: int, modes: Modes | None = None) -> None:
    """Undo what a program left on; `modes` (of termios.tcgetattr) are put back, without them the usual ones are set."""
    os.write(terminal, RESET.encode())
    if modes is not None:
        termios.tcsetattr(terminal, termios.TCSADRAIN, modes)
    else:
        subprocess.run(["stty", "sane"], stdin=terminal, check=True, timeout=5)


PASSED_ON = (signal.SIGTERM, signal.SIGHUP)
"""Held back while the child is made, so that neither process misses one."""


def supervised(work: Callable[[], int]) -> int:
    """Do the work in a child of this process and return its exit code; after a violent end, put the terminal right.

    The child has the terminal. It ends when this process is killed. Ctrl-Z stops both. Call it before any thread is started.
    """
    terminal = sys.__stdin__.fileno() if sys.__stdin__ else 0
    modes = termios.tcgetattr(terminal)
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
        os.close(writing)
        _be_the_child(work, reading)
    os.close(reading)
    try:
        return _wait(child, terminal, modes)
    finally:
        os.close(writing)


def _be_the_child(work: Callable[[], int], reading: int) -> None:
    threading.Thread(target=_leave_with_the_parent, args=(reading,), daemon=True).start()
    code = 1
    try:
        code = work()
    except KeyboardInterrupt:
        code = 130
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _leave_with_the_parent(reading: int) -> None:
    os.read(reading, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _wait(child: int, terminal: int, modes: Modes) -> int:
    def pass_on(number: int, _: FrameType | None) -> None:
        os.kill(child, number)

    before = {number: signal.signal(number, pass_on) for number in PASSED_ON}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
    try:
        while True:
            _, status = os.waitpid(child, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                break
            os.kill(os.getpid(), signal.SIGSTOP)
            os.kill(child, signal.SIGCONT)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if not os.WIFSIGNALED(status):
        return os.waitstatus_to_exitcode(status)
    name = signal.Signals(os.WTERMSIG(status)).name
    try:
        reset_terminal(terminal, modes)
        sys.stderr.write(f"iwtui: the console was ended by {name}; the terminal is as before, and runs go on\n")
    except OSError:  # the terminal itself is gone
        return 128 + os.WTERMSIG(status)
    return 128 + os.WTERMSIG(status)
