"""The four panes of an episode and how they share the screen: all at once, two columns with tabs, or one with tabs."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

import msgspec
from textual import events
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget

WIDE = 140
"""Columns from which all four panes stand side by side."""

NARROW = 80
"""Columns below which one pane stands alone."""

STEP = 5
LEAST = 20
"""In per cent: by how much a pane grows at a key, and how small one may become."""


LEAD = 3
"""Cells of the border before its title."""


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

    left: int = 54
    timeline: int = 46
    code: int = 50

    def grown(self, pane: PaneName, seen: Arrangement, by: int) -> "Shares":
        """The shares after a pane grew by so many per cent: at the cost of its neighbour within its row."""
        if seen is Arrangement.FOUR and pane in LEFT:
            return msgspec.structs.replace(self, timeline=_kept(self.timeline + (by if pane is PaneName.TIMELINE else -by)))
        return msgspec.structs.replace(self, left=_kept(self.left + (by if pane in LEFT else -by)))


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


class Pane(Vertical):
    """A bordered place for one widget. Its border bears its name, and as tabs the names of the panes it hides."""

    DEFAULT_CSS = """
    Pane {
        width: 1fr;
        height: 1fr;
        padding: 0 1;
    }
    """

    @dataclass
    class Chosen(Message):
        """The reader chose a pane by its tab, or clicked on it."""

        name: PaneName

    def __init__(self, name: PaneName, *children: Widget) -> None:
        self._retitling = False
        super().__init__(*children, id=f"pane-{name.value}", classes="pane")
        self.pane = name
        self.can_focus = name is PaneName.SCREEN  # a picture takes no focus itself
        self._seen = Arrangement.FOUR
        self._detail = Content("")

    def show_tabs(self, seen: Arrangement) -> None:
        """Show the tabs that this arrangement asks for."""
        self._seen = seen
        self._title()

    def detail(self, detail: Content) -> None:
        """What stands behind the name; the caller has made it safe."""
        if detail != self._detail:
            self._detail = detail
            self._title()

    def _title(self) -> None:
        parts: list[Content] = []
        for name in tabs(self.pane, self._seen):
            own = name is self.pane
            parts += [
                Content(" · ") if parts else Content(""),
                Content.styled(name.title, "bold" if own else "dim not bold"),
            ]
        if self._detail.plain:
            parts += [Content("  "), self._detail]
        self._retitling = True
        self.border_title = Content.assemble(*parts)
        self._retitling = False

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Another title takes one line to paint; the whole pane, with a picture in it, would take some 25 kB."""
        if self._retitling:
            regions = (Region(-self.content_offset.x, -self.content_offset.y, self.outer_size.width, 1),)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def on_click(self, event: events.Click) -> None:
        """A click on a tab chooses its pane."""
        chosen = self.pane
        if event.screen_y == self.region.y:
            chosen = _tab_at(tabs(self.pane, self._seen), event.screen_x - self.region.x - LEAD) or self.pane
        self.post_message(self.Chosen(chosen))


def _tab_at(names: Sequence[PaneName], x: int) -> PaneName | None:
    left = 0
    for name in names:
        if left <= x < left + len(name.title):
            return name
        left += len(name.title) + 3
    return None
