"""The SQL console: a query, its rows, and beside them what can be asked about and what was."""

from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from iwtui.archive.saved_queries import SavedQuery
from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for, key_of
from iwtui.tui.app_protocol import console
from iwtui.tui.screens.export import ExportScreen, Wish
from iwtui.tui.screens.sql_feed import Asking, SqlFeed
from iwtui.tui.screens.sql_files import SqlFiles
from iwtui.tui.screens.sql_status import SqlStatus
from iwtui.tui.screens.sure import SureScreen
from iwtui.tui.state.sql_target import READ, Sought, Target, target
from iwtui.tui.state.sql_text import Span, fault_place, fault_words, statement_at
from iwtui.tui.widgets.arrow_table import ArrowTable
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.sql_editor import SqlEditor
from iwtui.tui.widgets.sql_offers import SqlOffers
from iwtui.tui.widgets.sql_side import Side, SqlSide
from iwtui.tui.widgets.titled import Titled

WIDE = 120
"""Columns from which on the tables stand beside the query."""

LOW = 30
"""Lines below which the query has few."""

NO_ROWS = "No row fits."
AT_FIRST = "The rows come here."


class SqlScreen(Screen[None]):
    """There is one at a time. What stands in its editor is remembered."""

    TITLE = "SQL"
    BINDINGS: ClassVar = [*bindings_for("sql"), Binding("escape", "back", "back", id="app.back")]
    AUTO_FOCUS = "SqlEditor"
    DEFAULT_CSS = """
    SqlScreen { layout: vertical; }
    SqlScreen #body { height: 1fr; }
    SqlScreen #main { width: 1fr; height: 1fr; }
    SqlScreen #side { width: 1fr; height: 1fr; display: none; }
    SqlScreen.-side #side { display: block; }
    SqlScreen.-side #main { display: none; }
    SqlScreen.-wide #side { display: block; width: 30%; min-width: 36; max-width: 60; }
    SqlScreen.-wide #main { display: block; }
    SqlScreen #query { height: 35%; min-height: 6; }
    SqlScreen.-low #query { height: 8; }
    SqlScreen #rows { height: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.feed = SqlFeed()
        self._files = SqlFiles()
        self._saved: dict[str, SavedQuery] = {}
        self._own = ""
        """The name of one's own query that was put into the editor last, or of the one that was saved last."""
        self._asked = ""
        """The query whose rows are shown."""

    def compose(self) -> ComposeResult:
        self.editor = SqlEditor(console(self).remembered.sql, id="editor")
        self.rows = ArrowTable(AT_FIRST, id="table")
        self.side = SqlSide(id="side")
        self.status = SqlStatus()
        self.offers = SqlOffers()
        yield Crumbs()
        with Horizontal(id="body"):
            yield self.side
            with Vertical(id="main"):
                with Titled("Query", id="query"):
                    yield self.editor
                yield self.status
                with Titled("Rows", id="rows"):
                    yield self.rows
        yield Keys()
        yield self.offers
        yield self.feed
        yield self._files

    def on_mount(self) -> None:
        """The cursor stands where the text ends."""
        self.sub_title = one_line(str(console(self).store.root), 60)
        self.editor.move_cursor(self.editor.document.end)

    def on_resize(self, event: events.Resize) -> None:
        """Side by side where there is room."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.height < LOW, "-low")
        self.editor.close_offers()

    def on_unmount(self) -> None:
        """What was being written is there the next time."""
        console(self).remembered.sql = self.editor.text
        console(self).remember()

    # Asking.

    def action_run(self) -> None:
        """Ask what is selected, else the statement at the cursor."""
        self.editor.close_offers()
        found = self._what_is_asked()
        if found is None:
            console(self).notify_text(
                f"write one, or take a saved one: {key_of(self, 'sql.saved')}", title="There is no query"
            )
            return
        sql, offset = found
        self.editor.mark(None)
        self.status.asks(self.feed.ask(sql, offset).began)

    def _what_is_asked(self) -> tuple[str, int] | None:
        plain = self.editor.plain
        start, end = sorted((self.editor.selection.start, self.editor.selection.end))
        if start != end:
            first, last = self.editor.place_of(start), self.editor.place_of(end)
            return (plain[first:last], first) if plain[first:last].strip() else None
        span = statement_at(plain, self.editor.place)
        return (plain[span.start : span.end], span.start) if span else None

    @on(SqlFeed.Came)
    def _came(self, message: SqlFeed.Came) -> None:
        asking = message.asking
        if asking is not self.feed.asking:
            return
        if self.rows.sheet is not message.sheet:
            self.rows.say(NO_ROWS)
            self.rows.show(message.sheet)
            self._asked = asking.sql
            self._files.result = message.result
        self.status.came(message.result, counting=not message.whole)
        if message.whole:
            self.feed.done(asking)

    @on(SqlFeed.Failed)
    def _failed(self, message: SqlFeed.Failed) -> None:
        asking = message.asking
        if asking is not self.feed.asking:
            return
        self.feed.done(asking)
        stands = "; the rows of before stay" if self.rows.sheet else ""
        if message.busy:
            self.status.failed(f"the index is being written just now; {key_of(self, 'sql.run')} asks again{stands}")
        elif message.stopped:
            self.status.failed(f"stopped{stands}")
        else:
            place = fault_place(message.why, asking.sql)
            self.status.failed(f"{self._where(asking, place)}{fault_words(message.why)}")
            if place and self.editor.plain[asking.offset :].startswith(asking.sql):
                self.editor.mark(Span(place.start + asking.offset, place.end + asking.offset))

    def _where(self, asking: Asking, place: Span | None) -> str:
        if place is None:
            return ""
        before = self.editor.plain[: asking.offset] + asking.sql[: place.start]
        return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))} · "

    def action_stop(self) -> None:
        """Stop the query that is under way."""
        if self.feed.asking is not None:
            self.feed.stop()
            self.status.stopping()

    async def action_back(self) -> None:
        """First ends what was begun here: a query, a look at the tables; then to the screen before."""
        if self.feed.asking is not None:
            self.action_stop()
        elif self.has_class("-side") and not self.has_class("-wide"):
            self._leave_side()
        else:
            self.dismiss(None)

    # The editor.

    @on(SqlEditor.Offered)
    def _offered(self, message: SqlEditor.Offered) -> None:
        self.offers.show(message.offers, message.chosen, message.at)

    @on(SqlOffers.Taken)
    def _offer_taken(self, message: SqlOffers.Taken) -> None:
        self.editor.take(message.index)

    def action_complete(self) -> None:
        """What may stand at the cursor."""
        self.editor.focus()
        self.editor.look_up(asked=True)

    def action_new(self) -> None:
        """An empty editor."""
        self._leave_side()
        self._own = ""
        self.editor.put("")
        self.status.forget_fault()
        self.editor.focus()

    def action_turn(self) -> None:
        """From the query to the rows, and back."""
        self._leave_side()
        if self.editor.has_focus:
            self.rows.lines.focus()
        else:
            self.editor.focus()

    # Tables, saved queries, history.

    @on(SqlFeed.CatalogCame)
    def _catalog_came(self, message: SqlFeed.CatalogCame) -> None:
        self.editor.catalog = message.catalog
        self.side.take_catalog(message.catalog)

    @on(SqlFeed.SavedCame)
    def _saved_came(self, message: SqlFeed.SavedCame) -> None:
        self._saved = message.saved
        self.side.take_saved(message.saved)

    @on(SqlFeed.HistoryCame)
    def _history_came(self, message: SqlFeed.HistoryCame) -> None:
        self.side.take_history(message.asked)

    def action_tables(self) -> None:
        """Tables and their columns."""
        self._look_at(Side.TABLES)

    def action_saved(self) -> None:
        """Saved queries."""
        self._look_at(Side.SAVED)

    def action_history(self) -> None:
        """What was asked before."""
        self._look_at(Side.HISTORY)

    def _look_at(self, side: Side) -> None:
        """The list, and back to the query when it is the one that is looked at."""
        if self.side.list.has_focus and self.side.shown is side:
            self._leave_side()
            self.editor.focus()
            return
        self.add_class("-side")
        self.side.choose(side)
        self.side.list.focus()

    def _leave_side(self) -> None:
        if self.has_class("-side"):
            self.remove_class("-side")
            if self.side.list.has_focus:
                self.editor.focus()

    @on(SqlSide.Taken)
    def _taken(self, message: SqlSide.Taken) -> None:
        entry = message.entry
        self._leave_side()
        self.editor.focus()
        if entry.kind in ("table", "column"):
            self.editor.insert_word(entry.takes)
        elif entry.takes:
            self._own = entry.name if entry.kind == "saved" and entry.own else ""
            self.editor.put(entry.takes)
            self.status.forget_fault()

    @on(SqlSide.Deleted)
    def _deleted(self, message: SqlSide.Deleted) -> None:
        def answered(sure: bool | None) -> None:
            if sure:
                self.feed.delete(message.name)

        title = self._saved[message.name].title if message.name in self._saved else ""
        said = f"@{message.name}: {one_line(title, 200)}"
        self.app.push_screen(SureScreen("Delete this saved query?", said, "Delete it", "Keep it"), answered)

    def action_save(self) -> None:
        """Save what stands in the editor under a name."""
        from iwtui.tui.screens.sql_save import SaveScreen

        sql = self.editor.text
        if not sql.strip():
            console(self).notify_text("there is nothing in the editor", title="Nothing to save")
            return

        def named(name: str | None) -> None:
            if name:
                self._own = name
                self.feed.save(name, sql)

        self.app.push_screen(SaveScreen(self._saved, self._own), named)

    # The rows.

    @on(ArrowTable.Moved)
    def _cell_moved(self) -> None:
        sheet, cell = self.rows.sheet, self.rows.cell
        pane = self.query_one("#rows", Titled)
        if sheet is None or cell is None:
            pane.entitle("Rows", "")
            return
        row, column = cell
        kind = self._files.result.types[column].lower() if self._files.result else ""
        place = f"row {row + 1:,} of {len(sheet):,} · column {column + 1} of {len(sheet.columns)}"
        pane.entitle("Rows", f"{place} · {one_line(sheet.names[column], 40)} {one_line(kind, 30)}")

    @on(ArrowTable.Opened)
    def _cell_opened(self) -> None:
        from iwtui.tui.screens.sql_cell import CellScreen

        sheet, cell = self.rows.sheet, self.rows.cell
        if sheet is not None and cell is not None and self._files.result is not None:
            name, kind = sheet.names[cell[1]], self._files.result.types[cell[1]]
            self.app.push_screen(CellScreen(sheet.scalar(*cell), name, kind, cell[0]))

    @on(ArrowTable.RowOpened)
    def _row_opened(self) -> None:
        sheet, cell = self.rows.sheet, self.rows.cell
        if sheet is None or cell is None:
            return
        row = {name: sheet.scalar(cell[0], sheet.names.index(name)).as_py() for name in READ if name in sheet.names}
        found = target(row)
        if isinstance(found, Target):
            self._go_to(found)
        elif isinstance(found, Sought):
            self.feed.seek(found)
        else:
            said = "give the query the column `episode` (with `slot`, `event` or `judging`), or `run`"
            console(self).notify_text(said, title="This row leads nowhere")

    @on(SqlFeed.Found)
    def _found(self, message: SqlFeed.Found) -> None:
        self._go_to(message.target)

    def _go_to(self, found: Target) -> None:
        from iwtui.tui.screens.episode import EpisodeScreen
        from iwtui.tui.screens.metrics import MetricsScreen

        if found.episode is None:
            self.app.push_screen(MetricsScreen(found.run))
        else:
            self.app.push_screen(EpisodeScreen(found.episode, found.seq, found.slot, found.judging or None))

    @on(ArrowTable.ExportWanted)
    def action_export(self) -> None:
        """Write the rows to a file."""
        result = self._files.result
        if result is None:
            console(self).notify_text("ask something first", title="There are no rows")
            return
        shown = f"{result.arrow.num_rows:,} rows"
        kinds = {"all rows": "the query is asked again, whole"} if result.truncated else {}
        kinds["shown"] = shown
        sql = self._asked

        def chosen(wish: Wish | None) -> None:
            if wish is not None:
                self._files.write(wish, sql if wish.what == "all rows" else None)

        self.app.push_screen(ExportScreen(kinds, "rows", Path.cwd()), chosen)

    def copied(self) -> str:
        """The cell at the cursor, or what a line beside the query stands for."""
        if self.rows.lines.has_focus:
            return self.rows.copied()
        return self.side.copied() if self.side.list.has_focus else ""

    def copy_whole(self) -> bool:
        """All rows that are shown, into a file."""
        if self.rows.lines.has_focus:
            self._files.copy()
        return self.rows.lines.has_focus

    @on(SqlFeed.Told)
    def _told(self, message: SqlFeed.Told) -> None:
        console(self).notify_text(message.text, title=message.title, severity="error" if message.severe else "information")
