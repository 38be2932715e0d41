"""A table: only what is in sight is formatted, only what changed is painted, and the cursor stays on its row."""

from pathlib import Path
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen

from iwtui.tui.columns import Column
from iwtui.tui.copying import what_is_copied, whole_of
from iwtui.tui.widgets.table import Table
from tests.tui_home.stage import Stage, until

Row = tuple[str, int]


class Tabled(Stage):
    """A table alone; what it posted, and which rows it asked for."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.formatted: list[Row] = []
        self.messages: list[str] = []
        columns = (
            Column("name", 10, grow=1, by=lambda row: row[0]),
            Column("count", 6, right=True, by=lambda row: row[1]),
        )
        self.table: Table[Row] = Table(columns, self._cells, lambda row: row[0], empty="nothing [/ here")

    def _cells(self, row: Row) -> list[Content]:
        self.formatted.append(row)
        return [Content(row[0]), Content(str(row[1]))]

    def compose(self) -> ComposeResult:
        yield self.table

    def get_default_screen(self) -> Screen[None]:
        return Screen[None]()

    def on_table_moved(self, message: Table.Moved) -> None:
        self.messages.append(f"moved {message.index}")

    def on_table_opened(self, message: Table.Opened) -> None:
        self.messages.append(f"opened {message.index}")


def current(app: Tabled) -> Row | None:
    return app.table.current


def rows(*names: str) -> list[Row]:
    return [(name, 1) for name in names]


async def test_only_what_is_in_sight_is_formatted(tmp_path: Path) -> None:
    app = Tabled(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.show([(f"row {number}", number) for number in range(10_000)])
        app.table.lines.focus()
        await pilot.press("G")
        await until(pilot, lambda: "row 9999" in app.shown)
        assert "name" in app.shown.split("\n")[0]
        assert len(set(app.formatted)) < 100


async def test_the_cursor_stays_on_its_row(tmp_path: Path) -> None:
    app = Tabled(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.show(rows("b", "c", "d"))
        app.table.go("c")
        app.table.show(rows("a", "b", "c", "d"))
        assert current(app) == ("c", 1)
        app.table.show(rows("d", "c"))
        assert current(app) == ("c", 1)
        await pilot.pause()
        assert app.messages == ["moved 0", "moved 1"]
        app.table.show(rows("d"))
        await pilot.pause()
        assert current(app) == ("d", 1)
        assert app.messages[-1] == "moved 0"
        app.table.show(())
        await pilot.pause()
        assert current(app) is None
        assert "nothing [/ here" in app.shown


async def test_only_rows_that_changed_are_painted(tmp_path: Path, monkeypatch: Any) -> None:
    app = Tabled(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.show(rows("a", "b", "c"))
        await pilot.pause()
        painted: list[int] = []
        refresh = app.table.lines.refresh_lines

        def refresh_lines(line: int, count: int = 1) -> None:
            painted.append(line)
            refresh(line, count)

        monkeypatch.setattr(app.table.lines, "refresh_lines", refresh_lines)
        app.table.show([("a", 1), ("b", 2), ("c", 1)])
        await until(pilot, lambda: "     2" in app.shown)
        assert painted == [1]
        assert current(app) == ("a", 1)


async def test_a_row_is_opened_by_key_and_by_two_clicks(tmp_path: Path) -> None:
    app = Tabled(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.show(rows("a", "b", "c"))
        app.table.lines.focus()
        await pilot.press("down", "enter")
        await pilot.click(app.table.lines, offset=(3, 2), times=2)
        await pilot.pause()
    assert [message for message in app.messages if message.startswith("opened")] == ["opened 1", "opened 2"]


async def test_all_rows_are_copied_with_tabs_between_their_cells(tmp_path: Path) -> None:
    app = Tabled(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        assert app.table.copied_whole() == ""
        app.table.show([("b", 2), ("a\x1b[2J", 3)])
        app.table.lines.focus()
        await pilot.pause()
        assert whole_of(app.screen) == "name\tcount\nb\t2\na␛[2J\t3"
        assert what_is_copied(app.screen).split() == ["b", "2"]


async def test_a_cell_may_fill_its_column(tmp_path: Path) -> None:
    app = Tabled(tmp_path)
    columns = (Column("bar", 4, grow=1), Column("count", 6))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.show(rows("a"))
        app.table.choose(columns, lambda row: [lambda width: Content("=" * width), Content(str(row[1]))])
        await until(pilot, lambda: "=" * 69 in app.shown)
        assert app.shown.split("\n")[0].split() == ["bar", "count"]


async def test_rows_are_ordered_by_key_and_by_a_click_on_a_title(tmp_path: Path) -> None:
    app = Tabled(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.show([("b", 2), ("a", 3), ("c", 1)])
        app.table.lines.focus()
        await pilot.press("o")
        await until(pilot, lambda: [name for name, _ in app.table.rows] == ["a", "b", "c"])
        assert app.shown.split("\n")[0].strip().startswith("name ▴")
        assert current(app) == ("b", 2), "the cursor stays on its row"
        await pilot.press("O")
        await until(pilot, lambda: [name for name, _ in app.table.rows] == ["c", "b", "a"])
        at = app.shown.split("\n")[0].index("count")
        await pilot.click(offset=(at, 0))
        await until(pilot, lambda: [count for _, count in app.table.rows] == [3, 2, 1])
        assert "▾count" in app.shown
        app.table.show([("b", 9), ("a", 3), ("c", 4)])
        assert [count for _, count in app.table.rows] == [9, 4, 3], "what comes later has the same order"
        await pilot.click(offset=(at, 0))
        await pilot.click(offset=(at, 0))
        await until(pilot, lambda: [name for name, _ in app.table.rows] == ["b", "a", "c"])
