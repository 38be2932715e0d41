"""Watching a run: from the writing of an event to its paint, and what watchers cost the one who writes.

What a person should find: an event is on the screen <= 200 ms after it was written (p95), here and through ssh to this very
machine (taken when there is an sshd); appending to a log takes <= 1.05 times as long with five watchers as without.
"""

import os
import random
import select
import signal
import statistics
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

from iwtui.archive.log import LogWriter
from iwtui.archive.registry import Registration
from iwtui.archive.store import Store
from iwtui.bench.events import BrowserStepped, TurnStarted
from tests.support.ptys import Terminal
from tests.support.runner import environment
from tests.support.sshd import door, missing
from tests.support.stores import make_case, make_run, play

SIZES = ((80, 24), (160, 48))
EVENTS = 40
GAP = (0.15, 0.75)
"""Seconds between two events, drawn evenly: no rhythm that a poll could fall in with."""
BLOCKS = 60
APPENDS = 80
BETWEEN = 0.004
"""Seconds between two appends: 250 events a second, more than any run writes."""
Figures = dict[str, float]


def bench() -> Figures:
    """Times in ms, bytes an event, and a ratio; at 80x24 and 160x48 where it says so."""
    with tempfile.TemporaryDirectory(prefix="watch") as folder:
        root = Path(folder)
        figures: Figures = {}
        for size in SIZES:
            figures |= _followed(root / f"here{size[0]}", size, f"_{size[0]}x{size[1]}", over_ssh=False)
            if not missing():
                figures |= _followed(root / f"ssh{size[0]}", size, f"_ssh_{size[0]}x{size[1]}", over_ssh=True)
        return figures | _appending(root / "appending")


def _followed(root: Path, size: tuple[int, int], named: str, over_ssh: bool) -> Figures:
    """An episode, opened from the list of what is being played and followed while events are written to it."""
    generator = random.Random(7)
    with ExitStack() as stack:
        log = stack.enter_context(_played(root))
        environ = _environ(root)
        command = [sys.executable, "-m", "iwtui", "watch"]
        if over_ssh:
            command = stack.enter_context(door(root / "keys")).command(command, environ)
        terminal = stack.enter_context(Terminal(command, environ, *size, folder=root))
        terminal.until(b"bakery_P-MIN")
        terminal.press("\r")
        terminal.read(0.3)
        terminal.press("\r")
        terminal.until(b"Timeline")
        terminal.read(1.0)
        waits: list[float] = []
        sizes: list[float] = []
        for number in range(EVENTS):
            word = "".join(generator.choices(string.ascii_lowercase, k=9))
            terminal.sent = b""
            log.append(TurnStarted(message=word), 3 + number)
            began = time.perf_counter()
            terminal.until(word.encode())
            waits.append(1000 * (time.perf_counter() - began))
            terminal.read(generator.uniform(*GAP))
            sizes.append(len(terminal.sent))
    ordered = sorted(waits)
    return {
        f"paint_ms_p50{named}": statistics.median(ordered),
        f"paint_ms_p95{named}": ordered[int(0.95 * (len(ordered) - 1))],
        f"event_bytes{named}": statistics.median(sizes),
    }


def _appending(root: Path) -> Figures:
    """The time of an append with five watchers that run, and with the same five held still, in turns.

    The log is written by a process of its own, so that nothing here gets into its way.
    """
    with ExitStack() as stack:
        watchers = []
        with _played(root):
            for how in (["--plain"], ["--plain"], ["--plain"], [], []):
                command = [sys.executable, "-m", "iwtui", "watch", *how]
                watchers.append(stack.enter_context(Terminal(command, _environ(root), folder=root)))
            for watcher in watchers:
                watcher.until(b"being played")
        writer = subprocess.Popen(
            [sys.executable, "-c", "from tests.bench.watch_bench import write; write()", str(root)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environ(root), bufsize=1,
        )  # fmt: skip
        assert writer.stdin is not None
        assert writer.stdout is not None
        stack.callback(writer.wait)
        stack.callback(writer.stdin.close)
        times: dict[bool, list[float]] = {True: [], False: []}
        writer.stdout.readline()
        for block in range(BLOCKS):
            watched = block % 2 == 0
            for process in _processes(watchers):
                process.send_signal(signal.SIGCONT if watched else signal.SIGSTOP)
            writer.stdin.write("go\n")
            while not select.select([writer.stdout], [], [], 0)[0]:
                for watcher in watchers:
                    watcher.read(0.01)
                    watcher.sent = b""
            times[watched].append(float(writer.stdout.readline()))
        for process in _processes(watchers):
            process.send_signal(signal.SIGCONT)
    with_them, without = (statistics.median(times[watched]) for watched in (True, False))
    ratio = statistics.median(one / other for one, other in zip(times[True], times[False], strict=True))
    return {"append_us": without, "append_watched_us": with_them, "append_ratio": ratio}


def write() -> None:
    """For each line of stdin, append so many events to the log; prints the median of an append in microseconds."""
    with _played(Path(sys.argv[1])) as log:
        # As most events of a run are: a browser step with what was thought.
        event = BrowserStepped(phase="verify", step=1, action="click", target="Add", thought="It should add. " * 80, url="/")
        print("ready", flush=True)
        for _ in sys.stdin:
            times = []
            for _ in range(APPENDS):
                began = time.perf_counter()
                log.append(event, 3)
                times.append(1e6 * (time.perf_counter() - began))
                time.sleep(BETWEEN)
            print(statistics.median(times), flush=True)


def _processes(terminals: list[Terminal]) -> list[psutil.Process]:
    first = [psutil.Process(terminal.process.pid) for terminal in terminals]
    return [*first, *(child for one in first for child in one.children(recursive=True))]


@contextmanager
def _played(root: Path) -> Iterator[LogWriter]:
    """The log of an episode of a run that this process is registered for."""
    store, case = Store(root / "store"), make_case()
    if "live" in store.runs():
        folder, name = store.run("live"), store.run("live").episodes()[0]
    else:
        folder = make_run(store, "live", [case])
        name = play(folder, case, actions="CI", end=None, began=time.time())
    live = Path(_environ(root)["XDG_RUNTIME_DIR"]) / "iwtui" / "live"
    with Registration(store.root, "live", live), LogWriter(folder.episode_log(name), store.blobs) as log:
        yield log


def _environ(root: Path) -> dict[str, str]:
    seen = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "IWTUI_IMAGES": "off"}
    needed = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path.cwd()), "HOME": str(root)}
    folders = {key: value for key, value in environment(root).items() if key.startswith("XDG_")}
    return seen | needed | folders
