"""What can be done with the panes of an episode: size, zoom, files, pictures, copying, and the way of the focus."""

from dataclasses import dataclass
from functools import partial

from textual import on
from textual.message import Message
from textual.widget import Widget

from iwtui.bench.events import Blob
from iwtui.bench.fold import EpisodeState
from iwtui.bench.names import EpisodeName
from iwtui.tui.app_protocol import console
from iwtui.tui.line_origins import states_of, written_by
from iwtui.tui.opening import FileTexts, read_file, read_texts
from iwtui.tui.screens.choose_turn import ChooseTurn
from iwtui.tui.screens.episode_panes import EpisodePanes
from iwtui.tui.screens.episode_steps import EpisodeSteps
from iwtui.tui.screens.jump import Jump, badge_place
from iwtui.tui.state.arrangement import PANES, PaneName
from iwtui.tui.state.shapes import FileEntry
from iwtui.tui.widgets.code import CodePane
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.highlighting import plain_lines
from iwtui.tui.widgets.slot_strip import SlotStrip
from iwtui.tui.widgets.timeline import Timeline


class EpisodeActions(EpisodeSteps):
    """The screen has to make `panes` and `strip` when it is composed."""

    @dataclass
    class OriginFound(Message):
        """The turn that wrote a line (0-based) of a file; None: no turn did."""

        turn: int | None
        path: str
        line: int

    @dataclass
    class OtherRead(Message):
        """A file as it was after an earlier turn, and as it is at the cursor."""

        entry: FileEntry
        turn: int
        texts: FileTexts

    panes: EpisodePanes
    strip: SlotStrip

    def __init__(self, episode: EpisodeName) -> None:
        super().__init__()
        self.episode = episode

    def mark_found(self, text: str) -> None:
        self.panes.find(text)

    def refocus(self) -> None:
        self.panes.activate(self.panes.active)

    def action_zoom(self) -> None:
        self.panes.zoom(not self.panes.zoomed)

    def action_wider(self) -> None:
        self._resized(self.panes.widen(1))

    def action_narrower(self) -> None:
        self._resized(self.panes.widen(-1))

    def action_higher(self) -> None:
        self._resized(self.panes.heighten(1))

    def action_lower(self) -> None:
        self._resized(self.panes.heighten(-1))

    def _resized(self, changed: bool) -> None:
        if changed:
            console(self).remembered.shares = self.panes.shares
        else:
            console(self).notify_text("This pane has no neighbour there that could give or take room")

    def action_marks(self) -> None:
        self.panes.toggle_marks()

    def action_reasoning(self) -> None:
        self.panes.dialogue.toggle_reasoning(everywhere=True)

    def action_diff(self) -> None:
        self.panes.code.toggle_diff()

    def action_next_file(self) -> None:
        self.panes.code.next_file(1)

    def action_previous_file(self) -> None:
        self.panes.code.next_file(-1)

    @on(CodePane.OriginAsked)
    def _origin_asked(self, message: CodePane.OriginAsked) -> None:
        message.stop()
        if self.view is not None:
            work = partial(self._look_for_origin, self.view.state, message.entry.path, message.line)
            self.run_worker(work, thread=True, group="origin", exclusive=True, exit_on_error=False)

    def _look_for_origin(self, state: EpisodeState, path: str, line: int) -> None:
        """In a thread."""
        blobs = console(self).store.blobs
        states = states_of(state, path)
        texts = read_texts(blobs, [blob for _, blob in states])
        lines = [(turn, plain_lines(texts[blob])) for turn, blob in states]
        self.post_message(self.OriginFound(written_by(lines, line), path, line))

    @on(OriginFound)
    def _origin_found(self, message: OriginFound) -> None:
        message.stop()
        if message.turn is None or self.view is None:
            console(self).notify_text("No turn of this episode wrote this line", title=message.path)
            return
        said = f"line {message.line + 1} was written in turn {message.turn}"
        console(self).notify_text(said, title=message.path)
        wrote = [row for row in self.view.rows if row.kind == "FilesChanged" and row.turn == message.turn]
        if wrote:
            self._step(lambda view: view.go(wrote[0].seq))

    @on(CodePane.OtherAsked)
    def _other_asked(self, message: CodePane.OtherAsked) -> None:
        message.stop()
        if self.view is None:
            return
        entry = message.entry
        earlier = {turn: blob for turn, blob in states_of(self.view.state, entry.path) if blob != entry.blob}
        if not earlier:
            console(self).notify_text("This file was never another", title=entry.path)
            return

        def chosen(turn: int | None) -> None:
            if turn is not None:
                work = partial(self._read_other, entry, turn, earlier[turn])
                self.run_worker(work, thread=True, group="other", exclusive=True, exit_on_error=False)

        self.app.push_screen(ChooseTurn(entry.path, list(earlier)), chosen)

    def _read_other(self, entry: FileEntry, turn: int, blob: Blob) -> None:
        """In a thread."""
        texts = read_file(console(self).store.blobs, blob, entry.blob)
        self.post_message(self.OtherRead(entry, turn, texts))

    @on(OtherRead)
    def _other_read(self, message: OtherRead) -> None:
        message.stop()
        before, after, note = message.texts
        said = note or f"against turn {message.turn}"
        self.panes.code.show_texts(message.entry.path, before, after, said)

    def action_slots(self) -> None:
        self.strip.focus()

    def action_open_picture(self) -> None:
        path = self.panes.picture.path
        if path is None:
            console(self).notify_text("There is no picture up to this event")
            return
        console(self).copy_text(str(path), "picture")
        console(self).notify_text(str(path), title="The picture is stored in")

    def copied(self) -> str:
        """What the focused pane shows; of a picture its path."""
        focused = self.focused
        if isinstance(focused, SlotStrip | Timeline | Dialogue):
            return focused.copied()
        if self.panes.active is PaneName.CODE:
            return self.panes.code.copied()
        return str(self.panes.picture.path or "") if self.panes.active is PaneName.SCREEN else ""

    def jumps(self) -> list[Jump]:
        """To each pane, those that stand behind others too, and to the slots."""
        places = [place for name in PANES for place in self.panes.pane(name).tab_places()]
        jumps = [Jump(place, partial(self.panes.activate, name)) for name, place in places]
        return [*jumps, Jump(badge_place(self.strip), self.strip.focus)]

    def focus_next(self, selector: str | type[Widget] = "*") -> Widget | None:
        """From pane to pane, those that stand behind others too, then to the slots."""
        return self._focus_on(1)

    def focus_previous(self, selector: str | type[Widget] = "*") -> Widget | None:
        """The other way round."""
        return self._focus_on(-1)

    def _focus_on(self, step: int) -> Widget | None:
        if isinstance(self.focused, SlotStrip):
            self.panes.activate(PANES[0] if step > 0 else PANES[-1])
        elif name := self.panes.next_pane(step):
            self.panes.activate(name)
        else:
            self.strip.focus()
        return self.focused
