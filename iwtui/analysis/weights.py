"""What TCR would be if the paper's weights were others: other values of c_tech, another δ; and how far ranks depend on them.

The paper takes c_tech = 1, 2, 3 and δ = 0.5 without ablation. Verdicts stay; only their weights change. Who counts is the
default policy: a crashed site counts 0, faults of ours and cancelled episodes do not count.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import duckdb
import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl

from iwtui.archive.index import Index
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status
from iwtui.bench.weights import DELTA, weight

Floats = npt.NDArray[np.float64]

BY = "builder persona difficulty seed pack language run".split()
"""What can be ranked."""

SAME = 1e-9
"""Means that differ by less are equal: the difference is the arithmetic's."""

LARGEST = 100.0
"""The greatest value that c_tech may be given."""

_SLOTS = """
WITH slots AS (
    SELECT *, count(*) OVER (PARTITION BY run, case_id, component) AS sharing,
        bool_or(assertion = 'POSITIVE') OVER (PARTITION BY run, case_id) AS any_positive
    FROM case_slots
)
SELECT v.episode, s.c_tech, s.sharing, v.verdict, s.assertion = 'POSITIVE' OR NOT s.any_positive AS clean
FROM verdicts v JOIN attempts a USING (episode) JOIN slots s ON s.run = a.run AND s.case_id = a.case_id AND s.slot = v.slot
WHERE list_contains($runs, v.run) AND v.is_primary AND a.status = 'scored'
ORDER BY v.episode, v.slot
"""


class WeightingError(ValueError):
    """Weights that are none, or nothing that can be ranked."""


class Weighting(msgspec.Struct, frozen=True):
    """`c`: what c_tech 1, 2 and 3 stand for; `delta`: the bonus for each further slot that shares a component."""

    c: tuple[float, float, float] = (1.0, 2.0, 3.0)
    delta: float = DELTA

    def __post_init__(self) -> None:
        if not all(0 <= value <= LARGEST for value in (*self.c, self.delta)) or not any(self.c):
            raise WeightingError(f"weights lie between 0 and {LARGEST:g}, and not all of c_tech are 0")


PAPER = Weighting()

GRID = tuple(
    Weighting((1.0, 1 + second / 2, 1 + third / 2), delta / 10)
    for second in range(7)
    for third in range(second, 11)
    for delta in range(11)
)
"""c_tech 2 from 1 to 4 and 3 from that to 6 by 0.5, with 1 fixed (only their ratios matter); δ from 0 to 1 by 0.1."""


class Tallies(msgspec.Struct, frozen=True):
    """Passed and judged slots of each episode, by what decides their weight.

    `kinds`: pairs of (c_tech, slots that share the component), K of them. `passed`, `judged`: E × K counts; an unjudged slot
    is in neither. `crashed`: E flags. `groups`: what each of the E episodes is ranked as.
    """

    groups: tuple[str, ...]
    kinds: tuple[tuple[int, int], ...]
    passed: Floats
    judged: Floats
    crashed: npt.NDArray[np.bool_]


class Standing(msgspec.Struct, frozen=True):
    """The mean TCR (0 to 1) of `n` episodes by the paper's weights and by others; ranks from 1, equal means share one."""

    group: str
    n: int
    paper: float
    now: float
    rank_paper: int
    rank: int


class Point(msgspec.Struct, frozen=True):
    """A weighting against the paper's. `tau`: Kendall's τ-b of the two rankings; None when either has all ranks equal."""

    weighting: Weighting
    tau: float | None
    same_winner: bool


class Stability(msgspec.Struct, frozen=True):
    """A ranking over many weightings. `same_winner`: share of them with the same best; `lowest`: the least alike."""

    points: int
    tau: float | None
    lowest: Point | None
    same_winner: float | None


