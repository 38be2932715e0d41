"""Two episodes of a case side by side: where they part, their dialogues, files and pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerState, get_current_worker

from iwtui.archive.errors import StoreError
from iwtui.bench.names import EpisodeName
from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.beside import Beside, read_beside
from iwtui.tui.garbage import let_go
from iwtui.tui.opening import FileTexts, read_file
from iwtui.tui.state.compare import CompareLine
from iwtui.tui.state.compare_episodes import parting, slot_lines
from iwtui.tui.state.shapes import FileEntry
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.code import CodePane
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.picture import PictureView
from iwtui.tui.widgets.tab_line import TabLine
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.written import counted

if TYPE_CHECKING:
    from iwtui.analysis.compare_episodes import PicturePair

NARROW = 100
"""Columns below which A stands above B."""

PARTS = ("dialogues", "files", "pictures")


class BesideScreen(Screen[None]):
    """`line`: the slot that led here, None when none did. Escape leads back."""

    BINDINGS = bindings_for("beside")
    DEFAULT_CSS = """
    BesideScreen #parting { height: auto; max-height: 30%; padding: 0 1; }
    BesideScreen .part { height: 1fr; layout: horizontal; display: none; }
    BesideScreen .part.-shown { display: block; layout: horizontal; }
    BesideScreen .part Titled { width: 1fr; height: 1fr; padding: 0 1; }
    BesideScreen.-narrow .part { layout: vertical; }
    """

    @dataclass
    class Came(Message):
        """Both were read."""

        beside: Beside

    @dataclass
    class Failed(Message):
        """One of them cannot be read."""

        why: str

    @dataclass
    class FileRead(Message):
        """The two states of a file."""

        entry: FileEntry
        texts: FileTexts

    def __init__(self, a: EpisodeName, b: EpisodeName, line: CompareLine | None = None) -> None:
        super().__init__()
        self._names = (a, b)
        self._line = line
        self._beside: Beside | None = None
        self._part = PARTS[0]
        self._at_end = True
        self._pair = 0
        self.title = one_line(f"{a.case} side by side", 60)

    def compose(self) -> ComposeResult:
        yield Crumbs()
        yield Static(id="parting", markup=False)
        yield TabLine()
        with Container(id="dialogues", classes="part"):
            for side in ("a", "b"):
                with Titled(side.upper(), id=f"dialogue-{side}"):
                    yield Dialogue(empty="Reading …", id=f"said-{side}")
        with Container(id="files", classes="part"), Titled("Files", id="file-pane"):
            yield CodePane()
        with Container(id="pictures", classes="part"):
            for side in ("a", "b"):
                with Titled(side.upper(), id=f"picture-{side}"):
                    yield PictureView(
                        console(self).store.blobs, console(self).images, empty="There is no picture.", id=f"seen-{side}"
                    )
        yield Keys()

    def on_mount(self) -> None:
        """Reads both, in a thread."""
        self._choose(self._part)
        self.run_worker(self._read, thread=True, group="reading", exit_on_error=False)

    def on_unmount(self) -> None:
        """What was read may be forgotten."""
        let_go()

    def on_resize(self, event: events.Resize) -> None:
        """A above B where they have no room side by side."""
        self.set_class(event.size.width < NARROW, "-narrow")

    def _read(self) -> None:
        """In a thread."""
        from iwtui.analysis.compare_sides import ComparisonError

        worker = get_current_worker()
        try:
            beside = read_beside(console(self).store, *self._names)
        except (StoreError, ComparisonError, OSError) as error:
            self.post_message(self.Failed(str(error)))
        else:
            if not worker.is_cancelled:
                self.post_message(self.Came(beside))

    @on(Came)
    def _came(self, message: Came) -> None:
        self._beside = beside = message.beside
        told = [*slot_lines(self._line), *parting(beside.found.divergence)]
        said = [
            safe_line(f"! {warning}", 300, "$status-infra") for warning in (*beside.found.warnings, *beside.found.unread)
        ]
        self.query_one("#parting", Static).update(Content("\n").join([*(safe_line(line, 300) for line in told), *said]))
        for side, name, view in zip(("a", "b"), self._names, beside.views, strict=True):
            self.query_one(f"#dialogue-{side}", Titled).entitle(f"{side.upper()}  {name}")
            dialogue = self.query_one(f"#said-{side}", Dialogue)
            dialogue.empty = "Nobody has spoken yet."
            dialogue.show_blocks(view.dialogue, seq=0, follow=False)
        self._to_parting()
        self._show_files()
        self._show_pair()
        self._choose(self._part)

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        self.query_one("#parting", Static).update(safe_line(message.why, 300, "$status-infra"))
        console(self).notify_text(message.why, title="These episodes cannot be compared", severity="error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            self.post_message(self.Failed(f"{type(event.worker.error).__name__}: {event.worker.error}"))

    # The parts.

    def _choose(self, part: str) -> None:
        self._part = part
        for each in PARTS:
            self.query_one(f"#{each}").set_class(each == part, "-shown")
        found = self._beside.found if self._beside else None
        counts = {"files": len(found.files), "pictures": len(found.pictures)} if found else {}
        self.query_one(TabLine).show([(name, f"{name} {counts.get(name, '')}".strip()) for name in PARTS], part)
        focus = {"dialogues": "#said-a", "files": "CodeLines", "pictures": ""}[part]
        if focus:
            self.query_one(focus).focus()
        else:
            self.set_focus(None)

    @on(TabLine.Chosen)
    def _tab_chosen(self, message: TabLine.Chosen) -> None:
        self._choose(message.name)

    def action_next_part(self) -> None:
        """The next part."""
        self._choose(PARTS[(PARTS.index(self._part) + 1) % len(PARTS)])

    def action_previous_part(self) -> None:
        """The part before."""
        self._choose(PARTS[(PARTS.index(self._part) - 1) % len(PARTS)])

    def action_next(self) -> None:
        """The next of the part that is shown."""
        self._step(1)

    def action_previous(self) -> None:
        """The one before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        if self._beside is None:
            return
        match self._part:
            case "files":
                self.query_one(CodePane).next_file(step)
            case "pictures":
                self._pair += step
                self._show_pair()
            case _ if step > 0:
                self._to_parting()
            case _:
                for side in ("a", "b"):
                    self.query_one(f"#said-{side}", Dialogue).move_to(0)

    def action_open_a(self) -> None:
        """The episode of A alone."""
        self._open(0)

    def action_open_b(self) -> None:
        """The episode of B alone."""
        self._open(1)

    def _open(self, side: int) -> None:
        from iwtui.tui.screens.episode import EpisodeScreen

        self.app.push_screen(EpisodeScreen(self._names[side]))

    def _to_parting(self) -> None:
        """The dialogues to the last thing that was said up to where the two part."""
        found = self._beside.found.divergence if self._beside else None
        if found is None:
            return
        for side, moment in (("a", found.a), ("b", found.b)):
            if moment is not None and not moment.judging:
                self.query_one(f"#said-{side}", Dialogue).go(moment.seq)

    # Files.

    def action_when(self) -> None:
        """The files at the end, or where the two part."""
        self._at_end = not self._at_end
        self._show_files()

    def _show_files(self) -> None:
        if self._beside is None:
            return
        entries = self._beside.entries if self._at_end else self._beside.entries_then
        when = "at the end" if self._at_end else "after the turn in which they part"
        differ = counted(len(entries), "file differs", "files differ")
        self.query_one("#file-pane", Titled).entitle(f"{differ} {when}, from A to B")
        code = self.query_one(CodePane)
        code.show_files(entries)
        if not entries:
            code.show_nothing("The files are the same.")

    @on(CodePane.FileChosen)
    def _file_chosen(self, message: CodePane.FileChosen) -> None:
        message.stop()
        if self._beside is not None:
            before = self._beside.before(message.entry, self._at_end)
            reading = partial(self._read_file, message.entry, before)
            self.run_worker(reading, thread=True, group="texts", exclusive=True, exit_on_error=False)

    def _read_file(self, entry: FileEntry, before: str | None) -> None:
        """In a thread."""
        worker = get_current_worker()
        texts = read_file(console(self).store.blobs, before, entry.blob)
        if not worker.is_cancelled:
            self.post_message(self.FileRead(entry, texts))

    @on(FileRead)
    def _file_read(self, message: FileRead) -> None:
        code = self.query_one(CodePane)
        if message.entry == code.entry:
            code.show_texts(message.entry.path, *message.texts)

    # Pictures.

    def _show_pair(self) -> None:
        pairs: Sequence[PicturePair] = self._beside.found.pictures if self._beside else ()
        self._pair = self._pair % len(pairs) if pairs else 0
        for side in ("a", "b"):
            view, pane = self.query_one(f"#seen-{side}", PictureView), self.query_one(f"#picture-{side}", Titled)
            if not pairs:
                view.show(None)
                pane.entitle(f"{side.upper()}: no picture")
                continue
            pair = pairs[self._pair]
            blob, turn = (pair.a, pair.turn_a) if side == "a" else (pair.b, pair.turn_b)
            view.show(blob, None, f"{pair.label}, turn {turn}" if blob else "")
            there = f"turn {turn}" if blob else "none"
            pane.entitle(f"{side.upper()}  {pair.label}: {there}  ({self._pair + 1}/{len(pairs)})")
