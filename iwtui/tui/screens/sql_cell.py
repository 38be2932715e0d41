"""One cell of a result, whole: text as it is, JSON and nested values laid out, a blob in hexadecimal."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.state.sql_cells import Whole, whole_cell
from iwtui.tui.text import safe_text
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.line_view import wrapped
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.titled import Titled

PIECE = 2_000
"""Characters of a line that are laid out at once."""


class _Pieces:
    """The lines of a text as a source, very long ones in pieces."""

    def __init__(self, text: str) -> None:
        lines = (line or " " for line in text.split("\n"))
        self.pieces = [line[at : at + PIECE] for line in lines for at in range(0, len(line), PIECE)]

    def __len__(self) -> int:
        return len(self.pieces)

    def key(self, index: int) -> Hashable:
        return index

    def lines(self, index: int, width: int) -> list[Content]:
        return wrapped(safe_text(self.pieces[index]), width)

    def chars(self, index: int) -> int:
        return len(self.pieces[index])


class CellScreen(Screen[None]):
    """The value of a cell, as Arrow has it. `name`, `kind`: its column and type."""

    TITLE = "cell"
    BINDINGS: ClassVar = [*bindings_for("cell"), Binding("escape", "back", "back", id="app.back")]
    AUTO_FOCUS = "LineList"
    DEFAULT_CSS = """
    CellScreen { layout: vertical; }
    CellScreen #text { height: 1fr; padding: 0 1; }
    """

    @dataclass
    class _Read(Message):
        whole: Whole
        pieces: _Pieces

    def __init__(self, scalar: Any, name: str, kind: str, row: int) -> None:
        super().__init__()
        self._scalar = scalar
        self._name = one_line(name, 60)
        self._kind = one_line(kind, 60)
        self._text = ""
        self.sub_title = f"row {row + 1:,}"

    def compose(self) -> ComposeResult:
        yield Crumbs()
        with Titled(f"{self._name}  {self._kind}", id="text"):
            yield LineList(empty="Reading …")
        find = FindBar()
        find.placeholder = "find in this cell"
        yield find
        yield Keys()

    def on_mount(self) -> None:
        """Long values take a moment."""
        self.run_worker(self._read, thread=True, group="cell", exit_on_error=False)

    def _read(self) -> None:
        """In a thread."""
        whole = whole_cell(self._scalar)
        self.post_message(self._Read(whole, _Pieces(whole.text)))

    @on(_Read)
    def _was_read(self, message: _Read) -> None:
        message.stop()
        self._text = message.whole.text
        lines = self.query_one(LineList)
        lines.empty = "An empty text."
        lines.show(message.pieces if self._text else _Pieces(""), index=0, another=True)
        self.query_one("#text", Titled).say(message.whole.left_out or f"{len(self._text):,} characters")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed is told of."""
        if event.state is WorkerState.ERROR:
            console(self).notify_text(str(event.worker.error), title="The cell cannot be read", severity="error")

    def action_find(self) -> None:
        """Find text in the cell."""
        self.query_one(FindBar).open()

    @on(FindBar.Asked)
    def _find_asked(self, message: FindBar.Asked) -> None:
        lines = self.query_one(LineList)
        lines.find(message.text)
        lines.focus()
        wanted = message.text.casefold()
        pieces = lines._source.pieces if isinstance(lines._source, _Pieces) else []
        found = [place for place, piece in enumerate(pieces) if wanted in piece.casefold()] if wanted else []
        if found:
            lines.move_to(next((place for place in found if place > lines.index), found[0]))
        elif wanted:
            console(self).notify_text("it is not in this cell", title="Not found")

    @on(FindBar.GivenUp)
    def _find_given_up(self) -> None:
        self.query_one(LineList).focus()

    def copied(self) -> str:
        """The whole cell."""
        return self._text

    def action_back(self) -> None:
        """Back to the rows."""
        self.dismiss(None)
