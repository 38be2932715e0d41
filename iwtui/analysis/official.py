"""The figures of the official analyser, over turns as it reads them (`bench/official.py`).

Each docstring gives the formula; the source is result_analyze.py of InteractWeb-Bench, for LOC, the correlation and what the
judge of questions reads evaluate_intent_and_ask.py. Where the official figures are wrong by a fault of that
code, ours are not: its FORMAT_ERROR_COUNT adds its own count to the stored one at each run, its "Active Submit" group is
always empty, and its CHR is 0 where nobody asked. Its double count in the VCI is kept, as published figures have it.
"""

import math
from collections.abc import Sequence

import duckdb
import msgspec
import polars as pl

from iwtui.archive.index import Index
from iwtui.bench.actions import ActionKind

LONG = 15
"""Actions from which an episode without a Submit counts as one that ran out of turns, whatever its difficulty."""

TAIL = 4
"""Actions at the end that make a loop when all of them are code, Verifies or format errors."""

ERROR = "error"
"""A turn without any action, in the sequence of actions."""

ASK, CODE, VERIFY, SUBMIT = (
    kind.value for kind in (ActionKind.CLARIFY, ActionKind.IMPLEMENT, ActionKind.VERIFY, ActionKind.SUBMIT)
)
SEQUENCE = (ASK, CODE, VERIFY, SUBMIT, ERROR)
TERMINATIONS = ("submit", "infinite loop", "max turns", "crashed", "interrupted", "unknown")

COUNTS = (
    "asks codes verifies submits errors ignored_asks ignored_codes ignored_verifies ignored_submits conflicts_2 "
    "conflicts_3 conflicts_4 steal_steps blind_executions overlaps asks_before_code asks_after_code questions steps"
).split()
"""What is counted in an episode; its figures are means over the episodes with a final evaluation."""


class OfficialFigures(msgspec.Struct, frozen=True):
    """What the official analyser says of some episodes. Shares lie between 0 and 1; None is "not defined".

    `evaluated`: those with a final evaluation; all below is over them, but `tcr_all`: the mean over all that ended of the
    stored TCR over all slots (4 decimals), 0 without an evaluation. In `means` (of COUNTS): asks, verifies and submits are
    turns by their dominant action (submit before ask before verify), codes all turns with code, errors turns with nothing;
    ignored_x: x stood there and another action ruled (for codes: three kinds or more); conflicts_n: n kinds in one turn;
    steal_steps: of two kinds the code came first; blind_executions: of two kinds the code came last; overlaps: turns with
    several kinds. `ask_rate`: share with an ask; `pcr`: share with a question in a turn before the first turn with code;
    `vci` = Σ verifies / (Σ codes + Σ steal_steps + Σ blind_executions + Σ ignored_codes), conflicts counted twice;
    `submit_rate`: share with a submit in any turn; `steps`: actions in the sequence, code beside another counting two.
    `distribution`: share of each action in all sequences; `terminations`: episodes by how they ended. `question_rate`: share
    with a question that the CHR judge can read.
    `loc`: lines of the last workspace. `spearman`: rank correlation of LOC with the hallucination flag; its two-sided p.
    """

    evaluated: int
    tcr_all: float | None
    ask_rate: float | None
    pcr: float | None
    vci: float | None
    submit_rate: float | None
    means: dict[str, float | None]
    distribution: dict[str, float | None]
    terminations: dict[str, int]
    question_rate: float | None
    loc: float | None
    spearman: float | None
    spearman_p: float | None


