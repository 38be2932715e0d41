"""The console in a terminal, by the bytes that it sends: first paint, stepping through a long episode, eight live ones.

What a person should find, at 80x24 and at 160x48: first paint with 404 episodes <= 1 s, and before harlequin's (taken when
it is installed); an episode of 7,000 events opens <= 500 ms; a key paints <= 50 ms (p95); a moved cursor < 2 kB, a new page
<= 6 kB, a picture in half cells <= 25 kB; eight running episodes < 5 kB/s; memory < 300 MB. The terminal answers nothing.

How quick the machine is just now is told by the start of an application that shows one word (`bare_ms`): the ratios to it
are what a busy machine does not change much. `_cpu_ms` is processor time of the console's own processes.
"""

import importlib.util
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import psutil

from iwtui.archive.index import Index
from iwtui.archive.log import LogWriter
from iwtui.archive.registry import Registration
from iwtui.archive.store import Store
from iwtui.bench.events import BrowserStepped, TurnStarted
from iwtui.bench.names import episode_name
from tests.support.long_episode import BUILDER, EVENTS, long_events
from tests.support.ptys import Terminal
from tests.support.runner import environment
from tests.support.stores import F, P, judge, make_case, make_run, play

SIZES = ((80, 24), (160, 48))
EPISODES = 404
RUNNING = 8
BEAT = 0.137
"""Seconds from key to key: a held key, about."""
STARTS = 2
OPENS = 3
CAPTION = 2_500
"""Bytes, at most, of what is sent of a picture before itself."""
BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("hello")
Bare().run()
"""
WATCHED = 10.0
"""Seconds that the running episodes are watched for."""
Figures = dict[str, float]


def bench() -> Figures:
    """Times in ms, sizes in bytes (an `_kb_s` in kB a second, an `_mb` in MB); at 80x24 and 160x48 where it says so."""
    with tempfile.TemporaryDirectory(prefix="console") as folder:
        root = Path(folder)
        return _first_paint(root / "first") | _long_episode(root / "long") | _running(root / "live")


# Starting.


def _first_paint(root: Path) -> Figures:
    store = Store(root / "store")
    cases = [make_case(f"seed{number:03}", difficulty=("easy", "middle", "hard")[number % 3]) for number in range(EPISODES)]
    folder = make_run(store, "many", cases)
    for case in cases:
        judge(folder, play(folder, case, actions="CIVS"), (P, P, F, P))
    Index(store).catch_up()
    harlequin = _harlequin()
    figures: Figures = {}
    floor: list[float] = []
    paints: dict[tuple[int, int], tuple[list[float], list[float]]] = {size: ([], []) for size in SIZES}
    theirs: dict[tuple[int, int], list[float]] = {size: [] for size in SIZES}
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import textual.app, textual.screen"], check=True, timeout=60)
        floor.append(_ms(began))
        for size in SIZES:
            began = time.perf_counter()
            with _console(store, root, size) as terminal:
                terminal.until(b"many")
                paints[size][0].append(_ms(began))
                terminal.until(f"{EPISODES}/{EPISODES}".encode())
                paints[size][1].append(_ms(began))
            if harlequin:
                copy = shutil.copy(store.root / "iwtui.duckdb", root / "copy.duckdb")
                began = time.perf_counter()
                command = [harlequin, "--no-download-tzdata", "-r", str(copy)]
                with Terminal(command, _environ(root) | {"HOME": str(root)}, *size, folder=root) as terminal:
                    terminal.until(b"Catalog")
                    theirs[size].append(_ms(began))
    figures["import_textual_ms"] = statistics.median(floor)
    for size in SIZES:
        first, filled = (statistics.median(column) for column in paints[size])
        figures |= {f"first_paint_ms{_at(size)}": first, f"first_figures_ms{_at(size)}": filled}
        if theirs[size]:
            other = statistics.median(theirs[size])
            figures[f"harlequin_ms{_at(size)}"] = other
            figures["harlequin_ratio"] = max(figures.get("harlequin_ratio", 0.0), first / other)
    figures["first_paint_ratio"] = figures[f"first_paint_ms{_at(SIZES[0])}"] / figures["import_textual_ms"]
    return figures


def _harlequin() -> str | None:
    beside = Path(sys.executable).with_name("harlequin")
    return str(beside) if importlib.util.find_spec("harlequin") and beside.exists() else shutil.which("harlequin")


# A long episode.


def _long_episode(root: Path) -> Figures:
    store = Store(root / "store")
    case = make_case("big")
    folder = make_run(store, "long", [case])
    name = episode_name("long", case.id, BUILDER, 1, 1)
    with LogWriter(folder.episode_log(name), store.blobs) as log:
        for turn, event in long_events(store.blobs):
            log.append(event, turn)
        assert log.next_seq == EVENTS
    Index(store).catch_up()
    size = sum(file.stat().st_size for file in (store.root).rglob("*") if file.is_file() and file.suffix != ".duckdb")
    figures: Figures = {"long_episode_mb": size / 1e6}
    for size_ in SIZES:
        figures |= {f"{key}{_at(size_)}": value for key, value in _opened(store, root, size_).items()}
    return figures


def _opened(store: Store, root: Path, size: tuple[int, int]) -> Figures:
    """The episode opened by consoles that never did before, each beside a bare application; then walked through."""
    bare, opens, spent, figures = [], [], [], {}
    for number in range(OPENS):
        bare.append(_bare(root, size))
        home = root / f"home{_at(size)}_{number}"  # nothing is remembered from the time before
        with _console(store, home, size) as terminal:
            terminal.until(b"crashed")
            terminal.read(0.5)
            terminal.press("\t")
            terminal.read(0.3)
            before = _cpu(terminal)
            opens.append(_painted(terminal, "\r", 1, b"click Add 1"))
            spent.append(_cpu(terminal) - before)
            if number == OPENS - 1:
                terminal.read(1.0)
                figures = _walk(terminal)
    start = statistics.median(bare)
    figures |= {"bare_ms": start, "open_ms": statistics.median(opens), "open_cpu_ms": statistics.median(spent)}
    figures["open_ratio"] = min(one / beside for one, beside in zip(opens, bare, strict=True))
    return figures | {f"step_ratio_{part}": figures[f"step_ms_{part}"] / start for part in ("p50", "p95")}


def _bare(root: Path, size: tuple[int, int]) -> float:
    """Milliseconds until an application of Textual's that does nothing shows its word."""
    began = time.perf_counter()
    with Terminal([sys.executable, "-c", BARE], _environ(root), *size, folder=root) as terminal:
        terminal.until(b"hello")
        return _ms(began)


