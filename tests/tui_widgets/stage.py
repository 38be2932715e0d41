"""An application that shows one widget in the shipped theme, and tells what the screen holds."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from textual.app import App, ComposeResult
from textual.events import MouseScrollUp
from textual.filter import LineFilter
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from iwtui.tui.text import ControlFilter
from iwtui.tui.themes import load_themes

SIZES = [(80, 24), (120, 40), (200, 60)]


class Stage(App[None]):
    """One widget, alone."""

    def __init__(self, shown: Widget) -> None:
        super().__init__()
        self._shown = shown
        for theme in load_themes().values():
            self.register_theme(theme)
        self.theme = "dark"

    def compose(self) -> ComposeResult:
        yield self._shown

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlFilter()]

    def lines(self) -> list[str]:
        """The screen as it would be printed."""
        width, height = self.size
        compositor = self.screen._compositor
        return [strip.text for strip in compositor.render_strips()][:height] if width else []


@asynccontextmanager
async def staged(
    widget: Widget, size: tuple[int, int] = (80, 24), posted: list[Message] | None = None
) -> AsyncIterator[Pilot[Any]]:
    """The widget on a screen of that size, in the focus; all messages are added to `posted`."""
    app = Stage(widget)

    def hook(message: Message) -> None:
        """A message is seen by each node that it comes by."""
        if posted is not None and all(message is not other for other in posted):
            posted.append(message)

    async with app.run_test(size=size, notifications=True, message_hook=hook) as pilot:
        if widget.focusable:
            widget.focus()
        await pilot.pause()
        yield pilot


def shown(pilot: Pilot[Any], bar: int = 1) -> list[str]:
    """The screen, line by line, without the columns of a scroll bar and without spaces at the ends."""
    app = pilot.app
    assert isinstance(app, Stage)
    return [line[: len(line) - bar].rstrip() for line in app.lines()]


async def wheel_up(pilot: Pilot[Any], widget: Widget) -> None:
    """One turn of the wheel over the widget."""
    await pilot._post_mouse_events([MouseScrollUp], widget, offset=(2, 2))
    await pilot.pause()
