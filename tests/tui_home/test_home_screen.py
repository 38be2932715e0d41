"""Home: what stands there, where enter leads, and what it says of runs that are played or were broken off."""

import threading
from pathlib import Path

import pytest
from textual.screen import Screen

from iwtui.archive.registry import Registration
from iwtui.bench.codec import encode
from iwtui.bench.events import EpisodeEnded, Record
from iwtui.bench.names import EpisodeName
from iwtui.tui.answers import Overview
from iwtui.tui.launch import Launched, LaunchError
from iwtui.tui.queries import Questions
from iwtui.tui.screens.home import HomeScreen
from iwtui.tui.screens.metrics import MetricsScreen
from iwtui.tui.widgets.table import Table
from tests.cli.scribe import Scribe, add_whole, make_case, whole_episode, whole_judging
from tests.tui_home.stage import HOSTILE, SIZES, Stage, Stand, until

GOING = EpisodeName("second", "gallery_P-RAM", "scripted-clarifier", 1, 1)


class Home(Stage):
    """The console at its beginning."""

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen()

    @property
    def now(self) -> Screen[object]:
        return self.screen

    @property
    def runs(self) -> "Table[object]":
        return self.screen.query_one("#run-table", Table)

    @property
    def episodes(self) -> "Table[object]":
        return self.screen.query_one("#episode-table", Table)


def measured(app: Home) -> str | None:
    """The run of which the metrics are shown; None for all."""
    assert isinstance(app.now, MetricsScreen)
    return app.now.run


@pytest.mark.parametrize("size", SIZES)
async def test_runs_and_episodes_are_shown_at_any_size(stored: Scribe, size: tuple[int, int]) -> None:
    app = Home(stored.store.root)
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: len(app.episodes.rows) == 8)
        assert "2 runs" in app.shown
        assert "! broken off" in app.shown
        assert "7/8" in app.shown
        for other in SIZES:
            await pilot.resize_terminal(*other)
            await pilot.pause()
            assert "bakery_P-MIN" in app.shown
            lines = app.shown.split("\n")
            assert {len(line) for line in lines if "│" in line} <= {other[0]}


async def test_an_empty_store_says_what_to_do(tmp_path: Path) -> None:
    app = Home(tmp_path / "nothing")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "No run is here yet" in app.shown)
        assert "iwtui demo" in app.shown
        await pilot.press("enter", "R", "x", "a")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
    assert not (tmp_path / "nothing").exists()


async def test_enter_leads_to_the_metrics_of_a_run_and_to_an_episode(
    stored: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iwtui.tui.screens.episode.EpisodeScreen", Stand)
    app = Home(stored.store.root, run="first")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.episodes.rows) == 1)
        await pilot.press("enter")
        assert measured(app) == "first"
        await app.pop_screen()
        await pilot.press("a")
        assert measured(app) is None
        await app.pop_screen()
        await pilot.press("tab", "enter")
        assert isinstance(app.now, Stand)
        assert str(app.now.episode) == "first/bakery_P-MIN.scripted-blind.r1.a1"


async def test_the_cursor_on_another_run_shows_its_episodes(stored: Scribe) -> None:
    app = Home(stored.store.root, run="first")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.episodes.rows) == 1)
        await pilot.press("up" if app.runs.lines.index else "down")
        await until(pilot, lambda: len(app.episodes.rows) == 8)


async def test_finding_keeps_what_holds_a_text(stored: Scribe) -> None:
    app = Home(stored.store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.episodes.rows) == 8)
        await pilot.press("slash", *"gallery", "enter")
        await until(pilot, lambda: len(app.episodes.rows) == 4)
        await pilot.press("slash", "backspace", "enter")
        await until(pilot, lambda: len(app.episodes.rows) == 8)
        assert len(app.runs.rows) == 2


async def test_a_live_run_is_seen_growing_and_its_end_is_told(stored: Scribe) -> None:
    app = Home(stored.store.root, run="second")
    with Registration(stored.store.root, "second"):
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "▸ playing" in app.shown)
            await until(pilot, lambda: "2/15" in app.shown)
            with stored.store.run("second").episode_log(GOING).open("ab") as log:
                log.write(encode(Record(9, 0.0, 2, EpisodeEnded(status="crashed", stop_reason="site"))))
            await until(pilot, lambda: "✗ crashed" in app.shown and "8/8" in app.shown)
            assert app.notes == []


async def test_a_run_whose_process_is_gone_is_told_and_offered(stored: Scribe) -> None:
    app = Home(stored.store.root, run="second")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        with Registration(stored.store.root, "second"):
            await until(pilot, lambda: "▸ playing" in app.shown)
        await until(pilot, lambda: app.notes, limit=5)
        assert "second is not being played any more" in app.notes[0][0]
        assert "7 of 8 episodes are over; R goes on" in app.notes[0][1]
        await until(pilot, lambda: app.shown.count("! broken off") == 2)