def _cpu(terminal: Terminal) -> float:
    """Milliseconds of processor time that the console has had."""
    times = [psutil.Process(pid).cpu_times() for pid in _processes(terminal)]
    return sum(1000.0 * float(one.user + one.system) for one in times)


def _processes(terminal: Terminal) -> list[int]:
    return [terminal.process.pid, *(child.pid for child in psutil.Process(terminal.process.pid).children())]


def _walk(terminal: Terminal) -> Figures:
    at, times = 1, []
    sizes: dict[int, list[float]] = {1: [], -1: []}
    before = _cpu(terminal)
    for key, step, count in (("\x1b[C", 1, 30), ("j", 1, 15), ("\x1b[D", -1, 8), ("k", -1, 7)):
        for _ in range(count):
            began = time.perf_counter()
            at += step
            times.append(_painted(terminal, key, at))
            _listen(terminal, BEAT - (time.perf_counter() - began))
            sizes[step].append(len(terminal.sent))
    # Onwards the list scrolls now and then, by half a window; backwards only the cursor moves.
    figures = _spread("step_ms", times) | {"step_cpu_ms": (_cpu(terminal) - before) / len(times)}
    figures |= _spread("stepping_bytes", sizes[1]) | _spread("moving_step_bytes", sizes[-1])
    terminal.read(0.8)
    figures |= _spread("page_bytes", [_bytes(terminal, key, 0.2) for key in ("\x1b[6~", "\x1b[5~") * 4])
    terminal.read(0.8)
    pictures = []
    for _ in range(4):
        _bytes(terminal, "\x1b[C", 0.15)
        terminal.sent = b""
        terminal.until(lambda sent: len(sent) > CAPTION)
        terminal.read(0.4)
        pictures.append(len(terminal.sent))
    figures |= _spread("picture_bytes", pictures) | {"memory_mb": _peak(terminal)}
    return figures | _spread("tab_bytes", [_bytes(terminal, "\t", 0.4) for _ in range(5)])


