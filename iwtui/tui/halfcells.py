"""Pictures as coloured half blocks: two pixels a cell, few bytes, and right in every terminal that knows colours."""

from collections import Counter
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFilter
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from iwtui.tui.marks import MarkList, boxes, colour, spread

BUDGET = 23_000
"""Bytes that a picture may cost on the line."""
_PER_CELL = 12
"""A picture in a larger pane may cost more: bytes a cell."""
_COLOURS = (256, 128, 64, 40, 24, 16, 12, 8, 5, 3, 2)
"""How many colours are tried, until the picture costs no more than it may."""
_BLANK, _UPPER, _LOWER, _FULL = " ", "▀", "▄", "█"


_SHARPEN = ImageFilter.UnsharpMask(1, 60, 0)
"""Letters pale when they are made so small."""
_NUMBER_COST = 45
"""Bytes of a mark's number."""
_FRAMED = (6, 5)
"""A box of fewer pixels than that is left to its number: a frame would hide what it stands around."""

Rgb = tuple[int, int, int]


class _Run(NamedTuple):
    """Cells beside each other in at most two colours: `ink` on `ground`, by their place in the palette."""

    text: str
    ink: int | None
    ground: int


def lines(image: Image.Image, columns: int, rows: int, marks: MarkList | None = None) -> tuple[Strip, ...]:
    """The picture in cells; the marks' numbers are text on them."""
    small = image.resize((columns, 2 * rows), Image.Resampling.LANCZOS, reducing_gap=3.0)
    small = small.filter(_SHARPEN)
    numbers: dict[int, list[tuple[int, str, str]]] = {}
    if marks is not None:
        _frame(small, marks)
        numbers = _numbers(marks, columns, rows)
    budget = max(BUDGET, _PER_CELL * columns * rows) - _NUMBER_COST * sum(map(len, numbers.values()))
    runs, palette = _within(small, budget)
    pairs = {(run.ink, run.ground) for across in runs for run in across}
    styles = {pair: _style(*pair, palette) for pair in pairs}
    strips = []
    for row, across in enumerate(runs):
        strip = Strip([Segment(run.text, styles[run.ink, run.ground]) for run in across], columns)
        for column, text, tone in numbers.get(row, ()):
            label = Strip([Segment(text, Style(color="#ffffff", bgcolor=tone, bold=True))], len(text))
            strip = Strip.join([strip.crop(0, column), label, strip.crop(column + len(text), columns)])
        strips.append(strip)
    return tuple(strips)


def _within(image: Image.Image, budget: int) -> tuple[list[list[_Run]], list[Rgb]]:
    """The runs of each row, in as many colours as the budget of bytes allows."""
    columns = image.width
    for colours in _COLOURS:
        flat = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        palette = _palette(flat)
        pixels = flat.tobytes()
        runs = [
            _runs(pixels[at : at + columns], pixels[at + columns : at + 2 * columns])
            for at in range(0, len(pixels), 2 * columns)
        ]
        if sum(_cost(run, palette) for across in runs for run in across) <= budget:
            break
    return runs, palette


def _palette(flat: Image.Image) -> list[Rgb]:
    values = flat.getpalette() or []
    return [(values[at], values[at + 1], values[at + 2]) for at in range(0, len(values), 3)]


def _runs(upper: bytes, lower: bytes) -> list[_Run]:
    """One row of cells: as few runs as two colours each allow."""
    runs = []
    start = 0
    colours: set[int] = set()
    for column, pair in enumerate(zip(upper, lower, strict=True)):
        if len(colours.union(pair)) > 2:
            runs.append(_run(upper[start:column], lower[start:column]))
            start, colours = column, set()
        colours.update(pair)
    runs.append(_run(upper[start:], lower[start:]))
    return runs


def _run(upper: bytes, lower: bytes) -> _Run:
    counts = Counter(upper) + Counter(lower)
    (ground, _), *rest = counts.most_common()
    ink = rest[0][0] if rest else None
    text = "".join(
        (_UPPER if low == ground else _FULL) if up == ink else (_BLANK if low == ground else _LOWER)
        for up, low in zip(upper, lower, strict=True)
    )
    return _Run(text, ink, ground)


def _style(ink: int | None, ground: int, palette: list[Rgb]) -> Style:
    return Style.from_color(None if ink is None else Color.from_rgb(*palette[ink]), Color.from_rgb(*palette[ground]))


def _cost(run: _Run, palette: list[Rgb]) -> int:
    """The bytes of a run on the line: setting its colours, its text, and the reset after it."""
    colours = [palette[colour] for colour in (run.ink, run.ground) if colour is not None]
    digits = sum(len(str(value)) for rgb in colours for value in rgb)
    return 6 + digits + 8 * len(colours) + len(run.text.encode())


def _frame(image: Image.Image, marks: MarkList) -> None:
    pen = ImageDraw.Draw(image)
    for box in boxes(marks, image.size):
        if box.right - box.left >= _FRAMED[0] and box.bottom - box.top >= _FRAMED[1]:
            pen.rectangle(box[1:], outline=colour(box.n))


def _numbers(marks: MarkList, columns: int, rows: int) -> dict[int, list[tuple[int, str, str]]]:
    """For each row of cells its numbers: column, digits, colour."""
    found = boxes(marks, (columns, rows))
    numbers: dict[int, list[tuple[int, str, str]]] = {}
    for place in spread(found, [(len(str(box.n)), 1) for box in found], (columns, rows)):
        n = found[place.of].n
        numbers.setdefault(place.top, []).append((place.left, str(n), colour(n)))
    return numbers
