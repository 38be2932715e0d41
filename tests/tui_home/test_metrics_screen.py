"""Metrics: tiles, maps, the episodes of a cell, and the way down to an episode and back."""

import pytest
from textual.screen import Screen

from iwtui.tui.answers import Margin
from iwtui.tui.ordering import Order
from iwtui.tui.screens.metrics import MetricsScreen
from iwtui.tui.widgets.heat import HeatMap
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.tiles import Tiles
from tests.cli.scribe import Scribe, add_whole
from tests.tui_home.stage import HOSTILE, SIZES, Stage, Stand, until


class Measured(Stage):
    """The metrics of a run."""

    def get_default_screen(self) -> Screen[None]:
        return MetricsScreen(self.run_opened_for)

    @property
    def table(self) -> "Table[object]":
        return self.screen.query_one("#cell-table", Table)

    @property
    def map(self) -> HeatMap:
        return next(heat for heat in self.screen.query(HeatMap) if heat.active)


@pytest.mark.parametrize("size", SIZES)
async def test_figures_maps_and_episodes_are_shown_at_any_size(stored: Scribe, size: tuple[int, int]) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        for other in (*SIZES, size):
            await pilot.resize_terminal(*other)
            await pilot.pause()
            for text in ("TCR %", "SR %", "HR %", "asks", "■ 7 scored", "▸ 1 running", "P-MIN", "policy default", "n 7"):
                assert text in app.shown, (text, other)
            assert ("persona × builder" in app.shown) == (other[0] >= 140)


async def test_the_way_leads_from_a_cell_to_its_episodes_to_one_of_them(
    stored: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iwtui.tui.screens.episode.EpisodeScreen", Stand)
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        await pilot.press("b", "down", "right")
        assert app.map.chosen == ("P-MIN", "scripted/blind")
        await until(pilot, lambda: len(app.table.rows) == 2)
        assert "P-MIN × scripted/blind: 2 episodes" in app.shown
        await pilot.press("enter", "down", "enter")
        await until(pilot, lambda: isinstance(app.screen, Stand))
        assert isinstance(app.screen, Stand) and app.screen.episode.builder == "scripted-blind"


async def test_the_policy_can_be_changed(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: "policy default" in app.shown)
        await pilot.press("p", "p")
        await until(pilot, lambda: "policy scored" in app.shown)


async def test_a_filter_keeps_what_fits_and_a_bad_one_is_refused(stored: Scribe) -> None:
    app = Measured(stored.store.root)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 9)
        await pilot.press("slash", *"persona:P-RAM", "enter")
        await until(pilot, lambda: len(app.table.rows) == 4)
        await pilot.press("slash", *"[/]:x", "enter")
        await until(pilot, lambda: "a term is written field:value" in app.shown)
        assert "[/]:x" in app.shown and len(app.table.rows) == 4, "it can be corrected, and what was asked before stands"
        await pilot.press("escape", "slash")
        assert "[/]:x" in app.shown, "it is not lost"
        await pilot.press("ctrl+u", *"perso:P-MIN", "enter")
        await until(pilot, lambda: "the nearest is 'persona'" in app.shown)
        await pilot.press("ctrl+u", "enter")
        await until(pilot, lambda: len(app.table.rows) == 9)


async def test_nothing_fits(stored: Scribe) -> None:
    app = Measured(stored.store.root)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 9)
        await pilot.press("slash", *"seed:none", "enter")
        await until(pilot, lambda: "No episode fits the filter" in app.shown)
        assert app.map.chosen == (Margin.ALL, Margin.ALL)


async def test_hostile_text_is_shown(scribe: Scribe) -> None:
    add_whole(scribe, "first", HOSTILE)
    app = Measured(scribe.store.root, run="first")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 1)
        await pilot.press("b", "down", "right")
        assert "\x1b" not in app.shown and "\x9b" not in app.shown


async def test_an_index_that_cannot_be_read_is_told(stored: Scribe, monkeypatch: pytest.MonkeyPatch) -> None:
    from iwtui.archive.errors import IndexFaultError

    def fail(*_: object, **__: object) -> None:
        raise IndexFaultError("iwtui.duckdb: no [/ room")

    monkeypatch.setattr("iwtui.archive.index.Index.catch_up", fail)
    app = Measured(stored.store.root)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: app.notes)
        assert app.notes == [("The index cannot be read", "iwtui.duckdb: no [/ room")]


async def test_a_figure_leads_to_the_episodes_that_make_it_by_key_and_by_mouse(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        tiles = app.screen.query_one(Tiles)
        tiles.focus()
        await pilot.press("l", "l", "l", "l", "enter")
        await until(pilot, lambda: app.table.lines.has_focus and app.table.order == Order("turn", True))
        assert "8 episodes, by turn▾" in app.shown
        turns = [line.turns for line in app.table.rows]  # type: ignore[attr-defined]
        assert turns == sorted(turns, reverse=True) and len(set(turns)) > 1
        await pilot.click(tiles, offset=(2, 1))
        await until(pilot, lambda: app.table.order == Order("TCR %"))


async def test_a_cell_is_clicked_and_opened_by_two_clicks(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        row = next(number for number, line in enumerate(app.shown.split("\n")) if "P-MIN" in line)
        column = app.shown.split("\n")[row].index("P-MIN") + 26
        await pilot.click(offset=(column, row))
        await until(pilot, lambda: len(app.table.rows) == 4)
        assert app.map.chosen[0] == "P-MIN"
        await pilot.click(offset=(column, row), times=2)
        await until(pilot, lambda: app.table.lines.has_focus)


async def test_a_very_low_screen_shows_the_cell_at_the_cursor_and_its_first_episode(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(40, 10), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        assert "TCR %" in app.shown and "reading" not in app.shown
        await pilot.press("down", "down")
        await until(pilot, lambda: "P-RAM: 4 episodes" in app.shown)
        lines = app.shown.split("\n")
        assert any(line.startswith(" P-RAM") for line in lines), "the row of the cursor is in sight"
        assert any("bakery_P-RAM" in line for line in lines)
