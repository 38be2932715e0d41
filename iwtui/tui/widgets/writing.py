"""The end of what a model is writing right now: replaced as it goes on, and never a part of what was said."""

from textual.content import Content
from textual.widget import Widget

from iwtui.tui.text import safe_line, safe_text
from iwtui.tui.widgets.line_view import wrapped
from iwtui.tui.widgets.tones import speaker_style, tone_style

LINES = 5
"""Lines that it takes, its heading with them."""

TAIL = 600
"""Characters of the text that are laid out: more than those lines have room for."""


class Writing(Widget):
    """Takes room only while something is being written."""

    DEFAULT_CSS = f"""
    Writing {{ height: {LINES}; width: 1fr; display: none; }}
    """

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._who = ""

    def show(self, who: str, text: str) -> None:
        """This is what `who` writes; an empty text: nobody does."""
        if (who, text) != (self._who, self.text):
            self._who, self.text = who, text
            self.display = bool(text)
            self.refresh()

    def render(self) -> Content:
        width = max(1, self.size.width)
        lines = wrapped(safe_text(self.text[-TAIL:], tone_style("dim")), width)
        who = safe_line(self._who, 40, f"{speaker_style(self._who)} dim")
        return Content("\n").join([Content.assemble(who, (" is writing …", tone_style("dim"))), *lines[1 - LINES :]])
