"""A number between two bounds: a line with a knob, moved by keys or the mouse, or typed."""

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.validation import Number
from textual.widget import Widget
from textual.widgets import Input, Static

from iwtui.tui.actions import bindings_for


class _Track(Widget, can_focus=True):
    """The line. It moves no number itself: the slider around it does."""

    DEFAULT_CSS = "_Track { width: 1fr; height: 1; }"

    @dataclass
    class Pointed(Message):
        """The reader pointed at a place of the line, `share` of its length from the left."""

        share: float

    share: reactive[float] = reactive(0.0)

    def render(self) -> Content:
        width = max(self.size.width, 3)
        knob = round(self.share * (width - 1))
        style = "bold $accent" if self.has_focus else "$foreground"
        return Content.assemble(("━" * knob, "$accent"), ("●", style), ("─" * (width - 1 - knob), "$line"))

    def on_click(self, event: events.Click) -> None:
        self.focus()
        self.post_message(self.Pointed(event.x / max(self.size.width - 1, 1)))


class Slider(Horizontal):
    """`Changed` is posted when the reader moves it, not by `show`. A typed number is taken as it is within the bounds."""

    BINDINGS: ClassVar = bindings_for("slider")
    DEFAULT_CSS = """
    Slider { height: 1; padding: 0 1; }
    Slider > .label { width: 12; }
    Slider > Input, Slider > Input:focus {
        width: 9; height: 1; border: none; padding: 0 1; background: $panel; margin-left: 2;
    }
    Slider > Input.-invalid, Slider > Input.-invalid:focus { border: none; color: $error; }
    """

    @dataclass
    class Changed(Message):
        """The reader chose another number."""

        slider: "Slider"
        value: float

        @property
        def control(self) -> "Slider":
            return self.slider

    def __init__(self, label: str, value: float, least: float, most: float, step: float, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self.value = value
        self._label, self._least, self._most, self._step = label, least, most, step
        self._track = _Track()

    def compose(self) -> ComposeResult:
        yield Static(Content(self._label), classes="label", markup=False)
        yield self._track
        yield Input(f"{self.value:g}", validators=[Number(self._least, self._most)], select_on_focus=True, max_length=8)

    def on_mount(self) -> None:
        """The knob where the number is."""
        self.show(self.value)

    def show(self, value: float) -> None:
        """This number."""
        self.value = value
        self._track.share = (value - self._least) / (self._most - self._least)
        field = self.query_one(Input)
        if field.value != f"{value:g}":
            field.value = f"{value:g}"

    def focus_track(self) -> None:
        """Let the keys move this one."""
        self._track.focus()

    def _choose(self, value: float) -> None:
        value = round(min(max(value, self._least), self._most), 4)
        if value != self.value:
            self.show(value)
            self.post_message(self.Changed(self, value))

    def action_less(self) -> None:
        self._choose(self.value - self._step)

    def action_more(self) -> None:
        self._choose(self.value + self._step)

    def action_next(self) -> None:
        self.screen.focus_next(_Track)

    def action_previous(self) -> None:
        self.screen.focus_previous(_Track)

    def action_type(self) -> None:
        """To the field."""
        self.query_one(Input).focus()

    @on(_Track.Pointed)
    def _pointed(self, message: _Track.Pointed) -> None:
        message.stop()
        whole = self._least + min(max(message.share, 0.0), 1.0) * (self._most - self._least)
        self._choose(self._least + round((whole - self._least) / self._step) * self._step)

    @on(Input.Submitted)
    def _typed(self, message: Input.Submitted) -> None:
        message.stop()
        if message.validation_result is not None and message.validation_result.is_valid:
            self._choose(float(message.value))
            self._track.focus()

    def on_descendant_blur(self) -> None:
        """A number that was begun and left is forgotten."""
        self.show(self.value)
