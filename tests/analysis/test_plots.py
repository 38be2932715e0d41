"""Points and bars by hand, and the filter of each against the episodes that it keeps."""

import itertools
from typing import Any

import duckdb
import pytest

from iwtui.analysis.episodes import Asked
from iwtui.analysis.pages import COLUMNS, count, page
from iwtui.analysis.plots import BINS, Bin, Plots, plots
from iwtui.analysis.policy import Policy
from iwtui.bench.filters import parse
from tests.analysis.made import EVERY, episodes

HOSTILE = 'a "b", c\\ * none\n[/] \x1b[31m'
ROWS: list[dict[str, Any]] = [
    {"turns": 2, "tcr": 1.0, "loc": 10, "cost": 1.0, "builder": HOSTILE},
    {"turns": 2, "tcr": None, "loc": 20, "cost": 2.0, "builder": HOSTILE, "stop_reason": None},
    {"turns": 3, "tcr": 0.5, "loc": 30, "cost": None, "hallucinated": True, "clarifies": 2},
    {"turns": 3, "status": "crashed", "loc": None, "cost": 4.0, "stop_reason": HOSTILE},
    {"turns": 9, "status": "infra", "loc": 50, "cost": 8.0, "clarifies": 3},
    {"turns": 9, "status": "running", "loc": 60, "cost": 9.0},
]


def kept(con: duckdb.DuckDBPyConnection, text: str) -> int:
    return count(con, Asked(terms=parse(text)))


def test_points_by_hand() -> None:
    found = plots(episodes(*ROWS), EVERY, Policy.DEFAULT)
    assert [(point.at, point.value, point.n) for point in found.tcr_by_turn] == [(2, 1.0, 1), (3, 0.25, 2)]
    by_cost = {one.builder: (one.cost, one.tcr, one.n, one.unpriced) for one in found.cost_tcr}
    assert by_cost == {HOSTILE: (1.5, 1.0, 1, 0), "b": (4.0, 0.0, 1, 1)}
    assert {bar.label: (bar.count, bar.share) for bar in found.stop_reasons} == {
        "submitted": (2, 0.5), "unknown": (1, 0.25), HOSTILE: (1, 0.25)
    }  # fmt: skip
    assert {bar.label: bar.count for bar in found.actions} == {
        "clarify": 2, "implement": 4, "verify": 0, "submit": 4, "malformed": 0
    }  # fmt: skip
    assert sum(bar.share or 0 for bar in found.actions) == pytest.approx(1)


@pytest.mark.parametrize("policy", list(Policy))
def test_the_filter_of_each_element_keeps_as_many_as_it_says(policy: Policy) -> None:
    con = episodes(*ROWS)
    found = plots(con, EVERY, policy)
    assert all(kept(con, point.filter) == point.n for point in found.tcr_by_turn)
    assert all(kept(con, bar.filter) == bar.count for bar in found.stop_reasons)
    assert all(kept(con, one.filter) == one.n for one in found.cost_tcr)
    bins = found.loc_hallucination if policy is not Policy.OFFICIAL else ()  # whose judge that broke off is in none of ROWS
    assert all(kept(con, each.filter) == each.n for each in bins)


@pytest.mark.parametrize("lines", [range(1, 101), [5] * 30, [1] * 90 + [1_000] * 10, [7]])
def test_bins_hold_all_and_overlap_nowhere(lines: Any) -> None:
    con = episodes(*({"loc": n, "hallucinated": n > 50} for n in lines))
    bins: tuple[Bin, ...] = plots(con, EVERY, Policy.DEFAULT).loc_hallucination
    assert 1 <= len(bins) <= BINS
    assert sum(each.n for each in bins) == len(list(lines))
    assert all(before.high < after.low for before, after in itertools.pairwise(bins))
    assert all(kept(con, each.filter) == each.n for each in bins)


def test_of_nothing_nothing_is_drawn() -> None:
    found = plots(episodes(), EVERY, Policy.DEFAULT)
    assert found == Plots(actions=found.actions)
    assert all((bar.count, bar.share) == (0, None) for bar in found.actions)


def test_a_page_holds_whatever_a_name_holds() -> None:
    con = episodes(*ROWS)
    (first, *_) = page(con, Asked(terms=parse("turns:2 -tcr:none")))
    assert first[COLUMNS.index("builder")] == HOSTILE
