"""What is drawn of some episodes: points and bars, each with the filter that keeps the episodes behind it."""

import duckdb
import msgspec
import numpy as np

from iwtui.analysis.cube import Cube, Numbers, cube, grouped
from iwtui.analysis.ends import UNKNOWN, stop_reasons
from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import ACTIONS, place_of, ratio, share
from iwtui.analysis.lines import by_lines
from iwtui.analysis.policy import Policy, brought
from iwtui.analysis.spearman import Correlation, spearman
from iwtui.bench.filters import NONE, written

BINS = 10
"""Ranges of lines of code, at most; each holds about as many episodes."""

WITH_ACTION = {
    "clarify": "clarifies>0",
    "implement": "implements>0",
    "verify": "verifies>0",
    "submit": "actions:*S*",
    "malformed": "malformed>0",
}
"""What keeps the episodes in which an action occurs."""


_SPENT = ("tcr", "tcr_clean", "cost_mean", *ACTIONS.values())


class Point(msgspec.Struct, frozen=True):
    """`n` episodes that count, and a figure of them. `filter` keeps these episodes, beside the filter that is set.

    `at`: where the point stands on the axis, None for "unknown"; `value`: its figure, None where it is not known.
    """

    label: str
    at: float | None
    value: float | None
    n: int
    filter: str


class Bin(msgspec.Struct, frozen=True):
    """The episodes with `low` to `high` lines of code: of `n` of them it is known whether they are hallucinated."""

    low: int
    high: int
    hallucinated: float | None
    n: int
    filter: str


class Priced(msgspec.Struct, frozen=True):
    """A builder with a persona: mean cost in US dollars and mean TCR of the `n` episodes whose cost and score are known.

    `unpriced`: episodes that count, but of which no price is known; they are left out.
    """

    builder: str | None
    persona: str | None
    cost: float | None
    tcr: float | None
    n: int
    unpriced: int
    filter: str


class Bar(msgspec.Struct, frozen=True):
    """How often something occurs, and its share (0 to 1) of all."""

    label: str
    count: int
    share: float | None
    filter: str


class Plots(msgspec.Struct, frozen=True):
    """What there is to draw. All of it is over the episodes that count under the policy.

    `tcr_by_turn`: mean TCR by the number of turns played. `loc_hallucination`: share hallucinated by lines of code, and
    their rank correlation over single episodes. `cost_tcr`: cost against TCR. `actions`: all turns by their action.
    `stop_reasons`: why the episodes ended.
    """

    tcr_by_turn: tuple[Point, ...] = ()
    loc_hallucination: tuple[Bin, ...] = ()
    correlation: Correlation = Correlation()
    cost_tcr: tuple[Priced, ...] = ()
    actions: tuple[Bar, ...] = ()
    stop_reasons: tuple[Bar, ...] = ()


def plots(con: duckdb.DuckDBPyConnection, asked: Asked, policy: Policy) -> Plots:
    """All there is to draw of some episodes."""
    bins, correlation = _by_lines(con, asked, policy)
    spent = cube(con, asked, ["builder", "persona", "priced"], _SPENT)
    return Plots(
        tcr_by_turn=_by_turn(con, asked, policy),
        loc_hallucination=bins,
        correlation=correlation,
        cost_tcr=_by_cost(spent, policy),
        actions=_actions(spent, policy),
        stop_reasons=_stop_reasons(con, asked, policy),
    )


def counting(policy: Policy, *terms: str) -> str:
    """A filter that keeps the episodes that count and fit the terms."""
    return " ".join([f"status:{','.join(policy.statuses)}", *terms])


def with_score(policy: Policy, *terms: str) -> str:
    """A filter that keeps those of them that are in the mean TCR."""
    return counting(policy, *terms, *([] if policy.unknown_is_zero else [f"-tcr:{NONE}"]))


