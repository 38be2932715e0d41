"""What Home and Metrics ask the index. All of it takes its time and belongs into a thread.

One `Questions` serves a screen; it keeps answers of the last questions, for as long as the index does not change.
"""

import threading
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, TypeVar, cast

from iwtui.archive.store import Store
from iwtui.tui.answers import Age, EpisodeLine, Label, Metrics, Overview, Page, RunLine, Sheet, cell_filter
from iwtui.tui.catching import WAIT, catch_up

if TYPE_CHECKING:
    import duckdb

    from iwtui.analysis.causes import Share
    from iwtui.analysis.episodes import Asked
    from iwtui.analysis.figures import Figures
    from iwtui.analysis.published import Compared
    from iwtui.archive.index import Index

KEPT = 24
"""Answers that are kept."""

Stamp = tuple[tuple[int, int, int], ...]
T = TypeVar("T")


class Questions:
    """Asks the index of a store; any thread may, one at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = threading.Lock()
        self._index: Index | None = None
        self._kept: dict[Hashable, object] = {}
        self._stamp: Stamp = ()

    def plans(self) -> Overview:
        """The runs as their own files tell of them, without any figures: quick, needs no index."""
        return Overview(tuple(self._planned(run) for run in reversed(self._store.runs())))

    def overview(self) -> Overview:
        """All runs with their figures. Raises StoreError when there is no index to be read."""
        with self._turn:
            runs = self._store.runs()
            if not runs:
                return Overview()
            from iwtui.tui import indexed

            age = self._catch_up()
            figures, over = self._ask(("overview", tuple(runs)), lambda con: indexed.overview(con, runs))
        return Overview(tuple(self._planned(run, figures.get(run)) for run in reversed(runs)), over, age)

    def episodes(self, run: str) -> tuple[EpisodeLine, ...]:
        """The episodes of a run that count, by case and builder. Raises StoreError."""
        from iwtui.analysis.pages import Order
        from iwtui.tui import indexed

        with self._turn:
            asked = self._asked(run, "")
            return self._read(lambda con: indexed.lines(con, asked, Order("case_id"), 0, None))

    def metrics(
        self, run: str | None, policy: str = "default", filter_text: str = "", by: str = "difficulty", fresh: bool = True
    ) -> Metrics:
        """The figures of a run, or of all (None), of those episodes that fit a filter; `intervals` adds the intervals.

        `by` is one of `figures.GROUPS`. Without `fresh` the index is read as it stands, which is quick however many logs
        there are; the age says how old it is then. Raises StoreError, FilterError, GroupError.
        """
        with self._turn:
            age = self._catch_up() if fresh or not self._opened().path.exists() else self._as_it_stands()
            return self._metrics(run, policy, filter_text, by, bounded=False, age=age)

    def intervals(self, run: str | None, policy: str = "default", filter_text: str = "", by: str = "difficulty") -> Metrics:
        """As `metrics`, of the index as it stands, and with the intervals of all figures, cells and parts."""
        with self._turn:
            return self._metrics(run, policy, filter_text, by, bounded=True, age=self._as_it_stands())

    def cell(
        self,
        run: str | None,
        filter_text: str = "",
        where: Mapping[str, Label] | None = None,
        order: tuple[str, bool] | None = None,
        offset: int = 0,
        limit: int = 200,
    ) -> Page:
        """A page of the episodes that fit a filter and have these values in these columns; a margin fits any.

        All of them, whatever their status: a policy says who counts in a mean, not who is there. `order` is a column of
        `pages.ORDERS`, and whether the highest come first; the lowest TCR does by default. Raises StoreError,
        FilterError, KeyError.
        """
        from iwtui.analysis.pages import LOWEST, Order
        from iwtui.tui import indexed

        with self._turn:
            asked = self._asked(run, f"{filter_text} {cell_filter(where or {})}")
            ordered = Order(*order) if order else LOWEST
            return self._ask(
                ("cell", asked, ordered, offset, limit), lambda con: indexed.cell(con, asked, ordered, offset, limit)
            )

    def export(self, run: str | None, policy: str = "default", filter_text: str = "", by: str = "difficulty") -> Sheet:
        """All figures as `report --format csv` has them, of all episodes, then of each part. Raises as `metrics`."""
        from iwtui.analysis.flat import sheet, whole_row
        from iwtui.analysis.policy import Policy
        from iwtui.analysis.report import report

        with self._turn:
            asked = self._asked(run, filter_text)
            rows = self._read(lambda con: report(con, asked, [by], Policy(policy)))
        return Sheet(*sheet([whole_row(row, [by]) for row in rows]))

    def published(self, run: str | None, filter_text: str = "") -> "tuple[Compared, ...]":
        """Each published figure beside ours, of those episodes that fit a filter. Raises StoreError, FilterError."""
        from iwtui.analysis.published import compared

        with self._turn:
            asked = self._asked(run, filter_text)
            return self._ask(("published", asked), lambda con: tuple(compared(con, asked)))

    def causes(self, run: str | None, filter_text: str = "") -> "tuple[Share, ...]":
        """Why the scored episodes that fit a filter lost weight, in all and by persona. Raises StoreError, FilterError."""
        from iwtui.analysis.causes import load_lost, shares
        from iwtui.analysis.frames import load_frame
        from iwtui.tui.cause_rows import BY

        with self._turn:
            asked, index = self._asked(run, filter_text), self._opened()
            return tuple(shares(load_lost(index, load_frame(index, asked)), [BY]))

    def export_episodes(
        self,
        run: str | None,
        filter_text: str = "",
        where: Mapping[str, Label] | None = None,
        order: tuple[str, bool] | None = None,
    ) -> Sheet:
        """All episodes that `cell` shows, in its order, as rows of `pages.COLUMNS`. Raises as `cell`."""
        from iwtui.analysis.pages import COLUMNS, LOWEST, Order, page

        with self._turn:
            asked = self._asked(run, f"{filter_text} {cell_filter(where or {})}")
            found = self._read(lambda con: page(con, asked, Order(*order) if order else LOWEST))
        return Sheet(tuple(COLUMNS), tuple(found))

    # Asking.

    def _metrics(self, run: str | None, policy: str, filter_text: str, by: str, bounded: bool, age: Age) -> Metrics:
        from iwtui.analysis.policy import Policy
        from iwtui.tui import indexed

        asked, under = self._asked(run, filter_text), Policy(policy)
        key = ("metrics", asked, policy, by, bounded)
        found = self._ask(key, lambda con: indexed.metrics(con, asked, under, by, bounded))
        return Metrics(policy=policy, filter_text=filter_text, by=by, bounded=bounded, age=age, **found)

    def _asked(self, run: str | None, filter_text: str) -> "Asked":
        from iwtui.analysis.episodes import Asked
        from iwtui.bench.filters import parse
        from iwtui.tui import indexed

        terms = parse(filter_text)
        known = self._store.runs()
        again = run is not None and self._ask(("again", run), lambda con: indexed.is_played_again(con, run))
        return Asked(None if run is None else (run,), terms, known[-1] if known else None, forks=again)

    def _ask(self, key: Hashable, question: "Callable[[duckdb.DuckDBPyConnection], T]") -> T:
        """The answer, kept from before when the index has not changed since."""
        index = self._opened()
        stamp = _stamp(index)
        if stamp != self._stamp:
            self._kept.clear()
            self._stamp = stamp
        if key not in self._kept:
            answer = self._read(question)
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = answer
        return cast(T, self._kept[key])

    def _read(self, question: "Callable[[duckdb.DuckDBPyConnection], T]") -> T:
        """The answer, of an index that an older version made only once it is made anew."""
        from iwtui.archive.errors import IndexFaultError
        from iwtui.tui import indexed

        for old in (False, True):
            if old:
                self._catch_up()
            current, answer = self._opened().read(
                lambda con: (True, question(con)) if indexed.is_ours(con) else (False, None), WAIT
            )
            if current:
                return cast(T, answer)
        raise IndexFaultError("another version of iwtui made the index; it is made anew once nobody else holds it")

    def _opened(self) -> "Index":
        from iwtui.archive.index import Index

        if self._index is None:
            self._index = Index(self._store)
        return self._index

    def _as_it_stands(self) -> Age:
        return Age(self._opened().age())

    def _catch_up(self) -> Age:
        return catch_up(self._opened())

    def _planned(self, run: str, figures: "Figures | None" = None) -> RunLine:
        from iwtui.archive.errors import StoreError

        try:
            plan = self._store.run(run).plan
        except StoreError as error:
            return RunLine(run, figures=figures, trouble=str(error))
        return RunLine.of(run, plan, figures)


def _stamp(index: "Index") -> Stamp:
    """Changes whenever anybody writes the index."""
    found = []
    for file in (index.path, index.path.with_name(index.path.name + ".wal")):
        try:
            status = file.stat()
        except FileNotFoundError:
            found.append((0, 0, 0))
        else:
            found.append((status.st_ino, status.st_mtime_ns, status.st_size))
    return tuple(found)