def load_turns(index: Index, runs: Sequence[str]) -> pl.DataFrame:
    """The turns of some runs as the official analyser reads them: episode, turn, kinds, questions.

    Raises IndexBusyError, IndexFaultError.
    """

    def rows(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        query = """
            SELECT episode, turn, official_kinds AS kinds, official_questions AS questions
            FROM turns WHERE list_contains($runs, run) AND official_kinds IS NOT NULL ORDER BY episode, turn"""
        return pl.DataFrame(con.sql(query, params={"runs": list(runs)}).to_arrow_table())

    return index.read(rows)


def behaviours(turns: pl.DataFrame) -> pl.DataFrame:
    """One row an episode: the COUNTS, `submitted`, `sequence` and `loops`, from frames as `load_turns` gives them."""
    has = {kind: pl.col("kinds").list.contains(kind) for kind in (ASK, CODE, VERIFY, SUBMIT)}
    number = pl.col("kinds").list.len()
    first_is_code = pl.col("kinds").list.first() == CODE
    two_with_code = (number == 2) & has[CODE]
    first_code = pl.col("turn").filter(has[CODE]).min().over("episode")
    before = pl.col("turn") < first_code
    flags = {
        "asks": has[ASK] & ~has[SUBMIT],
        "codes": has[CODE],
        "verifies": has[VERIFY] & ~has[ASK] & ~has[SUBMIT],
        "submits": has[SUBMIT],
        "errors": number == 0,
        "ignored_asks": has[ASK] & has[SUBMIT],
        "ignored_codes": (number >= 3) & has[CODE],
        "ignored_verifies": has[VERIFY] & (has[ASK] | has[SUBMIT]),
        "ignored_submits": pl.lit(value=False),
        "conflicts_2": number == 2,
        "conflicts_3": number == 3,
        "conflicts_4": number == 4,
        "steal_steps": two_with_code & first_is_code,
        "blind_executions": two_with_code & ~first_is_code,
        "overlaps": number > 1,
        "asks_before_code": has[ASK] & before.fill_null(value=True),
        "asks_after_code": has[ASK] & ~before.fill_null(value=True),
    }
    told = turns.with_columns(
        *(flag.cast(pl.Int64).alias(name) for name, flag in flags.items()),
        pl.concat_list(
            pl.when(flags["asks"]).then(pl.lit(ASK)),
            pl.when(has[CODE]).then(pl.lit(CODE)),
            pl.when(flags["verifies"]).then(pl.lit(VERIFY)),
            pl.when(has[SUBMIT]).then(pl.lit(SUBMIT)),
            pl.when(number == 0).then(pl.lit(ERROR)),
        )
        .list.drop_nulls()
        .alias("sequence"),
    )
    counted = [*flags, "questions"]
    looping = pl.element().is_in([CODE, VERIFY, ERROR]).all()
    return (
        told.group_by("episode", maintain_order=True)
        .agg(*(pl.col(name).sum() for name in counted), pl.col("sequence").explode())
        .with_columns(steps=pl.col("sequence").list.len().cast(pl.Int64), submitted=pl.col("submits") > 0)
        .with_columns(
            loops=(pl.col("steps") >= TAIL) & pl.col("sequence").list.tail(TAIL).list.eval(looping).list.first(),
        )
    )


def official_figures(counted: pl.DataFrame) -> OfficialFigures:
    """The figures of episodes that went through `policy.under`, joined with `behaviours`.

    An episode of which there is no turn has done nothing. How one ended: `submit` when a turn says so; else, from LONG
    actions on, `infinite loop` or `max turns`; else `crashed`; else `infinite loop` or `interrupted`; `unknown` without any
    message.
    """
    rows = counted.with_columns(
        *(pl.col(name).fill_null(0) for name in COUNTS),
        *(pl.col(name).fill_null(value=False) for name in ("submitted", "loops")),
    )
    seen = rows.filter(evaluated())
    total = {name: int(seen[name].sum()) for name in COUNTS}
    lasted = total["codes"] + total["steal_steps"] + total["blind_executions"] + total["ignored_codes"]
    sequence = seen["sequence"].explode().drop_nulls()
    spearman, probability = _spearman(seen)
    return OfficialFigures(
        evaluated=len(seen),
        tcr_all=_mean(rows["tcr_all"]),
        ask_rate=_mean(seen["asks"] > 0),
        pcr=_mean(seen["asks_before_code"] > 0),
        vci=total["verifies"] / lasted if lasted else (0.0 if len(seen) else None),
        submit_rate=_mean(seen["submitted"]),
        means={name: _mean(seen[name]) for name in COUNTS},
        distribution={name: _mean(sequence == name) for name in SEQUENCE},
        terminations=_terminations(rows),
        question_rate=_mean(seen["questions"] > 0),
        loc=_mean(seen["loc"]),
        spearman=spearman,
        spearman_p=probability,
    )


def evaluated() -> pl.Expr:
    """Which episodes have a final evaluation; a judge that broke off (ERROR) counts as one."""
    broke_off = (pl.col("status") == "infra") & pl.col("judging").is_not_null()
    return pl.col("status").is_in(["scored", "crashed"]) | broke_off


def _terminations(rows: pl.DataFrame) -> dict[str, int]:
    crashed = (pl.col("status") != "scored") & evaluated()
    loop = pl.when("loops").then(pl.lit("infinite loop"))
    kind = (
        pl.when(pl.col("sequence").is_null())
        .then(pl.lit("unknown"))
        .when(pl.col("submitted"))
        .then(pl.lit("submit"))
        .when(pl.col("steps") >= LONG)
        .then(loop.otherwise(pl.lit("max turns")))
        .when(crashed)
        .then(pl.lit("crashed"))
        .otherwise(loop.otherwise(pl.lit("interrupted")))
    )
    found = rows.filter(pl.col("counts")).select(kind.alias("kind"))["kind"]
    return {name: int((found == name).sum()) for name in TERMINATIONS}


def _spearman(seen: pl.DataFrame) -> tuple[float | None, float | None]:
    """ρ of the average ranks, and its two-sided p by Student's t with n - 2 degrees; None where it is not defined."""
    known = seen.select(pl.col("loc").cast(pl.Float64), "hr").drop_nulls()
    if len(known) < 3 or known["loc"].n_unique() < 2 or known["hr"].n_unique() < 2:
        return None, None
    found = known.select(pl.corr("loc", "hr", method="spearman")).item()
    free = len(known) - 2
    rest = 1 - found**2
    return found, 0.0 if rest <= 0 else 1 - student(abs(found) * math.sqrt(free / rest), free)


def student(t: float, free: int) -> float:
    """The probability that Student's |T| is below t, for whole degrees of freedom.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = math.atan2(t, math.sqrt(free))
    square = math.cos(angle) ** 2
    odd = free % 2
    term = math.cos(angle) if odd else 1.0
    total = term if free > 1 else 0.0
    for step in range(2 + odd, free - 1, 2):
        term *= square * (step - 1) / step
        total += term
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total


def _mean(values: pl.Series) -> float | None:
    mean = values.cast(pl.Float64).mean()
    return mean if isinstance(mean, float) else None
