import os
import shutil
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from iwtui.archive import index as index_module
from iwtui.archive import ingest, schema
from iwtui.archive.annotations import Noted, SlotDecided
from iwtui.archive.annotations_writing import AnnotationWriter
from iwtui.archive.errors import IndexBusyError, IndexNewerError
from iwtui.archive.index import Index
from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.events import Warned
from iwtui.bench.votes import Word
from tests.archive.hashing import hashes
from tests.support.killing import count_lines, kill_while_indexing
from tests.support.stores import BEGAN, DEFAULT_TCR, F, J, P, U, judge, make_case, make_run, make_store, play

HOLD = """
import sys, duckdb
con = duckdb.connect(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


def rows(index: Index, sql: str) -> list[tuple[Any, ...]]:
    return index.read(lambda con: con.execute(sql).fetchall())


def fresh(root: Path) -> dict[str, str]:
    """The hashes of an index made anew from the same logs."""
    other = Index(Store(root))
    other.rebuild()
    return hashes(other)


def test_every_line_of_every_log_is_an_event(tmp_path: Path) -> None:
    index = Index(make_store(tmp_path))
    done = index.catch_up()
    assert done.events == count_lines(tmp_path)
    assert rows(index, "SELECT count(*) FROM events") == [(done.events,)]
    again = index.catch_up()
    assert (again.events, again.logs, again.behind) == (0, 0, False)


def test_the_mean_over_episodes_is_the_default_policy(tmp_path: Path) -> None:
    index = Index(make_store(tmp_path))
    index.catch_up()
    assert rows(index, "SELECT avg(tcr) FROM episodes") == [(pytest.approx(DEFAULT_TCR),)]
    assert Counter(status for (status,) in rows(index, "SELECT status FROM episodes")) == {
        "scored": 6,
        "crashed": 1,
        "infra": 1,
        "cancelled": 1,
        "running": 1,
    }
    assert rows(index, "SELECT DISTINCT run FROM episodes") == [("policies",)]
    assert rows(index, "SELECT count(*) FROM attempts") == [(13,)]
    counting = dict(rows(index, "SELECT case_id, attempt FROM episodes WHERE seed IN ('bakery6', 'bakery7')"))
    assert counting == {"bakery6_P-MIN": 2, "bakery7_P-MIN": 1}


def test_each_table_is_filled_and_explained(tmp_path: Path) -> None:
    made = make_store(tmp_path)
    folder = made.run("policies")
    name = folder.episodes()[0]
    judge(folder, name, (P, J), judging="voyager", judge="voyager", status="infra")
    with AnnotationWriter(made, "ann") as writer:
        writer.add(SlotDecided(episode=str(name), judging="checks", slot=0, verdict=Word.FAIL, note="not so"))
        writer.add(Noted(episode=str(name), event=3))
    index = Index(made)
    index.catch_up()
    without = {
        f"{table}.{column}"
        for table in (*schema.tables(), "episodes")
        for (column, *_), filled in zip(
            rows(index, f"DESCRIBE {table}"), rows(index, f"SELECT count(COLUMNS(*)) FROM {table}")[0], strict=True
        )
        if not filled
    }
    by_sight = ("vbr", "layout", "creative_alignment", "aesthetics")
    not_made_here = {f"{table}.{metric}" for table in ("attempts", "episodes") for metric in by_sight}
    not_made_here |= {f"{table}.{of}" for table in ("attempts", "episodes") for of in ("parent", "fork_turn", "fork_way")}
    not_made_here |= {"judgings.message", "judgings.cost", "judgings.model", "measures.reason", "measures.slot"}
    assert without == not_made_here | {"calls.judging", "calls.error", "calls.error_kind"}
    columns = "FROM duckdb_columns() WHERE NOT internal AND schema_name = 'main' AND comment IS NULL"
    assert rows(index, f"SELECT table_name, column_name {columns}") == []
    assert rows(index, "SELECT count(comment) FROM duckdb_tables() WHERE schema_name = 'main'") == [(len(schema.tables()),)]


def test_verdicts_and_scores_of_each_judging(tmp_path: Path) -> None:
    made = Store(tmp_path)
    folder = make_run(made, "r", [make_case()])
    name = play(folder, make_case())
    judge(folder, name, (P, F, J, U), judging="first")
    judge(folder, name, (P, P, P, P), judging="other", judge="voyager")
    judge(folder, name, (P, F), judging="going", status=None, began=BEGAN + 2000)
    index = Index(made)
    index.catch_up()
    verdicts = rows(
        index, "SELECT slot, verdict, weight, evidence_event IS NULL FROM verdicts WHERE judging = 'first' ORDER BY slot"
    )
    assert verdicts == [
        (0, "passed", 1.0, False),
        (1, "failed", 1.5, False),
        (2, "unjudged", 2.25, False),
        (3, "unobserved", 1.0, True),
    ]
    judgings = rows(index, "SELECT judging, is_primary, status, passed, unobserved, tcr FROM judgings ORDER BY judging")
    assert judgings == [
        ("first", True, "scored", 1, 1, pytest.approx(1 / 3.5)),
        ("going", False, "running", 1, 0, None),
        ("other", False, "scored", 4, 0, 1.0),
    ]
    assert rows(index, "SELECT tcr, tcr_clean, sr, hallucinated, judging FROM episodes") == [
        (pytest.approx(1 / 3.5), pytest.approx(1 / 2.5), False, None, "first")
    ]


def test_discarded_events_leave_the_tables_but_their_cost_stays(tmp_path: Path) -> None:
    made = Store(tmp_path)
    folder = make_run(made, "r", [make_case()])
    name = play(folder, make_case(), actions="CIVS", broken_after=1)
    index = Index(made)
    index.catch_up()
    assert rows(index, "SELECT count(*) FROM events WHERE discarded") == [(4,)]
    assert rows(index, "SELECT count(*), sum(cost) FROM calls WHERE discarded") == [(1, 0.25)]
    assert rows(index, "SELECT count(*) FROM dialogue") == [(1,)]
    assert rows(index, "SELECT turn, action FROM turns ORDER BY turn") == [
        (1, "clarify"), (2, "implement"), (3, "verify"), (4, "submit")
    ]  # fmt: skip
    assert rows(index, "SELECT cost, calls, discarded, resumes, actions FROM attempts") == [(0.5, 5, 4, 1, "C I V S")]
    # Half a second from event to event, but for the pause between the break and the resume.
    events = folder.fold_episode(name).seq
    assert rows(index, "SELECT seconds FROM attempts") == [((events - 1) * 0.5,)]


@pytest.mark.parametrize("piece", [4, 11])
def test_however_the_logs_grow_the_tables_are_those_of_a_rebuild(
    tmp_path: Path, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All logs grow together, a piece of so many lines at a time, and some pieces end in the middle of a line."""
    monkeypatch.setattr(ingest, "EVENTS", 9)
    whole, root = tmp_path / "whole", tmp_path / "store"
    made = Store(whole)
    cases = [make_case("a"), make_case("b")]
    folder = make_run(made, "r", cases)
    judge(folder, play(folder, cases[0], broken_after=2), (P, F, U, P))
    play(folder, cases[1], actions="CM", end=("infra", "model"))
    judge(folder, play(folder, cases[1], attempt=2, broken_after=3), (F, F, F, F), measures={"IAS": 3})
    shutil.copytree(whole, root)
    logs = {log: log.read_bytes().splitlines(keepends=True) for log in root.glob("runs/*/*/*.jsonl")}
    for log in logs:
        log.write_bytes(b"")
    index = Index(Store(root))
    for end in range(0, max(map(len, logs.values())) + piece, piece):
        for log, lines in logs.items():
            torn = lines[end][:20] if end < len(lines) else b""
            log.write_bytes(b"".join(lines[:end]) + torn)
        if end % 3 == 0:
            index = Index(Store(root))  # another process goes on
        index.catch_up()
    grown = hashes(index)
    assert grown == fresh(root)
    assert rows(index, "SELECT count(*) FROM events") == [(count_lines(root),)]


