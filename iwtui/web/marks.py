"""Set-of-Mark: what one can act on in view, numbered, and drawn on the picture (never into the page)."""

import io
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from iwtui.bench.text import one_line

MAX_MARKS = 400
BUDGET_MS = 300
"""A page with more than that is cut, and the list says so."""

_COLOURS = ("#c2185b", "#1565c0", "#2e7d32", "#6a1b9a", "#b23c00", "#00695c", "#4e342e", "#37474f")
"""Dark enough for white digits."""
_CELL = 4
"""Side, in pixels, of the squares in which taken places are remembered."""


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """An element one can act on. Lengths are CSS pixels of the view; (cx, cy) hits the element itself.

    `key` finds the element again as long as its document lives; `frame` names the frames around it; `state` is in words.
    """

    n: int
    role: str
    name: str
    tag: str
    x: float
    y: float
    width: float
    height: float
    cx: float
    cy: float
    key: int = 0
    state: str = ""
    frame: str = ""


class MarkList(msgspec.Struct, frozen=True):
    """The marks of a view. `cut` says that there are more; `seconds` is what finding them took in the page."""

    marks: tuple[Mark, ...]
    cut: bool
    seconds: float
    width: int
    height: int

    def __getitem__(self, n: int) -> Mark:
        """The mark with that number. Raises KeyError when there is none."""
        if not 1 <= n <= len(self.marks):
            raise KeyError(n)
        return self.marks[n - 1]


_decoder = msgspec.json.Decoder(MarkList)


def encode(marks: MarkList) -> bytes:
    """The list as the JSON of its blob."""
    return msgspec.json.encode(marks)


def decode(content: bytes | str) -> MarkList:
    """The list in a blob. Raises msgspec.MsgspecError when it is none."""
    return _decoder.decode(content)


@cache
def script() -> str:
    """The script that finds the marks."""
    return files("iwtui.web").joinpath("marks.js").read_text(encoding="utf-8")


def describe(marks: MarkList) -> str:
    """A line a mark, `[n] role "name" (state)`, for a model to read."""
    lines = [_line(mark) for mark in marks.marks]
    if marks.cut:
        lines.append("(there are more elements than are numbered here)")
    return "\n".join(lines)


def _line(mark: Mark) -> str:
    name = one_line(mark.name, 80).replace('"', "'")
    state = f" ({one_line(mark.state, 80)})" if mark.state else ""
    return f'[{mark.n}] {one_line(mark.role, 30)} "{name}"{state}'


def draw(picture: bytes, marks: Sequence[Mark], scale: float = 1.0) -> bytes:
    """The picture (WebP, PNG, ..) with a numbered box for each mark, as WebP. `scale`: picture pixels a CSS pixel."""
    from PIL import Image, ImageDraw, ImageFont

    with Image.open(io.BytesIO(picture)) as opened:
        image = opened.convert("RGB")
    pen = ImageDraw.Draw(image)
    size = round(13 * scale)
    font = ImageFont.load_default(size)
    boxes = [
        (mark.x * scale, mark.y * scale, (mark.x + mark.width) * scale, (mark.y + mark.height) * scale) for mark in marks
    ]
    for mark, (left, top, right, bottom) in zip(marks, boxes, strict=True):
        if right - left >= 1 and bottom - top >= 1:
            pen.rectangle((left, top, right, bottom), outline=_colour(mark), width=max(1, round(scale * 1.5)))
    labels = [(round(pen.textlength(str(mark.n), font) + 5 * scale), size + round(3 * scale)) for mark in marks]
    places = place_labels(boxes, labels, image.size)
    for mark, (left, top), (width, height) in zip(marks, places, labels, strict=True):
        pen.rectangle((left, top, left + width - 1, top + height - 1), fill=_colour(mark))
        pen.text((left + width / 2, top + height / 2), str(mark.n), fill="white", font=font, anchor="mm")
    drawn = io.BytesIO()
    image.save(drawn, "WEBP", quality=88, method=2)
    return drawn.getvalue()


def place_labels(
    boxes: Sequence[tuple[float, float, float, float]], labels: Sequence[tuple[int, int]], size: tuple[int, int]
) -> list[tuple[int, int]]:
    """The upper left corner of each label: inside the picture, near its box, and on no other label where there is room."""
    taken: set[tuple[int, int]] = set()
    places: list[tuple[int, int]] = []
    for box, label in zip(boxes, labels, strict=True):
        corners = [_inside(corner, label, size) for corner in _corners(box, label)]
        cells = [_cells(corner, label) for corner in corners]
        best = min(range(len(corners)), key=lambda place: len(cells[place] & taken))
        taken |= cells[best]
        places.append(corners[best])
    return places


def _corners(box: tuple[float, float, float, float], label: tuple[int, int]) -> Iterator[tuple[float, float]]:
    left, top, right, bottom = box
    width, height = label
    yield left, top - height
    yield right - width, top - height
    yield left - width, top
    yield right, top
    yield left, bottom
    yield right - width, bottom
    yield left, top
    yield right - width, bottom - height
    for step in range(1, 9):  # crowded: further and further along the box's upper and lower edge
        yield left + step * width, top - height
        yield left + step * width, bottom
        yield left - width, top + step * height


def _inside(corner: tuple[float, float], label: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    left, top = (max(0, min(round(at), whole - part)) for at, part, whole in zip(corner, label, size, strict=True))
    return left, top


def _cells(corner: tuple[int, int], label: tuple[int, int]) -> frozenset[tuple[int, int]]:
    (left, top), (width, height) = corner, label
    return frozenset(
        (column, row)
        for column in range(left // _CELL, (left + width - 1) // _CELL + 1)
        for row in range(top // _CELL, (top + height - 1) // _CELL + 1)
    )


def _colour(mark: Mark) -> str:
    return _COLOURS[mark.n % len(_COLOURS)]
