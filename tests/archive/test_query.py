import math
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from iwtui.archive.errors import QueryError, QueryStoppedError
from iwtui.archive.index import Index
from iwtui.archive.query import Ahead, Query, Result
from iwtui.archive.saved_queries import saved_queries
from tests.support.stores import make_case, make_run, make_store, play

ENDLESS = "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    made = Index(make_store(tmp_path_factory.mktemp("store")))
    made.catch_up()
    yield made


@pytest.fixture
def query(index: Index) -> Query:
    return Query(index)


REFUSED = [
    "COPY runs TO '/tmp/iwtui-fence.csv'",
    "COPY (SELECT 1) TO '/dev/stdout'",
    "EXPORT DATABASE '/tmp/iwtui-fence'",
    "EXPLAIN ANALYZE COPY runs TO '/tmp/iwtui-fence.csv'",
    "ATTACH ':memory:' AS other",
    "ATTACH '/tmp/iwtui-fence.duckdb'",
    "DETACH iwtui",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "SET VARIABLE x = 1",
    "USE internal",
    "PRAGMA enable_profiling",
    "PRAGMA version",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN",
    "DROP TABLE events",
    "DELETE FROM events",
    "INSERT INTO runs SELECT * FROM runs",
    "EXPLAIN ANALYZE INSERT INTO runs SELECT * FROM runs",
    "UPDATE events SET seq = 0",
    "CREATE TABLE x AS SELECT 1",
    "CREATE TEMP TABLE x AS SELECT 1",
    "ALTER TABLE events RENAME TO e",
    "PREPARE q AS SELECT 1",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/hostname')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM 'https://example.org/x.parquet'",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM query('COPY runs TO ''/tmp/iwtui-fence.csv''')",
    "SELECT * FROM read_duckdb('/tmp/iwtui-fence.duckdb')",
    "SELECT getenv('HOME')",
    "SELECT * FROM secret_in_this_process",
    "SELECT 1; DROP TABLE events",
    "SELECT 1; SELECT 2",
    "SELECT 1; COMMIT; SELECT 2",
    "",
    "-- nothing",
    "SELEC 1",
]


@pytest.mark.parametrize("sql", REFUSED)
def test_the_fence(query: Query, sql: str) -> None:
    secret_in_this_process = [{"password": "x"}]
    with pytest.raises(QueryError):
        query.run(sql)
    assert secret_in_this_process
    assert not list(Path("/tmp").glob("iwtui-fence*"))
    assert query.run("SELECT count(*) FROM runs").rows == [(2,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SHOW TABLES",
        "DESCRIBE episodes",
        "SUMMARIZE episodes",
        "EXPLAIN SELECT * FROM episodes",
        "FROM runs",
        "VALUES (1)",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "PIVOT episodes ON status USING count(*)",
        "SELECT 1;",
        "TABLE runs",
        "-- title\nSELECT 1 -- end",
        "SELECT event ->> '$.kind' FROM events",
    ],
)
def test_what_only_reads_is_allowed(query: Query, sql: str) -> None:
    assert query.run(sql).rows


def test_the_limit_and_the_row_beyond_it(query: Query) -> None:
    for rows, truncated in ((499, False), (500, False), (501, True)):
        result = query.run(f"SELECT * FROM range({rows})")
        assert (len(result.rows), result.truncated) == (min(rows, 500), truncated)
    assert query.run("SELECT * FROM range(30000)", limit=None).arrow.num_rows == 30_000
    nothing = query.run("SELECT 1 AS x WHERE false")
    assert (nothing.columns, list(nothing.rows), nothing.truncated) == (("x",), [], False)


def test_a_limit_keeps_a_huge_result_out_of_memory(query: Query) -> None:
    began = time.monotonic()
    assert query.run("SELECT range, repeat('x', 100) FROM range(10000000000)").truncated
    assert time.monotonic() - began < 5


def test_cells_are_data(query: Query) -> None:
    sql = r"""SELECT '[/]' AS "[link=", '{"a":[true]}'::JSON AS j, '\x1b[2J' AS e, '\xAA\x00'::BLOB AS b, 'nan'::DOUBLE AS n,
              repeat('x', 10000000) AS long, NULL AS nothing, [1, 2] AS list, TIMESTAMP '2026-01-01' AS t, 1 AS t"""
    result = query.run(sql)
    assert result.columns == ("[link=", "j", "e", "b", "n", "long", "nothing", "list", "t", "t")
    assert result.types[1] == "JSON"
    ((markup, json, escape, blob, nan, long, nothing, numbers, moment, one),) = result.rows
    assert (markup, json, escape, blob) == ("[/]", '{"a":[true]}', r"\x1b[2J", b"\xaa\x00")
    assert math.isnan(nan)
    assert (len(long), nothing, numbers, str(moment), one) == (10_000_000, None, [1, 2], "2026-01-01 00:00:00", 1)


def test_an_error_bears_the_words_of_the_database(query: Query) -> None:
    with pytest.raises(QueryError, match='Referenced column "tsr" not found'):
        query.run("SELECT tsr FROM episodes")


@pytest.mark.parametrize("sql", [ENDLESS, f"{ENDLESS.replace('sum', 'max')} ORDER BY 1"])
def test_a_query_can_be_cancelled(query: Query, sql: str) -> None:
    timer = threading.Timer(0.3, query.cancel)
    timer.start()
    began = time.monotonic()
    with pytest.raises(QueryStoppedError, match="cancelled"):
        query.run(sql)
    assert time.monotonic() - began < 1.3
    timer.join()
    assert query.run("SELECT 1").rows == [(1,)]


