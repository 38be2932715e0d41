"""The four panes of an episode and how they share the screen: all at once, two columns with tabs, or one with tabs."""

from enum import StrEnum
from typing import Annotated

import msgspec

WIDE = 140
"""Columns from which all four panes stand side by side."""

NARROW = 80
"""Columns below which one pane stands alone."""

STEP = 5
LEAST = 20
"""In per cent: by how much a pane grows at a key, and how small one may become."""

_Share = Annotated[int, msgspec.Meta(ge=LEAST, le=100 - LEAST)]


class PaneName(StrEnum):
    """The panes, in the order of the tab key; the first two stand in the left column."""

    TIMELINE = "timeline"
    DIALOGUE = "dialogue"
    CODE = "code"
    SCREEN = "screen"

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.value.capitalize()

    @property
    def column(self) -> "tuple[PaneName, ...]":
        """The panes of its column."""
        return LEFT if self in LEFT else RIGHT


PANES = tuple(PaneName)
LEFT = PANES[:2]
RIGHT = PANES[2:]


class Arrangement(StrEnum):
    """How many panes are seen at a time."""

    FOUR = "four"
    TWO = "two"
    ONE = "one"


def arrangement(width: int, zoomed: bool) -> Arrangement:
    """What fits into so many columns; a zoomed pane is alone in any width."""
    if zoomed or width < NARROW:
        return Arrangement.ONE
    return Arrangement.TWO if width < WIDE else Arrangement.FOUR


class Shares(msgspec.Struct, frozen=True):
    """In per cent: the left column of the screen, the timeline of the left column, the code of the right one."""

    left: _Share = 54
    timeline: _Share = 46
    code: _Share = 50

    def wider(self, pane: PaneName, seen: Arrangement, by: int) -> "Shares":
        """The shares after a pane grew by so many per cent in width: at the cost of its neighbour within its row."""
        if seen is Arrangement.FOUR and pane in LEFT:
            return msgspec.structs.replace(self, timeline=_kept(self.timeline + (by if pane is PaneName.TIMELINE else -by)))
        return msgspec.structs.replace(self, left=_kept(self.left + (by if pane in LEFT else -by)))

    def higher(self, pane: PaneName, by: int) -> "Shares":
        """The shares after it grew in height: at the cost of the one above or below it; the left ones have none."""
        if pane in LEFT:
            return self
        return msgspec.structs.replace(self, code=_kept(self.code + (by if pane is PaneName.CODE else -by)))


def _kept(share: int) -> int:
    return max(LEAST, min(100 - LEAST, share))


def tabs(pane: PaneName, seen: Arrangement) -> tuple[PaneName, ...]:
    """The panes whose names stand on the border of a pane: itself, and those that it hides."""
    match seen:
        case Arrangement.FOUR:
            return (pane,)
        case Arrangement.TWO:
            return pane.column
    return PANES


def pane_of(kind: str) -> PaneName:
    """The pane that tells most of an event of this kind."""
    match kind:
        case "FilesChanged" | "CommandRan":
            return PaneName.CODE
        case "SiteProbed" | "BrowserStepped":
            return PaneName.SCREEN
    return PaneName.DIALOGUE
