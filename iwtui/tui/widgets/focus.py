"""Focus without painting: what Textual does when a widget gets or loses it, but for the repaint of the whole widget."""

from textual import events
from textual.widget import Widget


def take_focus(widget: Widget, event: events.Focus) -> None:
    """Instead of the default: the widget paints by itself what the focus changes of it."""
    event.prevent_default()
    widget.has_focus = True
    if widget.parent is not None:
        widget.parent.post_message(events.DescendantFocus(widget))


def lose_focus(widget: Widget, event: events.Blur) -> None:
    """The same when it loses the focus."""
    event.prevent_default()
    widget.has_focus = False
    if widget.parent is not None:
        widget.parent.post_message(events.DescendantBlur(widget))
