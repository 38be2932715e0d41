"""The dialogue: what the client, the builder and the others said to each other."""

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message

from iwtui.tui.state.shapes import Block
from iwtui.tui.text import safe_line, safe_text
from iwtui.tui.widgets.line_view import wrapped
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.tones import speaker_style, tone_style

PIECE = 2_000
"""Characters of a text that are laid out at once at most: a longer text is several items."""

INDENT = 2


class Dialogue(LineList):
    """Blocks with a cursor; enter, or `toggle_reasoning`, unfolds what the builder thought."""

    DEFAULT_CSS = """
    Dialogue {
        & > .line-list--cursor { background: transparent; }
        & > .line-list--cursor-focused { background: $primary 5%; }
    }
    """

    @dataclass
    class BlockChosen(Message):
        """The reader moved the cursor to the block that was said at the event `seq`."""

        dialogue: "Dialogue"
        seq: int

    @dataclass
    class WholeWanted(Message):
        """The reader opened a block of which only the beginning is known here: `show_blocks` is to bring the whole."""

        dialogue: "Dialogue"
        block: Block

    def __init__(self, *, empty: str = "Nobody has spoken yet.", id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(empty=empty, id=id, classes=classes)
        self.blocks: list[Block] = []
        self._open: set[int] = set()
        self._all_open = False
        self._pieces: list[_Piece] = []
        self._firsts: list[int] = []

    def show_blocks(self, blocks: Sequence[Block], *, seq: int | None = None, follow: bool | None = None) -> None:
        """These blocks, which may have grown; the cursor at the last block not after the event `seq` (None: where it is)."""
        same = 0
        for old, new in zip(self.blocks, blocks, strict=False):
            if old is not new and old != new:
                break
            same += 1
        self._lay(blocks, same)
        self.show(_Pieces(self._pieces), index=None if seq is None else self._index(seq), follow=follow)

    def go(self, seq: int) -> None:
        """The cursor to the last block that was said not after the event `seq`."""
        self.move_to(self._index(seq))

    @property
    def block(self) -> Block | None:
        """The block at the cursor."""
        return self._pieces[self.index].block if 0 <= self.index < len(self._pieces) else None

    def toggle_reasoning(self, everywhere: bool = False) -> None:
        """Unfolds or folds the reasoning of the block at the cursor, or of all."""
        block = self.block
        if everywhere:
            self._all_open = not self._all_open
            self._open.clear()
        elif block is None or not block.reasoning:
            return
        else:
            self._open ^= {block.seq}
        number = -1 if block is None else self.blocks.index(block)
        self._lay(self.blocks, 0)
        self.show(_Pieces(self._pieces), index=None if number < 0 else self._firsts[number])

    def copied(self) -> str:
        """The text of the block at the cursor."""
        return self.block.text if self.block else ""

    def moved(self, index: int) -> None:
        self.post_message(self.BlockChosen(self, self._pieces[index].block.seq))

    def opened(self, index: int) -> None:
        block = self._pieces[index].block
        if block.reasoning:
            self.toggle_reasoning()
        if block.blob or block.reasoning_blob:
            self.post_message(self.WholeWanted(self, block))

    def _index(self, seq: int) -> int:
        """The first piece of the block; where the cursor is if that is within it."""
        if not self._firsts:
            return 0
        number = max(0, bisect_right(self.blocks, seq, key=lambda block: block.seq) - 1)
        first, end = self._firsts[number], [*self._firsts[number + 1 : number + 2], len(self._pieces)][0]
        return self.index if first <= self.index < end else first

    def _lay(self, blocks: Sequence[Block], same: int) -> None:
        """Pieces of all blocks from number `same` on."""
        if same < len(self._firsts):
            del self._pieces[self._firsts[same] :], self._firsts[same:]
        for number in range(same, len(blocks)):
            self._firsts.append(len(self._pieces))
            block = blocks[number]
            unfolded = self._all_open != (block.seq in self._open)
            self._pieces += _pieces_of(block, unfolded)
        self.blocks = list(blocks)


@dataclass(frozen=True)
class _Piece:
    """A part of a block that is laid out at once. `first` bears the heading, `last` the notes and a free line."""

    block: Block
    part: str
    first: bool
    last: bool
    unfolded: bool


def _pieces_of(block: Block, unfolded: bool) -> list[_Piece]:
    parts = list(_parts(block.text))
    last = len(parts) - 1
    return [_Piece(block, part, number == 0, number == last, unfolded) for number, part in enumerate(parts)]


def _parts(text: str) -> "list[str]":
    """The text in parts of at most PIECE characters, cut at the end of a line or a word where there is one."""
    parts = []
    at = 0
    while len(text) - at > PIECE:
        cut = text.rfind("\n", at + 1, at + PIECE)
        cut = cut if cut > 0 else text.rfind(" ", at + 1, at + PIECE)
        end = cut if cut > 0 else at + PIECE
        parts.append(text[at:end])
        at = end + (cut > 0)
    return [*parts, text[at:]]


class _Pieces:
    """Pieces as lines."""

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._pieces = pieces

    def __len__(self) -> int:
        return len(self._pieces)

    def key(self, index: int) -> Hashable:
        piece = self._pieces[index]
        return piece.block, piece.first or len(piece.part), index, piece.unfolded

    def chars(self, index: int) -> int:
        return len(self._pieces[index].part)

    def lines(self, index: int, width: int) -> list[Content]:
        piece = self._pieces[index]
        block, inner = piece.block, max(1, width - INDENT)
        lines = [*_heading(block), *_reasoning(piece, inner)] if piece.first else []
        if piece.part or not piece.first:
            text = safe_text(piece.part, tone_style("dim") if block.discarded else "")
            lines += [_indented(line) for line in wrapped(text, inner)]
        if piece.last:
            if len(block.text) < block.chars:
                rest = "enter reads on" if block.blob else "`iwtui show --full` tells them all"
                more = f"… the beginning of {block.chars:,} characters; {rest}"
                lines += [_indented(Content.styled(more, tone_style("dim")))]
            for tone, note in block.notes:
                lines += [_indented(line) for line in wrapped(safe_text(note, tone_style(tone)), inner)]
            lines.append(Content(""))
        return lines


def _indented(line: Content) -> Content:
    return Content.assemble(" " * INDENT, line)


def _heading(block: Block) -> list[Content]:
    glyph = (safe_line(f"{block.glyph} ", 4, tone_style(block.tone)), " ") if block.glyph else ()
    said = (safe_line(f" {block.label}", 80, tone_style("dim")),) if block.label else ()
    who = safe_line(block.who, 40, f"bold {speaker_style(block.who)}")
    return [Content.assemble(*glyph, who, *((" ", *said) if said else ()), (f"  turn {block.turn}", tone_style("dim")))]


def _reasoning(piece: _Piece, width: int) -> list[Content]:
    block = piece.block
    if not block.reasoning:
        return []
    mark, words = ("▾", "thought") if piece.unfolded else ("▸", f"thought, {len(block.reasoning):,} characters")
    lines = [_indented(Content.styled(f"{mark} {words}", tone_style("dim")))]
    if piece.unfolded:
        for part in _parts(block.reasoning):
            text = safe_text(part, f"italic {tone_style('dim')}")
            lines += [Content.assemble(" " * INDENT * 2, line) for line in wrapped(text, max(1, width - INDENT))]
    return lines
