"""The figures of a report: one row for all episodes, then one a group."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import duckdb
import msgspec
import numpy as np

from iwtui.analysis.cube import MEANS, Cube, Groups, Numbers, cube, grouped
from iwtui.analysis.episodes import Asked
from iwtui.analysis.means import Bounds, intervals
from iwtui.analysis.policy import Brought, Policy, brought
from iwtui.bench.status import Status

GROUPS = (
    "run kind pack case_id seed persona difficulty application_type category language builder judge repeat attempt status "
    "stop_reason scripted"
).split()
"""What figures can be grouped by."""

DIGITS = 12
"""Of a figure. A sum over threads differs in what comes after them from time to time."""

ACTIONS = {
    "clarify": "clarifies",
    "implement": "implements",
    "verify": "verifies",
    "submit": "submit_rate",
    "malformed": "malformed",
}
"""Of each action the figure whose sum over episodes counts its turns."""

_ORDER = {"easy": 0, "middle": 1, "hard": 2}


class GroupError(ValueError):
    """Figures cannot be grouped by that."""


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of some episodes under a policy; None is "not defined" or "unknown", never zero.

    `episodes` = `scored` + `crashed` + `infra` + `cancelled` + `running`; `n` of them are in the mean of `tcr`, and
    `unknown` count by their status but have no score. `cost` is the sum in US dollars over all `episodes`, in `unpriced`
    of which there were calls of unknown price. A script played in `scripted_episodes`.

    All that follow are over the episodes that count. Means over those of which the figure is known, whose number is in
    `known`: tcr, tcr_clean, tcr_human (those with people's verdicts), sr, hr (hallucinated), chr and vbr, 0 to 1; ias,
    layout, creative_alignment and aesthetics, 1 to 5; clarifies, turns, implements, verifies, malformed, conflicts,
    steal_steps, blind_executions, leaks, tokens_in, tokens_out, cost_mean (US dollars) and seconds an episode; loc,
    lines of code, over those that wrote any; question_cost, in points of TCR beside it. Shares of episodes, 0 to 1:
    ask_rate, with a question; pcr, with a question before the first code; submit_rate, with a submit. `vci` = Σ verifies
    / Σ implements, each turn counted once (the official analyser counts turns with conflicts twice:
    `OfficialFigures.vci`).

    `bounds` holds the 95 % interval of each of these that has one, once it was asked for.
    """

    episodes: int
    n: int
    scored: int
    crashed: int
    infra: int
    cancelled: int
    running: int
    unknown: int
    scripted_episodes: int
    cost: float | None
    unpriced: int
    tcr: float | None
    tcr_clean: float | None
    tcr_human: float | None
    sr: float | None
    hr: float | None
    ias: float | None
    chr: float | None
    ask_rate: float | None
    clarifies: float | None
    pcr: float | None
    vci: float | None
    submit_rate: float | None
    turns: float | None
    implements: float | None
    verifies: float | None
    malformed: float | None
    conflicts: float | None
    steal_steps: float | None
    blind_executions: float | None
    leaks: float | None
    question_cost: float | None
    loc: float | None
    vbr: float | None
    layout: float | None
    creative_alignment: float | None
    aesthetics: float | None
    tokens_in: float | None
    tokens_out: float | None
    cost_mean: float | None
    seconds: float | None
    known: dict[str, int]
    bounds: dict[str, Bounds] = {}

    @property
    def distribution(self) -> dict[str, float | None]:
        """The share (0 to 1) of each action in all turns of the episodes that count; a Submit occurs once in an episode."""
        means = {action: getattr(self, figure) or 0.0 for action, figure in ACTIONS.items()}
        return {action: ratio(mean, sum(means.values())) for action, mean in means.items()}

    def __hash__(self) -> int:
        return hash((self.episodes, self.n, self.tcr, self.cost, self.seconds))  # a dict has none

    def interval(self, name: str) -> tuple[float | None, float | None]:
        """The bounds of a figure; None where it has none, or was not asked for."""
        return self.bounds.get(name, (None, None))


class Group(NamedTuple):
    """The figures of one group. `label` holds the value of each column grouped by, None for "unknown"."""

    label: tuple[Any, ...]
    figures: Figures


