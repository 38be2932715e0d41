"""Who counts in a mean, and as what."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from iwtui.analysis.cube import RATIOS, Cube, Numbers
from iwtui.bench.status import Status


class Policy(StrEnum):
    """`default`: crashed sites count 0; faults of ours and cancelled episodes are left out and listed beside the mean.

    `strict`: every ended episode counts, as 0 where it has no score. `scored`: only scored ones. `official`: as the
    benchmark's own code counts: TCR over POSITIVE slots, 0 without a final evaluation; hallucinated is whoever failed or
    was not seen to pass a NEGATIVE slot, crashed sites and judges that broke off too. Running episodes are not over and
    never count.
    """

    DEFAULT = "default"
    STRICT = "strict"
    SCORED = "scored"
    OFFICIAL = "official"

    @property
    def statuses(self) -> tuple[str, ...]:
        """The statuses of the episodes that count."""
        return _COUNTED[self]

    @property
    def unknown_is_zero(self) -> bool:
        """Whether an episode that counts and has no score counts 0."""
        return self in (Policy.STRICT, Policy.OFFICIAL)


_COUNTED = {
    Policy.DEFAULT: (Status.SCORED.value, Status.CRASHED.value),
    Policy.STRICT: tuple(status.value for status in Status if status is not Status.RUNNING),
    Policy.SCORED: (Status.SCORED.value,),
    Policy.OFFICIAL: tuple(status.value for status in Status if status is not Status.RUNNING),
}
_SCORES = ("tcr", "tcr_clean", "sr")


class Brought(NamedTuple):
    """What the rows of a cube bring to the means: a column for each of `figures`, 0 of rows that do not count."""

    figures: tuple[str, ...]
    totals: Numbers
    known: Numbers
    counts: npt.NDArray[np.bool_]


def brought(policy: Policy, found: Cube, figures: Sequence[str]) -> Brought:
    """What each row brings to the means of these figures. The official policy needs a cube with `negatives`."""
    counts = np.isin(found.status, policy.statuses)
    pairs = [_pair(policy, found, name) for name in figures]
    if not pairs:
        nothing = np.zeros((len(counts), 0))
        return Brought((), nothing, nothing, counts)
    return Brought(
        tuple(figures),
        np.column_stack([total for total, _ in pairs]) * counts[:, None],
        np.column_stack([known for _, known in pairs]) * counts[:, None],
        counts,
    )


def _pair(policy: Policy, found: Cube, name: str) -> tuple[Numbers, Numbers]:
    if name in RATIOS:
        over, under = RATIOS[name]
        return found.totals[over], found.totals[under]
    if name in _SCORES:
        return _score(policy, found, "tcr_clean" if policy is Policy.OFFICIAL and name == "tcr" else name)
    if name == "hr" and policy is Policy.OFFICIAL:
        return _officially_hallucinated(found)
    return found.totals[name], found.known[name]


def _score(policy: Policy, found: Cube, name: str) -> tuple[Numbers, Numbers]:
    """A crashed site fulfils nothing; where all that ended count, an unknown score is 0."""
    scored = found.status == Status.SCORED.value
    known = found.episodes if policy.unknown_is_zero else np.where(scored, found.known[name], found.episodes)
    return np.where(scored, found.totals[name], 0.0), known


def _officially_hallucinated(found: Cube) -> tuple[Numbers, Numbers]:
    assert found.missed is not None and found.missed_known is not None, "the cube was made without the NEGATIVE slots"
    scored = found.status == Status.SCORED.value
    certain = np.where(found.status == Status.CRASHED.value, found.episodes, 0.0)
    certain = np.where(found.status == Status.INFRA.value, found.judged, certain)
    return np.where(scored, found.missed, certain), np.where(scored, found.missed_known, certain)