def load_slots(index: Index, runs: Sequence[str]) -> pl.DataFrame:
    """The slots of the scored episodes of some runs with the primary judging's verdicts.

    Raises IndexBusyError, IndexFaultError.
    """

    def read(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        return pl.DataFrame(con.sql(_SLOTS, params={"runs": list(runs)}).to_arrow_table())

    return index.read(read)


def tallies(slots: pl.DataFrame, episodes: pl.DataFrame, by: str = "builder", clean: bool = False) -> Tallies:
    """The counts of those episodes that count; with `clean` over POSITIVE slots only, as in the official table.

    An episode of which no slot was judged has no score and is left out. Raises WeightingError.
    """
    if by not in BY:
        raise WeightingError(f"{by!r} cannot be ranked; choose among {', '.join(BY)}")
    counted = slots.filter(pl.col("verdict") != Verdict.UNJUDGED.value)
    if clean:
        counted = counted.filter("clean")
    counts = counted.group_by("episode", "c_tech", "sharing").agg(
        judged=pl.len(), passed=(pl.col("verdict") == Verdict.PASSED.value).sum()
    )
    kinds = sorted(counts.select("c_tech", "sharing").unique().iter_rows())
    crashed = episodes.filter(pl.col("status") == Status.CRASHED.value)["episode"].to_list()
    wanted = episodes.filter(pl.col("episode").is_in([*crashed, *counts["episode"].unique().to_list()])).sort("episode")
    names = wanted["episode"].to_list()
    place, kind = {name: row for row, name in enumerate(names)}, {pair: column for column, pair in enumerate(kinds)}
    passed, judged = np.zeros((len(names), len(kinds))), np.zeros((len(names), len(kinds)))
    for episode, c_tech, sharing, total, good in counts.iter_rows():
        if (row := place.get(episode)) is not None:
            judged[row, kind[c_tech, sharing]], passed[row, kind[c_tech, sharing]] = total, good
    groups = tuple("unknown" if value is None else str(value) for value in wanted[by].to_list())
    return Tallies(groups, tuple(kinds), passed, judged, np.isin(names, crashed) if names else np.zeros(0, dtype=np.bool_))


def scores(counts: Tallies, weightings: Sequence[Weighting]) -> Floats:
    """TCR of each episode under each weighting, E × G; NaN where no slot has any weight."""
    table = np.array([[_weight(kind, one) for one in weightings] for kind in counts.kinds]).reshape(-1, len(weightings))
    total = counts.judged @ table
    found = np.full(total.shape, np.nan)
    np.divide(counts.passed @ table, total, out=found, where=total > 0)
    found[counts.crashed] = 0.0
    return found


def _weight(kind: tuple[int, int], weighting: Weighting) -> float:
    c_tech, sharing = kind
    return weight(weighting.c[c_tech - 1], sharing, weighting.delta)


def means(counts: Tallies, weightings: Sequence[Weighting]) -> tuple[tuple[str, ...], Floats]:
    """The groups in their order, and the mean TCR of each under each weighting (B × G)."""
    groups = tuple(sorted(set(counts.groups)))
    found = scores(counts, weightings)
    of = np.array([groups.index(group) for group in counts.groups], dtype=np.int64)
    rows = [_mean(found[of == place]) for place in range(len(groups))]
    return groups, np.array(rows).reshape(len(groups), len(weightings))


def _mean(values: Floats) -> Floats:
    known = ~np.isnan(values)
    number = known.sum(axis=0)
    return np.where(number > 0, np.nansum(values, axis=0) / np.maximum(number, 1), np.nan)


def standings(counts: Tallies, weighting: Weighting) -> list[Standing]:
    """Each group under the weighting, the best by it first. A group without any score is left out."""
    groups, found = means(counts, (PAPER, weighting))
    known = [place for place in range(len(groups)) if not np.isnan(found[place]).any()]
    paper, now = ({place: float(found[place, column]) for place in known} for column in (0, 1))
    rows = [
        Standing(
            groups[place], counts.groups.count(groups[place]), paper[place], now[place], rank(paper, place), rank(now, place)
        )
        for place in known
    ]
    return sorted(rows, key=lambda row: (row.rank, row.rank_paper, row.group))


def rank(values: dict[int, float], place: int) -> int:
    """1 for the greatest; equal values share a rank."""
    return 1 + sum(other > values[place] + SAME for other in values.values())


def points(counts: Tallies, weightings: Sequence[Weighting] = GRID) -> list[Point]:
    """Each weighting against the paper's; none with fewer than two groups that have a score."""
    _, found = means(counts, (PAPER, *weightings))
    found = found[~np.isnan(found).any(axis=1)]
    if len(found) < 2:
        return []
    taus = _taus(found)
    best = found >= found.max(axis=0) - SAME
    same = (best[:, 1:] == best[:, :1]).all(axis=0)
    return [
        Point(one, None if np.isnan(tau) else float(tau), bool(alike))
        for one, tau, alike in zip(weightings, taus, same, strict=True)
    ]


def stability(found: Sequence[Point]) -> Stability:
    """How far the ranking holds over those weightings."""
    known = [(point.tau, point) for point in found if point.tau is not None]
    return Stability(
        points=len(found),
        tau=sum(tau for tau, _ in known) / len(known) if known else None,
        lowest=min(known, key=lambda one: one[0])[1] if known else None,
        same_winner=sum(point.same_winner for point in found) / len(found) if found else None,
    )


def _taus(found: Floats) -> Floats:
    """τ-b of each column with the first: pairs in the same order less those in the other, ties accounted for.

    τ_b = (C - D) / sqrt((pairs not tied in the one) · (pairs not tied in the other)). Source: M. G. Kendall, Biometrika 33
    (1945).
    """
    signs = np.array(list(_signs(found)))
    paper, others = signs[:, :1], signs[:, 1:]
    untied = np.sqrt(np.abs(paper).sum(axis=0) * np.abs(others).sum(axis=0))
    taus = np.full(untied.shape, np.nan)
    np.divide((paper * others).sum(axis=0), untied, out=taus, where=untied > 0)
    return taus


def _signs(found: Floats) -> Iterator[Floats]:
    for one, other in combinations(found, 2):
        difference = one - other
        yield np.where(np.abs(difference) < SAME, 0.0, np.sign(difference))
