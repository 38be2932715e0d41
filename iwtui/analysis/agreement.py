"""How far two judges agree, slot by slot: people with a judge, or any two judgings of the same sites.

A slot is passed or not: one that the judge never looked at is not passed, as in the score. Slots on which either side has
nothing to say are left out and counted: unjudged ones, those that people dispute, and those on which all are unsure.
"""

import math
from collections.abc import Sequence

import msgspec
import polars as pl

GROUPS = "judge model judging persona kind assertion component builder difficulty seed case_id pack language run".split()
"""What agreement can be told by. `judge`, `model` and `judging` are the first one's."""


class AgreementError(ValueError):
    """Agreement cannot be told of that, or not by that."""


class Agreement(msgspec.Struct, frozen=True):
    """Two judges on `n` slots on which both decided; `left_out` more on which one of them did not.

    Counts by what the first says and then the second: `both_pass`, `fp` (the first passes what the second does not), `fn`
    (the first does not pass what the second does), `both_fail`. `agree`: share of `n`. `kappa`: Cohen's κ, `tau`: Kendall's
    τ-b over the slots; None where they are not defined, or when `n` is 0.
    """

    n: int
    left_out: int
    both_pass: int
    fp: int
    fn: int
    both_fail: int
    agree: float | None
    kappa: float | None
    tau: float | None


class Row(msgspec.Struct, frozen=True):
    """The agreement within one group; `group` is empty for all slots."""

    group: dict[str, object]
    agreement: Agreement


def cohens_kappa(both_pass: int, fp: int, fn: int, both_fail: int) -> float | None:
    """κ = (p_o - p_e) / (1 - p_e), with the share p_o of equal verdicts and the share p_e to be expected by chance.

    None where p_e is 1: both say the same of every slot, and chance explains it all. Source: J. Cohen, A coefficient of
    agreement for nominal scales, Educational and Psychological Measurement 20 (1960).
    """
    n = both_pass + fp + fn + both_fail
    by_chance = (both_pass + fp) * (both_pass + fn) + (fn + both_fail) * (fp + both_fail)
    if by_chance == n * n:
        return None
    return (n * (both_pass + both_fail) - by_chance) / (n * n - by_chance)


def kendalls_tau(both_pass: int, fp: int, fn: int, both_fail: int) -> float | None:
    """τ-b of the two verdicts over all pairs of slots; None when either says the same of every slot.

    τ_b = (C - D) / sqrt((pairs not tied in the one) · (pairs not tied in the other)); with two classes C is `both_pass` ·
    `both_fail` and D is `fp` · `fn`. Source: M. G. Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945).
    """
    untied = (both_pass + fp) * (fn + both_fail) * (both_pass + fn) * (fp + both_fail)
    return (both_pass * both_fail - fp * fn) / math.sqrt(untied) if untied else None


def agreement(pairs: pl.DataFrame) -> Agreement:
    """The agreement of the columns `first` and `second`: true where passed, null where undecided."""
    decided = pairs.drop_nulls(["first", "second"])
    first, second = decided["first"], decided["second"]
    counts = [int((left & right).sum()) for left in (first, ~first) for right in (second, ~second)]
    both_pass, fp, fn, both_fail = counts
    n = len(decided)
    return Agreement(
        n=n,
        left_out=len(pairs) - n,
        both_pass=both_pass,
        fp=fp,
        fn=fn,
        both_fail=both_fail,
        agree=(both_pass + both_fail) / n if n else None,
        kappa=cohens_kappa(both_pass, fp, fn, both_fail) if n else None,
        tau=kendalls_tau(both_pass, fp, fn, both_fail) if n else None,
    )


def agreements(pairs: pl.DataFrame, by: Sequence[str]) -> list[Row]:
    """All slots first, then each group in the order of its values. Raises AgreementError."""
    for column in by:
        if column not in GROUPS:
            raise AgreementError(f"agreement cannot be told by {column!r}; choose among {', '.join(GROUPS)}")
    rows = [Row({}, agreement(pairs))]
    if by and not pairs.is_empty():
        parts = pairs.partition_by(list(by), as_dict=True)
        for key in sorted(parts, key=lambda key: [(value is None, str(value)) for value in key]):
            rows.append(Row(dict(zip(by, key, strict=True)), agreement(parts[key])))
    return rows
