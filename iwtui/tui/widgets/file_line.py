"""The line above the code: which file is shown, what happened to it, and how many there are."""

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from iwtui.bench.text import one_line
from iwtui.tui.state.shapes import FileEntry
from iwtui.tui.widgets.tones import tone_style

OPS = {"add": ("+", "new", "good"), "change": ("~", "changed", "warn"), "delete": ("−", "deleted", "bad")}
"""Glyph, word and tone of what happened to a file."""


class FileLine(Widget):
    """`~ src/main.js  +42 −3        2 of 7`. A click asks for the tree."""

    DEFAULT_CSS = """
    FileLine { height: 1; padding: 0 1; background: transparent; }
    """

    @dataclass
    class Clicked(Message):
        """The reader clicked the line."""

    def __init__(self) -> None:
        super().__init__()
        self._entry: FileEntry | None = None
        self._place = ""
        self._note = ""

    def show_file(self, entry: FileEntry | None, number: int, files: int) -> None:
        """The file with this number (from 1) of so many."""
        self._note = "" if entry != self._entry else self._note
        self._entry = entry
        self._place = f"{number} of {files}" if entry else ""
        self.refresh()

    def show_note(self, note: str) -> None:
        """Why something is not shown as it is."""
        if note != self._note:
            self._note = note
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Clicked())

    def render(self) -> Content:
        entry, width = self._entry, self.content_size.width
        if entry is None:
            return Content.styled("no file", tone_style("dim"))
        place = Content.styled(f"  {self._place}", tone_style("dim"))
        counts = changed(entry)
        if entry.elided:
            counts = Content.assemble(counts, ("  possible elision", tone_style("warn")))
        if self._note:
            counts = Content.assemble(counts, (f"  {one_line(self._note)}", tone_style("warn")))
        glyph, _, tone = OPS.get(entry.op, (" ", "", ""))
        room = max(8, width - counts.cell_length - place.cell_length - 2)
        path = path_within(one_line(entry.path), room)
        left = Content.assemble((f"{glyph} ", tone_style(tone)), path, counts)
        left = left.truncate(max(1, width - place.cell_length), ellipsis=True)
        return Content.assemble(left, " " * max(0, width - left.cell_length - place.cell_length), place)


def changed(entry: FileEntry) -> Content:
    """`  +42 −3`, or what else happened; nothing for a file that was left as it was."""
    if not entry.op:
        return Content("")
    if not (entry.added or entry.removed):
        _, word, _ = OPS.get(entry.op, ("", one_line(entry.op, 20), ""))
        return Content.styled(f"  {word}", tone_style("dim"))
    return Content.assemble("  ", (f"+{entry.added}", tone_style("good")), " ", (f"−{entry.removed}", tone_style("bad")))


def path_within(path: str, width: int) -> Content:
    """The path, its folders dim; of one that is too long the end."""
    content = Content(path)
    while content.cell_length > width and len(content) > 1:
        content = Content("…" + content.plain[2:])
    folders = content.plain.rpartition("/")[0]
    return content.stylize(tone_style("dim"), 0, len(folders) + 1) if folders else content
