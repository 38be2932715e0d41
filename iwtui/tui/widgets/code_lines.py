"""A file, or what changed in it, as a list of numbered and coloured lines in one column or two."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import count, zip_longest
from typing import Self

from textual.content import Content

from iwtui.tui.widgets.diffing import Row, diff, folded, paired
from iwtui.tui.widgets.highlighting import code_lines
from iwtui.tui.widgets.line_view import wrapped
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.tones import tone_style

SPLIT_FROM = 100
"""Columns from which a change is shown in two columns."""

_numbers = count()


@dataclass(frozen=True)
class Listing:
    """Two states of a file, compared and coloured. `rows`: all lines of both."""

    before: list[Content]
    after: list[Content]
    rows: list[Row]
    created: bool
    deleted: bool
    number: int = field(default_factory=_numbers.__next__)

    @classmethod
    def of(cls, path: str, before: str | None, after: str | None) -> Self:
        """Compares and colours; takes its time (0.3 s for 5,000 lines), so it is meant for a thread."""
        old, old_inked = code_lines(before or "", path)
        new, new_inked = code_lines(after or "", path)
        rows = diff(old, new)
        return cls(old_inked, new_inked, rows, before is None, after is None)

    @property
    def changed(self) -> bool:
        """Whether both states are there, and differ."""
        return not self.created and not self.deleted and any(row.sign != " " for row in self.rows)

    def differs(self, row: Row) -> bool:
        """Whether a row shows a change; in two columns an old line may stand beside another new one."""
        if row.folded:
            return False
        return row.old is None or row.new is None or self.before[row.old].plain != self.after[row.new].plain


class CodeLines(LineList):
    """The change of a file as long as there is one and nobody asked for the whole; enter unfolds what was left out."""

    def __init__(self, *, empty: str = "", id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(empty=empty, id=id, classes=classes)
        self.whole = ""
        self._listing: Listing | None = None
        self._diff = True
        self._split: bool | None = None
        self._laid_split = False
        self._unfolded: frozenset[int] = frozenset()
        self._rows: list[Row] = []

    def show_listing(self, listing: Listing) -> None:
        """This file, from its beginning or its first change on."""
        self._listing = listing
        self._unfolded = frozenset()
        self.whole = "\n".join(line.plain for line in (listing.before if listing.deleted else listing.after))
        self.empty = "The file is empty."
        self._lay(first=True)

    def show_nothing(self, why: str) -> None:
        """No file, and why."""
        self._listing = None
        self.whole = ""
        self.empty = why
        self._rows = []
        self.show(_Lines(self._rows, None, False), another=True)

    def toggle_diff(self) -> None:
        """The change, or the whole file."""
        self._diff = not self._diff
        self._lay(first=True)

    def toggle_split(self) -> None:
        """One column or two."""
        self._split = not self._is_split
        self._lay()

    def on_resize(self) -> None:
        super().on_resize()
        if self._width and self._laid_split != self._is_split:
            self._lay()

    def opened(self, index: int) -> None:
        row = self._rows[index]
        if row.folded and row.new is not None:
            self._unfolded |= {row.new}
            self._lay(another=False)

    @property
    def line(self) -> int | None:
        """The line (0-based) of the newer state at the cursor; None where there is none."""
        row = self._rows[self.index] if 0 <= self.index < len(self._rows) else None
        return row.new if row and not row.folded else None

    @property
    def _is_split(self) -> bool:
        return self._width >= SPLIT_FROM if self._split is None else self._split

    def _lay(self, *, first: bool = False, another: bool = True) -> None:
        listing = self._listing
        if listing is None:
            return
        as_diff = self._diff and listing.changed
        split = as_diff and self._is_split
        rows = listing.rows
        if as_diff:
            rows = folded(rows, self._unfolded)
            rows = paired(rows) if split else rows
        elif not listing.deleted:
            rows = [row for row in rows if row.new is not None]
        self._laid_split = self._is_split
        self._rows = rows
        start = next((number for number, row in enumerate(rows) if listing.differs(row)), 0) if listing.changed else 0
        self.show(_Lines(rows, listing, split), index=start if first else self.index, another=another)


class _Lines:
    """Rows as lines."""

    def __init__(self, rows: list[Row], listing: Listing | None, split: bool) -> None:
        self._rows = rows
        self._listing = listing
        self._split = split
        longest = max(len(listing.before), len(listing.after)) if listing else 0
        self._digits = max(3, len(str(longest)))

    def __len__(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> Hashable:
        return self._listing.number if self._listing else 0, self._rows[index], self._split

    def chars(self, index: int) -> int:
        assert self._listing is not None
        row = self._rows[index]
        old = len(self._listing.before[row.old]) if row.old is not None and not row.folded else 0
        new = len(self._listing.after[row.new]) if row.new is not None and not row.folded else 0
        return 2 * max(old, new) if self._split else max(old, new) + self._digits + 3

    def lines(self, index: int, width: int) -> list[Content]:
        listing, row = self._listing, self._rows[index]
        assert listing is not None
        if row.folded:
            return [Content.styled(f"{'⋯':>{self._digits}}   {row.folded} unchanged lines", tone_style("dim"))]
        if not self._split:
            sign, number = row.sign, row.old if row.new is None else row.new
            text = listing.before[row.old or 0] if row.new is None else listing.after[row.new]
            return self._numbered(number, sign, text, width, tinted=listing.changed)
        half = (width - 1) // 2
        changed = listing.differs(row)
        left = self._side(row.old, "-" if changed else " ", listing.before, half)
        right = self._side(row.new, "+" if changed else " ", listing.after, half)
        bar = Content.styled("│", tone_style("dim"))
        blank = Content(" " * half)
        return [Content.assemble(a or blank, bar, b or blank) for a, b in zip_longest(left, right)]

    def _side(self, number: int | None, sign: str, texts: list[Content], width: int) -> list[Content]:
        return [] if number is None else self._numbered(number, sign, texts[number], width, tinted=True)

    def _numbered(self, number: int | None, sign: str, text: Content, width: int, *, tinted: bool) -> list[Content]:
        """A line with its number and sign, filled up to the width, in the colour of its change."""
        lead = self._digits + 3
        ink = {"+": "$diff-added", "-": "$diff-removed"}.get(sign, tone_style("dim"))
        shown = []
        for part, line in enumerate(wrapped(text, max(1, width - lead))):
            numbered = f"{number + 1:>{self._digits}} " if number is not None and part == 0 else " " * (self._digits + 1)
            whole = Content.assemble((numbered, tone_style("dim")), (f"{sign if part == 0 else ' '} ", ink), line)
            whole = whole.pad_right(max(0, width - whole.cell_length))
            shown.append(whole.stylize_before(f"on {ink} 12%") if tinted and sign in "+-" else whole)
        return shown
