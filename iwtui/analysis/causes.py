"""What was lost, and why: the share of each cause in the weight of the slots that did not pass."""

from collections.abc import Sequence

import duckdb
import msgspec
import polars as pl

from iwtui.analysis.figures import GROUPS, GroupError
from iwtui.archive.index import Index
from iwtui.bench.blame import Cause

NOT_OBSERVED = "not observed"
"""What stands for the cause of a slot that the judge never looked at: it lost its weight, and nobody knows why."""

CAUSES = (*(cause.value for cause in Cause), NOT_OBSERVED)

_LOST = """
SELECT v.episode, v.slot, v.component, v.kind AS slot_kind, v.weight, coalesce(v.cause, $unseen) AS cause, v.cause_turn,
    coalesce(v.cause_estimated, false) AS estimated
FROM verdicts v
WHERE v.is_primary AND v.verdict IN ('failed', 'unobserved') AND list_contains($runs, v.run)
ORDER BY v.episode, v.slot
"""


class Share(msgspec.Struct, frozen=True):
    """One cause in one group of episodes (`group` is empty for all).

    `share`: its part (0 to 1) of the weight that the group lost; `weight` is that weight, of `slots` slots in `episodes`
    episodes. `estimated`: slots among them of which nobody noted how the instruction shows them.
    """

    group: dict[str, object]
    cause: str
    share: float
    weight: float
    slots: int
    episodes: int
    estimated: int

    def __hash__(self) -> int:
        return hash((*self.group.items(), self.cause, self.weight, self.slots))  # a dict has none


def load_lost(index: Index, episodes: pl.DataFrame) -> pl.DataFrame:
    """The slots that did not pass in those of the episodes (a frame of `frames.load_frame`) that are scored.

    One row a slot: the episode's columns, `slot`, `component`, `slot_kind`, `weight`, `cause`, `cause_turn`, `estimated`.
    Raises IndexBusyError, IndexFaultError.
    """

    runs = episodes["run"].unique().to_list()

    def rows(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        lost = con.sql(_LOST, params={"runs": runs, "unseen": NOT_OBSERVED})
        return pl.DataFrame(lost.to_arrow_table())

    return episodes.filter(pl.col("status") == "scored").join(index.read(rows), on="episode", maintain_order="left")


def shares(lost: pl.DataFrame, by: Sequence[str] = ()) -> list[Share]:
    """Of all episodes first, then of each group in the order of its values; in each the causes in the order of CAUSES.

    A cause that does not occur has no row. Raises GroupError.
    """
    for column in by:
        if column not in GROUPS:
            raise GroupError(f"causes cannot be grouped by {column!r}; choose among {', '.join(GROUPS)}")
    found = _shares({}, lost)
    if by:
        parts = lost.sort(by, nulls_last=True, maintain_order=True).partition_by(by, as_dict=True, maintain_order=True)
        for key, part in parts.items():
            found += _shares(dict(zip(by, key, strict=True)), part)
    return found


def _shares(group: dict[str, object], lost: pl.DataFrame) -> list[Share]:
    weights = lost["weight"].cast(pl.Float64)
    total = float(weights.sum())
    summed = lost.group_by("cause").agg(
        weight=pl.col("weight").sum(),
        slots=pl.len(),
        episodes=pl.col("episode").n_unique(),
        estimated=pl.col("estimated").sum(),
    )
    of_cause = {row["cause"]: row for row in summed.iter_rows(named=True)}
    return [
        Share(group, cause, row["weight"] / total, row["weight"], row["slots"], row["episodes"], row["estimated"])
        for cause in CAUSES
        if (row := of_cause.get(cause)) and total
    ]
