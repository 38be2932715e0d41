"""What the plots of Metrics draw: marks that can be chosen, and where they stand. Pure; all names are data."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from iwtui.tui.part_rows import label_text
from iwtui.tui.written import NOTHING, counted, number, percent

if TYPE_CHECKING:
    from iwtui.analysis.plots import Plots

CEILINGS = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Where an axis of shares may end."""


class Kind(Enum):
    """How marks are drawn: as columns side by side, or as points at their x."""

    COLUMNS = "columns"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Mark:
    """`y` between 0 and 1; None: not known. `named`: what it is called, `told`: what there is to say of it.

    `filter` keeps its episodes.
    `series`: which of the chart's series it is one of.
    """

    label: str
    x: float
    y: float | None
    named: str
    told: str
    filter: str
    series: int = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """`empty`: what is said when there are no marks. `unit`: of the x axis of points."""

    title: str
    kind: Kind
    marks: tuple[Mark, ...] = ()
    series: tuple[str, ...] = ()
    unit: str = ""
    empty: str = "no episodes yet"

    @property
    def ceiling(self) -> float:
        """Where the y axis ends."""
        most = max((mark.y for mark in self.marks if mark.y is not None), default=1.0)
        return next((ceiling for ceiling in CEILINGS if most <= ceiling), 1.0)

    @property
    def span(self) -> tuple[float, float]:
        """Where the x axis of points begins and ends: at zero, unless all of them would stand at its far end."""
        least, most = (end((mark.x for mark in self.marks), default=0.0) for end in (min, max))
        return (least if 0 < most < 2 * least and least < most else 0.0), most or 1.0


def by_turn(plots: "Plots") -> Chart:
    """Mean TCR by turns played."""
    marks = tuple(
        Mark(
            point.label,
            place,
            point.value,
            f"{point.label} {'turn' if point.label == '1' else 'turns'}",
            f"TCR {percent(point.value)} %, n {point.n}",
            point.filter,
        )
        for place, point in enumerate(plots.tcr_by_turn)
    )
    return Chart("TCR % by turns played", Kind.COLUMNS, marks)


def by_lines(plots: "Plots") -> Chart:
    """Share hallucinated by lines of code, with the rank correlation over single episodes."""
    marks = tuple(
        Mark(
            str(one.low),
            place,
            one.hallucinated,
            f"{one.low} to {one.high} lines",
            f"{percent(one.hallucinated)} % hallucinated, n {one.n}",
            one.filter,
        )
        for place, one in enumerate(plots.loc_hallucination)
    )
    told = plots.correlation
    sure = NOTHING if told.p is None else "<0.001" if told.p < 0.001 else number(told.p, 3)
    title = f"HR % by LOC · ρ {number(told.rho, 2)}, p {sure}, n {told.n}"
    return Chart(title, Kind.COLUMNS, marks, empty="no episode with lines of code yet")


def by_cost(plots: "Plots") -> Chart:
    """Mean TCR against mean cost, a point for each builder with each persona; builders are the series."""
    drawn = [one for one in plots.cost_tcr if one.cost is not None and one.tcr is not None]
    builders = list(dict.fromkeys(one.builder for one in drawn))
    marks = [
        Mark(
            f"{label_text(one.builder)} {label_text(one.persona)}",
            one.cost or 0.0,
            one.tcr,
            f"{label_text(one.builder)} × {label_text(one.persona)}",
            f"$ {one.cost:.3g}, TCR {percent(one.tcr)} %, n {one.n}"
            + (f", {one.unpriced} unpriced" if one.unpriced else ""),
            one.filter,
            builders.index(one.builder),
        )
        for one in drawn
    ]
    unpriced = sum(one.unpriced for one in plots.cost_tcr)
    aside = f" · {counted(unpriced, 'episode')} unpriced" if unpriced else ""
    return Chart(
        f"TCR % against ${aside}",
        Kind.POINTS,
        tuple(sorted(marks, key=lambda mark: (mark.x, mark.label))),
        tuple(label_text(builder) for builder in builders),
        "$",
        "no episode has a known price",
    )


@dataclass(frozen=True, slots=True)
class Slots:
    """Where columns stand: those from `first` on, each `width` cells with its gap."""

    first: int
    width: int
    count: int

    def left(self, index: int) -> int:
        """The cell at which the column of a mark begins, its gap excluded."""
        return (index - self.first) * self.width

    @property
    def bar(self) -> int:
        """Cells of a column without its gap."""
        return max(1, self.width - 1) if self.width > 1 else 1


WIDEST_SLOT = 8


def slots(count: int, room: int, at: int, first: int = 0) -> Slots:
    """Columns in so many cells, the one at the cursor always among them."""
    if count == 0 or room < 1:
        return Slots(0, 1, 0)
    width = max(1, min(WIDEST_SLOT, (room + 1) // count))
    shown = min(count, (room + 1) // width if width > 1 else room)
    first = max(0, min(first, at, count - shown), at - shown + 1)
    return Slots(first, width, shown)


def place(value: float, least: float, most: float, cells: int) -> int:
    """The cell of a value between two ends."""
    return max(0, min(cells - 1, round((value - least) / (most - least) * (cells - 1)))) if most > least else 0


def nearest(spots: Sequence[tuple[int, int] | None], x: int, y: int) -> int | None:
    """The mark whose spot is nearest to a cell; cells are twice as high as wide."""
    seen = [(abs(spot[0] - x) + 2 * abs(spot[1] - y), index) for index, spot in enumerate(spots) if spot is not None]
    return min(seen)[1] if seen else None
