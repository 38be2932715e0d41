"""Draws what stands in a terminal: from its text with colours to SVG, and from SVG to PNG in the browser."""

import io
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from rich.terminal_theme import MONOKAI
from rich.text import Text

CELL = (9, 18)
"""Pixels of a character cell, across and down; with the font size, lines of DejaVu Sans Mono join from row to row."""
FONT = "font: 15.4px 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
MARGIN = 9
WIDTH = 1440
"""Pixels that a PNG is at least about as wide as."""

# Where in its cell a block stands: left, top, width, height, as fractions.
BLOCKS = {
    "█": (0.0, 0.0, 1.0, 1.0),
    "▀": (0.0, 0.0, 1.0, 0.5),
    "▄": (0.0, 0.5, 1.0, 0.5),
    "▌": (0.0, 0.0, 0.5, 1.0),
    "▐": (0.5, 0.0, 0.5, 1.0),
    "▁": (0.0, 0.875, 1.0, 0.125),
    "▔": (0.0, 0.0, 1.0, 0.125),
    "▎": (0.0, 0.0, 0.25, 1.0),
    "▊": (0.0, 0.0, 0.75, 1.0),
    "▂": (0.0, 0.75, 1.0, 0.25),
    "▃": (0.0, 0.625, 1.0, 0.375),
    "▅": (0.0, 0.375, 1.0, 0.625),
    "▆": (0.0, 0.25, 1.0, 0.75),
    "▇": (0.0, 0.125, 1.0, 0.875),
}


class _Run(NamedTuple):
    """Characters of one style that stand together in one row, from a column on."""

    row: int
    column: int
    text: str
    style: Style

    @property
    def cells(self) -> int:
        return cell_len(self.text)


def to_svg(coloured: str, size: tuple[int, int], background: str = "#0d1117") -> str:
    """A picture of a window of `size` (columns, rows) that holds this text, colours being told by escape sequences."""
    columns, rows = size
    width, height = columns * CELL[0] + 2 * MARGIN, rows * CELL[1] + 2 * MARGIN
    runs = list(_runs(coloured))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<style>text {{ {FONT}; white-space: pre; dominant-baseline: central }}</style>",
        f'<rect width="{width}" height="{height}" rx="6" fill="{_ground(runs, background)}"/>',
        f'<g transform="translate({MARGIN},{MARGIN})" shape-rendering="crispEdges">',
        *_grounds(runs),
        *_blocks(runs),
        "</g>",
        f'<g transform="translate({MARGIN},{MARGIN})">',
        *_texts(runs),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _runs(coloured: str) -> Iterator[_Run]:
    for row, line in enumerate(Text.from_ansi(coloured, no_wrap=True, tab_size=1).split("\n", allow_blank=True)):
        column = 0
        for span in _pieces(line):
            yield _Run(row, column, span.plain, _style(span))
            column += span.cell_len


def _pieces(line: Text) -> Iterable[Text]:
    edges = sorted({0, len(line), *(edge for span in line.spans for edge in (span.start, span.end))})
    return [piece for piece in line.divide(edges) if piece.plain]


def _style(piece: Text) -> Style:
    return Style.combine([Style(), *(span.style for span in piece.spans if isinstance(span.style, Style))])


def _colours(style: Style) -> tuple[str, str | None]:
    """Of the characters and of what is behind them; None where nothing is."""
    front, back = _hex(style.color, True), style.bgcolor and _hex(style.bgcolor, False)
    return (back or "#000000", front) if style.reverse else (front, back)


def _hex(colour: Color | None, front: bool) -> str:
    return (colour or Color.default()).get_truecolor(MONOKAI, foreground=front).hex


def _ground(runs: Iterable[_Run], otherwise: str) -> str:
    """The colour that most of the window has."""
    area: dict[str, int] = {}
    for run in runs:
        if back := _colours(run.style)[1]:
            area[back] = area.get(back, 0) + run.cells
    return max(area, key=lambda colour: area[colour], default=otherwise)


def _rectangle(left: float, top: float, width: float, height: float, colour: str) -> str:
    across, down = CELL
    place = f'x="{left * across:g}" y="{top * down:g}" width="{width * across:g}" height="{height * down:g}"'
    return f'<rect {place} fill="{colour}"/>'


def _grounds(runs: Iterable[_Run]) -> Iterator[str]:
    open_: tuple[int, int, int, str] | None = None
    for run in runs:
        back = _colours(run.style)[1]
        if open_ and back == open_[3] and run.row == open_[0] and run.column == open_[2]:
            open_ = (open_[0], open_[1], run.column + run.cells, back)
            continue
        if open_:
            yield _rectangle(open_[1], open_[0], open_[2] - open_[1], 1, open_[3])
        open_ = (run.row, run.column, run.column + run.cells, back) if back else None
    if open_:
        yield _rectangle(open_[1], open_[0], open_[2] - open_[1], 1, open_[3])


def _blocks(runs: Iterable[_Run]) -> Iterator[str]:
    for run in runs:
        colour = _colours(run.style)[0]
        start = 0
        while start < len(run.text):
            glyph, end = run.text[start], start + 1
            if block := BLOCKS.get(glyph):
                left, top, width, height = block
                while width == 1.0 and end < len(run.text) and run.text[end] == glyph:
                    end += 1
                column = run.column + cell_len(run.text[:start])
                yield _rectangle(column + left, run.row + top, width * (end - start), height, colour)
            start = end


def _texts(runs: Iterable[_Run]) -> Iterator[str]:
    across, down = CELL
    for run in runs:
        text = "".join(" " if glyph in BLOCKS else glyph for glyph in run.text)
        shown = text.strip()
        if not shown:
            continue
        column = run.column + cell_len(text[: len(text) - len(text.lstrip())])
        place = f'x="{column * across}" y="{run.row * down + down / 2:g}" textLength="{cell_len(shown) * across}"'
        said = "".join(f' {name}="{value}"' for name, value in _attributes(run.style))
        colour = _colours(run.style)[0]
        yield f'<text {place} lengthAdjust="spacingAndGlyphs" fill="{colour}"{said}>{escape(shown, quote=False)}</text>'


def _attributes(style: Style) -> Iterator[tuple[str, str]]:
    if style.bold:
        yield "font-weight", "bold"
    if style.italic:
        yield "font-style", "italic"
    if style.underline:
        yield "text-decoration", "underline"
    if style.dim:
        yield "opacity", "0.6"


async def to_png(pictures: Mapping[Path, str]) -> None:
    """Writes each SVG, given by the path of the PNG to be, as pixels of at most 256 colours."""
    from playwright.async_api import async_playwright

    from iwtui.web.chromium import find, launch_args

    chromium = find()
    assert chromium is not None, "no browser: run `iwtui setup`"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.executable, args=launch_args())
        for scale in (1, 2):
            context = await browser.new_context(viewport={"width": 1600, "height": 1000}, device_scale_factor=scale)
            page = await context.new_page()
            for file, svg in pictures.items():
                if scale != _scale(svg):
                    continue
                await page.set_content(f"<body style='margin:0'>{svg}</body>")
                png = await page.locator("svg").screenshot(omit_background=True)
                Image.open(io.BytesIO(png)).quantize(256).save(file, optimize=True)
            await context.close()
        await browser.close()


def _scale(svg: str) -> int:
    """How many pixels a small picture gets for each of its own, so that it can be read as well as a large one."""
    width = int(svg.partition('width="')[2].partition('"')[0])
    return 2 if 2 * width <= WIDTH + 400 else 1
