"""What leaves Metrics: columns that are chosen are remembered, what is shown is written to a file or copied."""

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from textual.screen import Screen
from textual.widgets import Input, OptionList, Select

from iwtui.tui.answers import Sheet
from iwtui.tui.screens.column_choice import ColumnScreen
from iwtui.tui.screens.export import ExportScreen
from iwtui.tui.screens.metrics import MetricsScreen
from iwtui.tui.screens.sure import SureScreen
from iwtui.tui.sheet_files import SUFFIXES, as_bytes, tabbed, write_sheet
from tests.cli.scribe import Scribe
from tests.tui_home.stage import HOSTILE, until
from tests.tui_home.test_metrics_screen import Measured

SHEET = Sheet(("name", "count", "name"), ((HOSTILE, 1, None), ("plain", None, 2.5), (None, 3, "text")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty one."""
    made = tmp_path / "folder"
    made.mkdir()
    return made


def test_each_format_holds_all_rows(folder: Path) -> None:
    for form, suffix in SUFFIXES.items():
        path = folder / f"sheet{suffix}"
        assert write_sheet(SHEET, form, path) == path.stat().st_size
    assert [row["count"] for row in json.loads((folder / "sheet.json").read_text())] == [1, None, 3]
    rows = list(csv.reader((folder / "sheet.csv").open()))
    assert rows[0] == ["name", "count", "name_2"] and rows[2] == ["plain", "", "2.5"]
    assert "\x1b" not in (folder / "sheet.csv").read_text()
    table = pq.read_table(folder / "sheet.parquet")
    assert table.column_names == ["name", "count", "name_2"] and table.column("count").to_pylist() == [1, None, 3]
    assert table.column("name_2").to_pylist() == [None, "2.5", "text"], "values of several types become text"
    assert len((folder / "sheet.md").read_text().splitlines()) == 5
    assert sorted(file.name for file in folder.iterdir()) == ["sheet.csv", "sheet.json", "sheet.md", "sheet.parquet"]


def test_nothing_is_left_of_a_file_that_could_not_be_written(folder: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        write_sheet(SHEET, "json", folder / "nowhere" / "sheet.json")
    assert list(folder.iterdir()) == []


def test_a_cell_holds_neither_tab_nor_line() -> None:
    lines = tabbed(Sheet(("a", "b"), (("x\ty\nz", None),))).split("\n")
    assert lines[0] == "a\tb" and len(lines) == 2 and lines[1].count("\t") == 1


def test_an_empty_sheet_is_written_too() -> None:
    empty = Sheet(("a", "b"), ())
    assert json.loads(as_bytes(empty, "json")) == []
    assert len(as_bytes(empty, "parquet")) > 0


def take(screen: Screen[object], title: str) -> None:
    """The cursor to a column in the list of all."""
    options = screen.query_one(OptionList)
    titles = [str(options.get_option_at_index(place).prompt).split()[1] for place in range(options.option_count)]
    options.highlighted = titles.index(title)


async def wish(app: Measured, pilot: object, what: str, form: str, path: Path) -> None:
    """Fills the form and writes."""
    from textual.pilot import Pilot

    assert isinstance(pilot, Pilot)
    await pilot.press("e")
    await until(pilot, lambda: isinstance(app.screen, ExportScreen))
    app.screen.query_one("#what", Select).value = what
    app.screen.query_one("#format", Select).value = form
    await pilot.pause()
    assert app.screen.query_one("#path", Input).value.endswith(SUFFIXES[form])
    app.screen.query_one("#path", Input).value = str(path)
    await pilot.press("ctrl+s")


async def test_figures_and_episodes_are_written_where_the_reader_says(stored: Scribe, tmp_path: Path) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        await wish(app, pilot, "figures", "json", tmp_path / "figures.json")
        await until(pilot, lambda: app.notes)
        figures = json.loads((tmp_path / "figures.json").read_text())
        assert [row["persona"] for row in figures] == [None, "P-MIN", "P-RAM"] and figures[0]["n"] == 7
        assert app.notes[-1] == ("Written", f"3 rows in {tmp_path / 'figures.json'}")
        await pilot.press("down")
        await until(pilot, lambda: len(app.table.rows) == 4)
        await wish(app, pilot, "episodes", "csv", tmp_path / "episodes.csv")
        await until(pilot, lambda: len(app.notes) == 2)
        rows = list(csv.DictReader((tmp_path / "episodes.csv").open()))
        assert {row["persona"] for row in rows} == {"P-MIN"} and len(rows) == 4


async def test_nothing_is_written_over_without_a_question(stored: Scribe, tmp_path: Path) -> None:
    app = Measured(stored.store.root, run="second")
    path = tmp_path / "mine.json"
    path.write_text("mine")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        await wish(app, pilot, "episodes", "json", path)
        await until(pilot, lambda: isinstance(app.screen, SureScreen))
        assert str(path)[:30] in app.shown
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, MetricsScreen))
        assert path.read_text() == "mine"
        await wish(app, pilot, "episodes", "json", path)
        await until(pilot, lambda: isinstance(app.screen, SureScreen))
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.notes)
        assert len(json.loads(path.read_text())) == 8


async def test_where_nothing_can_be_written_the_reader_is_told(stored: Scribe, tmp_path: Path) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        await wish(app, pilot, "figures", "parquet", tmp_path / "nowhere" / "x.parquet")
        await until(pilot, lambda: app.notes)
        assert app.notes[0][0] == "Not written" and "nowhere" in app.notes[0][1]


async def test_columns_are_chosen_and_remembered(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(200, 60), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        assert "tokens" in app.shown and "language" not in app.shown
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, ColumnScreen))
        take(app.screen, "tokens")
        await pilot.press("space", "j", "k")
        take(app.screen, "repeat")
        await pilot.press("space")
        assert "✓ repeat" in app.shown and "· tokens" in app.shown
        await pilot.press("escape")
        await until(pilot, lambda: "repeat" in app.shown and "tokens" not in app.shown)
        assert "repeat" in app.remembered.columns("episodes") and "tokens" not in app.remembered.columns("episodes")
        await pilot.press("2")
        await until(pilot, lambda: "TCR from 0" in app.shown)
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, ColumnScreen))
        take(app.screen, "VCI")
        await pilot.press("enter", "escape")
        await until(pilot, lambda: "VCI" in app.shown)
        assert "VCI" in app.remembered.columns("bars") and "VCI" not in app.remembered.columns("episodes")
        await app.push_screen(MetricsScreen("second"))
        await until(pilot, lambda: "repeat" in app.shown and "tokens" not in app.shown)


async def test_all_episodes_are_copied_to_a_file(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        screen = app.screen
        assert isinstance(screen, MetricsScreen)
        assert not screen.copy_whole(), "the focus is on the map, which is copied by itself"
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.table.lines.has_focus and len(app.table.rows) == 4)
        assert screen.copy_whole()
        await until(pilot, lambda: app.notes)
        title, said = app.notes[0]
        assert title == "Copied" and said.startswith("4 rows in ")
        lines = Path(said.removeprefix("4 rows in ").partition(", whose")[0]).read_text().split("\n")
        assert len(lines) == 5 and lines[0].startswith("episode\trun\tcase_id")
