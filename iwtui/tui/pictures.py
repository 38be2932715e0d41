"""Pictures of the store made ready for a terminal: read, marked, scaled, encoded. It is slow: call it in a thread."""

import io
import threading
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
from PIL import Image, UnidentifiedImageError
from textual.strip import Strip

from iwtui.bench.events import Blob
from iwtui.tui import graphics, halfcells, marks
from iwtui.tui.terminal import Cell, Mode

MAX_PIXELS = 48_000_000
"""A picture with more is refused before it is decoded: 144 MB of memory."""
KEPT = 24
"""Finished pictures that are remembered, the latest used ones."""
_HALF = Cell(1, 2)
"""The pixels of a cell in half blocks."""


class PictureError(Exception):
    """A picture cannot be shown; the message says why."""


class Blobs(Protocol):
    """Where pictures are kept: the store's blobs."""

    def get(self, blob: Blob, /) -> bytes: ...
    def path(self, blob: Blob, /) -> Path: ...


class Wanted(NamedTuple):
    """What is to be drawn: a picture, with the marks of that blob unless it is None, within so many columns and rows."""

    blob: Blob
    marks: Blob | None
    columns: int
    rows: int
    mode: Mode
    cell: Cell


class Drawn(NamedTuple):
    """A picture ready to be shown: `lines` are its cells, `columns` by `rows`; `size` is that in the store, in pixels.

    `payload` holds the control sequences of the terminal's own graphics: a sixel picture is sent over the cells, a kitty
    picture (which has a `number`) before them.
    """

    wanted: Wanted
    size: tuple[int, int]
    columns: int
    rows: int
    lines: tuple[Strip, ...]
    payload: str = ""
    number: int = 0
    note: str = ""
    """What a reader should know, such as that the marks are damaged."""


class Pictures:
    """Draws pictures and remembers the latest. May be used from several threads."""

    def __init__(self, blobs: Blobs, kept: int = KEPT) -> None:
        self._blobs = blobs
        self._kept = kept
        self._drawn: OrderedDict[Wanted, Drawn] = OrderedDict()
        self._lock = threading.Lock()

    def path(self, blob: Blob) -> Path | None:
        """Where the picture's file stands, or would stand; None for what is no address."""
        try:
            return self._blobs.path(blob)
        except LookupError:
            return None

    def remembered(self, wanted: Wanted) -> Drawn | None:
        """The finished picture, if it is still there. Quick."""
        with self._lock:
            drawn = self._drawn.get(wanted)
            if drawn is not None:
                self._drawn.move_to_end(wanted)
            return drawn

    def draw(self, wanted: Wanted) -> Drawn:
        """The finished picture. Takes some 20 to 250 ms. Raises PictureError."""
        drawn = self.remembered(wanted) or self._draw(wanted)
        with self._lock:
            self._drawn[wanted] = drawn
            self._drawn.move_to_end(wanted)
            while len(self._drawn) > self._kept:
                self._drawn.popitem(last=False)
        return drawn

    def _draw(self, wanted: Wanted) -> Drawn:
        image = self._read(wanted.blob)
        size = image.size
        listed, note = self._marks(wanted.marks)
        room = (wanted.columns, wanted.rows)
        if wanted.mode in ("kitty", "sixel"):
            columns, rows = fit(size, (min(room[0], graphics.largest()), min(room[1], graphics.largest())), wanted.cell)
            scaled = image.resize(
                (columns * wanted.cell.width, rows * wanted.cell.height), Image.Resampling.LANCZOS, reducing_gap=3.0
            )
            if listed is not None:
                scaled = marks.draw(scaled, listed)
            encode = graphics.kitty if wanted.mode == "kitty" else graphics.sixel
            encoded = encode(scaled, columns, rows)
            if encoded is not None:
                return Drawn(wanted, size, columns, rows, encoded.lines, encoded.payload, encoded.number, note)
            note = note or "in half blocks: too much data for sixel"
        columns, rows = fit(size, room, _HALF)
        return Drawn(wanted, size, columns, rows, halfcells.lines(image, columns, rows, listed), note=note)

    def _marks(self, blob: Blob | None) -> tuple[marks.MarkList | None, str]:
        """The marks, and what is wrong with them if they cannot be read."""
        if blob is None:
            return None, ""
        try:
            return marks.decode(self._blobs.get(blob)), ""
        except (LookupError, msgspec.MsgspecError) as error:
            return None, f"without marks: {error}"

    def _read(self, blob: Blob) -> Image.Image:
        try:
            content = self._blobs.get(blob)
        except LookupError as error:
            raise PictureError(str(error)) from error
        try:
            with Image.open(io.BytesIO(content), formats=("WEBP", "PNG", "JPEG")) as opened:
                width, height = opened.size
                if width * height > MAX_PIXELS:
                    raise PictureError(f"too large to show: {width}×{height} pixels")
                return opened.convert("RGB")
        except UnidentifiedImageError as error:  # its own words tell of an object in memory
            raise PictureError("no readable picture: not WebP, PNG or JPEG") from error
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
            raise PictureError(f"no readable picture: {error}") from error


def fit(size: tuple[int, int], room: tuple[int, int], cell: Cell) -> tuple[int, int]:
    """How many columns and rows a picture takes that is to be whole, in proportion and never enlarged."""
    width, height = size
    columns, rows = room
    scale = min(columns * cell.width / width, rows * cell.height / height, 1.0)
    return (
        max(1, min(columns, round(width * scale / cell.width))),
        max(1, min(rows, round(height * scale / cell.height))),
    )
