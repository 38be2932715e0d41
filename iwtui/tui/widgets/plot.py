"""A plot whose marks can be chosen by key and by mouse: columns side by side, or points. Drawn in plain characters."""

from dataclasses import dataclass

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from iwtui.tui.actions import bindings_for
from iwtui.tui.charts import Chart, Kind, Mark, nearest, place, slots
from iwtui.tui.text import safe_line, shown_line

AXIS = 5
"""Cells of the y axis: a number and a tick."""

AROUND = 3
"""Lines that are no plot: what is told of the mark at the cursor, the x axis, its labels."""

LEAST = 3
"""Lines of the plot itself, at least."""

EIGHTHS = " ▁▂▃▄▅▆▇█"
GLYPHS = "●■▲◆★○□△◇☆"
"""One for each series; those after the last begin anew."""
COLOURS = ("$action-clarify", "$action-verify", "$action-implement", "$action-submit", "$status-infra", "$action-malformed")

_Cells = list[list[tuple[str, str]]]


class Plot(Widget, can_focus=True):
    """The mark at the cursor is `chosen`, and what is to be told of it stands above the plot."""

    BINDINGS = bindings_for("list", "chart")
    DEFAULT_CSS = """
    Plot { height: 1fr; min-height: 6; padding: 0 1; }
    """

    @dataclass
    class Moved(Message):
        """The reader moved the cursor to another mark."""

        plot: "Plot"

    @dataclass
    class Opened(Message):
        """The reader opened the mark at the cursor."""

        plot: "Plot"

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.chart = Chart("", Kind.COLUMNS, empty="reading …")
        self.at = 0
        self.active = False
        """Whether the cursor is shown."""
        self._first = 0

    @property
    def chosen(self) -> Mark | None:
        """The mark at the cursor; None when there are none."""
        return self.chart.marks[self.at] if self.at < len(self.chart.marks) else None

    def show(self, chart: Chart) -> None:
        """Another chart; the cursor stays on the mark of the same name."""
        if chart == self.chart:
            return
        before = self.chosen.label if self.chosen else None
        self.chart = chart
        self.at = next((index for index, mark in enumerate(chart.marks) if mark.label == before), 0)
        self.refresh()

    def activate(self, active: bool) -> None:
        """Show the cursor, or do not."""
        if active != self.active:
            self.active = active
            self.refresh()

    def go(self, index: int) -> None:
        """The cursor to a mark, as the reader moves it."""
        index = max(0, min(index, len(self.chart.marks) - 1))
        if self.chart.marks and index != self.at:
            self.at = index
            self.refresh()
            self.post_message(self.Moved(self))

    def action_left(self) -> None:
        """The mark to the left."""
        self.go(self.at - 1)

    def action_right(self) -> None:
        """The mark to the right."""
        self.go(self.at + 1)

    def action_cursor_up(self) -> None:
        """The next higher mark, for points; else the one to the left."""
        self._climb(1)

    def action_cursor_down(self) -> None:
        """The next lower mark, for points; else the one to the right."""
        self._climb(-1)

    def action_page_up(self) -> None:
        self.go(self.at - 5)

    def action_page_down(self) -> None:
        self.go(self.at + 5)

    def action_half_page_up(self) -> None:
        self.go(self.at - 3)

    def action_half_page_down(self) -> None:
        self.go(self.at + 3)

    def action_first(self) -> None:
        self.go(0)

    def action_last(self) -> None:
        self.go(len(self.chart.marks) - 1)

    def action_choose(self) -> None:
        """Open the mark at the cursor."""
        if self.chart.marks:
            self.post_message(self.Opened(self))

    def _climb(self, way: int) -> None:
        if self.chart.kind is Kind.COLUMNS:
            self.go(self.at - way)
            return
        order = sorted(range(len(self.chart.marks)), key=lambda index: (self.chart.marks[index].y or 0.0, index))
        if order:
            self.go(order[max(0, min(order.index(self.at) + way, len(order) - 1))])

    def copied(self) -> str:
        """What is told of each mark, a line each."""
        return (
            "\n".join([self.chart.title, *(f"{mark.named}\t{mark.told}" for mark in self.chart.marks)])
            if self.chart.marks
            else ""
        )

    def on_click(self, event: events.Click) -> None:
        spot = event.get_content_offset(self)
        if spot is None or not self.chart.marks:
            return
        index = self._at(spot.x - AXIS, spot.y - self._above)
        if index is not None:
            self.go(index)
            if event.chain == 2:
                self.action_choose()

    # Painting.

    @property
    def _above(self) -> int:
        """Lines above the plot: what is told, and the names of the series."""
        return 2 if len(self.chart.series) > 1 and self.content_size.height > AROUND + 1 + LEAST else 1

    @property
    def _room(self) -> tuple[int, int]:
        """Columns and lines of the plot itself."""
        width, height = self.content_size
        return max(1, width - AXIS), max(LEAST, height - self._above - AROUND + 1)

    def _at(self, x: int, y: int) -> int | None:
        """The mark that stands at a cell of the plot, or nearest to it."""
        width, height = self._room
        if self.chart.kind is Kind.POINTS:
            return nearest(self._spots(width, height), x, y)
        shown = slots(len(self.chart.marks), width, self.at, self._first)
        index = shown.first + x // shown.width
        return index if x >= 0 and index < shown.first + shown.count else None

    def _spots(self, width: int, height: int) -> list[tuple[int, int] | None]:
        """The cell of each point."""
        chart = self.chart
        return [
            None
            if mark.y is None
            else (place(mark.x, *chart.span, width), height - 1 - place(mark.y, 0.0, chart.ceiling, height))
            for mark in chart.marks
        ]

    def render(self) -> RenderResult:
        chosen = self.chosen
        if chosen is None:
            return safe_line(self.chart.empty, 80, "$dim")
        width, height = self._room
        draw = self._columns if self.chart.kind is Kind.COLUMNS else self._points
        cells, axis, labels = draw(width, height)
        told = safe_line(f"{chosen.named}: {chosen.told}", 160, "bold" if self.active else "$dim").truncate(
            self.content_size.width, ellipsis=True
        )
        lines = [told, *([self._legend()] if self._above == 2 else [])]
        middle = (height - 1) // 2
        numbers = {0: self.chart.ceiling, height - 1: 0.0}
        if height % 2:
            numbers[middle] = self.chart.ceiling / 2
        for row, line in enumerate(cells):
            number = f"{100 * numbers[row]:>{AXIS - 2}.0f} ┤" if row in numbers else f"{'│':>{AXIS}}"
            lines.append(Content.assemble((number, "$dim"), *_runs(line)))
        lines.append(Content.assemble((f"{'└':>{AXIS}}", "$dim"), *_runs(axis)))
        lines.append(Content.styled(" " * AXIS + labels, "$dim"))
        return Content("\n").join(lines)

    @property
    def _cursor(self) -> str:
        return "bold $accent" if self.has_focus else "bold $foreground"

    def _columns(self, width: int, height: int) -> tuple[_Cells, list[tuple[str, str]], str]:
        marks, chart = self.chart.marks, self.chart
        shown = slots(len(marks), width, self.at, self._first)
        self._first = shown.first
        cells: _Cells = [[(" ", "")] * width for _ in range(height)]
        axis = [("─", "$dim")] * width
        labels = [" "] * width
        free = 0
        for index in range(shown.first, shown.first + shown.count):
            mark, left = marks[index], shown.left(index)
            here = self.active and index == self.at
            eighths = 0 if mark.y is None else max(1, round(8 * height * mark.y / chart.ceiling)) if mark.y else 0
            style = "$foreground" if here else "$accent"
            for x in range(left, min(left + shown.bar, width)):
                for row in range(height):
                    filled = max(0, min(8, eighths - 8 * (height - 1 - row)))
                    if filled:
                        cells[row][x] = (EIGHTHS[filled], style)
            if mark.y is None:
                cells[height - 1][left] = ("?", "$dim")
            if here:
                axis[min(left + (shown.bar - 1) // 2, width - 1)] = ("▲", self._cursor)
            free = _put(labels, mark.label, left, shown.bar, free)
        return cells, axis, "".join(labels).rstrip()

    def _points(self, width: int, height: int) -> tuple[_Cells, list[tuple[str, str]], str]:
        marks, spots = self.chart.marks, self._spots(width, height)
        cells: _Cells = [[(" ", "")] * width for _ in range(height)]
        axis = [("─", "$dim")] * width
        order = [index for index in range(len(marks)) if index != self.at] + [self.at]
        for index in order:
            spot = spots[index]
            if spot is None:
                continue
            here = self.active and index == self.at
            style = _series_style(marks[index].series)
            cells[spot[1]][spot[0]] = (_series_glyph(marks[index].series), f"{style} reverse" if here else style)
            if here:
                axis[spot[0]] = ("▲", self._cursor)
                beside = spot[0] + 1 if spot[0] + 1 < width else spot[0] - 1
                cells[spot[1]][max(0, beside)] = ("◂" if beside > spot[0] else "▸", self._cursor)
        left, right = (shown_line(f"{self.chart.unit} {end:.3g}", 20) for end in self.chart.span)
        return cells, axis, left + right.rjust(max(0, width - len(left)))

    def _legend(self) -> Content:
        names = [
            Content.styled(f"{_series_glyph(number)} ", _series_style(number)) + safe_line(name, 40, "$dim")
            for number, name in enumerate(self.chart.series)
        ]
        return Content("  ").join(names).truncate(self.content_size.width, ellipsis=True)


def _put(labels: list[str], label: str, left: int, room: int, free: int) -> int:
    """Writes a label below its column, if there is room; from which cell on the next one may stand."""
    shown = shown_line(label, 12)
    begin = max(0, left + (room - len(shown)) // 2)
    if not shown.isascii() or begin < free or begin + len(shown) > len(labels):
        return free
    labels[begin : begin + len(shown)] = shown
    return begin + len(shown) + 1


def _series_glyph(series: int) -> str:
    return GLYPHS[series % len(GLYPHS)]


def _series_style(series: int) -> str:
    return COLOURS[series % len(COLOURS)]


def _runs(cells: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Cells of a line, those of a style in one piece."""
    runs: list[tuple[str, str]] = []
    for text, style in cells:
        if runs and runs[-1][1] == style:
            runs[-1] = (runs[-1][0] + text, style)
        else:
            runs.append((text, style))
    return runs
