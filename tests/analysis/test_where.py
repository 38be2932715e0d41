"""Filters applied to a frame."""

import duckdb
import pytest

from iwtui.analysis.columns import Bound
from iwtui.analysis.where import where
from iwtui.bench.filters import parse
from tests.analysis.made import index, insert

ROWS = (
    ("one", "r1", "openai/qwen3.6-plus", "scored", 0.25, 3, False),
    ("two", "r2", "scripted/blind", "infra", None, 4, None),
    ("three", "r2", "a.b", "scored", 0.75, 5, True),
    ("four", "last", "a+b (c)", "running", None, 6, None),
)
NAMES = ("episode", "run", "builder", "status", "tcr", "turns", "sr")


def kept(con: duckdb.DuckDBPyConnection, text: str, last_run: str | None) -> list[str]:
    """The names of the episodes that fit, in the order in which they were put in."""
    bound = Bound()
    query = f"SELECT a.episode FROM attempts AS a WHERE {where(parse(text), last_run, bound)} ORDER BY rowid"
    return [name for (name,) in con.execute(query, bound.values).fetchall()]


@pytest.fixture(scope="module")
def episodes() -> duckdb.DuckDBPyConnection:
    con = index()
    for row in ROWS:
        insert(con, "attempts", dict(zip(NAMES, row, strict=True)))
    return con


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("", "one two three four"),
        ("status:scored", "one three"),
        ("-status:scored", "two four"),
        ("status:scored,infra", "one two three"),
        ("builder:*qwen*", "one"),
        ("builder:qwen*", ""),
        ("builder:a.b", "three"),
        ("builder:a?b", ""),
        ('builder:"a+b (c)"', "four"),
        ('builder:"*qwen*"', ""),
        ("tcr<0.5", "one"),
        ("tcr>=0.25 tcr<=0.75", "one three"),
        ("-tcr<0.5", "two three four"),
        ("tcr:none", "two four"),
        ("-tcr:none", "one three"),
        ("tcr:0.25,none", "one two four"),
        ("turns=5", "three"),
        ("sr:yes", "three"),
        ("sr:false", "one"),
        ("sr:none", "two four"),
        ("run:last", "two three"),
        ("-run:last", "one four"),
        ('run:"last"', "four"),
        ("run:r*", "one two three"),
    ],
)
def test_what_fits(episodes: duckdb.DuckDBPyConnection, text: str, fits: str) -> None:
    assert kept(episodes, text, "r2") == fits.split()


def test_there_is_no_last_run_in_an_empty_store(episodes: duckdb.DuckDBPyConnection) -> None:
    assert kept(episodes, "run:last", None) == []


@pytest.mark.parametrize(
    "signs", ["a\nb", "(?i)A", "x$", "50%", "a_b", "a!b", "!", "'; DROP TABLE attempts; --", "$v0", "a\\b"]
)
def test_signs_of_sql_and_of_patterns_in_values_are_plain_text(signs: str) -> None:
    con = index()
    for builder in (signs, "a", "axb", "50x", "x"):
        insert(con, "attempts", {"episode": builder, "run": "r", "builder": builder})
    quoted = signs.replace("\\", "\\\\")
    assert kept(con, f'builder:"{quoted}"', None) == [signs]
    insert(con, "attempts", {"episode": "longer", "run": "r", "builder": f"{signs} and more"})
    if not set(signs) & set("\n '\";\\"):
        assert kept(con, f"builder:{signs}*", None) == [signs, "longer"]
