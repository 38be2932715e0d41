"""A program in a terminal of its own: what it sends, byte for byte, and keys for it."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.runner import environment

WAIT = 20.0


def terminal_environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a stranger at a terminal that knows all colours."""
    found = environment(home) | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"} | more
    del found["NO_COLOR"]
    return found | {"PYTHONPATH": str(Path(__file__).parents[2])}


class Terminal:
    """Runs a command in a pseudo-terminal as its session's leader, so that it has job control, as a shell gives it."""

    def __init__(
        self,
        command: Sequence[str],
        environ: Mapping[str, str],
        columns: int = 80,
        rows: int = 24,
        folder: Path | None = None,
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * 8, rows * 16))
        self.modes = termios.tcgetattr(slave)
        self.sent = b""
        self._slave = slave
        self._ends = [slave, self._master]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=dict(environ),
            cwd=folder,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.hang_up()

    def read(self, quiet: float) -> bytes:
        """All that is sent until nothing has come for `quiet` seconds."""
        begun = len(self.sent)
        while self._take(quiet):
            pass
        return self.sent[begun:]

    def until(self, wanted: bytes | Callable[[bytes], bool], limit: float = WAIT) -> bytes:
        """What is sent until the wanted has come, counted from the beginning; fails after `limit` seconds."""
        end = time.monotonic() + limit
        while not (wanted(self.sent) if callable(wanted) else wanted in self.sent):
            left = end - time.monotonic()
            assert left > 0, f"{wanted!r} did not come; the last that came: {self.sent[-2000:]!r}"
            if not self._take(min(left, 0.5)) and self.process.poll() is not None:
                assert wanted(self.sent) if callable(wanted) else wanted in self.sent, self.sent[-3000:]
                break
        return self.sent

    def press(self, keys: str) -> None:
        """As if typed."""
        os.write(self._master, keys.encode())

    def end(self, limit: float = WAIT) -> int:
        """The exit code, once the command has ended; what it sends meanwhile is read."""
        end = time.monotonic() + limit
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it did not end; the last that came: {self.sent[-2000:]!r}"
            self._take(0.05)
        self.read(0.05)
        return self.process.returncode

    def hang_up(self) -> None:
        """The terminal goes away, as when its window is closed."""
        for end in self._ends:
            os.close(end)
        self._ends.clear()

    def now(self) -> list[object]:
        """The terminal's modes as they are."""
        return list(termios.tcgetattr(self._slave))

    def _take(self, limit: float) -> bool:
        if not select.select([self._master], [], [], limit)[0]:
            return False
        part = os.read(self._master, 65536)
        self.sent += part
        return bool(part)
