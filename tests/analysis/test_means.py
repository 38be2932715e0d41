"""Intervals: clustered on seeds, the same each time, undefined where they would mean nothing."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iwtui.analysis.means import intervals


def of(
    values: Sequence[float | None], seeds: Sequence[str], below: Sequence[float] | None = None
) -> tuple[float, float] | tuple[None, None]:
    """Low and high of the mean of the known values, or of Σ values / Σ below."""
    known = [float(value is not None) for value in values] if below is None else below
    numbers = {seed: place for place, seed in enumerate(sorted(set(seeds)))}
    columns = [np.asarray([[value or 0.0] for value in values]), np.asarray([[each] for each in known])]
    places = np.asarray([numbers[seed] for seed in seeds], dtype=np.int64)
    found = intervals(np.zeros(len(values), dtype=np.int64), places, *columns)
    return found.get((0, 0), (None, None))


NONE = (None, None)


def test_two_seeds_draw_either_or_both() -> None:
    """With two seeds a quarter of the samples holds only the one, a quarter only the other: the interval is their means."""
    assert of([0.0, 0.2, 1.0], ["a", "a", "b"]) == pytest.approx((0.1, 1.0))


def test_a_ratio_draws_what_stands_above_and_below_the_line_together() -> None:
    """Seed a: 3 Verifies of 1 Implement; seed b: 1 of 4. Neither mean of single ratios nor independent draws give these."""
    assert of([3.0, 1.0], ["a", "b"], [1.0, 4.0]) == pytest.approx((0.25, 3.0))


def test_a_sample_with_nothing_below_the_line_is_left_out() -> None:
    low, high = of([2.0, 1.0, 1.0], ["a", "b", "c"], [0.0, 2.0, 2.0])
    assert low is not None and high is not None and math.isfinite(low) and math.isfinite(high)
    assert low == pytest.approx(0.5)


def test_cases_of_a_seed_are_not_independent() -> None:
    """Sixty equal cases of three seeds say no more than three cases do."""
    few = of([0.0, 0.5, 1.0], ["a", "b", "c"])
    many = of([0.0] * 20 + [0.5] * 20 + [1.0] * 20, ["a"] * 20 + ["b"] * 20 + ["c"] * 20)
    assert few == pytest.approx(many)


def test_one_seed_has_no_interval() -> None:
    assert of([0.1, 0.9], ["a", "a"]) == NONE


def test_unknown_values_are_left_out_and_their_seed_with_them() -> None:
    assert of([0.1, None], ["a", "b"]) == NONE
    assert of([None], ["a"]) == NONE
    assert of([0.1, None, 0.9], ["a", "b", "c"]) == of([0.1, 0.9], ["a", "c"])


def test_the_order_of_the_rows_does_not_matter() -> None:
    values, seeds = [0.1, 0.5, 0.9, 0.3], ["a", "b", "c", "a"]
    assert of(values, seeds) == pytest.approx(of(values[::-1], seeds[::-1]))


def test_each_group_and_figure_has_the_interval_that_it_has_alone() -> None:
    """Groups are drawn for together; 1,000 of them go through more than one batch."""
    draw = np.random.default_rng(1)
    groups, seeds = np.repeat(np.arange(500), 6), np.tile(np.arange(6), 500)
    totals, known = draw.random((3_000, 2)), np.ones((3_000, 2))
    known[draw.random((3_000, 2)) < 0.3] = 0
    totals *= known
    together = intervals(groups, seeds, totals, known)
    assert len(together) > 900
    for group in (0, 123, 499):
        own = groups == group
        alone = intervals(np.zeros(6, dtype=np.int64), seeds[own], totals[own], known[own])
        for figure in (0, 1):
            assert alone[0, figure] == pytest.approx(together[group, figure])


def test_the_interval_covers_what_it_should() -> None:
    """Samples of 40 seeds, each with 4 cases that are much alike: drawing single cases would be far too sure of itself."""
    draw, seeds, cases = np.random.default_rng(8), np.repeat(np.arange(40), 4), np.arange(160)
    one_group, ones = np.zeros(160, dtype=np.int64), np.ones((160, 1))
    held = dict.fromkeys(("seeds", "cases"), 0)
    for _ in range(200):
        values = (draw.normal(0.5, 0.2, 40)[seeds] + draw.normal(0, 0.02, 160))[:, None]
        for name, clusters in (("seeds", seeds), ("cases", cases)):
            low, high = intervals(one_group, clusters, values, ones)[0, 0]
            held[name] += low <= 0.5 <= high
    assert 0.88 <= held["seeds"] / 200 <= 0.99
    assert held["cases"] / 200 < 0.8


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcde")), min_size=1, max_size=40))
def test_an_interval_lies_between_the_least_and_the_greatest(rows: list[tuple[float, str]]) -> None:
    values = [value for value, _ in rows]
    low, high = of(values, [seed for _, seed in rows])
    if low is not None and high is not None:
        assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
