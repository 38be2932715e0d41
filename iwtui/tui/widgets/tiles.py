"""Figures at a glance: tiles with their n, and the bar of outcomes."""

from typing import TYPE_CHECKING, NamedTuple

from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from iwtui.tui.look import STATUSES
from iwtui.tui.written import counted, dollars, margin, number, percent, seconds

if TYPE_CHECKING:
    from iwtui.analysis.figures import Figures

NARROWEST = 12
"""Columns of a tile."""

WIDEST = 20


class _Tile(NamedTuple):
    title: str
    value: str
    note: str


def _tiles(figures: "Figures") -> list[_Tile]:
    n = f"n {figures.n}"
    asked = "" if figures.ask_rate is None else f"{100 * figures.ask_rate:.0f} % asked"
    return [
        _Tile("TCR %", percent(figures.tcr), f"{margin(figures.tcr_low, figures.tcr_high)} {n}".strip()),
        _Tile("SR %", percent(figures.sr), f"{margin(figures.sr_low, figures.sr_high)} {n}".strip()),
        _Tile("HR %", percent(figures.hr), f"{margin(figures.hr_low, figures.hr_high)} n {figures.hr_n}".strip()),
        _Tile("asks", number(figures.clarifies), asked),
        _Tile("turns", number(figures.turns), seconds(figures.seconds)),
        _Tile("$", dollars(figures.cost, figures.unpriced), f"{counted(figures.episodes, 'episode')}"),
        _Tile(
            "POSITIVE %", percent(figures.tcr_clean), f"{margin(figures.tcr_clean_low, figures.tcr_clean_high)} {n}".strip()
        ),
    ]


class Tiles(Widget):
    """TCR, SR, HR, questions, turns and cost: titles, figures, and what they are made from."""

    DEFAULT_CSS = """
    Tiles { height: 3; padding: 0 1; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._figures: Figures | None = None

    def show(self, figures: "Figures") -> None:
        """These figures."""
        if figures != self._figures:
            self._figures = figures
            self.refresh()

    def render(self) -> RenderResult:
        if self._figures is None:
            return Content("")
        tiles = _tiles(self._figures)
        count = min(len(tiles), max(1, self.size.width // NARROWEST))
        width = min(WIDEST, self.size.width // count)
        kept = tiles[:count]
        lines = [
            Content("").join(_cell(text, style if place else first, width) for place, text in enumerate(texts))
            for texts, style, first in (
                ([tile.title for tile in kept], "$dim", "$dim"),
                ([tile.value for tile in kept], "bold", "bold $accent"),
                ([tile.note for tile in kept], "$dim", "$dim"),
            )
        ]
        return Content("\n").join(lines)


def _cell(text: str, style: str, width: int) -> Content:
    cell = Content.styled(text, style).truncate(width - 1, ellipsis=True)
    return cell.pad_right(width - cell.cell_length)


class OutcomeBar(Widget):
    """How the episodes ended: a bar with a part for each status, and the counts in words."""

    DEFAULT_CSS = """
    OutcomeBar { height: 1; padding: 0 1; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._counts: tuple[tuple[str, int], ...] = ()
        self._policy = ""

    def show(self, figures: "Figures", policy: str) -> None:
        """The outcomes of these, and the policy that says who counts."""
        counts = tuple((status, int(getattr(figures, status))) for status in STATUSES)
        if (counts, policy) != (self._counts, self._policy):
            self._counts, self._policy = counts, policy
            self.refresh()

    def render(self) -> RenderResult:
        whole = sum(count for _, count in self._counts)
        if not whole:
            return Content("")
        legend = Content("  ").join(
            Content.styled(f"{STATUSES[status].glyph} {count} {status}", STATUSES[status].style)
            for status, count in self._counts
            if count
        )
        policy = Content.styled(f"policy {self._policy}", "$dim")
        room = self.size.width - legend.cell_length - policy.cell_length - 4
        if room < 6:
            return legend.truncate(self.size.width, ellipsis=True)
        parts: list[tuple[str, str]] = []
        done = 0
        seen = 0
        for status, count in self._counts:
            seen += count
            cells = round(room * seen / whole) - done
            done += cells
            parts.append(("━" * cells, STATUSES[status].style))
        return Content.assemble(Content.assemble(*parts), "  ", legend, "  ", policy)