def test_killed_at_random_moments(tmp_path: Path) -> None:
    make_store(tmp_path)
    kill_while_indexing(tmp_path, 3, seed=7)


def test_what_is_removed_leaves_the_index(tmp_path: Path) -> None:
    made = make_store(tmp_path)
    index = Index(made)
    index.catch_up()
    made.remove_run("fork")
    made.run("policies").episode_log(made.resolve_episode("bakery6")).unlink()
    index.catch_up()
    assert rows(index, "SELECT run FROM runs") == [("policies",)]
    assert rows(index, "SELECT count(*) FROM events WHERE run = 'fork'") == [(0,)]
    # Its judging is there still, an orphan; the first attempt counts again.
    assert rows(index, "SELECT attempt FROM episodes WHERE seed = 'bakery6'") == [(1,)]
    assert hashes(index) == fresh(tmp_path)


def test_logs_that_are_other_files_now_are_read_anew(tmp_path: Path) -> None:
    made = make_store(tmp_path)
    index = Index(made)
    index.catch_up()
    folder = made.run("policies")
    first, second, third, *_ = folder.episodes()
    folder.episode_log(first).write_bytes(folder.episode_log(first).read_bytes().replace(b'"submitted"', b'"abandoned"'))
    folder.judging_log(second, "checks").write_bytes(b"")
    made.remove_run("fork")
    judge(again := make_run(made, "fork", [make_case()]), play(again, make_case()), (F, F, F, F))
    other = LogWriter(folder.episode_log(third).with_name("aside"), made.blobs)
    other.append(Warned(where="x", text="y"), 0)
    other.close()
    other.path.replace(folder.episode_log(third))
    index.catch_up()
    assert hashes(index) == fresh(tmp_path)
    assert rows(index, "SELECT count(*) FROM attempts WHERE stop_reason = 'abandoned'") == [(1,)]


