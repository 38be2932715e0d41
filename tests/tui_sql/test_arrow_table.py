"""The table of a result: what is seen of it, moving by cells, hostile cells, many rows and many columns."""

import time

import duckdb
import pytest
from textual.app import App, ComposeResult
from textual.content import Content

from iwtui.tui.themes import load_themes, stylesheet
from iwtui.tui.widgets.arrow_table import ArrowTable, Sheet
from tests.support.settling import painted
from tests.tui_home.stage import HOSTILE, SIZES


def sheet(sql: str) -> Sheet:
    table = duckdb.connect().sql(sql).to_arrow_table()
    return Sheet(table.column_names, table)


class Shown(App[None]):
    """One table."""

    def __init__(self, sql: str) -> None:
        self._theme_of_ours = load_themes()["dark"]
        super().__init__(css_path=stylesheet())
        self.register_theme(self._theme_of_ours)
        self.theme = self._theme_of_ours.name
        self.sheet = sheet(sql)
        self.said: list[object] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return self._theme_of_ours.variables

    def compose(self) -> ComposeResult:
        yield ArrowTable("Nothing yet.")

    def on_mount(self) -> None:
        self.table.show(self.sheet)
        self.table.lines.focus()

    def on_arrow_table_opened(self, message: ArrowTable.Opened) -> None:
        self.said.append(message.table.cell)

    @property
    def table(self) -> ArrowTable:
        return self.query_one(ArrowTable)


MANY = "SELECT range AS i, range * 2 AS twice, 'row ' || range AS t FROM range(10000)"
WIDE = "SELECT " + ", ".join(f"'value {number}' AS column_{number}" for number in range(24)) + " FROM range(3)"


@pytest.mark.parametrize("size", SIZES)
async def test_only_rows_in_sight_are_read(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    app = Shown(MANY)

    def cell(row: int, place: int) -> Content:
        read.append(row)
        return Sheet.cell(app.sheet, row, place)

    monkeypatch.setattr(app.sheet, "cell", cell)
    async with app.run_test(size=size) as pilot:
        await pilot.press("end")
        await pilot.pause()
        assert app.table.cell == (9_999, 0)
        assert "row 9999" in painted(app)
        assert len(set(read)) <= 4 * size[1]


async def test_arrows_lead_from_cell_to_cell_and_enter_opens() -> None:
    app = Shown(MANY)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "right", "l", "enter")
        assert app.said == [(1, 2)]
        assert app.table.copied() == "row 1"
        await pilot.press("right", "right", "left", "h", "h", "h", "k", "v")
        assert app.said == [(1, 2), (0, 0)]
        await pilot.press("L")
        assert app.table.cell == (0, 2)
        await pilot.press("H")
        assert app.table.cell == (0, 0)


@pytest.mark.parametrize("size", SIZES)
async def test_many_columns_scroll_by_columns(size: tuple[int, int]) -> None:
    app = Shown(WIDE)
    async with app.run_test(size=size) as pilot:
        for column in range(24):
            shown = painted(app)
            assert f"column_{column} " in shown.replace("▸", " ") and f"value {column} " in shown.replace("▸", " ")
            await pilot.press("right")
        assert app.table.cell == (0, 23)
        assert "◂" in painted(app) and "▸" not in painted(app)
        await pilot.press("H")
        assert "▸" in painted(app) and "◂" not in painted(app)


async def test_the_mouse_chooses_a_cell() -> None:
    app = Shown(MANY)
    async with app.run_test(size=(80, 24)) as pilot:
        row = painted(app).splitlines()
        at = row[3].index("row 2")
        await pilot.click(offset=(at, 3))
        assert app.table.cell == (2, 2)
        await pilot.click(offset=(3, 5), times=2)
        assert app.table.cell == (4, 0)
        assert app.said == [(4, 0)]
        await pilot.click(offset=(at, 0))
        assert app.table.cell == (4, 2)


HOSTILE_CELLS = f"""SELECT $${HOSTILE}$$ AS "[/] {HOSTILE.replace('"', "")}",
    [$${HOSTILE}$$] AS l, {{'k': $${HOSTILE}$$}} AS s,
    '[/' AS a, '[link=' AS b, '{{"a":[true]}}'::JSON AS j, '\\x1B\\x00'::BLOB AS bl, 'nan'::DOUBLE AS n, NULL AS z,
    repeat('x', 10000000) AS big, '' AS e FROM range(3)"""


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_cells_are_shown_and_quickly(size: tuple[int, int]) -> None:
    app = Shown(HOSTILE_CELLS)
    async with app.run_test(size=size, notifications=True) as pilot:
        seen = ""
        for _ in range(11):
            seen += painted(app)
            await pilot.press("right")
        for char in ("\x1b", "\x07", "\x9b", "\u202e"):
            assert char not in seen
        for text in ("[/", "[link=", '{"a":[true]}', "1b 00 (2 bytes)", "nan", "NULL", "xxx…"):
            assert text in seen.replace(" …", "…"), text


async def test_no_rows_and_no_columns() -> None:
    app = Shown("SELECT 1 AS x WHERE false")
    async with app.run_test(size=(80, 24)) as pilot:
        app.table.say("No row fits.")
        await pilot.press("down", "right", "enter", "v", "o", "e", "end")
        assert "No row fits." in painted(app) and "x" in painted(app)
        assert app.table.cell is None and app.table.copied() == ""


async def test_a_new_result_begins_at_its_top() -> None:
    app = Shown(MANY)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end", "right", "right")
        app.table.show(sheet("SELECT 'another' AS one FROM range(100)"))
        await pilot.pause()
        assert app.table.cell == (0, 0)
        assert "another" in painted(app) and "row 9999" not in painted(app)


def test_the_widths_are_measured_quickly_and_bounded() -> None:
    wide = duckdb.connect().sql("SELECT repeat('x', 100000) AS x, range AS n FROM range(2000)").to_arrow_table()
    began = time.perf_counter()
    made = Sheet(wide.column_names, wide)
    assert time.perf_counter() - began < 1
    assert (made.columns[0].width, made.columns[1].width, made.columns[1].right) == (48, 4, True)
