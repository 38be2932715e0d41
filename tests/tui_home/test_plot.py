"""A plot: its marks are chosen by key and by mouse, and names in it are data."""

from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.screen import Screen

from iwtui.tui.charts import Chart, Kind, Mark
from iwtui.tui.widgets.plot import Plot
from tests.tui_home.stage import HOSTILE, Stage, until

COLUMNS = Chart(
    "columns",
    Kind.COLUMNS,
    tuple(
        Mark(str(number), number, number / 10, f"turn {number}", f"TCR {number}0 %", f"turns:{number}")
        for number in range(8)
    ),
)
POINTS = Chart(
    "points",
    Kind.POINTS,
    (
        Mark("low", 0.0, 0.1, "low", "x", "a", 0),
        Mark("high", 1.0, 0.9, "high", "y", "b", 1),
        Mark("between", 2.0, 0.5, "between", "z", "c", 0),
    ),
    ("one", "two"),
    "$",
)


class Plotted(Stage):
    """A plot alone."""

    def __init__(self, root: Path, chart: Chart) -> None:
        super().__init__(root)
        self.plot = Plot()
        self.plot.show(chart)
        self.plot.activate(True)
        self.messages: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.plot

    def get_default_screen(self) -> Any:
        return Screen[None]()

    def on_plot_moved(self, message: Plot.Moved) -> None:
        self.messages.append(f"moved {message.plot.at}")

    def on_plot_opened(self, message: Plot.Opened) -> None:
        self.messages.append(f"opened {message.plot.at}")


async def test_columns_are_walked_through_and_opened(tmp_path: Path) -> None:
    app = Plotted(tmp_path, COLUMNS)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.plot.focus()
        await pilot.press("right", "l", "down", "left", "enter", "end", "home")
        assert app.messages == ["moved 1", "moved 2", "moved 3", "moved 2", "opened 2", "moved 7", "moved 0"]
        assert "turn 0: TCR 00 %" in app.shown


async def test_points_are_walked_through_by_cost_and_by_height(tmp_path: Path) -> None:
    app = Plotted(tmp_path, POINTS)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.plot.focus()
        await pilot.press("up")
        assert "between: z" in app.shown
        await pilot.press("up")
        assert "high: y" in app.shown
        await pilot.press("right", "right", "down", "down")
        assert app.messages[-1] == "moved 0"
        assert "● one  ■ two" in app.shown


async def test_a_click_chooses_the_column_or_the_nearest_point(tmp_path: Path) -> None:
    app = Plotted(tmp_path, COLUMNS)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.click(app.plot, offset=(1 + 5 + 3 * 8 + 2, 10))
        await pilot.click(app.plot, offset=(1 + 5 + 3 * 8 + 2, 10), times=2)
        await pilot.pause()
        assert app.messages == ["moved 3", "opened 3"]
        app.plot.show(POINTS)
        await pilot.pause()
        app.messages.clear()
        line, text = next((number, text) for number, text in enumerate(app.shown.split("\n")) if number > 1 and "■" in text)
        await pilot.click(app.plot, offset=(text.index("■") + 1, line))
        await until(pilot, lambda: app.messages == ["moved 1"])


@pytest.mark.parametrize("size", [(8, 4), (30, 8), (80, 24), (200, 60)])
@pytest.mark.parametrize("kind", [Kind.COLUMNS, Kind.POINTS])
async def test_names_of_others_are_shown_at_any_size(tmp_path: Path, kind: Kind, size: tuple[int, int]) -> None:
    marks = (
        Mark(HOSTILE, 0.0, 0.2, HOSTILE, HOSTILE, "a"),
        Mark("none", 1.0, None, "none", "unknown", "b", 1),
        *(Mark(f"{number} {HOSTILE}", number, 0.5, "m", "t", "c", number) for number in range(30)),
    )
    app = Plotted(tmp_path, Chart(HOSTILE, kind, marks, (HOSTILE, HOSTILE), HOSTILE[:3]))
    async with app.run_test(size=size, notifications=True) as pilot:
        app.plot.focus()
        await pilot.press("end", "home", "right")
        assert not any(char in app.shown for char in "\x1b\x9b\u202e")
        width = max(len(line) for line in app.shown.split("\n"))
        assert width <= size[0]


async def test_without_colour_the_cursor_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Plotted(tmp_path, COLUMNS)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.plot.focus()
        await pilot.press("right", "right")
        axis = next(line for line in app.shown.split("\n") if "▲" in line)
        labels = app.shown.split("\n")[app.shown.split("\n").index(axis) + 1]
        assert labels[axis.index("▲")] == "2"


async def test_the_cursor_stays_on_its_mark_when_the_figures_change(tmp_path: Path) -> None:
    app = Plotted(tmp_path, COLUMNS)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.plot.go(5)
        app.plot.show(Chart("columns", Kind.COLUMNS, COLUMNS.marks[3:]))
        await pilot.pause()
        assert app.plot.chosen is not None and app.plot.chosen.label == "5"
        app.plot.show(Chart("columns", Kind.COLUMNS, empty="nothing there"))
        await until(pilot, lambda: "nothing there" in app.shown)
        await pilot.press("right", "enter", "end")
        assert app.plot.chosen is None
