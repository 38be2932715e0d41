"""Means with their intervals."""

import msgspec
import numpy as np
import polars as pl

RESAMPLES = 2_000
CONFIDENCE = 0.95
_SEED = 20260430


class Mean(msgspec.Struct, frozen=True):
    """`n` values were known; `low` to `high` is the 95 % interval. None: not defined."""

    n: int
    mean: float | None
    low: float | None
    high: float | None


def clustered_mean(values: pl.Series, seeds: pl.Series) -> Mean:
    """The mean of the known values, with a percentile bootstrap that draws whole seeds.

    The cases of a seed share their slots, so they are not independent; fewer than two seeds give no interval. The
    drawing is seeded: equal values give equal intervals.
    """
    known = pl.DataFrame({"seed": seeds, "value": values}).drop_nulls("value")
    if known.is_empty():
        return Mean(0, None, None, None)
    clusters = known.group_by("seed").agg(pl.col("value").sum().alias("total"), pl.len().alias("size")).sort("seed")
    totals, sizes = clusters["total"].to_numpy(), clusters["size"].to_numpy()
    mean = float(totals.sum() / sizes.sum())
    if len(clusters) < 2:
        return Mean(len(known), mean, None, None)
    drawn = np.random.default_rng(_SEED).integers(0, len(clusters), (RESAMPLES, len(clusters)))
    means = totals[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Mean(len(known), mean, float(low), float(high))


def spread(values: pl.Series, repeats: pl.Series) -> float | None:
    """The standard deviation of the repeats' means (sample, n - 1); None with fewer than two repeats."""
    known = pl.DataFrame({"repeat": repeats, "value": values}).drop_nulls("value")
    means = known.group_by("repeat").agg(pl.col("value").mean())["value"]
    deviation = means.std()
    return float(deviation) if isinstance(deviation, float) else None
