"""The line that names the views of a screen, the one that is seen marked; at the right what holds for all of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from iwtui.tui.text import safe_line


class Views(Widget):
    """`names`: each view with its key. What stands at the right can be clicked as well."""

    can_focus = False
    DEFAULT_CSS = """
    Views { height: 1; padding: 0 1; }
    """

    @dataclass
    class Chosen(Message):
        """The reader clicked on the name of a view."""

        view: str

    class NoteClicked(Message):
        """The reader clicked on what stands at the right."""

    def __init__(self, names: Mapping[str, str], id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._names = names
        self._view = next(iter(names))
        self._note = ""
        self._more = ""

    def show(self, view: str) -> None:
        """This view is seen."""
        if view != self._view:
            self._view = view
            self.refresh()

    def say(self, note: str, more: str) -> None:
        """This holds for all; `more` of it where there is room."""
        if (note, more) != (self._note, self._more):
            self._note, self._more = note, more
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        if view := event.style.meta.get("view"):
            self.post_message(self.Chosen(view))
        elif event.style.meta.get("note"):
            self.post_message(self.NoteClicked())

    def render(self) -> RenderResult:
        left = Content("  ").join([self._named(view) for view in self._names])
        room = self.content_size.width - left.cell_length - 2
        long = f"{self._note}: {self._more}"
        note = safe_line(long if len(long) <= room else self._note, 100).truncate(max(0, room), ellipsis=True)
        gap = self.content_size.width - left.cell_length - note.cell_length
        return Content.assemble(left, " " * max(0, gap), note.stylize(Style.parse("$dim") + Style.from_meta({"note": True})))

    def _named(self, view: str) -> Content:
        here = view == self._view
        key, name = (Style.parse(style) + Style.from_meta({"view": view}) for style in _STYLES[here])
        return Content.styled(f"{self._names[view]}", key) + Content.styled(f" {view}", name)


_STYLES = {True: ("bold $accent", "bold underline"), False: ("$foreground", "$dim")}
"""Of the key and of the name, by whether the view is seen."""
