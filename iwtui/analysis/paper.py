"""The layout of the paper's tables: a row a builder, its columns in their order."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import duckdb

from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import Figures, Table, played_by
from iwtui.analysis.official import OfficialFigures, official_figures
from iwtui.analysis.policy import Policy
from iwtui.analysis.published import PERCENT, Published

DIFFICULTIES = ("easy", "middle", "hard")
PERSONAS = ("P-MIN", "P-RAM", "P-INT", "P-CON")


class Field(NamedTuple):
    """A column: its name in JSON, its title, what a fraction is multiplied by there, and its decimals."""

    name: str
    title: str
    factor: int = 1
    digits: int = 2


FIELDS = (
    Field("tcr_clean", "TCR %", 100),
    *(Field(difficulty, f"{difficulty.capitalize()} %", 100) for difficulty in DIFFICULTIES),
    *(Field(persona, f"{persona} %", 100) for persona in PERSONAS),
    Field("hr", "HR %", 100),
    Field("loc", "LOC", digits=1),
    Field("tcr", "all slots %", 100),
    Field("ias", "IAS"),
    Field("chr", "CHR %", 100),
    Field("ask_rate", "ask rate %", 100),
    Field("clarifies", "asks"),
    Field("pcr", "PCR %", 100),
    Field("vci", "VCI"),
    Field("submit_rate", "submit %", 100),
    Field("steps", "steps"),
    Field("vbr", "VBR %", 100),
    Field("layout", "layout"),
    Field("creative_alignment", "creative"),
    Field("aesthetics", "aesthetics"),
)
"""TCR, also by difficulty and persona, is over POSITIVE slots only, as in the published table; `tcr` is over all slots."""

Line = dict[str, Any]
"""`builder`, `n`, `played_by`, and a value or None for each of FIELDS, fractions 0 to 1."""


def paper_lines(con: duckdb.DuckDBPyConnection, asked: Asked, policy: Policy) -> list[Line]:
    """A line for each builder under a policy. Under the official one, what it makes of turns is the official analyser's."""
    table = Table(con, asked, ["builder", "difficulty", "persona"], policy)
    clean = {
        (group.label[0], str(group.label[1])): group.figures.tcr_clean
        for column in ("difficulty", "persona")
        for group in table.by(["builder", column])
    }
    whole = {group.label: group.figures for group in table.by(["builder"])}
    official = official_figures(con, asked, ["builder"]) if policy is Policy.OFFICIAL else {}
    return [
        {
            "builder": label[0],
            "n": figures.n,
            "played_by": played_by(figures),
            **{name: clean.get((label[0], name)) for name in (*DIFFICULTIES, *PERSONAS)},
            **_of_turns(figures, official.get(label)),
            **{name: getattr(figures, name) for name in _AS_THEY_ARE},
        }
        for label, figures in whole.items()
        if figures.episodes
    ]


_AS_THEY_ARE = "tcr_clean hr ias chr vbr layout creative_alignment aesthetics".split()


def _of_turns(figures: Figures, official: OfficialFigures | None) -> Line:
    if official is None:
        return {name: getattr(figures, name) for name in "tcr loc ask_rate clarifies pcr vci submit_rate".split()} | {
            "steps": figures.turns
        }
    return {
        "tcr": official.tcr_all,
        "loc": official.loc,
        "ask_rate": official.ask_rate,
        "clarifies": official.means["asks"],
        "pcr": official.pcr,
        "vci": official.vci,
        "submit_rate": official.submit_rate,
        "steps": official.means["steps"],
    }


def published_lines(figures: Sequence[Published]) -> list[Line]:
    """The published figures as lines of the same layout: one a model, then the least and the greatest of all models."""
    lines: dict[tuple[str, str], Line] = {}
    for one in figures:
        who = one.model or f"all models, {one.statistic}"
        line = lines.setdefault((one.source, who), {"builder": f"{who} (published)", "n": None, "source": one.source})
        place = one.persona or one.difficulty or ("tcr_clean" if one.metric == "tcr" else one.metric)
        line[place] = one.value / 100 if one.unit == PERCENT else one.value
    return list(lines.values())
