"""What was lost by which cause, as rows of a table with a bar: all episodes first, then each persona. Pure."""

from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from iwtui.bench.blame import Cause
from iwtui.tui.answers import cell_filter
from iwtui.tui.columns import Cell, Column
from iwtui.tui.drawn_bars import full_bar
from iwtui.tui.part_rows import label_text
from iwtui.tui.text import safe_line
from iwtui.tui.written import number, percent

if TYPE_CHECKING:
    from iwtui.analysis.causes import Share

BY = "persona"

CAUSE_COLUMNS = (
    Column(BY, 10, by=lambda share: group_of(share)),
    Column("cause", 24, by=lambda share: share.cause),
    Column("", 10, grow=4),
    Column("lost %", 6, right=True, by=lambda share: share.share),
    Column("weight", 7, right=True, rank=2, by=lambda share: share.weight),
    Column("slots", 6, right=True, by=lambda share: share.slots),
    Column("episodes", 8, right=True, rank=1, by=lambda share: share.episodes),
    Column("estimated", 9, right=True, rank=3, by=lambda share: share.estimated),
)


def cause_cells(share: "Share") -> list[Cell]:
    """What one cause lost, for CAUSE_COLUMNS; blind execution proper in the colour of what is bad."""
    style = "$error" if share.cause == Cause.NEVER_ASKED else "$warning"
    return [
        safe_line(group_of(share), 40, "" if share.group else "bold"),
        safe_line(share.cause, 40),
        partial(full_bar, share.share, style=style),
        Content(percent(share.share)),
        Content(number(share.weight, 1)),
        Content(str(share.slots)),
        Content(str(share.episodes)),
        Content.styled(str(share.estimated) if share.estimated else "", "$dim"),
    ]


def group_of(share: "Share") -> str:
    """Whose loss it is."""
    return label_text(_persona(share)) if share.group else "all"


def cause_name(share: "Share") -> tuple[str, str]:
    """A row by its group and its cause."""
    return group_of(share), share.cause


def cause_filter(share: "Share") -> str:
    """The filter that keeps the episodes of the group that lost something."""
    return f"status:scored tcr<1 {cell_filter({BY: _persona(share)}) if share.group else ''}".strip()


def _persona(share: "Share") -> str | None:
    value = share.group[BY]
    return None if value is None else str(value)
