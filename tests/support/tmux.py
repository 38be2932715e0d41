"""A shell in a tmux of its own: keys sent as a person would type them, and what then stands in the window."""

import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

LIMIT = 30.0
LOOK = 0.1
"""Seconds between two looks at the window."""

SETTINGS = "set -g status off\nset -g escape-time 0\nset -g default-terminal {term}\n"
PROMPT = "$ "


Wanted = str | Callable[[str], object]
"""A regular expression to be found in what stands in the window, or a function that has to hold of it."""


def stands(wanted: Wanted, text: str) -> bool:
    """Whether it does."""
    return bool(wanted(text) if callable(wanted) else re.search(wanted, text))


class Tmux:
    """A window of `size` (columns, rows); its server, its socket and its settings are its own."""

    def __init__(self, size: tuple[int, int], environ: Mapping[str, str], folder: Path) -> None:
        self.size = size
        self._environ = dict(environ) | {"PS1": PROMPT}
        self._folder = folder
        self._own = tempfile.TemporaryDirectory(prefix="tmux-")
        self._socket = Path(self._own.name) / "socket"

    def __enter__(self) -> Self:
        settings = Path(self._own.name) / "tmux.conf"
        settings.write_text(SETTINGS.format(term=self._environ["TERM"]))
        columns, rows = self.size
        session = ["new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(self._folder)]
        self._tell("-f", str(settings), *session, "bash", "--noprofile", "--norc", env=self._environ)
        try:
            self.until(lambda text: text.startswith(PROMPT.strip()))
        except AssertionError:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._tell("kill-server")
        self._own.cleanup()

    def type(self, text: str, enter: bool = True) -> None:
        """As it stands, then the enter key."""
        self._tell("send-keys", "-l", text)
        if enter:
            self.press("Enter")

    def press(self, *keys: str) -> None:
        """Keys by tmux's names for them."""
        self._tell("send-keys", *keys)

    def text(self) -> str:
        """What stands in the window."""
        return self._tell("capture-pane", "-p")

    def coloured(self) -> str:
        """The same with its colours, every line as wide as the window."""
        return self._tell("capture-pane", "-e", "-p", "-N")

    def until(self, wanted: Wanted, limit: float = LIMIT) -> str:
        """What stands in the window, once that is what is wanted; fails after `limit` seconds."""
        ends = time.monotonic() + limit
        while True:
            text = self.text()
            if stands(wanted, text):
                return text
            assert time.monotonic() < ends, f"{wanted!r} did not come:\n{text}"
            time.sleep(LOOK)

    def still(self, quiet: float = 0.4, limit: float = LIMIT) -> None:
        """Waits until the window has not changed for `quiet` seconds; a cursor may blink each half second."""
        ends, before, since = time.monotonic() + limit, "", time.monotonic()
        while time.monotonic() - since < quiet:
            assert time.monotonic() < ends, f"it is never still:\n{before}"
            now = self.coloured()
            if now != before:
                before, since = now, time.monotonic()
            time.sleep(LOOK)

    def _tell(self, *command: str, env: Mapping[str, str] | None = None) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *command],
            env=env,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=20,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout
