"""The four panes of an episode with what they show: the view of the episode at its cursor, and nothing of their own."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial

from textual import on
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from iwtui.archive.blobs import BlobStore
from iwtui.bench.events import Blob
from iwtui.tui.opening import FileTexts, read_file, read_manifest
from iwtui.tui.screens.pane_layout import PaneLayout
from iwtui.tui.state.arrangement import PANES, PaneName, Shares
from iwtui.tui.state.episode import EpisodeView
from iwtui.tui.state.files import Workspace, listed
from iwtui.tui.state.shapes import FileEntry
from iwtui.tui.widgets.code import CodePane
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.picture import PictureView
from iwtui.tui.widgets.timeline import Timeline
from iwtui.tui.widgets.writing import Writing

READING = "Reading the log …"
NO_PICTURE = "No picture up to here. The first one comes when the site runs."


class EpisodePanes(PaneLayout):
    """Timeline and Dialogue, Code and Screen."""

    @dataclass
    class _FileRead(Message):
        entry: FileEntry
        texts: FileTexts

    @dataclass
    class _Listed(Message):
        manifest: Blob
        files: tuple[FileEntry, ...]

    def __init__(self, blobs: BlobStore, images: str, shares: Shares) -> None:
        self.timeline = Timeline(empty=READING)
        self.dialogue = Dialogue()
        self.writing = Writing()
        self.code = CodePane()
        self.picture = PictureView(blobs, images, empty=NO_PICTURE)
        parts = ((self.timeline,), (self.dialogue, self.writing), (self.code,), (self.picture,))
        super().__init__(dict(zip(PANES, parts, strict=True)), shares)
        self._blobs = blobs
        self._before: dict[str, Blob] = {}
        self._shown: dict[str, Hashable] = {}
        self._files_turn = 0

    def grow(self, view: EpisodeView) -> None:
        """Show all of the view; its rows or blocks are more, or others, than before."""
        self.timeline.empty = "No events yet." if view.cursor < 0 else ""
        # A reader who scrolled away is left alone: nothing jumps back to the cursor.
        away = not view.following and self.timeline.index == view.index
        at = None if away else view.cursor
        self.timeline.show_rows(view.rows, seq=at, follow=view.following, marks=view.turn_marks)
        self.dialogue.show_blocks(view.dialogue, seq=at)
        self._show_files(view)
        self._show_picture(view)

    def move(self, view: EpisodeView, dialogue: bool = True) -> None:
        """The cursor of the view moved, nothing else; the dialogue knows it already, or not."""
        self.timeline.following = view.following
        self.timeline.go(view.cursor)
        if dialogue:
            self.dialogue.go(view.cursor)
        self._show_files(view)
        self._show_picture(view)

    def supplied(self, view: EpisodeView) -> None:
        """Whole texts came in where there were beginnings only."""
        self.dialogue.show_blocks(view.dialogue, seq=view.cursor)

    def find(self, text: str) -> None:
        """Show where a text stands in all panes; an empty one stands nowhere."""
        self.timeline.find(text)
        self.dialogue.find(text)
        self.code.find(text)

    def _is_new(self, pane: str, what: Hashable) -> bool:
        if self._shown.get(pane) == what:
            return False
        self._shown[pane] = what
        return True

    def _show_files(self, view: EpisodeView) -> None:
        last = next((turn for turn in reversed(view.state.turns) if turn.files), None)
        if not self._is_new("files", last and (last.number, last.files)):
            return
        workspace = view.workspace
        self._files_turn = workspace.turn
        self._before = dict(workspace.before)
        if workspace.whole:
            self._files(workspace.files)
        elif last and last.files:
            read = partial(self._list_files, workspace, last.files.changes)
            self.run_worker(read, thread=True, group="files", exclusive=True, exit_on_error=False)

    def _list_files(self, workspace: Workspace, changes: tuple[object, ...]) -> None:
        """In a thread."""
        worker = get_current_worker()
        before = read_manifest(self._blobs, workspace.manifest_before)
        files = listed(read_manifest(self._blobs, workspace.manifest), before, changes)  # type: ignore[arg-type]
        if not worker.is_cancelled and workspace.manifest:
            self._before = {path: blob for path, (blob, _) in before.items()}
            self.post_message(self._Listed(workspace.manifest, files))

    @on(_Listed)
    def _files_listed(self, message: _Listed) -> None:
        message.stop()
        self._files(message.files)

    def _files(self, files: tuple[FileEntry, ...]) -> None:
        self.code.show_files(files)
        changed = sum(bool(entry.op) for entry in files)
        said = f"turn {self._files_turn}, {changed} changed" if changed > 1 else f"turn {self._files_turn}"
        self.pane(PaneName.CODE).detail(Content.styled(said if files else "", "not bold"))

    @on(CodePane.FileChosen)
    def _file_chosen(self, message: CodePane.FileChosen) -> None:
        message.stop()
        entry = message.entry
        before = self._before.get(entry.path) if entry.op else entry.blob
        read = partial(self._read_file, entry, before)
        self.run_worker(read, thread=True, group="texts", exclusive=True, exit_on_error=False)

    def _read_file(self, entry: FileEntry, before: Blob | None) -> None:
        """In a thread."""
        worker = get_current_worker()
        texts = read_file(self._blobs, before, entry.blob)
        if not worker.is_cancelled:
            self.post_message(self._FileRead(entry, texts))

    @on(_FileRead)
    def _file_read(self, message: _FileRead) -> None:
        message.stop()
        if message.entry == self.code.entry:
            self.code.show_texts(message.entry.path, *message.texts)

    def _show_picture(self, view: EpisodeView) -> None:
        picture, (place, count) = view.picture, view.picture_place
        if not self._is_new("picture", (picture, count)):
            return
        if picture is None:
            self.picture.show(None)
            self.pane(PaneName.SCREEN).detail(Content(""))
            return
        self.picture.show(picture.blob, picture.marks, picture.caption)
        marks = f", {picture.marks_count} marks" if picture.marks_count else ""
        self.pane(PaneName.SCREEN).detail(Content.styled(f"{place}/{count}{marks}", "not bold"))

    def toggle_marks(self) -> None:
        """The numbered marks of the picture, on or off."""
        self.picture.toggle_marks()
