"""The paper's weights and bands, by hand and on the official task file where it is at hand."""

from collections import defaultdict
from typing import Any

import pytest

from iwtui.bench.case import Assertion, Slot, SlotKind, split_facts
from iwtui.bench.disclosure import disclosed
from iwtui.bench.weights import CENTRES, LIMITS, Limits, difficulty, weights
from tests.support.official import rows


def slot(component: str, c_tech: int = 1, assertion: str = "POSITIVE") -> Slot:
    return Slot(component=component, expected="", assertion=Assertion(assertion), kind=SlotKind.CONTENT, c_tech=c_tech)


def test_slots_that_share_a_component_share_a_bonus() -> None:
    assert weights([slot("a", 2)]) == (2.0,)
    assert weights([slot("a", 2), slot("a", 1), slot("b", 3)]) == (1.5, 0.75, 3.0)
    assert weights([slot("a"), slot("a"), slot("a")]) == (0.67, 0.67, 0.67)
    assert weights([slot("a", 3)] * 4) == (1.88,) * 4
    assert weights([slot("a", 2), slot("a", 2)], delta=0.0) == (1.0, 1.0)
    assert weights([]) == ()


@pytest.mark.parametrize(
    ("total", "band"), [(5, "easy"), (10, "easy"), (11, "middle"), (14, "middle"), (15, "hard"), (22, "hard")]
)
def test_difficulty_is_the_nearest_centre(total: int, band: str) -> None:
    assert difficulty([slot(str(place)) for place in range(total)]) == band


def test_each_band_has_its_limits() -> None:
    assert LIMITS.keys() == CENTRES.keys()
    assert [(limit.turns, limit.failed_verifies) for limit in LIMITS.values()] == [(15, 6), (20, 8), (25, 10)]
    assert LIMITS["hard"] == Limits(25, 10, verify_steps=8, judge_steps=16)


@pytest.fixture(scope="module")
def official() -> list[dict[str, Any]]:
    return rows()


def slots_of(row: dict[str, Any]) -> list[Slot]:
    return [slot(each["target_component"], each["c_tech"], each["assertion_type"]) for each in row["oracle_slots"]]


def test_weights_equal_the_official_ones(official: list[dict[str, Any]]) -> None:
    assert sum(len(row["oracle_slots"]) for row in official) == 2992
    assert sum(len(slots) for slots in {row["original_id"]: row["oracle_slots"] for row in official}.values()) == 748
    differing = [
        (row["id"], place)
        for row in official
        for place, (ours, theirs) in enumerate(zip(weights(slots_of(row)), row["oracle_slots"], strict=True))
        if ours != theirs["final_weight"]
    ]
    assert differing == []


def test_difficulties_equal_the_official_ones(official: list[dict[str, Any]]) -> None:
    assert [row["id"] for row in official if difficulty(slots_of(row)) != row["difficulty"]] == []
    bands: dict[str, dict[str, float]] = defaultdict(dict)
    for row in official:
        bands[row["difficulty"]][row["original_id"]] = row["oracle_total_score"]
    assert {band: round(sum(totals.values()) / len(totals), 2) for band, totals in bands.items()} == CENTRES


def test_every_fact_of_the_official_instructions_gives_away_just_itself(official: list[dict[str, Any]]) -> None:
    for golden in {row["ground_truth_instruction"] for row in official}:
        facts = split_facts(golden)
        assert [disclosed(facts, fact) for fact in facts] == [(place,) for place in range(len(facts))]