async def test_going_on_starts_a_process_or_says_why_not(stored: Scribe, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool]] = []

    def go_on(store: object, folder: object, retry: bool) -> Launched:
        asked.append((getattr(folder, "name", ""), retry))
        if len(asked) > 1:
            raise LaunchError("it is held by [/ a process\x1b[2J")
        return Launched("second", 4242, "log")

    monkeypatch.setattr("iwtui.tui.screens.going_on.go_on", go_on)
    app = Home(stored.store.root, run="second")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "! broken off" in app.shown)
        await pilot.press("R")
        await until(pilot, lambda: app.pids == [4242])
        await until(pilot, lambda: "▸ starting" in app.shown)
        screen = app.screen
        assert isinstance(screen, HomeScreen)
        screen.feed.not_begun("second")
        await until(pilot, lambda: "▸ starting" not in app.shown)
        await pilot.press("R")
        await until(pilot, lambda: len(app.notes) == 2)
        await until(pilot, lambda: "▸ starting" not in app.shown)
    assert asked == [("second", False), ("second", False)]
    assert app.notes[1][0] == "second does not go on"


async def test_a_store_full_of_hostile_text_is_shown(scribe: Scribe) -> None:
    add_whole(scribe, "first", HOSTILE)
    app = Home(scribe.store.root)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: len(app.episodes.rows) == 1)
        assert "\x1b" not in app.shown and "\x9b" not in app.shown


async def test_a_fault_that_nobody_foresaw_is_told_and_asking_goes_on(
    stored: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Questions.overview
    faults = [RuntimeError("no [/ luck")]

    def overview(questions: Questions) -> Overview:
        if faults:
            raise faults.pop()
        return real(questions)

    monkeypatch.setattr(Questions, "overview", overview)
    monkeypatch.setattr("iwtui.tui.screens.home_feed.REFRESH", 0.1)
    app = Home(stored.store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.notes == [("overview failed", "no [/ luck")])
        await until(pilot, lambda: "7/8" in app.shown)


async def test_live_runs_of_other_stores_are_counted(stored: Scribe, tmp_path: Path) -> None:
    app = Home(stored.store.root)
    with Registration(tmp_path / "other", "run"):
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "1 run live in other stores" in app.shown)


async def test_forks_and_imports_say_what_they_are_and_are_not_gone_on_with(scribe: Scribe) -> None:
    case = make_case("bakery", "P-MIN")
    for kind in ("fork", "import", "replay"):
        scribe.run(f"a-{kind}", [case, make_case("gallery", "P-MIN")], kind=kind)
        scribe.episode(f"a-{kind}", "bakery_P-MIN.scripted-blind.r1.a1", whole_episode(scribe, case))
        scribe.judging(f"a-{kind}", "bakery_P-MIN.scripted-blind.r1.a1", whole_judging())
    app = Home(scribe.store.root, run="a-fork")
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.episodes.rows) == 1 and "25.0" in app.shown)
        assert "↳ fork" in app.shown and "⇥ import" in app.shown
        assert app.shown.count("broken off") == 1, "of the replay, which can be gone on with"
        assert app.shown.count("1/2") >= 2, "its own episodes are counted, though they are in no mean"
        await pilot.press("R")
        await until(pilot, lambda: app.notes)
        assert app.notes[0][0] == "a-fork: no resume"
        await pilot.press("a")
        await until(pilot, lambda: "1 episode of 1 run" in app.shown)


async def test_home_begins_where_it_was_left(stored: Scribe) -> None:
    app = Home(stored.store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.episodes.rows) == 8)
        await pilot.press("tab", "o", "g", "j", "j", "j")
        await until(pilot, lambda: app.episodes.lines.index == 3)
        left = app.episodes.current
    again = Home(stored.store.root)
    again.remembered = app.remembered
    async with again.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: again.episodes.lines.has_focus and again.episodes.current == left)
        assert "case ▴" in again.shown


async def test_a_very_low_screen_shows_runs_and_episodes(stored: Scribe) -> None:
    app = Home(stored.store.root, run="second")
    async with app.run_test(size=(40, 10), notifications=True) as pilot:
        await until(pilot, lambda: len(app.episodes.rows) == 8)
        await until(pilot, lambda: "second" in app.shown and "bakery_P-MIN" in app.shown)
        assert "first" in app.shown or app.runs.lines.index == 0
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: "gallery_P-RAM" in app.shown)


@pytest.mark.parametrize(("keys", "opened"), [(("enter",), True), (("enter", "down"), False)])
async def test_enter_on_a_table_waits_for_its_rows_unless_something_else_is_done(
    stored: Scribe, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], opened: bool
) -> None:
    read = threading.Event()
    real = Questions.plans

    def plans(questions: Questions) -> Overview:
        read.wait(10)
        return real(questions)

    monkeypatch.setattr(Questions, "plans", plans)
    monkeypatch.setattr(Questions, "overview", plans)
    app = Home(stored.store.root, run="first")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "Looking for runs" in app.shown)
        await pilot.press(*keys)
        assert isinstance(app.screen, HomeScreen)
        read.set()
        await until(pilot, lambda: len(app.screen_stack) > 1 or len(app.runs.rows) == 2)
        await until(pilot, lambda: isinstance(app.screen, MetricsScreen) is opened)
        if opened:
            assert measured(app) == "first"