def _by_turn(con: duckdb.DuckDBPyConnection, asked: Asked, policy: Policy) -> tuple[Point, ...]:
    found = cube(con, asked, ["turns"], ("tcr", "tcr_clean"))
    brings, groups = brought(policy, found, ["tcr"]), grouped(found, ["turns"])
    totals, known = groups.sums(brings.totals)[:, 0], groups.sums(brings.known)[:, 0]
    points = [
        Point(_label(turns), turns, ratio(totals[i], known[i]), int(known[i]), with_score(policy, written("turns", turns)))
        for i, (turns,) in enumerate(groups.labels)
        if known[i]
    ]
    return tuple(sorted(points, key=lambda point: place_of(point.at)))


def _by_lines(con: duckdb.DuckDBPyConnection, asked: Asked, policy: Policy) -> tuple[tuple[Bin, ...], Correlation]:
    told = by_lines(con, asked, [], policy).get(())
    if told is None:
        return (), Correlation()
    lines, known, hallucinated = told
    bins = [
        _bin(
            int(lines[first]), int(lines[last]), hallucinated[first : last + 1].sum(), known[first : last + 1].sum(), policy
        )
        for first, last in _ranges(known)
    ]
    return tuple(bins), spearman(lines, known, hallucinated)


def _ranges(known: Numbers) -> list[tuple[int, int]]:
    """First and last place of each of the ranges into which the ordered values fall, about as many episodes in each."""
    number = np.minimum((np.cumsum(known) - known) * BINS // known.sum(), BINS - 1)
    begins = np.flatnonzero(np.diff(number, prepend=-1))
    return [(int(begin), int(end) - 1) for begin, end in zip(begins, [*begins[1:], len(known)], strict=True)]


def _bin(low: int, high: int, hallucinated: float, n: float, policy: Policy) -> Bin:
    terms = [f"loc>={low}", f"loc<={high}"]
    if policy is not Policy.OFFICIAL:  # which says of more episodes whether they are hallucinated
        terms.append(f"-hallucinated:{NONE}")
    return Bin(low, high, ratio(hallucinated, n), int(n), counting(policy, *terms))


def _by_cost(found: Cube, policy: Policy) -> tuple[Priced, ...]:
    brings, groups = brought(policy, found, ["cost_mean", "tcr"]), grouped(found, ["builder", "persona"])
    priced = np.asarray(found.keys["priced"], dtype=bool)
    totals = groups.sums(brings.totals * priced[:, None])
    known = groups.sums(brings.known * priced[:, None])
    unpriced = groups.sums(np.where(brings.counts & ~priced, found.episodes, 0.0))
    made = [
        Priced(
            builder=builder,
            persona=persona,
            cost=ratio(totals[i, 0], known[i, 0]),
            tcr=ratio(totals[i, 1], known[i, 1]),
            n=int(known[i, 1]),
            unpriced=int(unpriced[i]),
            filter=with_score(policy, written("builder", builder), written("persona", persona), f"-cost:{NONE}"),
        )
        for i, (builder, persona) in enumerate(groups.labels)
        if known[i, 1] or unpriced[i]
    ]
    return tuple(sorted(made, key=lambda one: (place_of(one.builder), place_of(one.persona))))


def _actions(found: Cube, policy: Policy) -> tuple[Bar, ...]:
    counts = brought(policy, found, [*ACTIONS.values()]).totals.sum(axis=0)
    shares = share(counts)
    return tuple(
        Bar(action, int(counts[i]), shares[i], counting(policy, WITH_ACTION[action])) for i, action in enumerate(ACTIONS)
    )


def _stop_reasons(con: duckdb.DuckDBPyConnection, asked: Asked, policy: Policy) -> tuple[Bar, ...]:
    ended = stop_reasons(con, asked, [], policy).get((), {})
    total = sum(ended.values())
    made = [
        Bar(UNKNOWN if reason is None else reason, n, ratio(n, total), counting(policy, written("stop_reason", reason)))
        for reason, n in ended.items()
    ]
    return tuple(sorted(made, key=lambda bar: (-bar.count, bar.label)))


def _label(value: object) -> str:
    return UNKNOWN if value is None else str(value)
