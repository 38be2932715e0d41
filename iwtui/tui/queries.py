"""What Home and Metrics ask the index. All of it takes its time and belongs into a thread.

One `Questions` serves a screen; it keeps the episodes that it read, for as long as the index does not change.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName, parse_stem
from iwtui.tui.answers import Age, Cell, EpisodeLine, Grid, Label, Margin, Metrics, Overview, RunLine
from iwtui.tui.catching import catch_up

if TYPE_CHECKING:
    import polars as pl

    from iwtui.analysis.figures import Figures
    from iwtui.analysis.policy import Policy
    from iwtui.archive.index import Index

Stamp = tuple[tuple[int, int, int], ...]


class Questions:
    """Asks the index of a store; any thread may, one at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = threading.Lock()
        self._index: Index | None = None
        self._read: tuple[Stamp, tuple[str, ...], pl.DataFrame] | None = None
        self._summed: tuple[pl.DataFrame, dict[str, Figures], frozenset[EpisodeName]] | None = None

    def plans(self) -> Overview:
        """The runs as their own files tell of them, without any figures: quick, needs no index."""
        return Overview(tuple(self._planned(run) for run in reversed(self._store.runs())))

    def overview(self) -> Overview:
        """All runs with their figures. Raises StoreError when there is no index to be read."""
        with self._turn:
            runs = self._store.runs()
            if not runs:
                return Overview()
            age = self._catch_up()
            figures, over = self._sums(self._episodes(runs))
        return Overview(tuple(self._planned(run, figures.get(run)) for run in reversed(runs)), over, age)

    def episodes(self, run: str) -> tuple[EpisodeLine, ...]:
        """The episodes of a run that count, by case and builder. Raises StoreError."""
        import polars as pl

        with self._turn:
            frame = self._episodes(self._store.runs()).filter(pl.col("run") == run)
        return _lines(frame.sort("case_id", "builder", "repeat"))

    def metrics(self, run: str | None, policy: str = "default", filter_text: str = "") -> Metrics:
        """The figures of a run, or of all (None), of those episodes that fit a filter. Raises StoreError, FilterError."""
        import polars as pl

        from iwtui.analysis.figures import report
        from iwtui.analysis.policy import Policy
        from iwtui.analysis.where import where
        from iwtui.bench.filters import parse

        terms = parse(filter_text)
        with self._turn:
            known = self._store.runs()
            age = self._catch_up()
            frame = self._episodes(known)
        runs = [one for one in known if not self._is_played_again(one)] if run is None else [run]
        frame = frame.filter(pl.col("run").is_in(runs)).filter(where(terms, known[-1] if known else None))
        under = Policy(policy)
        whole = report(frame, [], under)[0].figures
        return Metrics(
            runs=tuple(runs),
            policy=policy,
            figures=whole,
            by_difficulty=_grid(frame, "difficulty", under),
            by_builder=_grid(frame, "builder", under),
            episodes=_lines(frame.sort("tcr", "case_id", "builder", nulls_last=True)),
            age=age,
        )

    def _is_played_again(self, run: str) -> bool:
        """A fork or a replay stays out of what several runs have together; a run that cannot be read is none."""
        from iwtui.archive.errors import StoreError

        try:
            return self._store.run(run).plan.kind in ("fork", "replay")
        except StoreError:
            return False

    def _catch_up(self) -> Age:
        from iwtui.archive.index import Index

        if self._index is None:
            self._index = Index(self._store)
        return catch_up(self._index)

    def _episodes(self, runs: Sequence[str]) -> "pl.DataFrame":
        from iwtui.analysis.episodes import load_episodes
        from iwtui.archive.index import Index

        index = self._index = self._index or Index(self._store)
        stamp = _stamp(index)
        if self._read is None or self._read[:2] != (stamp, tuple(runs)):
            frame = load_episodes(index, runs, forks=True).join(
                _verdict_counts(index), on="episode", how="left", maintain_order="left"
            )
            self._read = stamp, tuple(runs), frame
        return self._read[2]

    def _sums(self, frame: "pl.DataFrame") -> "tuple[dict[str, Figures], frozenset[EpisodeName]]":
        from iwtui.analysis.figures import report
        from iwtui.analysis.policy import Policy

        if self._summed is None or self._summed[0] is not frame:
            figures = {str(row.group["run"]): row.figures for row in report(frame, ["run"], Policy.DEFAULT)[1:]}
            names = (line.name for line in _lines(frame) if line.status != "running")
            self._summed = frame, figures, frozenset(names)
        return self._summed[1], self._summed[2]

    def _planned(self, run: str, figures: "Figures | None" = None) -> RunLine:
        from iwtui.archive.errors import StoreError

        try:
            plan = self._store.run(run).plan
        except StoreError as error:
            return RunLine(run, figures=figures, trouble=str(error))
        planned = len(plan.case_ids) * len(plan.builders) * plan.repeats
        return RunLine(run, plan.pack, plan.builders, plan.created, planned, plan.kind, plan.scripted, figures)


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


_COUNTS = """
SELECT episode, passed, passed + failed + unobserved + unjudged AS judged_slots
FROM judgings
WHERE is_primary AND status = 'scored'
"""


def _verdict_counts(index: "Index") -> "pl.DataFrame":
    import polars as pl

    return index.read(lambda con: pl.DataFrame(con.sql(_COUNTS).to_arrow_table()))


def _lines(frame: "pl.DataFrame") -> tuple[EpisodeLine, ...]:
    lines = []
    for row in frame.iter_rows(named=True):
        name = parse_stem(row["run"], row["episode"].removeprefix(f"{row['run']}/"))
        if name is None:
            continue  # its log could not bear such a name, so there is nothing to open
        lines.append(
            EpisodeLine(
                name=name,
                case_id=row["case_id"] or name.case,
                persona=row["persona"] or "",
                difficulty=row["difficulty"] or "",
                builder=row["builder"] or name.builder,
                status=row["status"],
                stop_reason=row["stop_reason"] or "",
                actions=row["actions"] or "",
                turns=row["turns"],
                tcr=row["tcr"],
                seconds=row["seconds"],
                cost=row["cost"],
                hallucinated=row["hallucinated"],
                passed=row["passed"],
                slots=row["judged_slots"],
                tokens=None if row["tokens_in"] is None else row["tokens_in"] + row["tokens_out"],
                unpriced=row["unpriced_calls"],
            )
        )
    return tuple(lines)


def _grid(frame: "pl.DataFrame", column: str, policy: "Policy") -> Grid:
    from iwtui.analysis.figures import report

    cells: dict[tuple[Label, Label], Cell] = {}
    for by in ([], ["persona"], [column], ["persona", column]):
        for group in report(frame, by, policy)[len(by) > 0 :]:
            place = tuple(_label(group.group[name]) if name in by else Margin.ALL for name in ("persona", column))
            cells[place[0], place[1]] = Cell(group.figures.tcr, group.figures.n, group.figures.episodes)
    rows = sorted({row for row, _ in cells}, key=_order)
    columns = sorted({value for _, value in cells}, key=_order)
    return Grid(column, tuple(rows), tuple(columns), cells)


def _label(value: object) -> Label:
    return None if value is None else str(value)


def _order(label: Label) -> tuple[int, int, str]:
    if isinstance(label, Margin):
        return (0, 0, "")
    return (2 if label is None else 1, {"easy": 0, "middle": 1, "hard": 2}.get(label or "", 3), label or "")
