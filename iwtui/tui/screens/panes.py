"""A bordered place for one of the panes of an episode, with the names of those that it hides as tabs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from textual import events
from textual.containers import Container
from textual.content import Content
from textual.geometry import Offset, Region
from textual.message import Message
from textual.widget import Widget

from iwtui.tui.state.arrangement import Arrangement, PaneName, tabs
from iwtui.tui.widgets.focus import lose_focus, take_focus

LEAD = 3
"""Cells of the border before its title."""


class Pane(Container):
    """A bordered place for one widget. Its border bears its name, and as tabs the names of the panes it hides.

    The border of the pane with the focus stands out. That is no rule of style (`:focus-within`): with one, each tab key
    would work out the styles of all that is in two panes, and paint it.
    """

    DEFAULT_CSS = """
    Pane { width: 1fr; height: 1fr; padding: 0 1; }
    """

    @dataclass
    class Chosen(Message):
        """The reader chose a pane by its tab, or clicked on it."""

        name: PaneName

    def __init__(self, name: PaneName, *children: Widget) -> None:
        self._painted: tuple[Region, ...] = ()
        super().__init__(*children, id=f"pane-{name.value}", classes="pane")
        self.pane = name
        self.can_focus = name is PaneName.SCREEN  # a picture takes no focus itself
        self._seen = Arrangement.FOUR
        self._detail = Content("")

    def show_tabs(self, seen: Arrangement) -> None:
        """Show the tabs that this arrangement asks for."""
        self._seen = seen
        self._title()

    def tab_places(self) -> list[tuple[PaneName, Offset]]:
        """The names on its border, and where on the screen the three cells before each begin."""
        places: list[tuple[PaneName, Offset]] = []
        x, y = self.region.offset
        for name in tabs(self.pane, self._seen) if self.region else ():
            places.append((name, Offset(x, y)))
            x += len(name.title) + 3
        return places

    def detail(self, detail: Content) -> None:
        """What stands behind the name; the caller has made it safe."""
        if detail != self._detail:
            self._detail = detail
            self._title()

    def _title(self) -> None:
        ink = "bold $foreground" if self.has_class("-focused") else "$dim"
        parts: list[Content] = []
        for name in tabs(self.pane, self._seen):
            own = name is self.pane
            parts += [
                Content(" · ") if parts else Content(""),
                Content.styled(name.title, ink if own else "dim not bold"),
            ]
        if self._detail.plain:
            parts += [Content("  "), self._detail]
        with self._painting(self._edges()[0]):
            self.border_title = Content.assemble(*parts)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Another title takes one line to paint; the whole pane, with a picture in it, would take some 25 kB."""
        return super().refresh(*(self._painted or regions), repaint=repaint, layout=layout, recompose=recompose)

    def _edges(self) -> tuple[Region, ...]:
        """The cells of the border: the line of the title first."""
        (x, y), (width, height) = self.content_offset, self.outer_size
        top, bottom = Region(-x, -y, width, 1), Region(-x, height - 1 - y, width, 1)
        left, right = Region(-x, 1 - y, 1, max(0, height - 2)), Region(width - 1 - x, 1 - y, 1, max(0, height - 2))
        return top, bottom, left, right

    @contextmanager
    def _painting(self, *regions: Region) -> Iterator[None]:
        """What changes meanwhile needs no more to be painted."""
        self._painted = regions
        try:
            yield
        finally:
            self._painted = ()

    # The focus.

    def on_descendant_focus(self) -> None:
        self._stand_out(True)

    def on_descendant_blur(self) -> None:
        self._stand_out(False)

    def on_focus(self, event: events.Focus) -> None:
        take_focus(self, event)
        self._stand_out(True)

    def on_blur(self, event: events.Blur) -> None:
        lose_focus(self, event)
        self._stand_out(False)

    def watch_has_focus(self, _has_focus: bool) -> None:
        """No rule of style asks for it."""

    def _stand_out(self, focused: bool) -> None:
        if focused != self.has_class("-focused"):
            with self._painting(*self._edges()):
                self.set_class(focused, "-focused", update=False)
                self.app.stylesheet.update_nodes([self])  # nothing in it looks any different
            self._title()

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
