"""The paper's weights, difficulty bands and limits."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from iwtui.bench.case import Slot

DELTA = 0.5
"""The paper's bonus for each further slot that shares a component."""

CENTRES = {"easy": 9.38, "middle": 12.57, "hard": 16.73}
"""K-means centres of the total weight of a seed, from the paper."""


class Limits(msgspec.Struct, frozen=True):
    """How long an episode may go on: builder turns, failed Verifies in a row, browser steps in a Verify and a judging."""

    turns: int
    failed_verifies: int
    verify_steps: int = 8
    judge_steps: int = 16


LIMITS = {"easy": Limits(15, 6), "middle": Limits(20, 8), "hard": Limits(25, 10)}


def weight(c_tech: float, sharing: int, delta: float = DELTA) -> float:
    """W = c_tech * (1 + delta * (N_G - 1)) / N_G, N_G (`sharing`) being the task's slots with the same component.

    Source: InteractWeb-Bench (arXiv 2604.27419). Rounded to two decimals, as in the official task file.
    """
    return round(c_tech * (1 + delta * (sharing - 1)) / sharing, 2)


def weights(slots: Sequence[Slot], delta: float = DELTA) -> tuple[float, ...]:
    """The weight of each slot of a task."""
    sharing = Counter(slot.component for slot in slots)
    return tuple(weight(slot.c_tech, sharing[slot.component], delta) for slot in slots)


def difficulty(slots: Sequence[Slot]) -> str:
    """`easy`, `middle` or `hard`: the nearest of the paper's centres (on its 101 seeds: ≤ 10, 11-14, ≥ 15)."""
    total = sum(weights(slots))
    return min(CENTRES, key=lambda band: abs(CENTRES[band] - total))
