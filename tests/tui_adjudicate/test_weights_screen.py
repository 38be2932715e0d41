"""Weights on the screen: sliders and numbers, ranks that follow at once, and how far they hold."""

from pathlib import Path

import pytest

from iwtui.archive.store import Store
from iwtui.tui.screens.weights import WeightsScreen
from iwtui.tui.widgets.slider import Slider
from iwtui.tui.widgets.table import Table
from tests.analysis.test_weights import ranked
from tests.tui_adjudicate.stage import SIZES, Room
from tests.tui_home.stage import until


def rows(app: Room) -> list[tuple[str, int, int]]:
    table: Table[object] = app.screen.query_one("#standings", Table)
    return [(row.group, row.rank_paper, row.rank) for row in table.rows]  # type: ignore[attr-defined]


def slider(app: Room, name: str) -> Slider:
    return app.screen.query_one(f"#{name}", Slider)


PAPER = [("hard", 1, 1), ("easy", 2, 2), ("idle", 3, 3)]
TURNED = [("easy", 2, 1), ("hard", 1, 2), ("idle", 3, 3)]


@pytest.mark.parametrize("size", SIZES)
async def test_sliders_ranks_and_stability_are_shown_at_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    app = Room(ranked(tmp_path), WeightsScreen(None))
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: rows(app) == PAPER)
        for other in (*SIZES, size):
            await pilot.resize_terminal(*other)
            await pilot.pause()
            for text in (
                "c_tech 1",
                "c_tech 3",
                "δ",
                "●",
                "hard",
                "TCR %",
                "0 of 3 change their rank",
                "Kendall",
                "same best",
            ):
                assert text in app.shown, (text, other)


async def test_ranks_follow_a_slider_and_go_back_to_the_papers(tmp_path: Path) -> None:
    app = Room(ranked(tmp_path), WeightsScreen(None))
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: rows(app) == PAPER)
        await pilot.press("down", *["right"] * 6)
        assert slider(app, "c2").value == 3.5
        await until(pilot, lambda: rows(app) == TURNED)
        assert "2 of 3 change their rank" in app.shown and "▲1" in app.shown and "▼1" in app.shown
        await pilot.press("p")
        await until(pilot, lambda: rows(app) == PAPER)
        assert slider(app, "c2").value == 2.0


async def test_a_number_can_be_typed_within_its_bounds(tmp_path: Path) -> None:
    app = Room(ranked(tmp_path), WeightsScreen(None))
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: rows(app) == PAPER)
        await pilot.press("down", "enter", *"3.14", "enter")
        assert slider(app, "c2").value == 3.14
        await until(pilot, lambda: rows(app) == TURNED)
        await pilot.press("enter", *"99", "enter")
        assert slider(app, "c2").value == 3.14
        await pilot.press("tab")
        assert "99" not in app.shown and "3.14" in app.shown


async def test_a_click_on_the_line_moves_the_knob(tmp_path: Path) -> None:
    app = Room(ranked(tmp_path), WeightsScreen(None))
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: rows(app) == PAPER)
        track = slider(app, "c3").children[1]
        await pilot.click(track, offset=(track.size.width - 1, 0))
        assert slider(app, "c3").value == 8.0
        assert track.has_focus


async def test_no_knob_leaves_its_line(tmp_path: Path) -> None:
    app = Room(ranked(tmp_path), WeightsScreen(None))
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: rows(app) == PAPER)
        await pilot.press(*["left"] * 6)
        assert slider(app, "c1").value == 0.0
        slider(app, "c2").show(0.0)
        slider(app, "c3").show(0.25)
        await pilot.press("down", "down", "left")
        await until(pilot, lambda: rows(app) == [])
        assert "These weights weigh nothing" in app.shown
        await pilot.press("right")
        await until(pilot, lambda: len(rows(app)) == 3)


async def test_other_slots_other_groups_and_a_filter(tmp_path: Path) -> None:
    app = Room(ranked(tmp_path), WeightsScreen(None))
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: rows(app) == PAPER)
        await pilot.press("c")
        await until(pilot, lambda: "POSITIVE slots" in app.shown)
        await pilot.press("b")
        await until(pilot, lambda: [row[0] for row in rows(app)] == ["P-MIN"])
        assert "nothing to rank" in app.shown
        await pilot.press("slash", *"[/]:x", "enter")
        await until(pilot, lambda: app.notes)
        assert app.notes[0][0] == "This filter cannot be read"
        await pilot.press("slash", *"seed:none", "enter")
        await until(pilot, lambda: rows(app) == [] and "No episode that fits" in app.shown)


async def test_an_empty_store(tmp_path: Path) -> None:
    app = Room(Store(tmp_path / "empty"), WeightsScreen(None))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "No episode that fits" in app.shown)
        await pilot.press("right", "p", "down", "c")
        await pilot.pause()
