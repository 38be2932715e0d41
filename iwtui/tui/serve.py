"""Sites of stored episodes, served or photographed by `iwtui serve` in a process of its own. To be called in a thread."""

import subprocess
import sys
import threading
from pathlib import Path

from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.tui.launch import LaunchError, last_words

LIMIT = 240.0
"""Seconds that a picture may take; the dependencies of the site may have to be installed."""


class Served:
    """A site that is served until `end`, or until this process is gone. `url`: where.

    Raises LaunchError when it cannot be served.
    """

    def __init__(self, store: Store, episode: EpisodeName, turn: int) -> None:
        self.turn = turn
        self._said: list[bytes] = []
        self._process = subprocess.Popen(
            [*_serve(store, episode, turn), "--tied"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        listener = threading.Thread(target=self._listen, name="serving", daemon=True)
        listener.start()
        self.url = self._process.stdout.readline().decode("utf-8", "replace").strip()
        if not self.url:
            self._process.wait()
            listener.join()
            raise LaunchError(last_words(b"".join(self._said)) or "the site is not served")

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._said = [*self._said[-100:], line[:2_000]]

    def end(self) -> None:
        """Serve it no more; returns at once."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        # Whoever ends is to be waited for.
        threading.Thread(target=self._process.wait, name="reaper", daemon=True).start()


def photographed(store: Store, episode: EpisodeName, turn: int, file: Path) -> bytes:
    """A picture of the site as it was at the end of a turn; `file` holds it meanwhile. Raises LaunchError."""
    command = [*_serve(store, episode, turn), "--picture", str(file)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, start_new_session=True, check=False
        )
        if done.returncode != 0:
            raise LaunchError(last_words(done.stderr) or f"`iwtui serve` ended with exit code {done.returncode}")
        return file.read_bytes()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LaunchError(str(error)) from error


def _serve(store: Store, episode: EpisodeName, turn: int) -> list[str]:
    named = ["--turn", str(turn)] if turn else []
    return [sys.executable, "-m", "iwtui", "--store", str(store.root), "serve", str(episode), *named]
