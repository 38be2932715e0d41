"""The heat map: its cells, its cursor, and what it does where there is little room."""

import re
from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.widget import Widget

from iwtui.tui.answers import Cell, Grid, Label, Margin
from iwtui.tui.widgets.heat import HeatMap
from tests.tui_home.stage import HOSTILE, Stage

ALL = Margin.ALL


def grid(rows: list[Label], columns: list[Label]) -> Grid:
    cells = {(row, column): Cell(0.5, 2, 3) for row in [ALL, *rows] for column in [ALL, *columns]}
    return Grid("builder", (ALL, *rows), (ALL, *columns), cells)


def chosen(app: "Heated") -> tuple[Label, Label]:
    return app.heat.chosen


class Heated(Stage):
    """A heat map alone."""

    def __init__(self, root: Path, shown: Grid) -> None:
        super().__init__(root)
        self.heat = HeatMap(shown)
        self.messages: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.heat

    def get_default_screen(self) -> Any:
        from textual.screen import Screen

        return Screen[None]()

    def on_heat_map_moved(self, message: HeatMap.Moved) -> None:
        self.messages.append(f"moved {message.heat.chosen}")

    def on_heat_map_opened(self, message: HeatMap.Opened) -> None:
        self.messages.append("opened")


async def test_the_cursor_moves_within_the_map_and_opens_a_cell(tmp_path: Path) -> None:
    app = Heated(tmp_path, grid(["P-MIN", "P-RAM"], ["a", "b"]))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.heat.focus()
        await pilot.press("down", "j", "j", "up")
        app.heat.move(0, 1)
        assert chosen(app) == ("P-MIN", "a")
        app.heat.move(0, 99)
        await pilot.press("enter", "home")
        assert chosen(app) == (ALL, ALL)
    assert app.messages[-2:] == ["opened", f"moved {(ALL, ALL)}"]


async def test_a_click_chooses_a_cell(tmp_path: Path) -> None:
    app = Heated(tmp_path, grid(["P-MIN", "P-RAM"], ["a", "b"]))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.click(HeatMap, offset=(40, 2))
        assert chosen(app) == ("P-MIN", "a")
        await pilot.click(HeatMap, offset=(3, 2))
        assert chosen(app) == ("P-MIN", "a")


async def test_the_cursor_stays_in_sight_among_many_columns(tmp_path: Path) -> None:
    builders: list[Label] = [f"model-{number:02}" for number in range(30)]
    app = Heated(tmp_path, grid(["P-MIN"], builders))
    async with app.run_test(size=(60, 10), notifications=True) as pilot:
        app.heat.focus()
        for column in range(1, 31):
            app.heat.move(0, 1)
            await pilot.pause()
            assert f"model-{column - 1:02}" in app.shown
            assert " all " in app.shown
        assert "›" not in app.shown
        for column in range(30, 1, -1):
            app.heat.move(0, -1)
            await pilot.pause()
            assert f"model-{column - 2:02}" in app.shown
        assert "›" in app.shown


async def test_the_cursor_stays_on_its_cell_when_the_grid_changes(tmp_path: Path) -> None:
    app = Heated(tmp_path, grid(["P-MIN", "P-RAM"], ["a", "b"]))
    async with app.run_test(size=(80, 24), notifications=True):
        app.heat.move(2, 2)
        app.heat.show(grid(["P-BASE", "P-MIN", "P-RAM"], ["b"]))
        assert chosen(app) == ("P-RAM", "b")
        app.heat.show(grid(["P-BASE"], ["c"]))
        assert chosen(app) == (ALL, ALL)
        app.heat.show(Grid("builder"))
        assert chosen(app) == (ALL, ALL)


@pytest.mark.parametrize("width", [8, 30, 80, 200])
async def test_names_of_others_and_unknown_figures_are_shown(tmp_path: Path, width: int) -> None:
    shown = grid([HOSTILE, None], [HOSTILE])
    shown.cells[None, HOSTILE] = Cell(None, 0, 1)
    del shown.cells[HOSTILE, HOSTILE]
    app = Heated(tmp_path, shown)
    async with app.run_test(size=(width, 10), notifications=True) as pilot:
        await pilot.pause()
        assert isinstance(app.query_one(HeatMap), Widget)
        assert "\x1b" not in app.shown
        if width >= 80:
            assert "unknown" in app.shown and re.search(r"– +n 0", app.shown)


async def test_without_colour_the_figures_say_it_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Heated(tmp_path, grid(["P-MIN"], ["a"]))
    async with app.run_test(size=(80, 10), notifications=True) as pilot:
        await pilot.pause()
        assert len(re.findall(r"50\.0 +n 2", app.shown)) == 4
        assert "▐" in app.shown


async def test_intervals_come_without_moving_anything(tmp_path: Path) -> None:
    shown = grid(["P-MIN"], ["a"])
    app = Heated(tmp_path, shown)
    async with app.run_test(size=(80, 10), notifications=True) as pilot:
        await pilot.pause()
        before = app.shown
        cells = {place: Cell(0.5, 2, 3, 0.25, 0.75) for place in shown.cells}
        app.heat.show(Grid("builder", shown.rows, shown.columns, cells))
        await pilot.pause()
        assert app.shown.count("±25.0") == 4
        assert app.shown.replace("±25.0", "     ") == before


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_great_numbers_of_episodes_do_not_break_the_lines(tmp_path: Path, width: int) -> None:
    shown = grid(["P-MIN"], ["a", "b", "c", "d", "e", "f"])
    for place in shown.cells:
        shown.cells[place] = Cell(0.5, 125_000, 125_000)
    app = Heated(tmp_path, shown)
    async with app.run_test(size=(width, 10), notifications=True) as pilot:
        await pilot.pause()
        lines = [line.strip() for line in app.shown.split("\n")]
        assert lines[1].startswith("all") and lines[2].startswith("P-MIN") and not any(lines[3:])
        assert "n 125000" in lines[2]
