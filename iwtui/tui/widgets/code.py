"""The code of a generated site: which files there are, one of them, and what a turn changed in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from iwtui.tui.actions import bindings_for
from iwtui.tui.state.shapes import FileEntry
from iwtui.tui.widgets.code_lines import CodeLines, Listing
from iwtui.tui.widgets.file_line import FileLine
from iwtui.tui.widgets.file_tree import FileTree

NONE_YET = "No files yet. They appear with the builder's first implement."
READING = "Reading …"


class CodePane(Vertical):
    """A line that names the file, and below it the change (in one column, or in two where there is room), or the tree.

    The texts are asked for by `FileChosen` and given by `show_texts`; comparing and colouring happen in a thread.
    """

    BINDINGS: ClassVar = bindings_for("code")
    DEFAULT_CSS = """
    CodePane {
        height: 1fr;
        background: transparent;
        & > FileTree { display: none; }
        &.-tree > FileTree { display: block; }
        &.-tree > CodeLines { display: none; }
    }
    """

    @dataclass
    class FileChosen(Message):
        """The texts of this file are wanted: answer with `show_texts`."""

        pane: "CodePane"
        entry: FileEntry

    @dataclass
    class OriginAsked(Message):
        """Which turn wrote this line (0-based) of this file?"""

        entry: FileEntry
        line: int

    @dataclass
    class OtherAsked(Message):
        """This file is to be held against what it was after another turn: answer with `show_texts`."""

        entry: FileEntry

    @dataclass
    class Prepared(Message):
        """A listing is ready to be shown."""

        entry: FileEntry
        listing: Listing

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.files: Sequence[FileEntry] = ()
        self.entry: FileEntry | None = None
        """The file that is shown."""
        self._kept: str | None = None

    def compose(self) -> ComposeResult:
        yield FileLine()
        yield CodeLines(empty=NONE_YET)
        yield FileTree()

    @property
    def lines(self) -> CodeLines:
        """The list that shows the file."""
        return self.query_one(CodeLines)

    def show_files(self, files: Sequence[FileEntry], *, path: str | None = None) -> None:
        """The files at the cursor; posts FileChosen when another file, or another state of it, is to be shown.

        It is the one at `path`, the one that the reader chose, or the one that changed most.
        """
        self.files = files
        self._kept = path or self._kept
        self.query_one(FileTree).show_files(files)
        self._choose(next((entry for entry in files if entry.path == self._kept), None) or _most_changed(files))

    def show_texts(self, path: str, before: str | None, after: str | None, note: str = "") -> None:
        """The file at `path` before and after the turn (None: not there). `note`: why a text cannot be shown.

        Texts of a file that is no longer the chosen one are dropped.
        """
        if self.entry is None or path != self.entry.path:
            return
        self.query_one(FileLine).show_note(note)
        if before is None and after is None:
            self.show_nothing(note or "There is nothing to show of this file.")
            return
        work = partial(self._prepare, self.entry, before, after)
        self.run_worker(work, thread=True, group="code", exclusive=True, exit_on_error=False)

    def next_file(self, step: int = 1) -> None:
        """The next of the files, or the one `step` further."""
        if not self.files:
            return
        number = self.files.index(self.entry) if self.entry in self.files else -1
        entry = self.files[(number + step) % len(self.files)]
        self._kept = entry.path
        self._choose(entry)

    def toggle_diff(self) -> None:
        """What the turn changed, or the whole file."""
        self.lines.toggle_diff()

    def action_split(self) -> None:
        """The change in one column or in two, whatever the width."""
        self.lines.toggle_split()

    def action_origin(self) -> None:
        """To the turn that wrote the line at the cursor."""
        line = self.lines.line
        if self.entry is not None and line is not None and self.lines.display:
            self.post_message(self.OriginAsked(self.entry, line))

    def action_other(self) -> None:
        """Held against another turn than the one before."""
        if self.entry is not None:
            self.post_message(self.OtherAsked(self.entry))

    def action_tree(self) -> None:
        """All files instead of the one, or back."""
        focused = self.has_focus_within
        self.toggle_class("-tree")
        if focused:
            (self.query_one(FileTree) if self.has_class("-tree") else self.lines).focus()

    def find(self, text: str) -> None:
        """Shows where the text stands; an empty one stands nowhere."""
        self.lines.find(text)

    def copied(self) -> str:
        """The whole file as plain text."""
        return self.lines.whole

    def _choose(self, entry: FileEntry | None) -> None:
        line = self.query_one(FileLine)
        number = self.files.index(entry) + 1 if entry else 0
        before, self.entry = self.entry, entry
        line.show_file(entry, number, len(self.files))
        self.query_one(FileTree).go_to(entry)
        if entry is None:
            self.show_nothing(NONE_YET)
        elif entry != before:
            if before is None:
                self.show_nothing(READING)
            self.post_message(self.FileChosen(self, entry))

    def show_nothing(self, why: str) -> None:
        """Words in the place of a file."""
        self.workers.cancel_group(self, "code")
        self.lines.show_nothing(why)

    def _prepare(self, entry: FileEntry, before: str | None, after: str | None) -> None:
        """In a thread."""
        worker = get_current_worker()
        listing = Listing.of(entry.path, before, after)
        if not worker.is_cancelled:
            self.post_message(self.Prepared(entry, listing))

    @on(Prepared)
    def _prepared(self, message: Prepared) -> None:
        message.stop()
        if message.entry == self.entry:
            self.lines.show_listing(message.listing)

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        if event.worker.group == "code" and event.state is WorkerState.ERROR:
            event.stop()
            self.show_nothing(f"The file cannot be laid out: {event.worker.error}")

    @on(FileTree.PathChosen)
    def _path_chosen(self, message: FileTree.PathChosen) -> None:
        message.stop()
        self._kept = message.path
        self.action_tree()
        self._choose(next((entry for entry in self.files if entry.path == message.path), self.entry))

    @on(FileLine.Clicked)
    def _line_clicked(self, message: FileLine.Clicked) -> None:
        message.stop()
        self.action_tree()


def _most_changed(files: Sequence[FileEntry]) -> FileEntry | None:
    return max(files, key=lambda entry: (bool(entry.op), entry.added + entry.removed), default=None)
