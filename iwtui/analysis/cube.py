"""Sums over groups of episodes, from one pass over the index. All figures are made from them.

A cube has a row for each combination of its keys and of the status. As each status brings something else to a mean under
each policy, one cube serves all policies; with the seed among its keys it serves the intervals too.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import duckdb
import numpy as np
import numpy.typing as npt

from iwtui.analysis.columns import Bound
from iwtui.analysis.episodes import Asked

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

_VALUES = {
    "tcr": "tcr",
    "tcr_clean": "tcr_clean",
    "tcr_human": "tcr_human",
    "sr": "sr::INT",
    "hr": "hallucinated::INT",
    "ias": "ias",
    "chr": "chr",
    "ask_rate": "(clarifies > 0)::INT",
    "clarifies": "clarifies",
    "pcr": "asked_first::INT",
    "submit_rate": "submits::INT",
    "turns": "turns",
    "implements": "implements",
    "verifies": "verifies",
    "malformed": "malformed",
    "conflicts": "conflicts",
    "steal_steps": "steal_steps",
    "blind_executions": "blind_executions",
    "leaks": "leaks",
    "question_cost": "question_cost",
    "loc": "loc",
    "vbr": "vbr",
    "layout": "layout",
    "creative_alignment": "creative_alignment",
    "aesthetics": "aesthetics",
    "tokens_in": "tokens_in",
    "tokens_out": "tokens_out",
    "cost_mean": "cost",
    "seconds": "seconds",
}
"""What an episode brings to the mean of each figure; an episode of which it is unknown is not in it."""

_ALWAYS = frozenset("ask_rate clarifies pcr submit_rate turns implements verifies malformed".split())
"""Figures that are known of every episode."""

RATIOS = {"vci": ("verifies", "implements")}
"""Figures that are a sum over another: Verify turns per Implement turn."""

MEANS = (*_VALUES, *RATIOS)
"""The figures that are a mean, or a ratio of sums, and so have an interval."""

_COLUMNS = {name: expression.partition("::")[0].strip("()").split()[0] for name, expression in _VALUES.items()}


class Cube(NamedTuple):
    """`keys`: of each key a value a row. `episodes`, `unpriced`, `scripted`, `judged`: how many stand behind each row.

    `judged`: those that have a primary judging. `totals` and `known`: of each figure the sum over the row's episodes,
    and how many of them it is known of. `missed` and `missed_known`: the same of NEGATIVE slots that were not passed,
    where it was asked for.
    """

    keys: dict[str, list[Any]]
    status: npt.NDArray[np.object_]
    episodes: Numbers
    unpriced: Numbers
    scripted: Numbers
    judged: Numbers
    totals: dict[str, Numbers]
    known: dict[str, Numbers]
    missed: Numbers | None
    missed_known: Numbers | None


def cube(
    con: duckdb.DuckDBPyConnection,
    asked: Asked,
    keys: Sequence[str],
    figures: Collection[str] = MEANS,
    negatives: bool = False,
) -> Cube:
    """The sums of these figures by these columns. `negatives`: also what became of the NEGATIVE slots."""
    keys = list(dict.fromkeys(keys))
    names = _summed(figures)
    bound = Bound()
    columns = {*keys, "status", "unpriced_calls", "scripted", "judging", *(_COLUMNS[name] for name in names)}
    if negatives:
        columns.add("negative_missed")
    episodes = asked.sql(sorted(columns), bound)
    sums = [
        "count(*) AS episodes",
        "count_if(unpriced_calls > 0) AS unpriced",
        "count_if(scripted) AS scripted",
        "count(judging) AS judged",
        *(f"coalesce(sum({_VALUES[name]}), 0)::DOUBLE AS sum_{name}" for name in names),
        *(f"count({_VALUES[name]}) AS n_{name}" for name in names if name not in _ALWAYS),
    ]
    if negatives:
        sums += ["count_if(negative_missed)::DOUBLE AS missed", "count(negative_missed) AS n_missed"]
    by = ", ".join(f"{key} AS key_{place}" for place, key in enumerate(keys))
    query = f"SELECT {by}{',' * bool(by)} status, {', '.join(sums)} FROM ({episodes}) GROUP BY ALL ORDER BY ALL"
    found = con.execute(query, bound.values).fetchnumpy()

    def numbers(column: str) -> Numbers:
        return np.asarray(found[column], dtype=np.float64)

    whole = numbers("episodes")
    return Cube(
        keys={key: found[f"key_{place}"].tolist() for place, key in enumerate(keys)},
        status=np.asarray(found["status"], dtype=object),
        episodes=whole,
        unpriced=numbers("unpriced"),
        scripted=numbers("scripted"),
        judged=numbers("judged"),
        totals={name: numbers(f"sum_{name}") for name in names},
        known={name: whole if name in _ALWAYS else numbers(f"n_{name}") for name in names},
        missed=numbers("missed") if negatives else None,
        missed_known=numbers("n_missed") if negatives else None,
    )


def _summed(figures: Collection[str]) -> list[str]:
    parts = {part for name in figures for part in RATIOS.get(name, (name,))}
    return [name for name in _VALUES if name in parts]


class Groups(NamedTuple):
    """The combinations of some keys, each once, and to which of them each row of a cube belongs."""

    labels: list[tuple[Any, ...]]
    places: Places

    def sums(self, rows: Numbers) -> Numbers:
        """The sums over each group: of a vector over the rows, or of each column of a matrix."""
        total = np.zeros((len(self.labels), *rows.shape[1:]))
        np.add.at(total, self.places, rows)
        return total


def grouped(found: Cube, keys: Sequence[str]) -> Groups:
    """The groups by some of a cube's keys, in the order in which they first stand there; by none, all rows are one."""
    if not keys:
        return Groups([()], np.zeros(len(found.episodes), dtype=np.int64))
    places: dict[tuple[Any, ...], int] = {}
    rows = zip(*(found.keys[key] for key in keys), strict=True)
    each = [places.setdefault(row, len(places)) for row in rows]
    return Groups(list(places), np.asarray(each, dtype=np.int64))
