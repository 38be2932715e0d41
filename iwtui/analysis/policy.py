"""Who counts in a mean, and as what."""

from enum import StrEnum

import polars as pl

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


_SCORED, _CRASHED = [Status.SCORED.value], [Status.CRASHED.value]
_ENDED = [status.value for status in Status if status is not Status.RUNNING]
_COUNTED = {
    Policy.DEFAULT: _SCORED + _CRASHED,
    Policy.STRICT: _ENDED,
    Policy.SCORED: _SCORED,
    Policy.OFFICIAL: _ENDED,
}


def under(policy: Policy, episodes: pl.DataFrame) -> pl.DataFrame:
    """The episodes with `counts` and what each brings to the means: `tcr`, `tcr_clean`, `sr`, `hr` (null: nothing).

    Needs the columns status, tcr, tcr_clean, sr, hallucinated, judging and negative_missed (was a NEGATIVE slot not
    passed?). The official policy also gives `tcr_all`, the TCR over all slots to four decimals.
    """
    counts = pl.col("status").is_in(_COUNTED[policy])
    crashed = pl.col("status").is_in(_CRASHED)
    scored = pl.col("status").is_in(_SCORED)
    scores = {
        "tcr": pl.col("tcr_clean" if policy is Policy.OFFICIAL else "tcr").cast(pl.Float64),
        "tcr_clean": pl.col("tcr_clean").cast(pl.Float64),
        "sr": pl.col("sr").cast(pl.Float64),
    }
    if policy is Policy.OFFICIAL:
        scores["tcr_all"] = pl.col("tcr").cast(pl.Float64).round(4)
    if policy in (Policy.STRICT, Policy.OFFICIAL):
        scores = {name: pl.when(scored).then(score).fill_null(0.0) for name, score in scores.items()}
    else:
        scores = {name: pl.when(crashed).then(0.0).otherwise(score) for name, score in scores.items()}
    hallucinated = pl.col("hallucinated").cast(pl.Float64)
    if policy is Policy.OFFICIAL:
        missed = pl.when(scored).then(pl.col("negative_missed").cast(pl.Float64))
        broke_off = pl.col("judging").is_not_null() & (pl.col("status") == Status.INFRA.value)
        hallucinated = pl.when(crashed | broke_off).then(1.0).otherwise(missed)
    brought = [pl.when(counts).then(figure).alias(name) for name, figure in {**scores, "hr": hallucinated}.items()]
    return episodes.with_columns(counts.alias("counts"), *brought)
