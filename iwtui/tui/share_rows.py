"""How often what occurs, as rows of a table with a bar. Pure; names in them are data."""

from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from iwtui.tui.columns import Cell, Column
from iwtui.tui.drawn_bars import full_bar
from iwtui.tui.look import ACTIONS
from iwtui.tui.text import safe_line
from iwtui.tui.written import percent

if TYPE_CHECKING:
    from iwtui.analysis.plots import Bar

SHARE_COLUMNS = (
    Column("what", 12, grow=1, by=lambda bar: bar.label),
    Column("", 10, grow=4),
    Column("%", 5, right=True, by=lambda bar: bar.share),
    Column("number", 7, right=True, by=lambda bar: bar.count),
)


def share_cells(bar: "Bar") -> list[Cell]:
    """How often something occurs, for SHARE_COLUMNS."""
    style = ACTIONS[bar.label].style if bar.label in ACTIONS else "$accent"
    glyph = f"{ACTIONS[bar.label].glyph} " if bar.label in ACTIONS else ""
    label = safe_line(f"{glyph}{bar.label}", 60, style if glyph else "")
    return [label, partial(full_bar, bar.share, style=style), Content(percent(bar.share)), Content(str(bar.count))]
