"""One line to type what is to be found."""

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input


class FindBar(Input):
    """Hidden until it is opened. Enter asks, escape gives up."""

    BINDINGS: ClassVar = [Binding("escape", "give_up", "back", id="app.back")]
    DEFAULT_CSS = """
    FindBar, FindBar:focus {
        display: none;
        height: 1;
        border: none;
        padding: 0 1;
        background: $panel;
    }
    FindBar.-open, FindBar.-open:focus { display: block; }
    """

    @dataclass
    class Asked(Message):
        """The reader wants this text; an empty one ends the finding."""

        text: str

    @dataclass
    class GivenUp(Message):
        """The reader left the bar."""

    def __init__(self) -> None:
        super().__init__(placeholder="find in everything that was said, written and done", max_length=200)

    def open(self) -> None:
        """Show the bar; what was asked before is selected."""
        self.add_class("-open")
        self.focus()
        self.action_select_all()

    def close(self) -> None:
        """Hide the bar."""
        self.remove_class("-open")

    def action_give_up(self) -> None:
        """Back to where the reader was."""
        self.close()
        self.post_message(self.GivenUp())

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.close()
        self.post_message(self.Asked(message.value.strip()))

    def on_blur(self, event: events.Blur) -> None:
        """Gone when the reader looks elsewhere."""
        self.close()
