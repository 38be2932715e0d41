"""The figures of a report: one row for all episodes, then one a group."""

from collections.abc import Iterator, Sequence

import msgspec
import polars as pl

from iwtui.analysis.means import clustered_mean, spread
from iwtui.analysis.official import OfficialFigures, behaviours, official_figures
from iwtui.analysis.policy import Policy, under
from iwtui.bench.status import Status

GROUPS = (
    "run pack case_id seed persona difficulty application_type category language builder judge repeat attempt status "
    "stop_reason scripted"
).split()
"""What figures can be grouped by."""

_ORDER = {"easy": 0, "middle": 1, "hard": 2}


class GroupError(ValueError):
    """Figures cannot be grouped by that."""


class Figures(msgspec.Struct, frozen=True):
    """What is known of some episodes under a policy; None is "not defined" or "unknown", never zero.

    `episodes` = `scored` + `crashed` + `infra` + `cancelled` + `running`; `n` of them are in the mean of `tcr`, and
    `unknown` count by their status but have no score. `_low` and `_high` bound the 95 % interval. tcr, tcr_clean, sr, hr
    and ask_rate lie between 0 and 1. `hr` covers the `hr_n` episodes of which it is known. `tcr_spread` is the standard
    deviation over repeats. turns, clarifies and seconds are means over the episodes that count; so is
    `question_cost`, in points of TCR beside it, over those of them that have one. `cost` is the sum in US dollars over all
    `episodes`, in `unpriced` of which there were calls of unknown price. A script played in `scripted_episodes`.
    chr and vbr (0 to 1), ias, layout, creative_alignment and aesthetics (1 to 5) are means over those that count and were
    measured, `_n` of them; `loc`, lines of code, over those that wrote any.
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
    tcr: float | None
    tcr_low: float | None
    tcr_high: float | None
    tcr_spread: float | None
    tcr_clean: float | None
    tcr_clean_low: float | None
    tcr_clean_high: float | None
    sr: float | None
    sr_low: float | None
    sr_high: float | None
    hr: float | None
    hr_low: float | None
    hr_high: float | None
    hr_n: int
    turns: float | None
    clarifies: float | None
    question_cost: float | None
    ask_rate: float | None
    seconds: float | None
    cost: float | None
    unpriced: int
    chr: float | None
    chr_n: int
    ias: float | None
    ias_n: int
    vbr: float | None
    vbr_n: int
    layout: float | None
    creative_alignment: float | None
    aesthetics: float | None
    loc: float | None


class Row(msgspec.Struct, frozen=True):
    """The figures of one group. `group` maps each column grouped by to its value; it is empty for all episodes.

    `official` holds those of the official analyser, under its policy.
    """

    group: dict[str, object]
    figures: Figures
    official: OfficialFigures | None = None


def report(episodes: pl.DataFrame, by: Sequence[str], policy: Policy, turns: pl.DataFrame | None = None) -> list[Row]:
    """All episodes first, then each group in the order of its values. Raises GroupError.

    With the official policy and `turns`, as `official.load_turns` gives them, also the official analyser's figures.
    """
    for column in by:
        if column not in GROUPS:
            raise GroupError(f"figures cannot be grouped by {column!r}; choose among {', '.join(GROUPS)}")
    counted = under(policy, episodes)
    if turns is not None and policy is Policy.OFFICIAL:
        counted = counted.join(behaviours(turns), on="episode", how="left", maintain_order="left")
    rows = [_row({}, counted)]
    if by and not counted.is_empty():
        parts = counted.partition_by(by, as_dict=True, maintain_order=True)
        groups = sorted(parts, key=lambda key: [_place(value) for value in key])
        rows += [_row(dict(zip(by, key, strict=True)), parts[key]) for key in groups]
    return rows


def _row(group: dict[str, object], counted: pl.DataFrame) -> Row:
    return Row(group, figures(counted), official_figures(counted) if "loops" in counted.columns else None)


def figures(counted: pl.DataFrame) -> Figures:
    """The figures of episodes that went through `policy.under`."""
    seeds = counted["seed"]
    in_mean = counted.filter("counts")
    tcr = clustered_mean(counted["tcr"], seeds)
    clean = clustered_mean(counted["tcr_clean"], seeds)
    sr = clustered_mean(counted["sr"], seeds)
    hr = clustered_mean(counted["hr"], seeds)
    return Figures(
        episodes=len(counted),
        n=tcr.n,
        **dict(_statuses(counted)),
        unknown=len(in_mean) - tcr.n,
        scripted_episodes=int(counted["scripted"].sum()),
        tcr=tcr.mean,
        tcr_low=tcr.low,
        tcr_high=tcr.high,
        tcr_spread=spread(counted["tcr"], counted["repeat"]),
        tcr_clean=clean.mean,
        tcr_clean_low=clean.low,
        tcr_clean_high=clean.high,
        sr=sr.mean,
        sr_low=sr.low,
        sr_high=sr.high,
        hr=hr.mean,
        hr_low=hr.low,
        hr_high=hr.high,
        hr_n=hr.n,
        turns=_mean(in_mean["turns"]),
        clarifies=_mean(in_mean["clarifies"]),
        question_cost=_mean(in_mean["question_cost"]),
        ask_rate=_mean((in_mean["clarifies"] > 0).cast(pl.Float64)),
        seconds=_mean(in_mean["seconds"]),
        cost=_total(counted["cost"]),
        unpriced=int((counted["unpriced_calls"] > 0).sum()),
        chr_n=in_mean["chr"].count(),
        ias_n=in_mean["ias"].count(),
        vbr_n=in_mean["vbr"].count(),
        chr=_mean(in_mean["chr"]),
        ias=_mean(in_mean["ias"]),
        vbr=_mean(in_mean["vbr"]),
        layout=_mean(in_mean["layout"]),
        creative_alignment=_mean(in_mean["creative_alignment"]),
        aesthetics=_mean(in_mean["aesthetics"]),
        loc=_mean(in_mean["loc"]),
    )


def _statuses(episodes: pl.DataFrame) -> Iterator[tuple[str, int]]:
    for status in Status:
        yield status.value, int((episodes["status"] == status.value).sum())


def _mean(values: pl.Series) -> float | None:
    mean = values.cast(pl.Float64).mean()
    return mean if isinstance(mean, float) else None


def _total(values: pl.Series) -> float | None:
    known = values.drop_nulls()
    return float(known.sum()) if len(known) else None


def _place(value: object) -> tuple[int, float, str]:
    if value is None:
        return (2, 0, "")
    if isinstance(value, int | float):
        return (0, float(value), "")
    return (1, _ORDER.get(str(value), 0), str(value))
