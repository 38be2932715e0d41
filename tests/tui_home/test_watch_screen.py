"""The screen of all that is being played: several stores, one reader, and nothing written anywhere."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widget import Widget

from iwtui.archive.log import LogWriter
from iwtui.archive.registry import Registration
from iwtui.archive.store import Store
from iwtui.bench.events import EpisodeEnded, TurnStarted
from iwtui.bench.names import EpisodeName
from iwtui.tui.board import Playing
from iwtui.tui.screens.episode import EpisodeScreen
from iwtui.tui.screens.home import HomeScreen
from iwtui.tui.screens.watch import WatchScreen
from tests.support.stores import make_case, make_run, play
from tests.tui_home.stage import HOSTILE, SIZES, Stage, until


def _played(root: Path, run: str, text: str = "") -> EpisodeName:
    case = make_case()
    return play(make_run(Store(root), run, [case]), case, builder=f"m{text}", actions="CI", end=None, began=time.time())


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """Two stores in each of which a run is played."""
    here, there = tmp_path / "here", tmp_path / "there"
    _played(here, "first")
    _played(there, "second")
    with Registration(here, "first"), Registration(there, "second"):
        yield here, there


def _files(*roots: Path) -> list[tuple[Path, int]]:
    return sorted((file, file.stat().st_mtime_ns) for root in roots for file in root.rglob("*"))


def _screen(app: Stage) -> WatchScreen:
    assert isinstance(app.screen, WatchScreen)
    return app.screen


@pytest.mark.parametrize("size", SIZES)
async def test_the_runs_of_every_store_and_their_episodes(two: tuple[Path, Path], size: tuple[int, int]) -> None:
    app = Stage(two[0])
    async with app.run_test(size=size, notifications=True) as pilot:
        await app.push_screen(WatchScreen())
        await until(pilot, lambda: "2 runs being played" in app.shown)
        assert {sight.row.name for sight in _screen(app)._sights.rows} == {"first", "second"}
        await until(pilot, lambda: "bakery_P-MIN" in app.shown)
        assert all(len(line) <= size[0] for line in app.shown.splitlines())
        assert app.notes == []


async def test_an_episode_of_another_store_opens_and_one_comes_back_to_ones_own(two: tuple[Path, Path]) -> None:
    app = Stage(two[0])
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        await app.push_screen(WatchScreen())
        await until(pilot, lambda: len(_screen(app)._sights.rows) == 2)
        screen = _screen(app)
        screen._sights.go((two[1], "second"))
        await pilot.press("enter")
        await until(pilot, lambda: screen._episodes.lines.has_focus)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, EpisodeScreen) and app.screen.view is not None)
        assert app.store.root == two[1]
        with LogWriter(Store(two[1]).run("second").episode_log(_name(app.screen)), Store(two[1]).blobs) as log:
            log.append(TurnStarted(message="written while it is watched"), 3)
            await until(pilot, lambda: "written while it is watched" in app.shown)
        app.pop_screen()
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        assert app.store.root == two[0]
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert app.store.root == two[1]


def _name(screen: Widget) -> EpisodeName:
    assert isinstance(screen, EpisodeScreen)
    return screen.episode


async def test_watching_writes_nothing_and_locks_nothing(two: tuple[Path, Path]) -> None:
    before = _files(*two)
    app = Stage(two[0])
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await app.push_screen(WatchScreen())
        await until(pilot, lambda: len(_screen(app)._sights.rows) == 2)
        await pilot.press("enter", "enter")
        await until(pilot, lambda: isinstance(app.screen, EpisodeScreen) and app.screen.view is not None)
        held = {Path(f"/proc/self/fd/{fd.name}").resolve() for fd in Path("/proc/self/fd").iterdir()}
        assert not [path for path in held if any(path.is_relative_to(root) for root in two)]
    assert _files(*two) == before


async def test_runs_come_and_go_while_one_looks(tmp_path: Path) -> None:
    name = _played(tmp_path / "late", "late")
    app = Stage(tmp_path / "own")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await app.push_screen(WatchScreen())
        await until(pilot, lambda: "Nothing is being played" in app.shown)
        with Registration(tmp_path / "late", "late"):
            await until(pilot, lambda: "1 run being played" in app.shown)
            assert "Episodes of late" in app.shown
            store = Store(tmp_path / "late")
            with LogWriter(store.run("late").episode_log(name), store.blobs) as log:
                log.append(EpisodeEnded(status="cancelled", stop_reason="person"), 2)
            await until(pilot, lambda: _screen(app)._sights.rows[0].row.over == 1)
        await until(pilot, lambda: _screen(app)._sights.rows[0].row.going.playing is Playing.IDLE)
        assert "■ done" in app.shown


async def test_hostile_names_stay_text(tmp_path: Path) -> None:
    root = tmp_path / "st[/]ore\x1b[2J"
    case = make_case()
    play(make_run(Store(root), "run", [case]), case, builder=HOSTILE.replace("/", ""), actions="C", end=None)
    app = Stage(tmp_path / "own")
    with Registration(root, "run"):
        async with app.run_test(size=(160, 40), notifications=True) as pilot:
            await app.push_screen(WatchScreen())
            await until(pilot, lambda: "1 run being played" in app.shown)
            assert not [char for char in app.shown if ord(char) < 32 and char != "\n"]


async def test_many_writers_and_a_reader(tmp_path: Path) -> None:
    """A reader of runs that all grow meets no fault, and sees the last of each."""
    case = make_case()
    stores = [Store(tmp_path / f"store{number}") for number in range(4)]
    names = [play(make_run(store, "run", [case]), case, actions="C", end=None) for store in stores]
    registrations = [Registration(store.root, "run") for store in stores]
    app = Stage(tmp_path / "own")

    def write(store: Store, name: EpisodeName) -> None:
        with LogWriter(store.run("run").episode_log(name), store.blobs) as log:
            for turn in range(2, 40):
                log.append(TurnStarted(message=f"turn {turn}"), turn)

    for registration in registrations:
        registration.__enter__()
    try:
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await app.push_screen(WatchScreen())
            writers = [threading.Thread(target=write, args=pair) for pair in zip(stores, names, strict=True)]
            for writer in writers:
                writer.start()
            for writer in writers:
                writer.join()
            await until(pilot, lambda: len(_screen(app)._sights.rows) == 4)
            await until(pilot, lambda: all(sight.episodes[0].turns == 39 for sight in _screen(app)._sights.rows))
    finally:
        for registration in registrations:
            registration.__exit__()
