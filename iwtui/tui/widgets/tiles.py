"""Figures at a glance: tiles with their n, and the bar of outcomes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from iwtui.tui.actions import bindings_for
from iwtui.tui.look import STATUSES
from iwtui.tui.ordering import Order
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
    order: Order
    """Of the episodes that it is made from: those that make it what it is come first."""


def _tiles(figures: "Figures") -> list[_Tile]:
    asked = "" if figures.ask_rate is None else f"{100 * figures.ask_rate:.0f} % asked"
    cost = dollars(figures.cost, figures.unpriced)
    return [
        _Tile("TCR %", percent(figures.tcr), _of(figures, "tcr"), LOWEST),
        _Tile("SR %", percent(figures.sr), _of(figures, "sr"), LOWEST),
        _Tile("HR %", percent(figures.hr), _of(figures, "hr", figures.hr_n), _most("HR")),
        _Tile("asks", number(figures.clarifies), asked, _most("asks")),
        _Tile("turns", number(figures.turns), seconds(figures.seconds), _most("turn")),
        _Tile("$", cost, counted(figures.episodes, "episode"), _most("$")),
        _Tile("POSITIVE %", percent(figures.tcr_clean), _of(figures, "tcr_clean"), LOWEST),
    ]


def _of(figures: "Figures", name: str, n: int | None = None) -> str:
    """The interval of a figure, and how many episodes it is made from."""
    interval = margin(getattr(figures, f"{name}_low"), getattr(figures, f"{name}_high"))
    return f"{interval} n {figures.n if n is None else n}".strip()


LOWEST = Order("TCR %")


def _most(title: str) -> Order:
    return Order(title, down=True)


class Tiles(Widget, can_focus=True):
    """TCR, SR, HR, questions, turns and cost: titles, figures, and what they are made from. Each can be chosen."""

    BINDINGS = bindings_for("tiles")
    DEFAULT_CSS = """
    Tiles { height: 3; padding: 0 1; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._figures: Figures | None = None
        self._place = 0

    @dataclass
    class Chosen(Message):
        """The reader wants the episodes of a figure, in this order."""

        order: Order

    def show(self, figures: "Figures") -> None:
        """These figures."""
        if figures != self._figures:
            self._figures = figures
            self.refresh()

    def copied(self) -> str:
        """All figures, a line each."""
        tiles = _tiles(self._figures) if self._figures else []
        return "\n".join(f"{tile.title}\t{tile.value}\t{tile.note}" for tile in tiles)

    def action_previous_tile(self) -> None:
        self._go(self._place - 1)

    def action_next_tile(self) -> None:
        self._go(self._place + 1)

    def action_choose(self) -> None:
        """The episodes of the figure at the cursor."""
        if kept := self._kept():
            self.post_message(self.Chosen(kept[min(self._place, len(kept) - 1)].order))

    def on_click(self, event: events.Click) -> None:
        spot = event.get_content_offset(self)
        kept = self._kept()
        if spot is not None and kept and spot.x // self._width(kept) < len(kept):
            self._go(spot.x // self._width(kept))
            self.action_choose()

    def _go(self, place: int) -> None:
        self._place = max(0, min(place, len(self._kept()) - 1))
        self.refresh()

    def _kept(self) -> list[_Tile]:
        """The tiles that there is room for."""
        return _tiles(self._figures)[: max(1, self.content_size.width // NARROWEST)] if self._figures else []

    def _width(self, kept: list[_Tile]) -> int:
        return max(1, min(WIDEST, self.content_size.width // len(kept)))

    def render(self) -> RenderResult:
        kept = self._kept()
        if not kept:
            return Content("")
        width = self._width(kept)
        at = min(self._place, len(kept) - 1) if self.has_focus else -1
        lines = [
            Content("").join(
                _cell(text, f"{style if place else first}{' reverse' if place == at and title else ''}", width)
                for place, text in enumerate(texts)
            )
            for texts, style, first, title in (
                ([tile.title for tile in kept], "$dim", "$dim", True),
                ([tile.value for tile in kept], "bold", "bold $accent", False),
                ([tile.note for tile in kept], "$dim", "$dim", False),
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
