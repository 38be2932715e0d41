"""A table over a very long list: what is looked at is asked for, and the cursor stays on its row."""

from pathlib import Path
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen

from iwtui.tui.columns import Column
from iwtui.tui.ordering import Order
from iwtui.tui.pages import PAGE
from iwtui.tui.widgets.paged_table import PagedTable
from tests.tui_home.stage import Stage, until

MANY = 125_000


class Paged(Stage):
    """A paged table alone, whose rows are named by numbers; what it asked for."""

    def __init__(self, root: Path, answers: bool = True) -> None:
        super().__init__(root)
        self.wanted: list[int] = []
        self.ordered: list[Order] = []
        self.opened = 0
        self._answers = answers
        columns = (Column("name", 12, by=lambda row: row),)
        self.table: PagedTable[str] = PagedTable(columns, lambda row: [Content(row)], lambda row: row, empty="nothing here")

    def compose(self) -> ComposeResult:
        yield self.table

    def get_default_screen(self) -> Screen[None]:
        return Screen[None]()

    def on_paged_table_wanted(self, message: PagedTable.Wanted) -> None:
        self.wanted.append(message.offset)
        if self._answers:
            self.table.put(message.offset, page(message.offset))

    def on_table_opened(self) -> None:
        self.opened += 1

    def on_table_ordered(self, message: Any) -> None:
        self.ordered.append(message.order)


def page(offset: int, total: int = MANY, first: int = 0) -> list[str]:
    return [f"row {first + number}" for number in range(offset, min(offset + PAGE, total))]


def current(app: Paged) -> str | None:
    return app.table.current


async def test_what_is_looked_at_is_asked_for_once(tmp_path: Path) -> None:
    app = Paged(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.begin(MANY, 0, page(0))
        app.table.lines.focus()
        await until(pilot, lambda: "row 0" in app.shown)
        assert app.wanted == []
        await pilot.press("end")
        await until(pilot, lambda: f"row {MANY - 1}" in app.shown)
        assert app.wanted == [MANY - PAGE]
        await pilot.press("home")
        await until(pilot, lambda: "row 0 " in app.shown)
        assert app.wanted == [MANY - PAGE], "what is there is not asked for again"


async def test_rows_that_are_on_their_way_have_a_place_and_cannot_be_opened(tmp_path: Path) -> None:
    app = Paged(tmp_path, answers=False)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.begin(MANY, 0, page(0))
        app.table.lines.focus()
        await pilot.press("end")
        await until(pilot, lambda: app.shown.count("…") > 10)
        assert current(app) is None
        app.table.put(MANY - PAGE, page(MANY - PAGE))
        await until(pilot, lambda: f"row {MANY - 1}" in app.shown)
        assert current(app) == f"row {MANY - 1}"


async def test_the_cursor_stays_on_its_row_when_the_list_is_another_than_before(tmp_path: Path) -> None:
    app = Paged(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.begin(1_000, 0, page(0, 1_000))
        app.table.lines.move_to(7)
        assert current(app) == "row 7"
        app.table.renew(1_003, 0, page(0, 1_003, first=-3))
        await pilot.pause()
        assert current(app) == "row 7" and app.table.lines.index == 10
        app.table.renew(5, 0, ["a", "b", "c", "d", "e"])
        await pilot.pause()
        assert current(app) == "e", "a row that is gone leaves the cursor as near as may be"
        app.table.renew(0, 0, ())
        await until(pilot, lambda: "nothing here" in app.shown)
        assert current(app) is None
        app.table.begin(2, 0, ["x", "y"])
        await until(pilot, lambda: current(app) == "x")


async def test_the_reader_orders_and_the_rows_wait_for_whoever_gives_them(tmp_path: Path) -> None:
    app = Paged(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.begin(3, 0, ["b", "a", "c"])
        app.table.lines.focus()
        await pilot.press("o")
        await until(pilot, lambda: app.ordered == [Order("name")])
        assert list(app.table.rows) == ["b", "a", "c"]
        await pilot.click(offset=(2, 0))
        await until(pilot, lambda: app.ordered[-1] == Order("name", down=True))


async def test_other_columns_are_painted_at_once(tmp_path: Path) -> None:
    app = Paged(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.table.begin(3, 0, ["b", "a", "c"])
        await until(pilot, lambda: "name" in app.shown)
        app.table.choose((Column("loud", 12),), lambda row: [Content(row.upper() * 3)])
        await until(pilot, lambda: "AAA" in app.shown and "loud" in app.shown)