class Table:
    """The figures of some episodes by groups of theirs, from one cube, under one policy.

    `keys`: columns of GROUPS by combinations of which figures can be had. With `bounded` also the intervals, for which the
    cube is finer and takes longer. Raises GroupError.
    """

    def __init__(
        self, con: duckdb.DuckDBPyConnection, asked: Asked, keys: Sequence[str], policy: Policy, bounded: bool = False
    ) -> None:
        check_groups(keys)
        finest = [*keys, *(["seed"] if bounded else [])]
        self._cube = cube(con, asked, finest, negatives=policy is Policy.OFFICIAL)
        self._brought = brought(policy, self._cube, MEANS)
        self._seeds = grouped(self._cube, ["seed"]).places if bounded else None

    def by(self, keys: Sequence[str]) -> list[Group]:
        """A group for each combination that occurs, in the order of its values. By no column, one of all episodes."""
        groups = grouped(self._cube, keys)
        found = _figures(self._cube, self._brought, groups)
        if self._seeds is not None:
            found = _bounded(found, groups, self._seeds, self._brought)
        made = [Group(label, figures) for label, figures in zip(groups.labels, found, strict=True)]
        return sorted(made, key=lambda group: [place_of(value) for value in group.label])


def check_groups(keys: Collection[str]) -> None:
    """Raises GroupError when figures cannot be grouped by one of these columns."""
    for column in keys:
        if column not in GROUPS:
            raise GroupError(f"figures cannot be grouped by {column!r}; choose among {', '.join(GROUPS)}")


def _figures(found: Cube, brings: Brought, groups: Groups) -> list[Figures]:
    totals, known = groups.sums(brings.totals), groups.sums(brings.known)
    counted = groups.sums(np.where(brings.counts, found.episodes, 0.0))
    statuses = {status.value: groups.sums(np.where(found.status == status.value, found.episodes, 0.0)) for status in Status}
    episodes, unpriced, scripted = (groups.sums(each) for each in (found.episodes, found.unpriced, found.scripted))
    spent, priced = groups.sums(found.totals["cost_mean"]), groups.sums(found.known["cost_mean"])
    tcr = MEANS.index("tcr")

    def told(place: int) -> dict[str, Any]:
        counts = {status: int(number[place]) for status, number in statuses.items()}
        return counts | {name: ratio(totals[place, f], known[place, f]) for f, name in enumerate(MEANS)}

    return [
        Figures(
            episodes=int(episodes[i]),
            n=int(known[i, tcr]),
            unknown=int(counted[i] - known[i, tcr]),
            scripted_episodes=int(scripted[i]),
            cost=ratio(spent[i], 1) if priced[i] else None,
            unpriced=int(unpriced[i]),
            **told(i),
            known={name: int(known[i, f]) for f, name in enumerate(MEANS)},
        )
        for i in range(len(groups.labels))
    ]


def _bounded(found: list[Figures], groups: Groups, seeds: Any, brings: Brought) -> list[Figures]:
    bounds: list[dict[str, Bounds]] = [{} for _ in found]
    for (group, figure), (low, high) in intervals(groups.places, seeds, brings.totals, brings.known).items():
        bounds[group][MEANS[figure]] = (round(low, DIGITS), round(high, DIGITS))
    return [msgspec.structs.replace(figures, bounds=own) for figures, own in zip(found, bounds, strict=True)]


def played_by(figures: Figures) -> str:
    """Whether models or scripts played; empty where nobody did."""
    if figures.scripted_episodes == 0:
        return "models" if figures.episodes else ""
    return "scripted" if figures.scripted_episodes == figures.episodes else "partly scripted"


def ratio(above: float | np.float64, below: float | np.float64) -> float | None:
    """None where there is nothing below the line."""
    return round(float(above) / float(below), DIGITS) if below else None


def share(counts: Numbers) -> list[float | None]:
    """Each as a share of their sum."""
    return [ratio(count, counts.sum()) for count in counts]


def place_of(value: object) -> tuple[int, float, str]:
    """Where a value of a group stands among others: numbers, then difficulties, then texts, the unknown last."""
    if value is None:
        return (2, 0, "")
    if isinstance(value, int | float):
        return (0, float(value), "")
    return (1, _ORDER.get(str(value), 0), str(value))
