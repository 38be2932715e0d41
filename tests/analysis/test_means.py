"""Intervals: clustered on seeds, the same each time, undefined where they would mean nothing."""

from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iwtui.analysis.means import clustered_mean


def of(values: Sequence[float | None], seeds: Sequence[str]) -> list[float | None]:
    """n, mean, low and high."""
    mean = clustered_mean(pl.Series(values, dtype=pl.Float64), pl.Series(seeds, dtype=pl.String))
    return [mean.n, mean.mean, mean.low, mean.high]


def test_two_seeds_draw_either_or_both() -> None:
    """With two seeds a quarter of the samples holds only the one, a quarter only the other: the interval is their means."""
    assert of([0.0, 0.2, 1.0], ["a", "a", "b"]) == pytest.approx([3, 0.4, 0.1, 1.0])


def test_cases_of_a_seed_are_not_independent() -> None:
    """Sixty equal cases of three seeds say no more than three cases do."""
    few = of([0.0, 0.5, 1.0], ["a", "b", "c"])
    many = of([0.0] * 20 + [0.5] * 20 + [1.0] * 20, ["a"] * 20 + ["b"] * 20 + ["c"] * 20)
    assert few[1:] == pytest.approx(many[1:])


def test_one_seed_has_no_interval() -> None:
    assert of([0.1, 0.9], ["a", "a"]) == pytest.approx([2, 0.5, None, None])


def test_unknown_values_are_left_out_and_their_seed_with_them() -> None:
    assert of([0.1, None], ["a", "b"]) == pytest.approx([1, 0.1, None, None])
    assert of([None], ["a"]) == [0, None, None, None]


def test_the_order_of_the_rows_does_not_matter() -> None:
    values, seeds = [0.1, 0.5, 0.9, 0.3], ["a", "b", "c", "a"]
    assert of(values, seeds) == of(values[::-1], seeds[::-1])


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcde")), min_size=1, max_size=40))
def test_the_mean_lies_in_its_interval(rows: list[tuple[float, str]]) -> None:
    n, mean, low, high = of([value for value, _ in rows], [seed for _, seed in rows])
    assert n == len(rows)
    assert mean is not None
    if low is not None and high is not None:
        assert 0 <= low <= high <= 1 + 1e-9
