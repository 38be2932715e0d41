"""The slots that are to be judged, as rows of a table. In a blind row nothing tells what the judge said."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from iwtui.bench.votes import Word
from iwtui.tui.columns import Column
from iwtui.tui.look import VERDICTS, WORDS
from iwtui.tui.text import safe_line
from iwtui.tui.written import NOTHING

if TYPE_CHECKING:
    from iwtui.analysis.agreement import Agreement
    from iwtui.analysis.queue import Item


@dataclass(frozen=True, slots=True)
class SlotRow:
    """`note`: what will be kept with the next verdict on it."""

    item: "Item"
    blind: bool
    note: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        return (self.item.episode, self.item.judging, self.item.slot)

    @property
    def case(self) -> str:
        return self.item.episode.partition("/")[2].partition(".")[0]

    @property
    def builder(self) -> str:
        return self.item.episode.partition("/")[2].partition(".")[2]


COLUMNS = (
    Column("case", 12, grow=1, by=lambda row: row.case),
    Column("slot", 14, grow=2, by=lambda row: (row.item.component, row.item.slot)),
    Column("judge", 12, by=lambda row: None if row.blind else row.item.verdict),
    Column("you", 8, by=lambda row: row.item.mine),
    Column("people", 8, rank=2, by=lambda row: row.item.passes - row.item.fails),
    Column("kind", 11, rank=4, by=lambda row: row.item.kind),
    Column("by", 16, grow=1, rank=5, by=lambda row: row.builder),
)


def cells(row: SlotRow) -> list[Content]:
    """The cells of a slot, for COLUMNS."""
    item = row.item
    look = VERDICTS.get(item.verdict)
    judge = Content.styled("hidden", "$dim") if row.blind else look.worded() if look else Content(NOTHING)
    return [
        safe_line(row.case, 80),
        Content.assemble((f"{item.slot} ", "$dim"), safe_line(item.component, 80)),
        judge,
        word(item.mine, bool(row.note or item.my_note)),
        people(item),
        safe_line(item.kind, 20, "$dim"),
        safe_line(row.builder, 60, "$dim"),
    ]


def word(said: str | None, noted: bool = False) -> Content:
    """A person's word with its glyph; a star says that there is a note."""
    star = Content.styled(" *" if noted else "", "$accent")
    if said is None:
        return Content.styled(NOTHING, "$dim") + star
    look = VERDICTS[WORDS[Word(said)]]
    return Content.styled(f"{look.glyph} {said}", look.style) + star


def people(item: "Item") -> Content:
    """How many say what: `✓2 ✗1`; `disputed` where as many say one thing as the other."""
    if item.disputed:
        return Content.styled(f"✓{item.passes} ✗{item.fails} ≠", "$verdict-unobserved")
    counts = (("✓", item.passes, "$verdict-passed"), ("✗", item.fails, "$verdict-failed"), ("?", item.unsures, "$dim"))
    parts = [Content.styled(f"{glyph}{count}", style) for glyph, count, style in counts if count]
    return Content(" ").join(parts)


def agreement_line(found: "Agreement") -> Content:
    """How far the judge agrees with people by now."""
    if not found.n:
        return Content.styled("nobody has judged any of these yet", "$dim")
    coefficients = [f"{name} {'undefined' if value is None else f'{value:.2f}'}" for name, value in _coefficients(found)]
    return Content.styled("judge and people: ", "$dim") + Content(
        " · ".join([*coefficients, f"FP {found.fp}", f"FN {found.fn}", f"n {found.n}"])
    )


def _coefficients(found: "Agreement") -> tuple[tuple[str, float | None], ...]:
    return (("κ", found.kappa), ("τ", found.tau))
