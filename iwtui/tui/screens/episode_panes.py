"""The four panes of an episode with what they show: the view of the episode at its cursor, and nothing of their own."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from iwtui.archive.blobs import BlobStore
from iwtui.bench.events import Blob
from iwtui.tui.opening import FileTexts, read_file, read_manifest
from iwtui.tui.screens.panes import LEFT, PANES, STEP, Arrangement, Pane, PaneName, Shares, arrangement
from iwtui.tui.state.episode import EpisodeView
from iwtui.tui.state.files import Workspace, listed
from iwtui.tui.state.shapes import FileEntry
from iwtui.tui.widgets.code import CodePane
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.picture import PictureView
from iwtui.tui.widgets.timeline import Timeline

READING = "Reading the log …"
NO_PICTURE = "No picture up to here. The first one comes when the site runs."


class EpisodePanes(Container):
    """Timeline and Dialogue, Code and Screen. `active` is the pane that has, or last had, the focus."""

    DEFAULT_CSS = """
    EpisodePanes { layout: horizontal; height: 1fr; width: 1fr; }
    EpisodePanes .column { height: 1fr; width: 1fr; layout: vertical; }
    EpisodePanes.-four #left { layout: horizontal; }
    EpisodePanes.-two Pane { display: none; }
    EpisodePanes.-two Pane.-front { display: block; }
    EpisodePanes.-one Pane, EpisodePanes.-one .column { display: none; }
    EpisodePanes.-one Pane.-active, EpisodePanes.-one .column.-active { display: block; }
    """

    @dataclass
    class Arranged(Message):
        """The panes were laid out anew, or another one is in front."""

        seen: Arrangement
        active: PaneName

    @dataclass
    class _FileRead(Message):
        entry: FileEntry
        texts: FileTexts

    @dataclass
    class _Listed(Message):
        manifest: Blob
        files: tuple[FileEntry, ...]

    def __init__(self, blobs: BlobStore, images: str) -> None:
        super().__init__(id="panes")
        self.active = PaneName.TIMELINE
        self.zoomed = False
        self.seen = Arrangement.FOUR
        self.shares = Shares()
        self._blobs = blobs
        self._images = images
        self._fronts = {LEFT: PaneName.TIMELINE, PaneName.CODE.column: PaneName.SCREEN}
        self._before: dict[str, Blob] = {}
        self._shown: dict[str, Hashable] = {}
        self._files_turn = 0

    def compose(self) -> ComposeResult:
        with Horizontal(id="left", classes="column"):
            yield Pane(PaneName.TIMELINE, Timeline(empty=READING))
            yield Pane(PaneName.DIALOGUE, Dialogue())
        with Container(id="right", classes="column"):
            yield Pane(PaneName.CODE, CodePane())
            yield Pane(PaneName.SCREEN, PictureView(self._blobs, self._images, empty=NO_PICTURE))

    def on_mount(self) -> None:
        """Lay out for the width there is."""
        self._lay_out()

    def on_resize(self, event: events.Resize) -> None:
        """Another width may have room for more panes, or fewer."""
        self._lay_out(event.size.width)

    @property
    def timeline(self) -> Timeline:
        return self.query_one(Timeline)

    @property
    def dialogue(self) -> Dialogue:
        return self.query_one(Dialogue)

    @property
    def code(self) -> CodePane:
        return self.query_one(CodePane)

    @property
    def picture(self) -> PictureView:
        return self.query_one(PictureView)

    def pane(self, name: PaneName) -> Pane:
        """A pane by its name."""
        return self.query_one(f"#pane-{name.value}", Pane)

    # Layout.

    def activate(self, name: PaneName, focus: bool = True) -> None:
        """Bring a pane to the front, and the focus into it."""
        changed = name is not self.active or self._fronts[name.column] is not name
        self.active = name
        self._fronts[name.column] = name
        if changed:
            self._mark()
        if focus:
            target = self._target(name)
            self.call_after_refresh(target.focus) if changed else target.focus()

    def next_pane(self, step: int) -> PaneName | None:
        """The pane that the tab key goes to; None past the last or the first."""
        place = PANES.index(self.active) + step
        return PANES[place] if 0 <= place < len(PANES) else None

    def zoom(self, zoomed: bool) -> None:
        """The active pane alone, or as many as there is room for."""
        self.zoomed = zoomed
        self._lay_out()

    def widen(self, by: int) -> None:
        """Make the active pane wider or narrower."""
        self.shares = self.shares.grown(self.active, self.seen, by * STEP)
        self._share()

    def _target(self, name: PaneName) -> Widget:
        match name:
            case PaneName.TIMELINE:
                return self.timeline
            case PaneName.DIALOGUE:
                return self.dialogue
            case PaneName.CODE:
                lists = [widget for widget in self.code.query(LineList) if widget.display]
                return lists[0] if lists else self.code
        return self.pane(name)

    def _lay_out(self, width: int | None = None) -> None:
        self.seen = arrangement(self.size.width if width is None else width, self.zoomed)
        for each in Arrangement:
            self.set_class(each is self.seen, f"-{each.value}")
        for name in PANES:
            self.pane(name).show_tabs(self.seen)
        self._share()
        self._mark()

    def _share(self) -> None:
        shares = self.shares
        self.query_one("#left").styles.width = f"{shares.left}fr"
        self.query_one("#right").styles.width = f"{100 - shares.left}fr"
        four = self.seen is Arrangement.FOUR
        self.pane(PaneName.TIMELINE).styles.width = f"{shares.timeline}fr" if four else "1fr"
        self.pane(PaneName.DIALOGUE).styles.width = f"{100 - shares.timeline}fr" if four else "1fr"
        self.pane(PaneName.CODE).styles.height = f"{shares.code}fr" if four else "1fr"
        self.pane(PaneName.SCREEN).styles.height = f"{100 - shares.code}fr" if four else "1fr"

    def _mark(self) -> None:
        for name in PANES:
            pane = self.pane(name)
            pane.set_class(self._fronts[name.column] is name, "-front")
            pane.set_class(name is self.active, "-active")
        for column in ("left", "right"):
            self.query_one(f"#{column}").set_class((column == "left") == (self.active in LEFT), "-active")
        self.post_message(self.Arranged(self.seen, self.active))

    @on(Pane.Chosen)
    def _chosen(self, message: Pane.Chosen) -> None:
        message.stop()
        self.activate(message.name)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The pane that the focus went into is the active one."""
        pane = next((node for node in event.widget.ancestors_with_self if isinstance(node, Pane)), None)
        if pane is not None and pane.pane is not self.active:
            self.activate(pane.pane, focus=False)

    # Content.

    def grow(self, view: EpisodeView) -> None:
        """Show all of the view; its rows or blocks are more, or others, than before."""
        self.timeline.empty = "No events yet." if view.cursor < 0 else ""
        # A reader who scrolled away is left alone: nothing jumps back to the cursor.
        away = not view.following and self.timeline.index == view.index
        self.timeline.show_rows(view.rows, seq=None if away else view.cursor, follow=view.following)
        self.dialogue.show_blocks(view.dialogue, seq=None if away else view.cursor)
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
        picture = view.picture
        if not self._is_new("picture", (picture, len(view.pictures) if picture else 0)):
            return
        if picture is None:
            self.picture.show(None)
            self.pane(PaneName.SCREEN).detail(Content(""))
            return
        self.picture.show(picture.blob, picture.marks, picture.caption)
        group = view.pictures
        place = next((number for number, each in enumerate(group, 1) if each.seq == picture.seq), 1)
        marks = f", {picture.marks_count} marks" if picture.marks_count else ""
        self.pane(PaneName.SCREEN).detail(Content.styled(f"{place}/{len(group)}{marks}", "not bold"))

    def toggle_marks(self) -> None:
        """The numbered marks of the picture, on or off."""
        self.picture.toggle_marks()
