"""Scores and ranks under other weights: the paper's own equal the stored scores, others equal the formula slot by slot."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.analysis.episodes import Asked
from iwtui.analysis.frames import load_frame
from iwtui.analysis.weights import (
    GRID,
    PAPER,
    Tallies,
    Weighting,
    WeightingError,
    load_slots,
    means,
    points,
    scores,
    stability,
    standings,
    tallies,
)
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from tests.support.stores import DEFAULT_TCR, F, J, P, U, judge, make_case, make_run, make_store, play


def counted(store: Store, by: str = "builder", clean: bool = False) -> Tallies:
    index = Index(store)
    index.catch_up()
    return tallies(load_slots(index, store.runs()), load_frame(index, Asked()), by, clean)


def test_the_papers_weights_give_the_stored_scores(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    counts = counted(store)
    (groups, found) = means(counts, (PAPER,))
    assert groups == ("scripted/blind",)
    assert found[0, 0] == pytest.approx(DEFAULT_TCR)
    index = Index(store)
    stored = index.read(
        lambda con: con.execute("SELECT tcr FROM episodes WHERE tcr IS NOT NULL ORDER BY episode").fetchall()
    )
    assert scores(counts, (PAPER,))[:, 0].tolist() == pytest.approx([tcr for (tcr,) in stored])


def test_other_weights_equal_the_formula_slot_by_slot(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder = make_run(store, "r", [make_case()])
    judge(folder, play(folder, make_case()), (P, F, P, J))
    weighting = Weighting((2, 3, 5), 0.2)
    heading, search, finds = 2.0, 3 * 1.2 / 2, 5 * 1.2 / 2  # the slot that could not be judged is in neither sum
    expected = (heading + finds) / (heading + search + finds)
    assert scores(counted(store), (weighting,))[0, 0] == pytest.approx(expected)


def test_over_positive_slots_only(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder = make_run(store, "r", [make_case()])
    judge(folder, play(folder, make_case()), (P, F, U, P))
    assert scores(counted(store, clean=True), (PAPER,))[0, 0] == pytest.approx(1 / 4.75)


def ranked(root: Path) -> Store:
    """`easy` does what is simple, `hard` what is difficult: the paper's weights put the second first, equal ones do not."""
    store = Store(root)
    cases = [make_case(f"s{number}") for number in range(3)]
    folder = make_run(store, "r", cases, builders=("easy", "hard", "idle"))
    for case in cases:
        judge(folder, play(folder, case, builder="easy"), (P, P, F, P))
        judge(folder, play(folder, case, builder="hard"), (P, F, P, P))
        judge(folder, play(folder, case, builder="idle"), (F, F, F, P))
    return store


def test_ranks_change_with_the_weights(tmp_path: Path) -> None:
    counts = counted(ranked(tmp_path))
    assert [(row.group, row.rank_paper, row.rank) for row in standings(counts, PAPER)] == [
        ("hard", 1, 1),
        ("easy", 2, 2),
        ("idle", 3, 3),
    ]
    turned = standings(counts, Weighting((1, 3, 2), 0.5))
    assert [(row.group, row.rank_paper, row.rank, row.n) for row in turned] == [
        ("easy", 2, 1, 3),
        ("hard", 1, 2, 3),
        ("idle", 3, 3, 3),
    ]
    level = standings(counts, Weighting((1, 1, 1), 0))
    assert [(row.group, row.rank) for row in level] == [("hard", 1), ("easy", 1), ("idle", 3)]


def test_stability_over_the_grid(tmp_path: Path) -> None:
    tried = points(counted(ranked(tmp_path)))
    assert len(tried) == len(GRID)
    level = [point for point in tried if point.weighting.c[1] == point.weighting.c[2]]
    assert level and all(not point.same_winner for point in level)
    assert all(point.same_winner and point.tau == 1 for point in tried if point.weighting.c[1] < point.weighting.c[2])
    found = stability(tried)
    assert found.points == len(GRID)
    assert found.same_winner == pytest.approx(1 - len(level) / len(GRID))
    assert found.lowest is not None and found.lowest.tau == pytest.approx(2 / np.sqrt(6))


def test_one_group_cannot_be_ranked(tmp_path: Path) -> None:
    found = stability(points(counted(make_store(tmp_path))))
    assert (found.points, found.tau, found.lowest, found.same_winner) == (0, None, None, None)


def test_an_empty_store_has_no_standings(tmp_path: Path) -> None:
    assert standings(counted(Store(tmp_path)), PAPER) == []


@pytest.mark.parametrize("c", [(0, 0, 0), (-1, 2, 3), (1, 2, float("nan")), (1, 2, float("inf"))])
def test_weights_that_are_none(c: tuple[float, float, float]) -> None:
    with pytest.raises(WeightingError):
        Weighting(c)


def test_what_cannot_be_ranked(tmp_path: Path) -> None:
    with pytest.raises(WeightingError, match="choose among"):
        counted(make_store(tmp_path), by="status")


TABLES = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=2, max_size=5)


@given(TABLES)
def test_tau_is_that_of_counting_every_pair(passed: list[list[int]]) -> None:
    counts = Tallies(
        groups=tuple(f"b{number}" for number in range(len(passed))),
        kinds=((1, 1), (2, 1), (3, 2)),
        passed=np.array(passed, dtype=float),
        judged=np.full((len(passed), 3), 4.0),
        crashed=np.zeros(len(passed), dtype=np.bool_),
    )
    tried = (Weighting((1, 1, 1)), Weighting((3, 1, 0), 1.0))
    _, found = means(counts, (PAPER, *tried))
    found = found.round(9)
    for column, point in enumerate(points(counts, tried), 1):
        pairs = list(combinations(zip(found[:, 0], found[:, column], strict=True), 2))
        product = sum(np.sign(a - c) * np.sign(b - d) for (a, b), (c, d) in pairs)
        untied = sum(a != c for (a, _), (c, _) in pairs) * sum(b != d for (_, b), (_, d) in pairs)
        assert point.tau == (pytest.approx(product / np.sqrt(untied)) if untied else None)
        best = [set(np.flatnonzero(found[:, c] == found[:, c].max())) for c in (0, column)]
        assert point.same_winner == (best[0] == best[1])
