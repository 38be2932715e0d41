"""The timeline: one line for each event of an episode."""

from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message

from iwtui.bench.text import visible
from iwtui.tui.look import ACTIONS
from iwtui.tui.state.shapes import Row
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.tones import tone_style

_TONED = {"good", "bad", "warn", "dim"}

NO_MARKS: Mapping[int, str] = {}


class Timeline(LineList):
    """Rows with a cursor. Only what the reader does is posted; what the program does (`show_rows`, `go`) is not."""

    @dataclass
    class RowChosen(Message):
        """The reader moved the cursor to the event `seq`."""

        timeline: "Timeline"
        seq: int

    @dataclass
    class RowOpened(Message):
        """The reader pressed enter on, or clicked twice, the event `seq`."""

        timeline: "Timeline"
        seq: int

    def __init__(self, *, empty: str = "No events yet.", id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(empty=empty, wrap=False, id=id, classes=classes)
        self.rows: Sequence[Row] = ()

    def show_rows(
        self,
        rows: Sequence[Row],
        *,
        seq: int | None = None,
        follow: bool | None = None,
        marks: Mapping[int, str] = NO_MARKS,
    ) -> None:
        """These rows, which may have grown; the cursor at `seq` (None: where it is); `follow` the end or not.

        `marks`: what stands beside the change of files of a turn.
        """
        self.rows = rows
        self.show(_Rows(rows, marks), index=None if seq is None else self._index(seq), follow=follow)

    def go(self, seq: int) -> None:
        """The cursor to the last row that is not after `seq`."""
        self.move_to(self._index(seq))

    def copied(self) -> str:
        """The row at the cursor, as text."""
        return self.rows[self.index].text if self.index >= 0 else ""

    def moved(self, index: int) -> None:
        self.post_message(self.RowChosen(self, self.rows[index].seq))

    def opened(self, index: int) -> None:
        self.post_message(self.RowOpened(self, self.rows[index].seq))

    def _index(self, seq: int) -> int:
        return max(0, bisect_right(self.rows, seq, key=lambda row: row.seq) - 1)


class _Rows:
    """Rows as lines: turn (where it begins), glyph, text."""

    def __init__(self, rows: Sequence[Row], marks: Mapping[int, str]) -> None:
        self._rows = rows
        self._marks = marks

    def __len__(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> Hashable:
        return self._rows[index], self._mark(self._rows[index])

    def chars(self, index: int) -> int:
        return 0

    def lines(self, index: int, width: int) -> list[Content]:
        row = self._rows[index]
        style = tone_style("dim" if row.discarded else row.tone)
        number = (f"s{row.slot}" if row.slot is not None else "" if row.judging else f"{row.turn}") if row.opens else ""
        text = visible(row.text)
        word = ("", "")
        if row.tone in ACTIONS and not row.discarded:
            first, space, text = text.partition(" ")
            word = (first + space, f"bold {style}")
        said = style if row.tone in _TONED or row.discarded else ""
        if mark := self._mark(row):
            word = (f"{mark}  ", "bold $accent")
        return [Content.assemble(f"{number:>3} ", (f"{visible(row.glyph) or ' '} ", style), word, (text, said))]

    def _mark(self, row: Row) -> str:
        changed = row.kind == "FilesChanged" and not row.judging and not row.discarded
        return self._marks.get(row.turn, "") if changed else ""
