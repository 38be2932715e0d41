"""The numbered marks of a picture: read from their blob and drawn over it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from PIL import Image, ImageDraw, ImageFont

MOST = 400
"""More marks than that are not drawn."""
_GREATEST = 9_999
COLOURS = ("#b0245a", "#1b62b5", "#2b7a37", "#6f2c9c", "#a8480a", "#0b6b66", "#5b4636", "#44505c")
"""Dark enough for white digits; a mark has the colour of its number."""
_TEXT = 12
"""Height of the digits in pixels of the screen."""


class Mark(msgspec.Struct, frozen=True):
    """What a reader's eye needs of a mark; lengths are CSS pixels of the view."""

    n: int
    x: float
    y: float
    width: float
    height: float


class MarkList(msgspec.Struct, frozen=True):
    """The marks of a view of `width` by `height` CSS pixels."""

    marks: tuple[Mark, ...]
    width: int
    height: int


class Box(NamedTuple):
    """A mark in the pixels of a picture, within it."""

    n: int
    left: int
    top: int
    right: int
    bottom: int


_decoder = msgspec.json.Decoder(MarkList)


def decode(content: bytes) -> MarkList:
    """The marks in a blob. Raises msgspec.MsgspecError when it holds none."""
    return _decoder.decode(content)


def colour(n: int) -> str:
    """The colour of the mark with that number."""
    return COLOURS[n % len(COLOURS)]


def boxes(marks: MarkList, size: tuple[int, int]) -> list[Box]:
    """Where the marks stand in a picture of that size; those outside are left out."""
    width, height = size
    across, down = width / max(1, marks.width), height / max(1, marks.height)
    found = []
    for mark in marks.marks[:MOST]:
        left, top = mark.x * across, mark.y * down
        right, bottom = left + mark.width * across, top + mark.height * down
        if 0 < mark.n <= _GREATEST and left < width and top < height and right > 0 and bottom > 0:
            far, low = min(width - 1.0, right), min(height - 1.0, bottom)
            near, high = min(max(0.0, left), far), min(max(0.0, top), low)
            found.append(Box(mark.n, int(near), int(high), int(far), int(low)))
    return found


def draw(image: Image.Image, marks: MarkList) -> Image.Image:
    """The picture, as large as it will be shown, with a box and a number for each mark."""
    image = image.copy()
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(_TEXT)
    found = boxes(marks, image.size)
    for box in found:
        pen.rectangle(box[1:], outline=colour(box.n))
    sizes = [(round(pen.textlength(str(box.n), font)) + 4, _TEXT + 2) for box in found]
    for place in spread(found, sizes, image.size):
        left, top = place.left, place.top
        width, height = sizes[place.of]
        pen.rectangle((left, top, left + width - 1, top + height - 1), fill=colour(found[place.of].n))
        pen.text((left + width / 2, top + height / 2), str(found[place.of].n), fill="white", font=font, anchor="mm")
    return image


class Place(NamedTuple):
    """Where the label of the box number `of` in a list stands: its upper left corner."""

    of: int
    left: int
    top: int


def spread(found: Sequence[Box], sizes: Sequence[tuple[int, int]], room: tuple[int, int]) -> list[Place]:
    """A place for each label where it covers no other: at a corner of its box, or near; those without room are left out.

    `sizes` are those of the labels, `room` that of the whole, all in the same unit.
    """
    taken: dict[int, list[tuple[int, int]]] = {}
    """For each row of the room, the spans that are covered."""
    places = []
    for index, (box, (width, height)) in enumerate(zip(found, sizes, strict=True)):
        if width > room[0] or height > room[1]:
            continue
        for left, top in _corners(box, width, height):
            left, top = max(0, min(left, room[0] - width)), max(0, min(top, room[1] - height))
            rows = range(top, top + height)
            if all(left >= end or left + width <= start for row in rows for start, end in taken.get(row, ())):
                for row in rows:
                    taken.setdefault(row, []).append((left, left + width))
                places.append(Place(index, left, top))
                break
    return places


def _corners(box: Box, width: int, height: int) -> Iterator[tuple[int, int]]:
    yield box.left, box.top
    yield box.left, box.top - height
    yield box.left - width, box.top
    yield box.right - width, box.top
    yield box.right, box.top
    yield box.left, box.bottom
    for step in range(1, 5):
        yield box.left + step * width, box.top
        yield box.left, box.top + step * height
