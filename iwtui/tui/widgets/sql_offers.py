"""The list at the cursor of what may be meant there. It never has the focus: the editor moves in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.geometry import Offset, clamp
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from iwtui.tui.state.sql_completion import Offer
from iwtui.tui.text import safe_line

LINES = 8
WIDTH = 76
NAME = 32
SIGNS = {
    "table": ("▤", "$text-primary"),
    "column": ("│", "$foreground"),
    "function": ("ƒ", "$text-warning"),
    "keyword": ("·", "$dim"),
}


class SqlOffers(Widget):
    """Stands above everything else, near the word that is being typed."""

    can_focus = False
    ALLOW_SELECT = False
    DEFAULT_CSS = f"""
    SqlOffers {{
        display: none;
        overlay: screen;
        constrain: inside inflect;
        position: absolute;
        width: {WIDTH};
        max-width: 90%;
        height: auto;
        max-height: {LINES};
        background: $panel;
        color: $foreground;
    }}
    """

    @dataclass
    class Taken(Message):
        """The reader clicked on this one."""

        index: int

    def __init__(self) -> None:
        super().__init__()
        self._offers: Sequence[Offer] = ()
        self._chosen = 0
        self._top = 0

    def show(self, offers: Sequence[Offer], chosen: int, at: Offset) -> None:
        """These, under the line of this place; none: gone."""
        self._offers, self._chosen = offers, chosen
        self._top = clamp(self._top, chosen - LINES + 1, chosen)
        self.display = bool(offers)
        if offers:
            self.absolute_offset = at + Offset(0, 1)
            self.refresh(layout=True)

    def render(self) -> Content:
        width = self.size.width
        shown = range(self._top, min(self._top + LINES, len(self._offers)))
        return Content("\n").join(self._line(index, width) for index in shown)

    def _line(self, index: int, width: int) -> Content:
        offer = self._offers[index]
        sign, style = SIGNS[offer.kind]
        name = safe_line(offer.text, 60).truncate(NAME, ellipsis=True).pad_right(max(0, NAME - len(offer.text)))
        note = safe_line(offer.note, 120, "$dim")
        line = Content.assemble((f" {sign} ", style), name, " ", note).truncate(width, ellipsis=True)
        line = line.pad_right(max(0, width - line.cell_length))
        chosen = Style.parse("on $primary 30%") if index == self._chosen else Style()
        return line.stylize(chosen + Style.from_meta({"offer": index}))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The focus stays where it is."""
        event.stop()
        event.prevent_default()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if (index := event.style.meta.get("offer")) is not None:
            self.post_message(self.Taken(index))