def _painted(terminal: Terminal, key: str, event: int, row: bytes = b"") -> float:
    """Milliseconds from a key until the screen says that the cursor is on that event (from 1), and shows that row."""
    terminal.sent = b""
    began = time.perf_counter()
    terminal.press(key)
    place = f"{event}/{EVENTS}".encode()
    terminal.until(lambda sent: place in sent and row in sent)
    return _ms(began)


def _bytes(terminal: Terminal, key: str, quiet: float) -> int:
    terminal.sent = b""
    terminal.press(key)
    return len(terminal.read(quiet))


def _listen(terminal: Terminal, seconds: float) -> None:
    """Takes what is sent for so long."""
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        terminal.read(min(left, 0.02))


def _peak(terminal: Terminal) -> float:
    """The most memory that the console has had: the larger of the two processes, what they share counted once."""
    said = [Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0] for pid in _processes(terminal)]
    return max(int(kib) for kib in said) * 1024 / 1e6


# Running episodes.


def _running(root: Path) -> Figures:
    store = Store(root / "store")
    cases = [make_case(f"seed{number}") for number in range(RUNNING)]
    folder = make_run(store, "live", cases)
    over = threading.Event()
    runtime = Path(_environ(root)["XDG_RUNTIME_DIR"])
    with ExitStack() as stack:
        stack.enter_context(Registration(store.root, "live", runtime / "iwtui" / "live"))
        names = [play(folder, case, actions="CI", end=None) for case in cases]
        logs = [stack.enter_context(LogWriter(folder.episode_log(name), store.blobs)) for name in names]
        writer = threading.Thread(target=_write_on, args=(logs, over))
        writer.start()
        stack.callback(writer.join)
        stack.callback(over.set)
        terminals = [stack.enter_context(_console(store, root, size)) for size in SIZES]
        for terminal in terminals:
            terminal.until(b"playing")
        for terminal in terminals:
            _listen(terminal, 2.0)
            terminal.sent = b""
        end = time.perf_counter() + WATCHED
        while time.perf_counter() < end:
            for terminal in terminals:
                _listen(terminal, 0.05)
        return {f"live_kb_s{_at(size)}": len(each.sent) / WATCHED / 1e3 for size, each in zip(SIZES, terminals, strict=True)}


def _write_on(logs: Sequence[LogWriter], over: threading.Event) -> None:
    """Two events a second to each log, one after the other, with what is being done just now."""
    number = 0
    while not over.wait(0.5 / len(logs)):
        turn, log = 3 + number // (len(logs) * 20), logs[number % len(logs)]
        begins = number // len(logs) % 20 == 0
        step = BrowserStepped(phase="verify", step=number, action="click", target="Add", thought="It should add.", url="/")
        log.append(TurnStarted(message="Go on.") if begins else step, turn)
        log.progress("verify", f"step {number // len(logs) % 20}")
        number += 1


# Of all.


def _console(store: Store, home: Path, size: tuple[int, int]) -> Terminal:
    command = [sys.executable, "-m", "iwtui", "--store", str(store.root)]
    return Terminal(command, _environ(home), *size, folder=home)


def _environ(home: Path) -> dict[str, str]:
    seen = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "IWTUI_IMAGES": "halfcell", "PYTHONPATH": str(Path.cwd())}
    return {key: value for key, value in environment(home).items() if key != "NO_COLOR"} | seen


def _spread(name: str, values: Sequence[float]) -> Figures:
    ordered = sorted(values)
    return {f"{name}_p50": statistics.median(ordered), f"{name}_p95": ordered[int(0.95 * (len(ordered) - 1))]}


def _at(size: tuple[int, int]) -> str:
    return f"_{size[0]}x{size[1]}"


def _ms(began: float) -> float:
    return 1000 * (time.perf_counter() - began)
