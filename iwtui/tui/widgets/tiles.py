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
from iwtui.tui.written import NOTHING, counted, dollars, margin, number, percent, seconds

if TYPE_CHECKING:
    from iwtui.analysis.figures import Figures
    from iwtui.analysis.repeats import Repeats

NARROWEST = 12
"""Columns of a tile, at least; one with a longer note has more."""

WIDEST = 20


class _Tile(NamedTuple):
    title: str
    value: str
    note: str
    order: Order
    """Of the episodes that it is made from: those that make it what it is come first."""


def _tiles(figures: "Figures", repeats: "Repeats | None") -> list[_Tile]:
    asked = "" if figures.ask_rate is None else f"{100 * figures.ask_rate:.0f} % asked"
    cost = dollars(figures.cost, figures.unpriced)
    return [
        _Tile("TCR %", percent(figures.tcr), _of(figures, "tcr"), LOWEST),
        _Tile("SR %", percent(figures.sr), _of(figures, "sr"), LOWEST),
        _Tile("HR %", percent(figures.hr), _of(figures, "hr"), _most("HR")),
        _Tile("asks", number(figures.clarifies), asked, _most("asks")),
        _Tile("turns", number(figures.turns), seconds(figures.seconds), _most("turn")),
        _Tile("$", cost, counted(figures.episodes, "episode"), _most("$")),
        _Tile("POSITIVE %", percent(figures.tcr_clean), _of(figures, "tcr_clean"), Order("POSITIVE %")),
        *(tile for tile in _rarer(figures) if tile.value != NOTHING),
        *_passes(repeats),
    ]


def _passes(repeats: "Repeats | None") -> list[_Tile]:
    """How often all repeats of a case pass, and one of them at least; only where there are several."""
    if repeats is None or repeats.repeats < 2:
        return []
    last = repeats.passes[-1]
    return [_Tile(f"pass^{last.k} %", percent(last.pass_all), f"pass@{last.k} {percent(last.pass_at)}", LOWEST)]


def _rarer(figures: "Figures") -> list[_Tile]:
    """Figures that many episodes do not have."""
    lines = f"n {figures.known['loc']}"
    return [
        _Tile("LOC", number(figures.loc, 0), lines, _most("LOC")),
        _Tile("VCI", number(figures.vci, 2), "checks/build", _most("checks")),
        _Tile("IAS", number(figures.ias, 2), f"n {figures.known['ias']}", Order("IAS")),
        _Tile("CHR %", percent(figures.chr), _of(figures, "chr"), _most("CHR %")),
        _Tile("VBR %", percent(figures.vbr), _of(figures, "vbr"), _most("VBR %")),
    ]


def _of(figures: "Figures", name: str) -> str:
    """The interval of a figure, and how many episodes it is made from."""
    interval = margin(*figures.interval(name))
    return f"{interval} n {figures.known[name]}".strip()


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
        self._repeats: Repeats | None = None
        self._place = 0

    @dataclass
    class Chosen(Message):
        """The reader wants the episodes of a figure, in this order."""

        order: Order

    def show(self, figures: "Figures", repeats: "Repeats | None" = None) -> None:
        """These figures, and what the repeats say."""
        if (figures, repeats) != (self._figures, self._repeats):
            self._figures, self._repeats = figures, repeats
            self.refresh()

    def copied(self) -> str:
        """All figures, a line each."""
        tiles = _tiles(self._figures, self._repeats) if self._figures else []
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
        if self._figures is None:
            return []
        tiles = _tiles(self._figures, self._repeats)
        longest = max(len(tile.note) for tile in tiles)
        return tiles[: max(1, self.content_size.width // max(NARROWEST, min(longest + 1, WIDEST)))]

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

    def show(self, figures: "Figures") -> None:
        """The outcomes of these."""
        counts = tuple((status, int(getattr(figures, status))) for status in STATUSES)
        if counts != self._counts:
            self._counts = counts
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
        room = self.size.width - legend.cell_length - 4
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
        return Content.assemble(Content.assemble(*parts), "  ", legend)
