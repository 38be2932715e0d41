"""Why episodes ended, by groups."""

from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np

from iwtui.analysis.cube import cube, grouped
from iwtui.analysis.episodes import Asked
from iwtui.analysis.policy import Policy, brought

UNKNOWN = "unknown"
"""What an end is called of which no reason is told."""


def stop_reasons(
    con: duckdb.DuckDBPyConnection, asked: Asked, keys: Sequence[str], policy: Policy
) -> dict[tuple[Any, ...], dict[str | None, int]]:
    """In each combination of these columns the episodes that count, by why they ended (None: not told)."""
    found = cube(con, asked, [*keys, "stop_reason"], ())
    groups = grouped(found, [*keys, "stop_reason"])
    counts = groups.sums(np.where(brought(policy, found, []).counts, found.episodes, 0.0))
    ended: dict[tuple[Any, ...], dict[str | None, int]] = {}
    for place, label in enumerate(groups.labels):
        if counts[place]:
            ended.setdefault(label[: len(keys)], {})[label[-1]] = int(counts[place])
    return ended
