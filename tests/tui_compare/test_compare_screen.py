"""The comparison of two runs: its lists to the slot, its figures, and the way to it and down from it."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.screen import Screen

from iwtui.archive.store import Store
from iwtui.tui.app import ConsoleApp
from iwtui.tui.comparing import run_named
from iwtui.tui.screens.compare import CompareScreen
from iwtui.tui.screens.compare_episodes import BesideScreen
from iwtui.tui.screens.home import HomeScreen
from iwtui.tui.screens.metrics import MetricsScreen
from iwtui.tui.state.compare import CompareLine
from iwtui.tui.widgets.table import Table
from tests.support.stores import SLOTS, F, P, judge, make_case, make_run, play
from tests.support.two_runs import APART, NEWLY_FAILING, NEWLY_FIXED, STILL_FAILING
from tests.tui_home.stage import HOSTILE, Stage, Stand, until

SIZES = [(80, 24), (120, 40), (160, 48)]


class Compared(Stage):
    """The comparison of `before` with `after`."""

    def get_default_screen(self) -> Screen[None]:
        return CompareScreen(run_named("before"), run_named("after"))

    @property
    def table(self) -> "Table[CompareLine]":
        return self.screen.query_one("#line-table", Table)

    @property
    def slots(self) -> list[tuple[str, int | None]]:
        return [(line.case, line.slot) for line in self.table.rows]


@pytest.mark.parametrize("size", SIZES)
async def test_the_lists_hold_exactly_the_slots_that_flipped(store: Store, size: tuple[int, int]) -> None:
    app = Compared(store.root)
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.slots == NEWLY_FAILING)
        assert "newly failing 2" in app.shown and "apart 1" in app.shown
        assert "B − A over 5 pairs" in app.shown and "-4.3" in app.shown and "-39.1 +21.7" in app.shown
        await pilot.press("right")
        assert app.slots == NEWLY_FIXED
        await pilot.press("l")
        assert app.slots == STILL_FAILING
        await pilot.press("right")
        assert [(line.case, line.why) for line in app.table.rows] == APART
        assert "missing" in app.shown
        await pilot.press("right")
        assert app.slots == NEWLY_FAILING
        await pilot.press("left")
        assert app.slots == [("museum_P-RAM", None)]


async def test_scripts_are_named_and_groups_stand_below_all_pairs(store: Store) -> None:
    app = Compared(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.slots)
        assert "played by scripts, not by models: A and B" in app.shown
        lines = [line for line in app.shown.split("\n") if "P-MIN easy" in line or "all pairs" in line]
        assert len(lines) == 2 and "91.3" in lines[1] and "87.0" in lines[1]


async def test_swapped_what_was_fixed_fails_newly(store: Store) -> None:
    app = Compared(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.slots == NEWLY_FAILING)
        await pilot.press("x")
        await until(pilot, lambda: app.slots == NEWLY_FIXED)
        assert "+4.3" in app.shown and "after against before" in app.shown


async def test_enter_leads_to_the_two_episodes_and_escape_back(store: Store) -> None:
    app = Compared(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.slots == NEWLY_FAILING)
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, BesideScreen))
        await until(pilot, lambda: "slot 2 Search: finds nothing: passed in A, failed in B" in app.shown)
        app.screen.dismiss()
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        assert app.table.current is not None and app.table.current.case == "museum_P-MIN"


async def test_a_case_apart_leads_to_the_episode_that_is_there(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.tui.screens.episode.EpisodeScreen", Stand)
    app = Compared(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.slots == NEWLY_FAILING)
        await pilot.press("left", "enter")
        await until(pilot, lambda: isinstance(app.screen, Stand))
        assert isinstance(app.screen, Stand) and (app.screen.episode.run, app.screen.episode.case) == (
            "before",
            "museum_P-RAM",
        )


async def test_what_cannot_be_compared_is_told(store: Store) -> None:
    make_run(store, "empty", [make_case()])
    app = Stage(store.root)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.push_screen(CompareScreen(run_named("before"), run_named("empty")))
        await until(pilot, lambda: app.notes)
        assert app.notes == [("These cannot be compared", "B has no episode: 'empty' fits none")]


async def test_a_fault_of_ours_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no [/ luck")

    monkeypatch.setattr("iwtui.analysis.compare.load_slots", fail)
    app = Compared(store.root)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: app.notes)
        assert app.notes[0][1] == "RuntimeError: no [/ luck"


async def test_hostile_text_is_shown(tmp_path: Path) -> None:
    store = Store(tmp_path / "hostile")
    case = make_case(slots=(replace(SLOTS[0], component=HOSTILE, expected=HOSTILE),))
    for run, verdict in (("before", P), ("after", F)):
        folder = make_run(store, run, [case])
        judge(folder, play(folder, case), [verdict])
    app = Compared(store.root)
    async with app.run_test(size=(160, 48), notifications=True) as pilot:
        await until(pilot, lambda: app.slots)
        assert "\x1b" not in app.shown and "\x9b" not in app.shown and "␛[2J" in app.shown
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, BesideScreen) and "in B" in app.shown)
        assert "\x1b" not in app.shown and "\x9b" not in app.shown


class AtHome(Stage):
    """The runs."""

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen()


async def test_two_runs_are_marked_at_home(store: Store) -> None:
    app = AtHome(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.screen.query_one("#run-table", Table).rows) == 2)
        marked = app.screen.query_one("#run-table", Table).current.name  # type: ignore[union-attr]
        await pilot.press("equals_sign")
        assert app.marked_run == marked
        await pilot.press("equals_sign")
        assert app.marked_run is None
        await pilot.press("equals_sign", "down", "equals_sign")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        assert app.marked_run is None
        await until(pilot, lambda: "after against before" in app.shown)


async def test_in_the_console_escape_leads_back_all_the_way(store: Store) -> None:
    app = ConsoleApp(store, images="off")
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: len(app.screen.query_one("#run-table", Table).rows) == 2)
        await pilot.press("equals_sign", "down", "equals_sign")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen) and app.screen.query_one("#line-table", Table).rows)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, BesideScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_a_very_low_screen_still_shows_a_slot(store: Store) -> None:
    app = Compared(store.root)
    async with app.run_test(size=(40, 10), notifications=True) as pilot:
        await until(pilot, lambda: app.slots == NEWLY_FAILING)
        assert "bakery_P-MIN" in app.shown and "✗ failed" in app.shown and "played by scripts" in app.shown
        await pilot.press("left")
        assert "▸apart 1" in app.shown and "missing" in app.shown


async def test_a_click_on_a_name_shows_its_list(store: Store) -> None:
    app = Compared(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.slots == NEWLY_FAILING)
        row = next(number for number, line in enumerate(app.shown.split("\n")) if "still failing" in line)
        await pilot.click(offset=(app.shown.split("\n")[row].index("still failing"), row))
        assert app.slots == STILL_FAILING


async def test_the_metrics_of_a_run_are_another_way(store: Store) -> None:
    app = Stage(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.push_screen(MetricsScreen("before"))
        await pilot.pause()
        await pilot.press("equals_sign")
        assert app.marked_run == "before"
        app.push_screen(MetricsScreen("after"))
        await pilot.pause()
        await pilot.press("equals_sign")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
