"""Pages of episodes: in any order each stands in one place, and every group and its filter are the same episodes."""

from typing import Any

import duckdb
import pytest

from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import GROUPS, Table
from iwtui.analysis.pages import COLUMNS, ORDERS, Order, count, page
from iwtui.analysis.policy import Policy
from iwtui.bench.filters import FIELDS, parse, written
from tests.analysis.made import EVERY, episodes

ROWS: list[dict[str, Any]] = [
    {"tcr": 0.5, "builder": "b", "judge": "checks", "language": "de"},
    {"tcr": 0.5, "builder": "a", "cost": None, "repeat": 2},
    {"tcr": None, "builder": "c", "tokens_in": 5, "tokens_out": 2, "scripted": True},
    {"status": "crashed", "persona": "P-CON", "difficulty": "hard", "pack": None},
    {"status": "infra", "attempt": 2, "stop_reason": None, "seed": None},
    {"status": "running", "loc": None, "stop_reason": "a, b"},
]


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    return episodes(*ROWS)


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("column", sorted(ORDERS))
def test_in_any_order_each_episode_stands_in_one_place(con: duckdb.DuckDBPyConnection, column: str, down: bool) -> None:
    whole = page(con, EVERY, Order(column, down))
    pages = [page(con, EVERY, Order(column, down), offset, 4) for offset in (0, 4, 8)]
    assert [row for part in pages for row in part] == whole
    assert len({row[COLUMNS.index("episode")] for row in whole}) == count(con, EVERY) == len(ROWS)
    if column in COLUMNS:
        values = [row[COLUMNS.index(column)] for row in whole]
        known = [value for value in values if value is not None]
        assert values[len(known) :] == [None] * (len(values) - len(known)), "the unknown come last"
        assert known == sorted(known, reverse=down)


def test_what_is_no_column_is_no_order(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(KeyError):
        page(con, EVERY, Order("tcr DESC; DROP TABLE attempts"))


def test_what_can_be_grouped_by_can_be_filtered_by() -> None:
    assert set(GROUPS) <= set(FIELDS)


@pytest.mark.parametrize("by", GROUPS)
def test_the_term_of_a_group_keeps_its_episodes(con: duckdb.DuckDBPyConnection, by: str) -> None:
    groups = Table(con, EVERY, [by], Policy.DEFAULT).by([by])
    assert sum(group.figures.episodes for group in groups) == len(ROWS)
    for group in groups:
        assert count(con, Asked(terms=parse(written(by, group.label[0])))) == group.figures.episodes
