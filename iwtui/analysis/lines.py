"""Lines of code against hallucination: over ranges of lines, and as a rank correlation over single episodes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import duckdb
import numpy as np

from iwtui.analysis.cube import Numbers, cube, grouped
from iwtui.analysis.episodes import Asked
from iwtui.analysis.policy import Policy, brought
from iwtui.analysis.spearman import Correlation, spearman


class Lines(NamedTuple):
    """Each number of lines that occurs, ascending.

    `known`: the episodes with it of which it is known whether they are hallucinated; `hallucinated`: those that are.
    """

    lines: Numbers
    known: Numbers
    hallucinated: Numbers


def against_hallucination(
    con: duckdb.DuckDBPyConnection, asked: Asked, keys: Sequence[str], policy: Policy
) -> dict[tuple[Any, ...], Correlation]:
    """Spearman's correlation of lines of code with the hallucination flag, in each combination of these columns."""
    return {
        label: spearman(told.lines, told.known, told.hallucinated)
        for label, told in by_lines(con, asked, keys, policy).items()
    }


def by_lines(
    con: duckdb.DuckDBPyConnection, asked: Asked, keys: Sequence[str], policy: Policy
) -> dict[tuple[Any, ...], Lines]:
    """In each combination of these columns what there is of each number of lines, of the episodes that count."""
    found = cube(con, asked, [*keys, "loc"], ("hr",), negatives=policy is Policy.OFFICIAL)
    brings, groups = brought(policy, found, ["hr"]), grouped(found, [*keys, "loc"])
    hallucinated, known = groups.sums(brings.totals)[:, 0], groups.sums(brings.known)[:, 0]
    told: dict[tuple[Any, ...], list[tuple[float, float, float]]] = {}
    for place, (*label, lines) in enumerate(groups.labels):
        if lines is not None and known[place]:
            told.setdefault(tuple(label), []).append((lines, known[place], hallucinated[place]))
    return {label: Lines(*np.asarray(sorted(rows), dtype=np.float64).T) for label, rows in told.items()}
