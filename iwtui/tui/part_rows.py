"""The figures of groups of episodes as rows of a table, with a bar of the mean TCR. Pure; names in them are data."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.content import Content

from iwtui.tui.answers import Label, Margin, Metrics
from iwtui.tui.choosable import Choosable
from iwtui.tui.columns import Column
from iwtui.tui.drawn_bars import with_interval
from iwtui.tui.text import safe_line
from iwtui.tui.written import dollars, margin, number, percent, seconds, thousands

if TYPE_CHECKING:
    from iwtui.analysis.figures import Figures


def label_text(label: Label) -> str:
    """A label of a group in words."""
    return "all" if isinstance(label, Margin) else "unknown" if label is None else str(label)


@dataclass(frozen=True)
class PartRow:
    """The figures of one group; `filter` keeps its episodes."""

    label: Label
    figures: "Figures"
    filter: str = ""

    def __hash__(self) -> int:
        return hash((self.label, self.figures.episodes, self.figures.tcr))


def part_rows(metrics: Metrics) -> list[PartRow]:
    """All episodes, then each part."""
    if not metrics.breakdown:
        return []
    whole = PartRow(Margin.ALL, metrics.figures)
    return [whole, *(PartRow(part.label, part.figures, part.filter) for part in metrics.breakdown)]


def _figure(
    title: str, name: str, meaning: str, write: Callable[[Any], str], width: int = 6, rank: int = 9
) -> Choosable[PartRow]:
    def value(row: PartRow) -> Any:
        return getattr(row.figures, name)

    column = Column(title, width, right=True, rank=rank, by=value)
    return Choosable(column, lambda row: Content(write(value(row))), meaning)


def _interval(title: str, name: str, of: str, rank: int) -> Choosable[PartRow]:
    def cell(row: PartRow) -> Content:
        return Content.styled(margin(*row.figures.interval(name)), "$dim")

    return Choosable(Column(title, 5, right=True, rank=rank), cell, f"half the 95 % interval of {of}, in points")


def _labelled(row: PartRow) -> Content:
    return safe_line(label_text(row.label), 80, "bold" if isinstance(row.label, Margin) else "")


def _bar(row: PartRow) -> Callable[[int], Content]:
    return partial(with_interval, row.figures.tcr, *row.figures.interval("tcr"))


def _dollars(row: PartRow) -> Content:
    return Content(dollars(row.figures.cost, row.figures.unpriced))


def _thousands(value: float | None) -> str:
    return thousands(None if value is None else round(value))


def _points(value: float | None) -> str:
    return number(None if value is None else 100 * value)


def _two(value: float | None) -> str:
    return number(value, 2)


PART_CHOICES: tuple[Choosable[PartRow], ...] = (
    Choosable(Column("group", 16, grow=1, by=lambda row: label_text(row.label)), _labelled, "the value in common"),
    Choosable(Column("TCR from 0 to 100 %", 20, grow=3, rank=1), _bar, "a bar of the mean TCR, with its 95 % interval"),
    _figure("TCR %", "tcr", "task completion rate", percent, rank=0),
    _interval("±95 %", "tcr", "TCR", 2),
    _figure("n", "n", "episodes in the mean", str, rank=1),
    _figure("episodes", "episodes", "all episodes, counted or not", str, 8),
    _figure("POSITIVE %", "tcr_clean", "TCR over the POSITIVE slots, as the published table has it", percent, 10),
    _figure("people %", "tcr_human", "TCR with people's verdicts", percent, 8),
    _figure("SR %", "sr", "all slots passed", percent, rank=4),
    _figure("HR %", "hr", "episodes in which something nobody asked for was built", percent, rank=3),
    _interval("HR±", "hr", "HR", 10),
    _figure("IAS", "ias", "intent alignment, 1 to 5", _two, rank=8),
    _figure("CHR %", "chr", "conflicts handled", percent, rank=8),
    _figure("ask %", "ask_rate", "episodes with a question", percent, rank=7),
    _figure("asks", "clarifies", "questions an episode", number, rank=5),
    _figure("PCR %", "pcr", "episodes with a question before the first code", percent),
    _figure("VCI", "vci", "verifications for each implementation", _two),
    _figure("submit %", "submit_rate", "episodes that were submitted", percent, 8),
    _figure("turns", "turns", "turns an episode", number, rank=6),
    _figure("bad", "malformed", "turns an episode that could not be read", _two),
    _figure("leaks", "leaks", "requirements an episode that the client told unasked", _two),
    _figure("Δask", "question_cost", "what the questions cost, in points of TCR", _points),
    _figure("LOC", "loc", "lines of code", lambda value: number(value, 0), rank=8),
    _figure("VBR %", "vbr", "visual bug rate", percent),
    _figure("layout", "layout", "layout, 1 to 5", _two),
    _figure("creative", "creative_alignment", "creative alignment, 1 to 5", _two, 8),
    _figure("looks", "aesthetics", "aesthetics, 1 to 5", _two),
    _figure("in", "tokens_in", "tokens sent an episode", _thousands),
    _figure("out", "tokens_out", "tokens received an episode", _thousands),
    _figure("$ each", "cost_mean", "US dollars an episode", _two, rank=8),
    Choosable(Column("$", 8, right=True, rank=7, by=lambda row: row.figures.cost),
              _dollars, "US dollars; + where a price is unknown"),
    _figure("time", "seconds", "time an episode", seconds, rank=9),
)  # fmt: skip
"""In the order in which they stand side by side."""

USUAL_PART = ("group", "TCR from 0 to 100 %", "TCR %", "±95 %", "n", "SR %", "HR %", "asks", "turns", "LOC", "$")


def told_of(row: PartRow, column: str) -> str:
    """A part in words, as the title of its episodes has it."""
    return "all episodes" if isinstance(row.label, Margin) else f"{column} {label_text(row.label)}"
