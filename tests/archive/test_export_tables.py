"""The tables of a run as files: the columns of the index, every row, NULL kept."""

from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from iwtui.archive.exporters.tables import run_tables, write_parquet
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from tests.support.equal_tables import whole_tables
from tests.support.stores import make_store


@pytest.fixture
def made(tmp_path: Path) -> Store:
    return make_store(tmp_path / "made")


def test_parquet_holds_what_the_index_holds(made: Store, tmp_path: Path) -> None:
    index = Index(made)
    index.catch_up()
    written = write_parquet(index, "policies", tmp_path)
    there = whole_tables(made, "policies")
    assert written == {name: len(rows) for name, rows in there.items()}
    for name, rows in there.items():
        with duckdb.connect() as con:
            found = con.execute(f"SELECT * FROM read_parquet('{tmp_path / name}.parquet') ORDER BY ALL").fetchall()
        assert found == rows


def test_a_file_says_what_its_columns_hold(made: Store, tmp_path: Path) -> None:
    index = Index(made)
    index.catch_up()
    write_parquet(index, "policies", tmp_path)
    schema = pq.read_schema(tmp_path / "verdicts.parquet")
    assert b"what each judging says" in schema.metadata[b"comment"].lower()
    assert schema.field("verdict").metadata[b"comment"] == b"passed, failed, unobserved or unjudged"


def test_every_public_table_of_runs_is_there_and_in_the_order_of_its_key(made: Store) -> None:
    index = Index(made)
    index.catch_up()
    tables = {table.name: table for table in run_tables(index)}
    assert {
        "runs",
        "cases",
        "case_slots",
        "episodes",
        "attempts",
        "judgings",
        "verdicts",
        "measures",
        "turns",
    } <= tables.keys()
    assert "published" not in tables
    assert tables["verdicts"].order == ("episode", "judging", "slot")
    assert tables["runs"].order == ("run",)


def test_a_run_without_rows_gives_files_with_columns(made: Store, tmp_path: Path) -> None:
    index = Index(made)
    index.catch_up()
    written = write_parquet(index, "no such run", tmp_path)
    assert set(written.values()) == {0}
    assert "tcr" in pq.read_schema(tmp_path / "episodes.parquet").names
