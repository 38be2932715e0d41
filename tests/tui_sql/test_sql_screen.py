"""The SQL console: asking, stopping, faults, completion, tables, saved queries, history, files, the way to an episode."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from iwtui.archive.errors import IndexBusyError
from iwtui.archive.index import Index
from iwtui.archive.saved_queries import own_folder, save_query, saved_queries
from iwtui.archive.store import Store
from iwtui.tui.copying import CopiesWhole, what_is_copied
from iwtui.tui.screens import sql_feed
from iwtui.tui.screens.export import ExportScreen
from iwtui.tui.screens.sql_cell import CellScreen
from iwtui.tui.screens.sure import SureScreen
from iwtui.tui.state.shapes import judging_seq
from tests.support.stores import make_case, make_run, play
from tests.tui_sql.stage import HOSTILE, SIZES, Asked, until

ENDLESS = "SELECT count(*) FROM events a, events b, events c, events d, events e, events f, range(1000000)"
STREAMING = "SELECT a.episode FROM events a, events b, events c, events d, range(1000000)"


async def ask(pilot: Pilot[Any], app: Asked, sql: str) -> None:
    """Puts a query into the editor and waits for all its rows."""
    app.sql.editor.put(sql)
    await pilot.pause()
    await pilot.press("f5")
    await until(pilot, lambda: app.sql.feed.asking is None)


@pytest.mark.parametrize("size", [*SIZES, (160, 48)])
async def test_a_query_is_typed_asked_and_its_rows_are_walked_through(store: Store, size: tuple[int, int]) -> None:
    app = Asked(store.root)
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.sql.editor.catalog.tables)
        app.sql.editor.put("SELECT status, count(*) AS n  GROUP BY status ORDER BY n DESC, status")
        app.sql.editor.move_cursor((0, 29))
        await pilot.press(*"FROM epi", "tab")
        assert app.sql.editor.text == "SELECT status, count(*) AS n FROM episodes GROUP BY status ORDER BY n DESC, status"
        await pilot.press("f5")
        await until(pilot, lambda: app.sheet is not None)
        assert app.column(0) == ["scored", "cancelled", "crashed", "infra", "running"]
        assert app.column(1)[0] == "6"
        for text in ("5 rows", "index 0 s old", "status", "cancelled", "row 1 of 5"):
            assert text in app.shown, text
        await pilot.press("f6", "down", "right")
        assert app.sql.rows.cell == (1, 1)
        await pilot.press("f6")
        assert app.sql.editor.has_focus


async def test_the_selection_or_the_statement_at_the_cursor_is_asked(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, "SELECT 1 AS first;\n\nSELECT 'a;b' AS second")
        assert app.column(0) == ["1"]
        app.sql.editor.move_cursor((2, 4))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: app.column(0) == ["a;b"])
        app.sql.editor.selection = app.sql.editor.selection._replace(start=(2, 0), end=(2, 12))
        await pilot.press("f5")
        await until(pilot, lambda: app.sql.feed.asking is None)
        assert app.column(0) == ["a;b"] and "✗" not in app.shown


async def test_nothing_to_ask_is_told(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("f5")
        app.sql.editor.put("-- a comment alone")
        await pilot.press("f5", "f7")
        titles = [title for title, _ in app.notes]
        assert titles == ["There is no query", "There is no query", "There are no rows"]


@pytest.mark.parametrize("sql", [ENDLESS, STREAMING.replace("SELECT a.episode", "SELECT DISTINCT a.seq + range")])
async def test_escape_stops_a_query_within_a_second(store: Store, sql: str) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.sql.editor.put(sql)
        await pilot.press("f5")
        await until(pilot, lambda: re.search(r" 0\.[2-9] s| [1-9]\.\d s", app.shown))
        assert "esc stops it" in app.shown
        began = time.monotonic()
        await pilot.press("escape")
        await until(pilot, lambda: app.sql.feed.asking is None)
        assert time.monotonic() - began < 2.0, "the benchmark holds it to one second, on a machine that does nothing else"
        assert "stopped" in app.shown and app.at_sql
        await ask(pilot, app, "SELECT 1")
        assert "1 row" in app.shown


async def test_the_first_rows_are_there_while_the_rest_is_counted_and_counting_can_be_stopped(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.sql.editor.put("SELECT range FROM range(1000000000000)")
        await pilot.press("f5")
        await until(pilot, lambda: app.sheet is not None)
        assert len(app.sheet or ()) == sql_feed.SHOWN
        await until(pilot, lambda: "counting" in app.shown)
        began = time.monotonic()
        await pilot.press("escape")
        await until(pilot, lambda: app.sql.feed.asking is None)
        assert time.monotonic() - began < 2.0
        assert "first 10,000 of more than" in app.shown and "counting" not in app.shown
        await ask(pilot, app, "SELECT range FROM range(1234567)")
        assert "first 10,000 of 1,234,567 rows" in app.shown


async def test_leaving_the_console_stops_the_query(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.sql.editor.put(ENDLESS)
        await pilot.press("f5")
        await until(pilot, lambda: re.search(r" 0\.[2-9] s| [1-9]\.\d s", app.shown))
        began = time.monotonic()
        app.pop_screen()
        await until(pilot, lambda: not [worker for worker in app.workers if worker.is_running])
        assert time.monotonic() - began < 3.0


async def test_the_age_of_the_rows_grows_while_they_are_looked_at(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.tui.screens.sql_status.AGEING", 0.1)
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, "SELECT 1")
        await until(pilot, lambda: "index 2 s old" in app.shown)


async def test_a_query_that_is_asked_takes_the_place_of_one_under_way(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.sql.editor.put(ENDLESS)
        await pilot.press("f5")
        await ask(pilot, app, "SELECT 'second'")
        assert app.column(0) == ["second"]
        await until(pilot, lambda: not [worker for worker in app.workers if worker.group == "query" and worker.is_running])
        assert "1 row" in app.shown


async def test_a_fault_is_told_with_its_place_and_the_rows_of_before_stand(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, "SELECT 'kept'")
        await ask(pilot, app, "-- é\nSELECT 1,\n  'é', [/] FROM runs")
        assert "Parser Error" in app.shown and "line 3" in app.shown
        assert app.sql.editor.cursor_location[0] == 2
        assert app.column(0) == ["kept"]
        for sql in (
            "DROP TABLE events",
            "COPY runs TO '/tmp/iwtui-fence'",
            "ATTACH ':memory:'",
            "INSTALL httpfs",
            "SELECT nope FROM runs",
        ):
            await ask(pilot, app, sql)
            assert "✗" in app.shown
        assert "Referenced column" in app.shown and app.sql.editor.cursor_location == (0, 7)
        await ask(pilot, app, "SELECT 2")
        assert "✗" not in app.shown


async def test_an_index_that_others_hold_keeps_the_last_rows_and_shows_no_lock(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, "SELECT 'kept'")

        def busy(*_: object, **__: object) -> None:
            raise IndexBusyError("Could not set lock on file [/ (PID 7)")

        monkeypatch.setattr(Index, "catch_up", busy)
        monkeypatch.setattr(Index, "read", busy)
        await ask(pilot, app, "SELECT 'not now'")
        assert app.column(0) == ["kept"]
        assert "set lock" not in app.shown and "PID" not in app.shown and "rows of before stay" in app.shown
        monkeypatch.undo()


async def test_rows_are_of_now_while_a_run_goes_on(store: Store) -> None:
    case = make_case("late")
    folder = make_run(store, "late", [case])
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, "SELECT count(*) FROM turns WHERE run = 'late'")
        assert app.column(0) == ["0"]
        play(folder, case, actions="CIC", end=None)
        await ask(pilot, app, "SELECT count(*) FROM turns WHERE run = 'late'")
        assert app.column(0) == ["3"]


# The editor.


async def test_what_is_offered_is_never_in_the_way_of_typing(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: app.sql.editor.catalog.tables)
        editor = app.sql.editor
        await pilot.press(*"select tc")
        await until(pilot, lambda: editor.offering)
        assert "task completion rate" in app.shown
        await pilot.press("enter")
        assert editor.text == "select tc\n" and not app.offering
        await pilot.press(*"ver")
        await pilot.press("down", "enter")
        assert editor.text.startswith("select tc\nver") and "\n" not in editor.text[10:] and len(editor.text) > 13
        await pilot.press("space", *"epis", "escape")
        assert not app.offering and app.at_sql
        await pilot.press(*"xq", "left", "left", "f1")
        await until(pilot, lambda: app.offering)
        await pilot.press("tab")
        assert "xq" in editor.text and not app.offering


async def test_an_offer_can_be_clicked(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.sql.editor.catalog.tables)
        await pilot.press(*"select * from epis")
        await until(pilot, lambda: app.sql.editor.offering)
        region = app.sql.offers.region
        await pilot.click(offset=(region.x + 4, region.y))
        await until(pilot, lambda: app.sql.editor.text == "select * from episodes")
        assert app.sql.editor.has_focus


async def test_hostile_text_in_the_editor_is_shown_one_for_one(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.sql.editor.put(f"SELECT $${HOSTILE}$$ -- {HOSTILE}")
        await pilot.pause()
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(app.shown)
        await ask(pilot, app, app.sql.editor.text)
        assert "1 row" in app.shown
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(app.shown)


async def test_what_stood_in_the_editor_is_there_the_next_time(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press(*"select 7")
        await pilot.press("escape")
        assert app.remembered.sql == "select 7"


# Tables, saved queries, history.


@pytest.mark.parametrize("size", SIZES)
async def test_tables_open_and_their_names_go_into_the_query(store: Store, size: tuple[int, int]) -> None:
    app = Asked(store.root)
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.sql.editor.catalog.tables)
        await pilot.press(*"SELECT", "f2", "down", "right", "down", "down")
        assert "every attempt" in app.shown and "run varchar" in app.shown.replace("  ", " ").replace("  ", " ").replace(
            "  ", " "
        )
        await pilot.press("enter")
        assert app.sql.editor.text == "SELECT run" and app.sql.editor.has_focus
        await pilot.press("f2", "left", "enter")
        assert app.sql.editor.text == "SELECT run attempts"
        await pilot.press("f2", "escape" if size[0] < 120 else "f2")
        assert app.at_sql and app.sql.editor.has_focus


async def test_queries_are_saved_found_and_deleted(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.sql.editor.put("-- Mine [/]\nSELECT 41 + 1")
        await pilot.press("ctrl+s", *"../x", "enter")
        assert "no name of a query" in app.shown
        await pilot.press(*["backspace"] * 4, *"cost")
        await until(pilot, lambda: "hides the shipped query" in app.shown)
        await pilot.press(*"ly", "enter")
        await until(pilot, lambda: "costly" in saved_queries())
        assert saved_queries()["costly"].title == "Mine [/]"
        app.sql.editor.put("")
        await pilot.press("f3")
        names = list(saved_queries())
        await until(pilot, lambda: "costly" in app.shown)
        await pilot.press(*["down"] * names.index("costly"), "enter")
        assert app.sql.editor.text.startswith("-- Mine [/]")
        await pilot.press("f3", "delete")
        app.in_front(SureScreen)
        await pilot.press("down", "enter")
        await until(pilot, lambda: "costly" not in saved_queries())
        await pilot.press("home", "delete")
        assert app.at_sql, "a shipped one stays"


async def test_a_saved_query_that_cannot_be_read_is_told(store: Store) -> None:
    own_folder().mkdir(parents=True)
    (own_folder() / "aaa.sql").write_bytes(b"\xff\xfe")
    save_query("aab", "SELECT 1")
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.press("f3")
        await until(pilot, lambda: "aab" in app.shown)
        assert "decode" in app.shown
        await pilot.press("enter")
        assert app.sql.editor.text == ""


async def test_the_history_holds_what_was_asked_the_last_first(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(160, 48), notifications=True) as pilot:
        for sql in ("SELECT 'one' AS a", "SELECT oops"):
            await ask(pilot, app, sql)
        await pilot.press("f4")
        await until(pilot, lambda: "failed: Binder Error" in app.shown)
        await pilot.press("down", "enter")
        assert app.sql.editor.text == "SELECT 'one' AS a"
        await pilot.press("f5")
        await until(pilot, lambda: app.sheet is not None and app.column(0) == ["one"])


# The rows.


async def test_a_cell_is_shown_whole_and_copied(store: Store) -> None:
    app = Asked(store.root)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await ask(
            pilot,
            app,
            f"""SELECT '{{"a":[true, "x"]}}' AS j, repeat('long ', 30000) || 'END' AS l, $${HOSTILE}$$ AS h, NULL AS n""",
        )
        await pilot.press("f6", "enter")
        await until(pilot, lambda: '"a": [' in app.shown)
        assert json.loads(app.in_front(CellScreen).copied()) == {"a": [True, "x"]}
        await pilot.press("escape", "right", "v")
        await until(pilot, lambda: "150,003 characters" in app.shown)
        await pilot.press("slash", *"END", "enter")
        await until(pilot, lambda: "END" in app.shown)
        await pilot.press("escape", "right", "enter")
        await until(pilot, lambda: "characters" in app.shown)
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(app.shown)
        await pilot.press("escape", "right", "enter")
        await until(pilot, lambda: "NULL" in app.shown)
        await pilot.press("escape")
        assert app.at_sql and app.sql.rows.copied() == "NULL"


EPISODE = "policies/bakery2_P-MIN.scripted-blind.r1.a1"
LED = [
    (f"SELECT '{EPISODE}' AS episode", (None, None, None)),
    (f"SELECT * FROM verdicts WHERE episode = '{EPISODE}' AND slot = 3", (None, 3, "checks")),
    (f"SELECT * FROM events WHERE episode = '{EPISODE}' AND seq = 4 AND judging IS NULL", (4, None, None)),
    (
        f"SELECT * FROM events WHERE episode = '{EPISODE}' AND seq = 2 AND judging = 'checks'",
        (judging_seq(2), None, "checks"),
    ),
    ("SELECT run, case_id FROM episodes WHERE case_id = 'bakery2_P-MIN'", (None, None, None)),
    ("SELECT case_id, 2 AS slot FROM episodes WHERE case_id = 'bakery2_P-MIN'", (None, 2, None)),
]


@pytest.mark.parametrize(("sql", "shown"), LED)
async def test_a_row_leads_to_its_episode(store: Store, monkeypatch: pytest.MonkeyPatch, sql: str, shown: object) -> None:
    from textual.screen import Screen

    class Opened(Screen[None]):
        def __init__(self, episode: object, *shown: object) -> None:
            super().__init__()
            self.led = str(episode), shown

    monkeypatch.setattr("iwtui.tui.screens.episode.EpisodeScreen", Opened)
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, sql)
        await pilot.press("f6", "o")
        await until(pilot, lambda: isinstance(app.screen, Opened))
        assert isinstance(app.screen, Opened) and app.screen.led == (EPISODE, shown)


async def test_a_slot_and_an_event_are_what_is_seen_first(store: Store) -> None:
    from iwtui.tui.screens.episode import EpisodeScreen
    from iwtui.tui.screens.metrics import MetricsScreen
    from iwtui.tui.screens.slot import SlotScreen

    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, LED[1][0])
        await pilot.press("f6", "o")
        await until(pilot, lambda: isinstance(app.screen, SlotScreen))
        assert app.in_front(SlotScreen).slot == 3
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, EpisodeScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.at_sql)
        await ask(pilot, app, LED[2][0])
        app.sql.rows.lines.focus()
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, EpisodeScreen) and app.screen.view is not None)
        view = app.in_front(EpisodeScreen).view
        assert view and view.cursor == 4
        await pilot.press("escape")
        await until(pilot, lambda: app.at_sql)
        await ask(pilot, app, "SELECT run FROM runs WHERE run = 'policies'")
        app.sql.rows.lines.focus()
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, MetricsScreen))


@pytest.mark.parametrize(
    ("sql", "title"),
    [
        ("SELECT 1", "This row leads nowhere"),
        ("SELECT 'nobody' AS case_id", "No episode fits this row"),
        ("SELECT 'bakery0_P-MIN' AS case_id", "2 episodes fit this row"),
    ],
)
async def test_a_row_that_leads_to_nothing_or_to_several_says_so(store: Store, sql: str, title: str) -> None:
    again = make_case("bakery0")
    play(make_run(store, "again", [again]), again)
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, sql)
        await pilot.press("f6", "o")
        await until(pilot, lambda: app.notes)
        assert app.notes[-1][0] == title


@pytest.mark.parametrize(("form", "suffix"), [(0, ".json"), (1, ".csv"), (2, ".md"), (3, ".parquet")])
async def test_rows_go_into_a_file_whole_or_as_shown(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: int, suffix: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sql_feed, "SHOWN", 10)
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, "SELECT range AS n, 'é[/' AS t FROM range(123)")
        await pilot.press("f6", "e")
        app.in_front(ExportScreen)
        await pilot.press("tab", "enter", *["down"] * form, "enter", "ctrl+s")
        await until(pilot, lambda: app.notes)
        file = tmp_path / f"rows{suffix}"
        assert app.notes[-1][0] == "Written" and "123 rows" in app.notes[-1][1] and str(file) in app.notes[-1][1]
        if suffix == ".json":
            assert json.loads(file.read_text())[122] == {"n": 122, "t": "é[/"}
        before = file.read_bytes()
        await pilot.press("e", "tab", "enter", *["down"] * form, "enter", "ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, SureScreen))
        await pilot.press("enter")
        assert file.read_bytes() == before and app.at_sql
        assert what_is_copied(app.sql) == "0"
        assert isinstance(app.sql, CopiesWhole) and app.sql.copy_whole()
        await until(pilot, lambda: app.notes[-1][0] == "Copied")
        copied = next((tmp_path / "cache" / "iwtui" / "copied").glob("*.csv"))
        assert len(copied.read_text().splitlines()) == 11


async def test_a_file_that_cannot_be_written_is_told(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = Asked(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ask(pilot, app, "SELECT 1")
        await pilot.press("f7")
        await until(pilot, lambda: isinstance(app.screen, ExportScreen))
        app.screen.query_one("#path", Input).value = "none/there.csv"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.notes)
        assert app.notes[-1][0] == "Not written"
