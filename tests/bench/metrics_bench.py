"""Metrics over 125,000 episodes of 8 slots: the first paint's data, a drill, a filter.

Each against the same question asked of DuckDB directly.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb

from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.tui.queries import Questions
from tests.bench.big_store import big_store

Ours = Callable[[Questions], object]
Direct = Callable[[duckdb.DuckDBPyConnection], object]

ROUNDS = 7
CELL = {"persona": "P-CON", "builder": "maker/model-c"}
FILTER = "persona:P-MIN,P-CON status:scored turns>3"
SQL_FILTER = "persona IN ('P-MIN', 'P-CON') AND status = 'scored' AND turns > 3"

MEANS = (
    "tcr tcr_clean tcr_human sr::INT hallucinated::INT ias chr turns clarifies implements verifies malformed conflicts "
    "steal_steps blind_executions leaks question_cost loc vbr layout creative_alignment aesthetics tokens_in tokens_out "
    "cost seconds"
).split()


def bench() -> dict[str, float]:
    """Milliseconds (medians of rounds, each with a new reader), the ratios to DuckDB's own, and the peak of memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        store = big_store(Path(folder) / "store")
        done = subprocess.run(
            [sys.executable, "-m", __spec__.name if __spec__ else "tests.bench.metrics_bench", str(store.root)],
            check=True, capture_output=True, text=True, timeout=600,
        )  # fmt: skip
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def measure(store: Store) -> dict[str, float]:
    """The figures, of a process that does nothing else.

    The index is read as it stands; catching up with logs is another matter.
    """
    Questions(store).metrics(None)  # modules are loaded, the file is in memory
    found = {name: statistics.median(_asked(store, ask) for _ in range(ROUNDS)) for name, ask in ALONE.items()}
    for ours, _ in BESIDE.values():
        _asked(store, ours)
    found["peak_mb"] = _peak()
    for name, (ours, direct) in BESIDE.items():
        times = [(_asked(store, ours), _asked_directly(store, direct)) for _ in range(ROUNDS)]
        mine, other = (statistics.median(each) for each in zip(*times, strict=True))
        found |= {f"{name}_ms": mine, f"{name}_direct_ms": other, f"{name}_ratio": mine / other}
    return found


def _asked(store: Store, ask: Ours) -> float:
    return _milliseconds(lambda: ask(Questions(store)))


def _asked_directly(store: Store, ask: Direct) -> float:
    def directly() -> None:
        with closing(duckdb.connect(str(Index(store).path), read_only=True)) as con:
            ask(con)

    return _milliseconds(directly)


def _peak() -> float:
    """Megabytes, of this process alone: `getrusage` counts in those of the one that started it."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))


def _milliseconds(ask: Callable[[], object]) -> float:
    began = time.perf_counter()
    ask()
    return 1000 * (time.perf_counter() - began)


def _direct_figures(con: duckdb.DuckDBPyConnection, condition: str) -> None:
    """The same sums, cells and points, as one who knows how would ask for them: one pass by all groups."""
    sums = ", ".join(f"sum({mean}), count({mean})" for mean in MEANS)
    more = "count_if(clarifies > 0), count_if(contains(actions, 'S')), count_if(scripted), count_if(unpriced_calls > 0)"
    fitting = f"FROM episodes WHERE {condition}"
    counting = f"{fitting} AND status IN ('scored', 'crashed')"
    for query in (
        f"SELECT persona, difficulty, builder, status, count(*), {sums}, {more} {fitting} GROUP BY ALL",
        f"SELECT turns, count(tcr), avg(tcr) {counting} GROUP BY turns ORDER BY turns",
        f"SELECT loc, count(hallucinated), avg(hallucinated::INT) {counting} GROUP BY loc ORDER BY loc",
        f"SELECT builder, persona, count(cost), avg(cost), avg(tcr) FILTER (cost IS NOT NULL) {counting} GROUP BY ALL",
        f"SELECT sum(clarifies), sum(implements), sum(verifies), sum(malformed), count_if(actions LIKE '%S%') {counting}",
        f"SELECT stop_reason, count(*) {counting} GROUP BY stop_reason",
        "SELECT run FROM runs WHERE kind NOT IN ('fork', 'replay')",
    ):
        con.execute(query).fetchall()


def _direct_cell(con: duckdb.DuckDBPyConnection) -> None:
    fitting = (
        "FROM episodes e LEFT JOIN cases c USING (run, case_id) LEFT JOIN judgings j ON j.episode = e.episode AND is_primary"
    )
    condition = " AND ".join(f"e.{column} = '{value}'" for column, value in CELL.items())
    con.execute(f"SELECT count(*) FROM episodes e WHERE {condition}").fetchall()
    rows = f"SELECT e.*, application_type, category, passed {fitting} WHERE {condition}"
    con.execute(f"{rows} ORDER BY e.tcr, e.case_id, e.builder LIMIT 200").fetchall()


BESIDE: dict[str, tuple[Ours, Direct]] = {
    "first": (lambda new: new.metrics(None, fresh=False), lambda con: _direct_figures(con, "true")),
    "drill": (lambda new: new.cell(None, where=CELL), _direct_cell),
    "filter": (lambda new: new.metrics(None, filter_text=FILTER, fresh=False), lambda con: _direct_figures(con, SQL_FILTER)),
}
"""What is asked of us and of DuckDB itself."""

ALONE: dict[str, Ours] = {
    "fresh_ms": lambda new: new.metrics(None),
    "official_ms": lambda new: new.metrics(None, "official", fresh=False),
    "intervals_ms": lambda new: new.intervals(None),
    "last_page_ms": lambda new: new.cell(None, offset=120_000),
}


if __name__ == "__main__":
    print(json.dumps(measure(Store(Path(sys.argv[1])))))
