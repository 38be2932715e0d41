"""Published figures and ours beside them, as rows of a table. Pure; all texts in them are data."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.content import Content

from iwtui.tui.columns import Column
from iwtui.tui.text import safe_line
from iwtui.tui.written import number

if TYPE_CHECKING:
    from iwtui.analysis.published import Compared


def _published(name: str) -> Callable[["Compared"], Any]:
    return lambda row: getattr(row.published, name)


PUBLISHED_COLUMNS = (
    Column("model", 14, grow=1, by=lambda row: row.published.model or "all models"),
    Column("metric", 9, grow=1, by=_published("metric")),
    Column("of", 8, grow=1, by=lambda row: _slice(row)),
    Column("published", 11, right=True, by=_published("value")),
    Column("ours", 7, right=True, by=lambda row: row.ours),
    Column("Δ", 6, right=True, by=lambda row: row.difference),
    Column("n", 6, right=True, rank=1, by=lambda row: row.n),
    Column("", 9, rank=2),
    Column("source", 16, rank=5, by=_published("source")),
    Column("note", 12, grow=2, rank=6),
)


def _slice(row: "Compared") -> str:
    """The persona and the difficulty that a figure is of; empty: all of them."""
    return " × ".join(filter(None, (row.published.persona, row.published.difficulty)))


def published_cells(row: "Compared") -> list[Content]:
    """A published figure and ours beside it, for PUBLISHED_COLUMNS; ours is blank where there is none."""
    one = row.published
    statistic = "" if one.statistic == "value" else one.statistic
    sign = "" if row.difference is None or row.difference < 0 else "+"
    return [
        safe_line(one.model or "all models", 60, "" if one.model else "$dim"),
        safe_line(one.metric, 30),
        safe_line(_slice(row) or "all", 40, "" if _slice(row) else "$dim"),
        Content.assemble(safe_line(statistic, 20, "$dim"), " " if statistic else "", number(one.value, 2)),
        Content.styled("" if row.ours is None else number(row.ours, 2), "bold"),
        Content("" if row.difference is None else f"{sign}{number(row.difference, 2)}"),
        Content("" if row.ours is None else str(row.n)),
        safe_line(one.unit, 20, "$dim"),
        safe_line(one.source, 60, "$dim"),
        safe_line(one.note or "", 80, "$dim"),
    ]


def published_name(row: "Compared") -> str:
    """What a published figure is of, in words."""
    one = row.published
    statistic = "" if one.statistic == "value" else one.statistic
    return " ".join(filter(None, (one.model or "all models", one.metric, one.persona, one.difficulty, statistic)))
