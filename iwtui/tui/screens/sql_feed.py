"""What the SQL console is fed with, each in a thread: the rows of a query, the catalog, saved queries, the history."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Event

from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from iwtui.archive.catalog import Catalog, read_catalog
from iwtui.archive.errors import IndexBusyError, IndexNewerError, QueryStoppedError, StoreError
from iwtui.archive.index import Index
from iwtui.archive.query import Ahead, Query, Result
from iwtui.archive.saved_queries import SavedQuery, delete_query, save_query, saved_queries
from iwtui.bench.names import EpisodeName, parse_name
from iwtui.tui.app_protocol import console
from iwtui.tui.catching import BUDGET
from iwtui.tui.sql_history import Asked, History
from iwtui.tui.state.sql_target import Sought, Target
from iwtui.tui.widgets.arrow_table import Sheet
from iwtui.tui.written import counted

SHOWN = 10_000
"""Rows that are kept; the rest is counted."""

ROOM = 64_000_000
"""Bytes of rows that are kept at most."""

COUNTING = 30.0
"""Seconds that the rest is counted for: as long as a query goes on, nobody can write the index."""

WAIT = 10.0
"""Seconds to wait for others who hold the index."""


@dataclass(frozen=True)
class Asking:
    """A query under way. `offset`: where it begins in the editor. Set `over` to stop it."""

    sql: str
    offset: int
    began: float
    over: Event


class SqlFeed(Widget):
    """Shows nothing. What it is asked for comes as messages."""

    DEFAULT_CSS = "SqlFeed { display: none; }"

    @dataclass
    class Came(Message):
        """Rows are there. `whole`: that was all of it; else the rest is being counted."""

        asking: Asking
        result: Result
        sheet: Sheet
        whole: bool

    @dataclass
    class Failed(Message):
        """There are no rows. `stopped`: the reader wanted that; `busy`: others held the index for too long."""

        asking: Asking
        why: str
        stopped: bool = False
        busy: bool = False

    @dataclass
    class CatalogCame(Message):
        """What can be named in a query."""

        catalog: Catalog

    @dataclass
    class SavedCame(Message):
        """The saved queries."""

        saved: dict[str, SavedQuery]

    @dataclass
    class HistoryCame(Message):
        """The queries that were asked, the last one last."""

        asked: tuple[Asked, ...]

    @dataclass
    class Found(Message):
        """The episode that a row leads to."""

        target: Target

    @dataclass
    class Told(Message):
        """Something that the reader is to be told of."""

        title: str
        text: str
        severe: bool = False

    def __init__(self) -> None:
        super().__init__()
        self.asking: Asking | None = None
        self._history = History()

    def on_mount(self) -> None:
        """Looks for what can be asked."""
        self._index = Index(console(self).store)
        self._work(self._read_catalog, "The index cannot be read")
        self._work(self._read_saved, "The saved queries cannot be read")
        self._work(self._read_history, "The history cannot be read")

    def on_unmount(self) -> None:
        """Nobody waits for it any more."""
        self.stop()

    # A query.

    def ask(self, sql: str, offset: int) -> Asking:
        """Ask it; one that is under way is stopped."""
        self.stop()
        self.asking = asking = Asking(sql, offset, time.monotonic(), Event())
        self.run_worker(partial(self._ask, asking), thread=True, group="query", exit_on_error=False)
        return asking

    def stop(self) -> None:
        """Stop what is under way."""
        if self.asking is not None:
            self.asking.over.set()

    def done(self, asking: Asking) -> None:
        """It is over."""
        if self.asking is asking:
            self.asking = None

    def _ask(self, asking: Asking) -> None:
        """In a thread."""
        sheets: list[Sheet] = []

        def arrived(result: Result) -> None:
            sheets.append(Sheet(result.columns, result.arrow))
            if result.truncated:
                self.post_message(self.Came(asking, result, sheets[0], whole=False))

        try:
            self._catch_up(asking)
            result = Query(self._index, asking.over).run(asking.sql, SHOWN, None, WAIT, Ahead(arrived, COUNTING, ROOM))
        except (StoreError, OSError) as error:
            stopped, busy = isinstance(error, QueryStoppedError), isinstance(error, IndexBusyError)
            self.post_message(self.Failed(asking, str(error), stopped, busy))
            if not stopped and not busy:
                self._note(Asked(asking.sql, time.time(), fault=str(error)[:500]))
        else:
            self.post_message(self.Came(asking, result, sheets[0], whole=True))
            self._note(Asked(asking.sql, time.time(), result.total, round(result.seconds, 3)))

    def _catch_up(self, asking: Asking) -> None:
        """What is new in the logs, as far as it is quick; while others are at it, what there is will do."""
        if asking.over.is_set():
            return
        try:
            self._index.catch_up(BUDGET, wait=0.5)
        except (IndexBusyError, IndexNewerError):
            return  # the age that is shown with the rows tells of it

    def _note(self, asked: Asked) -> None:
        try:
            self.post_message(self.HistoryCame(self._history.add(asked)))
        except OSError as error:
            self.post_message(self.Told("The history cannot be written", str(error)))

    # What can be asked.

    def _read_catalog(self) -> None:
        self.post_message(self.CatalogCame(read_catalog(self._index)))

    def _read_saved(self) -> None:
        self.post_message(self.SavedCame(saved_queries()))

    def _read_history(self) -> None:
        self.post_message(self.HistoryCame(self._history.read()))

    def save(self, name: str, sql: str) -> None:
        """Keep a query under a name, over one's own of that name."""

        def work() -> None:
            file = save_query(name, sql)
            self._read_saved()
            self.post_message(self.Told("Saved", f"`iwtui sql @{name}` asks it too; it is in {file}"))

        self._work(work, "Not saved")

    def delete(self, name: str) -> None:
        """Take one's own query away."""

        def work() -> None:
            delete_query(name)
            self._read_saved()

        self._work(work, "Not deleted")

    # What a row leads to.

    def seek(self, sought: Sought) -> None:
        """The episode that has these values, if there is one and no other."""
        self._work(partial(self._seek, sought), "The episode cannot be found")

    def _seek(self, sought: Sought) -> None:
        where = " AND ".join(f"{name} = ?" for name, _ in sought.where)
        values = [value for _, value in sought.where]
        names = self._index.read(
            lambda con: con.execute(
                f"SELECT episode FROM attempts WHERE counts AND {where} ORDER BY episode LIMIT 6",  # noqa: S608 - our columns
                values,
            ).fetchall(),
            WAIT,
        )
        episodes = [found for (name,) in names if (found := parse_name(name)) is not None]
        if len(episodes) == 1:
            self.post_message(self.Found(Target(episodes[0].run, episodes[0], sought.judging, sought.slot, sought.seq)))
            return
        self.post_message(self.Told(_several(episodes), "a row with the column `episode` leads to it"))

    # Threads.

    def _work(self, work: Callable[[], None], title: str) -> None:
        def guarded() -> None:
            try:
                work()
            except (StoreError, OSError) as error:
                self.post_message(self.Told(title, str(error), severe=True))

        self.run_worker(guarded, thread=True, group="sql", exit_on_error=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            if event.worker.group == "query" and self.asking is not None:
                self.post_message(self.Failed(self.asking, str(event.worker.error)))
            else:
                self.post_message(self.Told("A task of the SQL console failed", str(event.worker.error), severe=True))


def _several(episodes: list[EpisodeName]) -> str:
    if not episodes:
        return "No episode fits this row"
    more = "more than 5 episodes fit" if len(episodes) > 5 else f"{counted(len(episodes), 'episode')} fit"
    return f"{more} this row"
