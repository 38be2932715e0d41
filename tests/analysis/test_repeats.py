"""pass@k and pass^k against every way to draw k repeats; the spread of repeats; a case with too few."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.analysis.figures import DIGITS
from iwtui.analysis.policy import Policy
from iwtui.analysis.repeats import Passes, passes, repeats
from tests.analysis.made import EVERY, episodes


def drawn(cases: list[list[bool]], k: int) -> tuple[int, float | None, float | None]:
    """What drawing k repeats of each case in every way gives."""
    draws = [list(itertools.combinations(case, k)) for case in cases if len(case) >= k]
    some = [sum(any(draw) for draw in each) / len(each) for each in draws]
    every = [sum(all(draw) for draw in each) / len(each) for each in draws]
    return len(draws), sum(some) / len(draws) if draws else None, sum(every) / len(draws) if draws else None


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=6), max_size=5), st.integers(1, 6))
def test_the_formulas_give_what_all_draws_give(cases: list[list[bool]], k: int) -> None:
    found = passes([(len(case), sum(case)) for case in cases], k)
    n, some, every = drawn(cases, k)
    assert found.cases == n
    assert (found.pass_at, found.pass_all) == (
        None if some is None else pytest.approx(some),
        None if every is None else pytest.approx(every),
    )


def played(case: str, *fates: bool | str) -> list[dict[str, Any]]:
    """The repeats of a case: successes, failures, or a status."""
    rows: list[dict[str, Any]] = []
    for repeat, fate in enumerate(fates, 1):
        row: dict[str, Any] = {"episode": f"r/{case}.b.r{repeat}.a1", "case_id": case, "repeat": repeat}
        rows.append(row | ({"status": fate} if isinstance(fate, str) else {"sr": fate, "tcr": float(fate)}))
    return rows


def test_a_crash_is_a_failure_and_a_fault_of_ours_is_no_repeat() -> None:
    con = episodes(*played("a", True, "crashed", "infra"), *played("b", True, True, True))
    found = repeats(con, EVERY, [], Policy.DEFAULT)[()]
    assert found.repeats == 3
    assert found.passes[0] == Passes(1, 2, 0.75, 0.75)
    assert found.passes[1] == Passes(2, 2, 1.0, 0.5)
    assert found.passes[2] == Passes(3, 1, 1.0, 1.0), "of case a only two repeats count"
    strict = repeats(con, EVERY, [], Policy.STRICT)[()]
    assert strict.passes[2] == Passes(3, 2, 1.0, 0.5)


def test_a_success_that_is_unknown_is_no_repeat() -> None:
    rows = played("a", True, True)
    rows[1] |= {"sr": None}
    assert repeats(episodes(*rows), EVERY, [], Policy.DEFAULT)[()].repeats == 1


def test_repeats_of_two_runs_or_builders_are_not_repeats_of_one() -> None:
    rows = played("a", True) + [row | {"run": "s", "episode": "s/a"} for row in played("a", False)]
    rows += [row | {"builder": "c", "episode": "r/a.c"} for row in played("a", False)]
    found = repeats(episodes(*rows), EVERY, [], Policy.DEFAULT)[()]
    assert (found.repeats, found.passes) == (1, (Passes(1, 3, round(1 / 3, DIGITS), round(1 / 3, DIGITS)),))


def test_each_group_has_its_own() -> None:
    rows = played("a", True, False) + [row | {"persona": "P-CON"} for row in played("b", False, False)]
    found = repeats(episodes(*rows), EVERY, ["persona"], Policy.DEFAULT)
    assert found[("P-MIN",)].passes[1] == Passes(2, 1, 1.0, 0.0)
    assert found[("P-CON",)].passes[1] == Passes(2, 1, 0.0, 0.0)
    assert found[("P-MIN",)].tcr_spread == pytest.approx(0.5**0.5)
    assert found[("P-CON",)].tcr_spread == 0.0
