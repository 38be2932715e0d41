"""A line of names, of which one is shown; a click on another chooses it."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from iwtui.tui.text import safe_line

GAP = "  "


class TabLine(Widget):
    """Names with titles. It takes no focus: its screen has keys for the next one and the one before."""

    can_focus = False
    DEFAULT_CSS = """
    TabLine { height: 1; padding: 0 1; }
    """

    @dataclass
    class Chosen(Message):
        """The reader clicked on a name."""

        name: str

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._tabs: tuple[tuple[str, str], ...] = ()
        self._current = ""

    def show(self, tabs: Sequence[tuple[str, str]], current: str) -> None:
        """(name, title) each; `current` is a name."""
        if (tuple(tabs), current) != (self._tabs, self._current):
            self._tabs, self._current = tuple(tabs), current
            self.refresh()

    def render(self) -> Content:
        """From the first name on; where there is no room for all, so that the current one is seen."""
        parts = [self._part(name, title) for name, title in self._tabs]
        names = [name for name, _ in self._tabs]
        last = names.index(self._current) if self._current in names else 0
        first = 0
        while first < last and _length(parts[first : last + 1]) > self.content_size.width:
            first += 1
        return Content(GAP).join(parts[first:]).truncate(max(1, self.content_size.width), ellipsis=True)

    def _part(self, name: str, title: str) -> Content:
        ink = Style.parse("bold $accent" if name == self._current else "$dim")
        sign = "▸" if name == self._current else " "
        return Content.styled(f"{sign}{safe_line(title, 40).plain}", ink + Style.from_meta({"tab": name}))

    def on_click(self, event: events.Click) -> None:
        """Choose the name under the mouse."""
        if name := event.style.meta.get("tab"):
            self.post_message(self.Chosen(name))


def _length(parts: Sequence[Content]) -> int:
    return sum(part.cell_length for part in parts) + len(GAP) * (len(parts) - 1)
