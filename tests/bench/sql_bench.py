"""The SQL console in a terminal, by the bytes that it sends: a result of 5,000,000 rows, and stopping a query without end.

What a person should find, at 80x24 and at 160x48: the first rows <= 500 ms after the query is sent; an arrow key <= 50 ms, a
page <= 150 ms; a character in the editor <= 50 ms; a cross join of all events stopped within 1 s; memory < 400 MB.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from iwtui.archive.index import Index
from iwtui.archive.store import Store
from tests.bench.console_bench import Figures, _at, _bare, _cpu, _environ, _peak, _spread
from tests.support.ptys import Terminal
from tests.support.stores import make_case, make_run, play

SIZES = ((80, 24), (160, 48))
ROWS = 5_000_000
BIG = f"select range as number, 'episode ' || range as name, range * 0.5 as half from range({ROWS})"
ENDLESS = "select count(*) from events a, events b, events c, events d, events e, range(1000000)"
RUN, TURN, ESCAPE, PAGE_DOWN = "\x12", "\x1b[17~", "\x1b", "\x1b[6~"
BEAT = 0.137
ASKED = 3


def bench() -> Figures:
    """Times in ms; memory in MB; `_ratio`: to the start of an application that shows one word, in the same run."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory(prefix="sql") as folder:
        root = Path(folder)
        store = Store(root / "store")
        case = make_case("big")
        play(make_run(store, "big", [case]), case, actions="CI" * 200)
        Index(store).catch_up()
        for size in SIZES:
            figures |= {
                f"{name}{_at(size)}": value for name, value in _measured(store, root / f"home{_at(size)}", size).items()
            }
    return figures


def _measured(store: Store, home: Path, size: tuple[int, int]) -> Figures:
    home.mkdir()
    start = _bare(home, size)
    command = [sys.executable, "-m", "iwtui", "--store", str(store.root), "--images", "off"]
    with Terminal(command, _environ(home), *size, folder=home) as terminal:
        terminal.until(b"big")
        terminal.read(1.0)
        terminal.press("S")
        terminal.until(b"The rows come here")
        terminal.read(0.5)
        typing = [_until_quiet(terminal, key) for key in BIG]
        first, counted = zip(*(_ask(terminal) for _ in range(ASKED)), strict=True)
        terminal.press(TURN)
        terminal.read(0.5)
        arrows = [_until_quiet(terminal, "j" if number % 10 < 9 else "k") for number in range(40)]
        pages = [_until_quiet(terminal, PAGE_DOWN) for _ in range(15)]
        before = _cpu(terminal)
        terminal.read(1.0)
        figures = {"idle_cpu_ms_s": _cpu(terminal) - before, "memory_mb": _peak(terminal)}
        terminal.press(TURN)
        terminal.read(0.5)
        stopped = _stopped(terminal)
    return (
        figures
        | {"first_rows_ms": statistics.median(first), "counted_ms": statistics.median(counted), "stopped_ms": stopped}
        | _spread("arrow_ms", arrows)
        | _spread("page_ms", pages)
        | _spread("typing_ms", typing)
        | {"arrow_ratio": statistics.median(arrows) / start, "first_rows_ratio": statistics.median(first) / start}
    )


def _ask(terminal: Terminal) -> tuple[float, float]:
    """Milliseconds until the first rows stand there, and until all are counted."""
    terminal.sent = b""
    began = time.perf_counter()
    terminal.press(RUN)
    terminal.until(b"first 10,000 of")
    first = 1000 * (time.perf_counter() - began)
    terminal.until(f"{ROWS:,}".encode())
    counted = 1000 * (time.perf_counter() - began)
    terminal.read(0.5)
    return first, counted


def _until_quiet(terminal: Terminal, key: str) -> float:
    """Milliseconds from a key to the last byte that it makes the console send within the beat of a held key."""
    terminal.sent = b""
    began = last = time.perf_counter()
    terminal.press(key)
    while (left := began + BEAT - time.perf_counter()) > 0:
        if terminal.read(min(left, 0.01)):
            last = time.perf_counter() - 0.01
    return 1000 * max(0.0, last - began)


def _stopped(terminal: Terminal) -> float:
    """Milliseconds from escape until the console says that a query without end is stopped."""
    terminal.press(";" + ENDLESS)
    terminal.read(0.5)
    terminal.press(RUN)
    terminal.until(b"esc stops it")
    terminal.read(0.05)
    terminal.until(b"1.")  # it has been going on for a second
    terminal.sent = b""
    began = time.perf_counter()
    terminal.press(ESCAPE)
    terminal.until(b"stopped")
    return 1000 * (time.perf_counter() - began)