def test_a_query_has_a_limit_of_time(query: Query) -> None:
    with pytest.raises(QueryStoppedError, match=r"0\.2 s"):
        query.run(ENDLESS, seconds=0.2)


def test_nothing_of_a_query_keeps_the_writer_out(tmp_path: Path) -> None:
    """DuckDB lets one process not open a file both ways: whatever stays of a query would lock its own process out."""
    store = make_store(tmp_path)
    index = Index(store)
    index.catch_up()
    query = Query(index)
    kept = [query.run("SELECT * FROM events", limit=5)]
    errors = []
    for number, sql in enumerate(["SELECT nothing", ENDLESS, "SELECT 1; SELECT 2", "SELECT 1 / 'x' FROM events"]):
        with pytest.raises(QueryError) as caught:
            query.run(sql, seconds=0.1)
        errors.append(caught.value)
        play(make_run(store, f"more{number}", [make_case()]), make_case())
        assert index.catch_up(wait=1).events
    assert kept[0].rows


def test_one_query_does_not_see_the_cancelling_of_another(index: Index) -> None:
    stopped, going = Query(index), Query(index)
    timer = threading.Timer(0.1, stopped.cancel)
    timer.start()
    with pytest.raises(QueryStoppedError, match="limit of its time"):
        going.run(ENDLESS, seconds=0.5)
    timer.join()


def test_the_age_is_that_of_the_last_look_at_the_logs(index: Index, query: Query) -> None:
    index.catch_up()
    age = query.run("SELECT 1").age
    assert age is not None
    assert age < 5


def test_saved_queries_run_and_have_titles(query: Query) -> None:
    saved = saved_queries()
    assert {"personas", "difficulty", "outcomes", "failed-slots", "cost", "published"} <= saved.keys()
    for name, one in saved.items():
        assert one.title, name
        assert "--" not in one.title
        query.run(one.sql)


class Arrivals(list[Result]):
    """What was told while a query ran."""

    def ahead(self, counting: float = 30.0, room: int = 1_000_000_000) -> Ahead:
        return Ahead(self.append, counting, room)


def test_the_first_rows_come_before_the_rest_is_counted(query: Query) -> None:
    arrivals = Arrivals()
    whole = query.run("SELECT range FROM range(1234567)", 10_000, ahead=arrivals.ahead())
    (first,) = arrivals
    assert (first.arrow.num_rows, first.truncated, first.total) == (10_000, True, None)
    assert (whole.arrow.num_rows, whole.truncated, whole.total, whole.seconds) == (10_000, True, 1_234_567, first.seconds)


@pytest.mark.parametrize("rows", [0, 1, 9_999, 10_000, 10_001])
def test_the_count_is_right_about_the_edge(query: Query, rows: int) -> None:
    result = query.run(f"SELECT range FROM range({rows})", 10_000, ahead=Arrivals().ahead())
    assert (result.arrow.num_rows, result.total, result.truncated) == (min(rows, 10_000), rows, rows > 10_000)


def test_counting_has_a_limit_of_time(query: Query) -> None:
    began = time.monotonic()
    result = query.run("SELECT 1 FROM range(1000000000000)", 10_000, ahead=Arrivals().ahead(counting=0.3))
    assert (result.total, result.truncated) == (None, True)
    assert result.at_least > 10_000
    assert time.monotonic() - began < 3


def test_counting_can_be_cancelled_and_what_came_stays(query: Query) -> None:
    result = query.run("SELECT 1 FROM range(1000000000000)", 10_000, ahead=Ahead(lambda _: query.cancel(), 60, 1_000_000))
    assert (result.arrow.num_rows, result.total) == (10_000, None)


@pytest.mark.parametrize("arrivals", [True, False])
def test_a_query_can_be_cancelled_while_it_streams(query: Query, arrivals: bool) -> None:
    timer = threading.Timer(0.3, query.cancel)
    timer.start()
    with pytest.raises(QueryStoppedError, match="cancelled"):
        query.run(
            "SELECT range FROM range(1000000000000) WHERE random() < 1e-12", ahead=Arrivals().ahead() if arrivals else None
        )
    timer.join()


def test_a_fault_in_a_late_row_is_told(query: Query) -> None:
    late = "SELECT CASE WHEN range = 900000 THEN error('too late') ELSE 'x' END FROM range(1000000)"
    with pytest.raises(QueryError, match="too late"):
        query.run(late, limit=None)
    arrivals = Arrivals()
    with pytest.raises(QueryError, match="too late"):
        query.run(late, 10, ahead=arrivals.ahead())
    assert arrivals[0].arrow.num_rows == 10


@pytest.mark.parametrize("rows", [1, 5_000])
def test_wide_rows_are_kept_as_far_as_there_is_room_but_one_always(query: Query, rows: int) -> None:
    result = query.run(f"SELECT repeat('x', 10000) FROM range({rows})", 10_000, ahead=Arrivals().ahead(room=5_000))
    assert (result.arrow.num_rows, result.truncated, result.total) == (1, rows > 1, rows)
    result = query.run(f"SELECT repeat('x', 10000) FROM range({rows})", 10_000, ahead=Arrivals().ahead(room=1_000_000))
    assert result.arrow.num_rows == min(rows, 99)
    assert result.arrow.nbytes <= 1_000_000
