"""The figures of the official analyser, over turns as it reads them (`bench/official.py`).

Each docstring gives the formula; the source is result_analyze.py of InteractWeb-Bench, for LOC, the correlation and what the
judge of questions reads evaluate_intent_and_ask.py. Where the official figures are wrong by a fault of that
code, ours are not: its FORMAT_ERROR_COUNT adds its own count to the stored one at each run, its "Active Submit" group is
always empty, and its CHR is 0 where nobody asked. Its double count in the VCI is kept, as published figures have it.
"""

from collections.abc import Sequence
from typing import Any

import duckdb
import msgspec

from iwtui.analysis.columns import Bound
from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import ratio
from iwtui.analysis.lines import against_hallucination
from iwtui.analysis.policy import Policy
from iwtui.analysis.spearman import Correlation
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
_OF_SEQUENCE = ("asks", "codes", "verifies", "submits", "errors")
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


_ACTS = """
WITH said AS (
    SELECT episode, turn, official_questions AS questions, len(official_kinds) AS kinds,
           official_kinds[1] = 'implement' AS code_first,
           list_contains(official_kinds, 'clarify') AS ask, list_contains(official_kinds, 'implement') AS code,
           list_contains(official_kinds, 'verify') AS look, list_contains(official_kinds, 'submit') AS done
    FROM turns SEMI JOIN ({episodes}) AS chosen USING (episode)
    WHERE official_kinds IS NOT NULL
),
begun AS (SELECT episode, min(turn) AS first_code FROM said WHERE code GROUP BY episode)
SELECT episode,
    count_if(ask AND NOT done) AS asks,
    count_if(code) AS codes,
    count_if(look AND NOT ask AND NOT done) AS verifies,
    count_if(done) AS submits,
    count_if(kinds = 0) AS errors,
    count_if(ask AND done) AS ignored_asks,
    count_if(kinds >= 3 AND code) AS ignored_codes,
    count_if(look AND (ask OR done)) AS ignored_verifies,
    0 AS ignored_submits,
    count_if(kinds = 2) AS conflicts_2,
    count_if(kinds = 3) AS conflicts_3,
    count_if(kinds = 4) AS conflicts_4,
    count_if(kinds = 2 AND code AND code_first) AS steal_steps,
    count_if(kinds = 2 AND code AND NOT code_first) AS blind_executions,
    count_if(kinds > 1) AS "overlaps",
    count_if(ask AND turn < coalesce(first_code, turn + 1)) AS asks_before_code,
    count_if(ask AND turn >= first_code) AS asks_after_code,
    sum(questions)::BIGINT AS questions,
    asks + codes + verifies + submits + errors AS steps,
    string_agg(
        if(ask AND NOT done, 'C', '') || if(code, 'I', '') || if(look AND NOT ask AND NOT done, 'V', '') || if(done, 'S', '')
        || if(kinds = 0, 'E', ''), '' ORDER BY turn) AS sequence
FROM said LEFT JOIN begun USING (episode)
GROUP BY episode
"""
"""One row an episode: the COUNTS, and a letter for each action in the sequence of actions."""

_EPISODES = """
SELECT chosen.* EXCLUDE (tcr), {known}, sequence,
    status <> 'running' AS counted, {evaluated} AS evaluated, status <> 'scored' AND evaluated AS crashed,
    CASE WHEN status = 'scored' THEN coalesce(round(tcr, 4), 0) ELSE 0 END AS tcr_all,
    CASE WHEN crashed THEN 1 WHEN status = 'scored' THEN negative_missed::INT END AS hallucinated,
    coalesce(submits > 0, false) AS submitted,
    coalesce(steps >= {tail} AND regexp_full_match(right(sequence, {tail}), '[IVE]+'), false) AS loops,
    CASE WHEN sequence IS NULL THEN 'unknown' WHEN submitted THEN 'submit'
         WHEN coalesce(steps, 0) >= {long} THEN if(loops, 'infinite loop', 'max turns') WHEN crashed THEN 'crashed'
         ELSE if(loops, 'infinite loop', 'interrupted') END AS ended
FROM ({episodes}) AS chosen LEFT JOIN ({acts}) AS acts USING (episode)
"""

