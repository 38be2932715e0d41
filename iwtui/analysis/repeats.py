"""What repeats say: how far they lie apart, and how often some or all of k of them succeed."""

import math
from collections.abc import Sequence
from typing import Any

import duckdb
import msgspec
import numpy as np

from iwtui.analysis.cube import Groups, Numbers, cube, grouped
from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import DIGITS, ratio
from iwtui.analysis.policy import Policy, brought

_SCORES = ("tcr", "tcr_clean")


class Passes(msgspec.Struct, frozen=True):
    """Over the `cases` of which at least `k` repeats count; a case with fewer is not in it. None: there is no such case.

    `pass_at`: the chance that of k repeats drawn at random one succeeds at least, 1 - C(n-c, k) / C(n, k); `pass_all`:
    that all of them do, C(c, k) / C(n, k); both unbiased, with c successes (sr) among the n repeats of a case that
    count, and a mean over the cases. Sources: Chen et al., arXiv 2107.03374 (pass@k); Yao et al., arXiv 2406.12045
    (pass^k).
    """

    k: int
    cases: int
    pass_at: float | None
    pass_all: float | None


class Repeats(msgspec.Struct, frozen=True):
    """`repeats` that count of the case that has most; a case here is one of a run, by one builder.

    `tcr_repeats`: the mean over the repeats (first ones, second ones, ..) of their mean TCR, and `tcr_spread` the
    standard deviation of these means (sample, n - 1); None with fewer than two. `passes`: for k from 1 to `repeats`.
    """

    repeats: int = 0
    tcr_repeats: float | None = None
    tcr_spread: float | None = None
    passes: tuple[Passes, ...] = ()


def repeats(
    con: duckdb.DuckDBPyConnection, asked: Asked, keys: Sequence[str], policy: Policy
) -> dict[tuple[Any, ...], Repeats]:
    """What the repeats say in each combination of these columns that occurs."""
    found = cube(con, asked, [*keys, "repeat"], _SCORES)
    means: dict[tuple[Any, ...], list[float]] = {}
    groups = grouped(found, [*keys, "repeat"])
    brings = brought(policy, found, ["tcr"])
    totals, known = groups.sums(brings.totals)[:, 0], groups.sums(brings.known)[:, 0]
    for place, (*label, _) in enumerate(groups.labels):
        if known[place]:
            means.setdefault(tuple(label), []).append(float(totals[place] / known[place]))
    units = [*keys, "run", "case_id", "builder"]
    found = cube(con, asked, units, ("sr",))
    brings, groups = brought(policy, found, ["sr"]), grouped(found, units)
    cases = _cases(groups, groups.sums(brings.totals)[:, 0], groups.sums(brings.known)[:, 0], len(keys))
    return {label: _repeats(means.get(label, []), cases.get(label, [])) for label in {**cases, **means}}


Tried = tuple[int, int]
"""The repeats of a case that count, and those of them that succeeded."""


def _cases(groups: Groups, succeeded: Numbers, counted: Numbers, keys: int) -> dict[tuple[Any, ...], list[Tried]]:
    cases: dict[tuple[Any, ...], list[Tried]] = {}
    for place, label in enumerate(groups.labels):
        if counted[place]:
            cases.setdefault(label[:keys], []).append((int(counted[place]), round(float(succeeded[place]))))
    return cases


def _repeats(means: Sequence[float], cases: Sequence[Tried]) -> Repeats:
    most = max((n for n, _ in cases), default=0)
    spread = round(float(np.std(means, ddof=1)), DIGITS) if len(means) > 1 else None
    mean = round(float(np.mean(means)), DIGITS) if means else None
    return Repeats(most, mean, spread, tuple(passes(cases, k) for k in range(1, most + 1)))


def passes(cases: Sequence[Tried], k: int) -> Passes:
    """How often some and how often all of k repeats succeed, over these cases."""
    enough = [(n, c) for n, c in cases if n >= k]
    some = sum(1 - math.comb(n - c, k) / math.comb(n, k) for n, c in enough)
    every = sum(math.comb(c, k) / math.comb(n, k) for n, c in enough)
    return Passes(k, len(enough), ratio(some, len(enough)), ratio(every, len(enough)))