def test_a_run_that_cannot_be_read_is_said_and_holds_up_nothing(tmp_path: Path) -> None:
    made = make_store(tmp_path)
    (tmp_path / "runs" / "fork" / "run.json").write_text("{")
    index = Index(made)
    for _ in range(2):
        (problem,) = index.catch_up().problems
        assert "fork/run.json" in problem
    assert rows(index, "SELECT run FROM runs") == [("policies",)]
    shutil.copy(tmp_path / "runs" / "policies" / "run.json", tmp_path / "runs" / "fork" / "run.json")
    assert index.catch_up().problems == ()
    assert rows(index, "SELECT run FROM runs ORDER BY run") == [("fork",), ("policies",)]


HOSTILE = [
    b"no json",
    b'{"v":1,"seq":99999999999999999999999,"t":1e300,"turn":-5,"kind":"Later","x":"\\ud800"}',
    b'{"v":99,"seq":1,"t":-1,"turn":0,"kind":"TurnStarted","message":1}',
    b'{"v":1,"seq":2,"t":1,"turn":1,"kind":"SlotJudged","slot":-1,"verdict":"splendid","reason":""}',
    b'{"v":1,"seq":2,"t":1,"turn":1,"kind":"SlotJudged","slot":99,"verdict":"passed","reason":"' + b"x" * 100_000 + b'"}',
    b'{"v":1,"seq":3,"t":1,"turn":1,"kind":"EpisodeResumed","kept_turns":-7,"discards_from":-99999999999999999999999}',
    b'{"v":1,"seq":4,"t":1,"turn":1,"kind":"EpisodeEnded","status":"splendid","stop_reason":""}',
    b'{"v":1,"seq":5,"t":1,"turn":1,"kind":"ModelCalled","role":"r","model":"\x00\x1b[2J","ordinal":0,"request":[]}',
    b'{"v":1,"seq":6,"t":1,"turn":1,"kind":"ModelCalled","role":"r","model":"m","ordinal":0,"request":[],"tokens_in":1'
    + b"0" * 30
    + b',"cost":1e308}',
    b'{"v":1,"seq":7,"t":1,"turn":1,"kind":"FilesChanged","manifest":"../../etc/passwd","files":1,"lines":1}',
    b'{"v":1,"seq":8,"t":1,"turn":1,"kind":"Later","deep":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    b'{"v":1,"seq":9,"t":1,"turn":1,"kind":"Later","bytes":"\xff\xfe"}',
    b'{"v":1,"seq":10,"t":1,"turn":1,"kind":"ClientReplied","question":"q","reply":"r","leaked":[1' + b"0" * 30 + b"]}",
    b"",
]


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_no_line_of_a_log_can_stop_the_index(tmp_path: Path, line: bytes) -> None:
    made = Store(tmp_path)
    folder = make_run(made, "r", [make_case("a"), make_case("b")])
    name = play(folder, make_case("a"))
    judge(folder, name, (P, P, P, P))
    for log in tmp_path.glob("runs/*/*/*.jsonl"):
        log.write_bytes(log.read_bytes() + line + b"\n")
    judge(folder, play(folder, make_case("b")), (P, P, P, P))
    index = Index(made)
    index.catch_up()
    counted = rows(index, "SELECT sum(events + bad_lines) FROM (FROM attempts UNION ALL BY NAME FROM judgings)")
    assert counted == [(count_lines(tmp_path),)]
    assert rows(index, "SELECT tcr FROM episodes WHERE seed = 'b'") == [(1.0,)]
    assert hashes(index) == fresh(tmp_path)


