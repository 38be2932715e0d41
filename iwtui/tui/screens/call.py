"""One model call: the messages as they were filled in, what came back, and what it took."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerState, get_current_worker

from iwtui.bench.events import ModelCalled
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.state.call import facts, read_call
from iwtui.tui.state.episode import EpisodeView
from iwtui.tui.state.shapes import Block
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.frame import Crumbs, Keys


class CallScreen(Screen[int | None]):
    """The call at the event `seq` of an episode. Its result is the event of the call that was shown last, if another."""

    TITLE = "model call"
    BINDINGS: ClassVar = [*bindings_for("call"), Binding("escape", "back", "back", id="app.back")]
    AUTO_FOCUS = "Dialogue"
    DEFAULT_CSS = """
    CallScreen { layout: vertical; }
    CallScreen #facts { height: auto; padding: 0 1; }
    CallScreen #messages { height: 1fr; padding: 0 1; }
    """

    @dataclass
    class _Read(Message):
        seq: int
        blocks: list[Block]

    def __init__(self, view: EpisodeView, seq: int) -> None:
        super().__init__()
        self.view = view
        self.seq = self._first = seq

    def compose(self) -> ComposeResult:
        yield Crumbs()
        yield Static(id="facts", markup=False)
        with Vertical(id="messages", classes="pane") as pane:
            pane.border_title = "Messages"
            yield Dialogue(empty="Reading …")
        yield Keys()

    def on_mount(self) -> None:
        """Show the call that was asked for."""
        self._show()

    def _show(self) -> None:
        record = self.view.record_at(self.seq)
        call = record.event if record else None
        if not isinstance(call, ModelCalled) or record is None:
            self.dismiss(None)
            return
        place, calls = self.view.calls.index(self.seq) + 1, len(self.view.calls)
        parts = [
            Content.assemble(safe_line(call.role, 40, "bold"), (f"  call {place}/{calls} · turn {record.turn}", "$dim"))
        ]
        parts += [Content.assemble((f"{name} ", "$dim"), safe_line(value)) for name, value in facts(call)]
        self.query_one("#facts", Static).update(Content.styled(" · ", "$dim").join(parts))
        self.query_one(Dialogue).show_blocks(())
        read = partial(self._read, self.seq, call, record.turn)
        self.run_worker(read, thread=True, group="call", exclusive=True, exit_on_error=False)

    def _read(self, seq: int, call: ModelCalled, turn: int) -> None:
        """In a thread."""
        worker = get_current_worker()
        blocks = read_call(console(self).store.blobs, call, turn)
        if not worker.is_cancelled:
            self.post_message(self._Read(seq, blocks))

    @on(_Read)
    def _were_read(self, message: _Read) -> None:
        message.stop()
        if message.seq == self.seq:
            self.query_one(Dialogue).show_blocks(message.blocks, seq=0)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed is told of."""
        if event.state is WorkerState.ERROR:
            console(self).notify_text(str(event.worker.error), title="The call cannot be read", severity="error")

    def action_next_call(self) -> None:
        self._turn(1)

    def action_previous_call(self) -> None:
        self._turn(-1)

    def _turn(self, step: int) -> None:
        calls = self.view.calls
        place = calls.index(self.seq) + step
        if not 0 <= place < len(calls):
            console(self).notify_text(f"There is no call {'after' if step > 0 else 'before'} this one")
            return
        self.seq = calls[place]
        self._show()

    def action_answer(self) -> None:
        """To what came back."""
        self.query_one(Dialogue).go(len(self.query_one(Dialogue).blocks))

    def action_reasoning(self) -> None:
        """Unfold or fold what the model thought."""
        self.query_one(Dialogue).toggle_reasoning(everywhere=True)

    def copied(self) -> str:
        """The message at the cursor."""
        return self.query_one(Dialogue).copied()

    def action_back(self) -> None:
        """Back to the episode, at this call if the reader went on to it."""
        self.dismiss(self.seq if self.seq != self._first else None)