_SHARES = {
    "ask_rate": "known_asks > 0",
    "pcr": "known_asks_before_code > 0",
    "submit_rate": "submitted",
    "question_rate": "known_questions > 0",
}
"""Shares of the episodes with a final evaluation."""


def official_figures(
    con: duckdb.DuckDBPyConnection, asked: Asked, keys: Sequence[str]
) -> dict[tuple[Any, ...], OfficialFigures]:
    """The figures of each combination of these columns that occurs; by no column, of all episodes under ().

    An episode of which there is no turn has done nothing. How one ended: `submit` when a turn says so; else, from LONG
    actions on, `infinite loop` or `max turns`; else `crashed`; else `infinite loop` or `interrupted`; `unknown` without any
    message.
    """
    bound = Bound()
    columns = list(dict.fromkeys([*keys, "episode", "status", "judging", "loc", "tcr", "negative_missed"]))
    chosen = asked.sql(columns, bound)
    episodes = _EPISODES.format(
        known=", ".join(f'coalesce("{name}", 0) AS known_{name}' for name in COUNTS),
        evaluated="(status IN ('scored', 'crashed') OR (status = 'infra' AND judging IS NOT NULL))",
        tail=TAIL,
        long=LONG,
        episodes=chosen,
        acts=_ACTS.format(episodes=asked.sql(["episode"], bound)),
    )
    sums = [
        *(f"avg(known_{name}) FILTER (evaluated) AS mean_{name}" for name in COUNTS),
        *(f"coalesce(sum(known_{name}) FILTER (evaluated), 0)::BIGINT AS sum_{name}" for name in COUNTS),
        *(f"count_if(counted AND ended = '{kind}') AS \"ended {kind}\"" for kind in TERMINATIONS),
        *(f"avg(({share})::INT) FILTER (evaluated) AS {name}" for name, share in _SHARES.items()),
        "count_if(evaluated) AS evaluated",
        "avg(tcr_all) FILTER (counted) AS tcr_all",
        "avg(loc) FILTER (evaluated) AS loc",
    ]
    found = con.execute(f"SELECT {', '.join([*keys, *sums])} FROM ({episodes}) GROUP BY ALL", bound.values)
    titles = [told[0] for told in found.description or ()]
    told = [dict(zip(titles, row, strict=True)) for row in found.fetchall()]
    related = against_hallucination(con, asked, keys, Policy.OFFICIAL)
    return {label: _figures(row, related.get(label, Correlation())) for row in told for label in [_label(row, keys)]}


def _label(row: dict[str, Any], keys: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[key] for key in keys)


def _figures(row: dict[str, Any], correlation: Correlation) -> OfficialFigures:
    total = {name: row[f"sum_{name}"] for name in COUNTS}
    lasted = total["codes"] + total["steal_steps"] + total["blind_executions"] + total["ignored_codes"]
    actions = {name: total[counted] for name, counted in zip(SEQUENCE, _OF_SEQUENCE, strict=True)}
    return OfficialFigures(
        evaluated=row["evaluated"],
        tcr_all=row["tcr_all"],
        ask_rate=row["ask_rate"],
        pcr=row["pcr"],
        vci=total["verifies"] / lasted if lasted else (0.0 if row["evaluated"] else None),
        submit_rate=row["submit_rate"],
        means={name: row[f"mean_{name}"] for name in COUNTS},
        distribution={name: ratio(number, total["steps"]) for name, number in actions.items()},
        terminations={kind: row[f"ended {kind}"] for kind in TERMINATIONS},
        question_rate=row["question_rate"],
        loc=row["loc"],
        spearman=correlation.rho,
        spearman_p=correlation.p,
    )
