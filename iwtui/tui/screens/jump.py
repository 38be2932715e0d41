"""Jumping: for a moment each pane, table and field of the screen bears a letter, and the letter leads there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Protocol, runtime_checkable

from rich.segment import Segment
from textual import events
from textual.binding import Binding
from textual.geometry import Offset, Region
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget

LETTERS = "asdfghjklertuiopzxcvbnm"
"""Those under the fingers first; w, which leads here, and q are none of them."""

BADGE = 3
"""Cells of a letter with a blank on both sides."""


@dataclass(frozen=True)
class Jump:
    """`place`: where on the screen its letter stands; `go`: leads there."""

    place: Offset
    go: Callable[[], object]


@runtime_checkable
class Jumpable(Protocol):
    """A screen that knows itself where one can jump to."""

    def jumps(self) -> Sequence[Jump]:
        """In the order of their letters."""


def jumps_of(screen: Screen[Any]) -> list[Jump]:
    """Where one can jump to on a screen: to each widget in sight that takes the focus, unless the screen knows better."""
    if isinstance(screen, Jumpable):
        return list(screen.jumps())[: len(LETTERS)]
    found: list[Jump] = []
    for widget in screen.focus_chain:
        seen = screen.region.intersection(widget.region)
        if seen:
            place = badge_place(widget)
            if any(place == jump.place for jump in found):
                place = seen.offset
            found.append(Jump(place, partial(widget.focus)))
    return found[: len(LETTERS)]


def badge_place(widget: Widget) -> Offset:
    """Before the title of the pane that the widget is in; of one in no pane before the widget, if there is room."""
    for node in widget.ancestors_with_self:
        if isinstance(node, Widget) and node.has_class("pane") and node.id != "form":
            return node.region.offset
    return Offset(max(0, widget.region.x - BADGE), widget.region.y)


class JumpScreen(ModalScreen[Jump | None]):
    """Paints the letters over what stands behind it, which is not laid out anew. Its result is the jump that was chosen."""

    TITLE = "jump"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar = [Binding("escape,q,w,ctrl+o", "dismiss", show=False)]
    COMPONENT_CLASSES: ClassVar = {"jump--letter"}
    DEFAULT_CSS = """
    JumpScreen > .jump--letter { background: $accent; color: $background; text-style: bold; }
    """

    def __init__(self, jumps: Sequence[Jump]) -> None:
        super().__init__()
        self._jumps = dict(zip(LETTERS, jumps, strict=False))

    def on_key(self, event: events.Key) -> None:
        jump = self._jumps.get(event.character or "")
        if jump is not None:
            event.stop()
            self._leave(jump)

    def on_click(self, event: events.Click) -> None:
        """A letter can be clicked; a click elsewhere leaves all as it is."""
        chosen = (jump for jump in self._jumps.values() if _cells(jump).contains(event.screen_x, event.screen_y))
        self._leave(next(chosen, None))

    def on_resize(self, event: events.Resize) -> None:
        """Another size puts what stands behind it to other places."""
        if event.size != self._size_at_first:
            self._leave(None)

    def on_mount(self) -> None:
        self._size_at_first = self.app.size

    def _leave(self, jump: Jump | None) -> None:
        """Once: a window that is being resized says so many times."""
        if self.is_current:
            self.dismiss(jump)

    def render_lines(self, crop: Region) -> list[Strip]:
        """What stands behind it, with the letters."""
        strips = super().render_lines(crop)
        style = self.get_visual_style("jump--letter").rich_style
        for letter, jump in self._jumps.items():
            row = jump.place.y - crop.y
            start, end = jump.place.x - crop.x, jump.place.x - crop.x + BADGE
            if 0 <= row < len(strips) and start >= 0 and end <= crop.width:
                strip = strips[row]
                badge = Strip([Segment(f" {letter} ", style)], BADGE)
                strips[row] = Strip.join([strip.crop(0, start), badge, strip.crop(end)])
        return strips


def _cells(jump: Jump) -> Region:
    return Region(jump.place.x, jump.place.y, BADGE, 1)