def test_an_index_that_is_no_database_is_made_anew(tmp_path: Path) -> None:
    index = Index(make_store(tmp_path))
    index.catch_up()
    before = hashes(index)
    whole = index.path.read_bytes()
    for broken in (b"x" * 5000, b"", whole[:20_000]):
        index.path.write_bytes(broken)
        Index(index.store).catch_up()
        assert hashes(index) == before


def test_an_index_of_an_older_version_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_store(tmp_path)
    Index(made).catch_up()
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    assert Index(made).catch_up().events == count_lines(tmp_path)


def test_an_index_of_a_newer_version_is_read_but_not_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_store(tmp_path)
    Index(made).catch_up()
    before = Index(made).path.read_bytes()
    monkeypatch.setattr(schema, "VERSION", schema.VERSION - 1)
    older = Index(made)
    for change in (older.catch_up, older.rebuild):
        with pytest.raises(IndexNewerError, match="newer version"):
            change()
    assert older.path.read_bytes() == before
    assert rows(older, "SELECT count(*) FROM events") == [(count_lines(tmp_path),)]


def test_a_store_that_may_not_be_written_is_indexed_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_store(tmp_path / "store")
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(index_module, "cache_folder", lambda: tmp_path / "cache")
    index = Index(made)
    index.catch_up()
    assert index.path.is_relative_to(tmp_path / "cache")
    assert rows(index, "SELECT count(*) FROM runs") == [(2,)]
    assert not list((tmp_path / "store").glob("*duckdb*"))


def test_another_program_that_holds_the_file_is_named(tmp_path: Path) -> None:
    index = Index(make_store(tmp_path))
    index.catch_up()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(index.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        for use in (lambda: Index(index.store).catch_up(wait=0.1), lambda: index.read(lambda con: None, wait=0.1)):
            with pytest.raises(IndexBusyError, match=rf"PID {holder.pid}"):
                use()
        timer = threading.Timer(0.2, holder.kill)
        timer.start()
        assert index.read(lambda con: con.execute("SELECT count(*) FROM runs").fetchone(), wait=5) == (2,)
        timer.join()
    finally:
        holder.kill()
        holder.communicate()


def test_a_budget_ends_a_catch_up_and_the_next_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "EVENTS", 20)
    index = Index(make_store(tmp_path))
    first = index.catch_up(budget=0)
    assert first.behind
    assert 0 < first.events < count_lines(tmp_path)
    assert index.age() is None
    rest = index.catch_up()
    assert first.events + rest.events == count_lines(tmp_path)
    age = index.age()
    assert age is not None
    assert age < 5


def test_no_schema_change_stays_in_the_write_ahead_log(tmp_path: Path) -> None:
    con = duckdb.connect(str(tmp_path / "x.duckdb"))
    schema.create(con)
    wal = tmp_path / "x.duckdb.wal"
    assert not wal.exists() or wal.stat().st_size == 0
    con.close()
