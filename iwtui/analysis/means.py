"""Intervals of means and of ratios, by a bootstrap that draws whole seeds."""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from iwtui.analysis.cube import Numbers, Places

RESAMPLES = 2_000
CONFIDENCE = 0.95
_SEED = 20260430
_AT_ONCE = 400
"""Figures that are drawn for in one product of matrices."""

Bounds = tuple[float, float]


class _Clustered(NamedTuple):
    """Of one figure of one group the sums above and below the line, a number for each seed that has any."""

    group: int
    figure: int
    above: Numbers
    below: Numbers


def intervals(groups: Places, seeds: Places, totals: Numbers, known: Numbers) -> dict[tuple[int, int], Bounds]:
    """The 95 % interval of each (group, figure), where there is one.

    Row i brings totals[i, f] and known[i, f] to the figure f of the group groups[i], and belongs to the seed seeds[i];
    the figure is Σ totals / Σ known. A percentile bootstrap draws the seeds of a group with replacement, and with a seed
    all that belongs to it above and below the line: the cases of a seed share their slots, so they are not independent.
    A seed of which nothing is known is left out; fewer than two give no interval. The drawing is seeded: equal values
    give equal intervals.
    """
    waiting: dict[int, list[_Clustered]] = defaultdict(list)
    bounds: dict[tuple[int, int], Bounds] = {}
    for one in _clustered(groups, seeds, totals, known):
        alike = waiting[len(one.above)]
        alike.append(one)
        if len(alike) == _AT_ONCE:
            bounds |= _drawn(alike)
            alike.clear()
    for alike in waiting.values():
        if alike:
            bounds |= _drawn(alike)
    return bounds


def _clustered(groups: Places, seeds: Places, totals: Numbers, known: Numbers) -> Iterator[_Clustered]:
    order = np.lexsort((seeds, groups))
    groups, seeds, totals, known = groups[order], seeds[order], totals[order], known[order]
    if not len(groups):
        return
    first = np.flatnonzero(np.diff(groups, prepend=-1))
    for begin, end in zip(first, [*first[1:], len(groups)], strict=True):
        each = np.flatnonzero(np.diff(seeds[begin:end], prepend=-1))
        if len(each) < 2:
            continue
        above = np.add.reduceat(totals[begin:end], each, axis=0)
        below = np.add.reduceat(known[begin:end], each, axis=0)
        for figure in range(totals.shape[1]):
            told = (below[:, figure] > 0) | (above[:, figure] > 0)
            if told.sum() >= 2:
                yield _Clustered(int(groups[begin]), figure, above[told, figure], below[told, figure])


def _drawn(alike: list[_Clustered]) -> dict[tuple[int, int], Bounds]:
    weights = _weights(len(alike[0].above))
    above = weights @ np.column_stack([one.above for one in alike])
    below = weights @ np.column_stack([one.below for one in alike])
    tail = (1 - CONFIDENCE) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = above / below
    undefined = below == 0  # a sample of a ratio may have nothing below the line
    quantile = np.quantile
    if undefined.any():
        ratios[undefined] = np.nan
        quantile = np.nanquantile
    low, high = quantile(ratios, [tail, 1 - tail], axis=0)
    return {(one.group, one.figure): (float(low[i]), float(high[i])) for i, one in enumerate(alike)}


@lru_cache(maxsize=64)
def _weights(clusters: int) -> Numbers:
    """How often each cluster is drawn in each sample."""
    drawn = np.random.default_rng(_SEED).multinomial(clusters, np.full(clusters, 1 / clusters), RESAMPLES)
    return drawn.astype(np.float64)
