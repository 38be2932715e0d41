"""Pictures small enough to stand in a page, under a limit for all together."""

import base64
import io

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.bench.events import Blob

WIDTH = 560
"""Pixels; a higher picture than it is wide is cut to this height as well."""

QUALITY = 70
MAX_PIXELS = 40_000_000
MAX_TOTAL = 12_000_000
"""Bytes of all pictures of a page, as they are encoded in it."""


class Shown(msgspec.Struct, frozen=True):
    """A picture in the page. Without a `uri` it stands there already, under its `number`, or `why` says what is wrong."""

    number: int
    uri: str = ""
    width: int = 0
    height: int = 0
    why: str = ""


class Pictures:
    """Gives each picture once: a second time its number only. `left_out` counts those beyond the limit."""

    def __init__(self, blobs: BlobStore, limit: int = MAX_TOTAL) -> None:
        self._blobs = blobs
        self._limit = limit
        self._shown: dict[Blob, Shown] = {}
        self.bytes = 0
        self.left_out = 0

    def show(self, picture: Blob) -> Shown:
        """A picture, downscaled, as a data URI."""
        if picture in self._shown:
            return msgspec.structs.replace(self._shown[picture], uri="")
        try:
            made = self._made(picture)
        except LookupError:
            made = Shown(0, why="the picture is lost")
        if made.uri and self.bytes + len(made.uri) > self._limit:
            self.left_out += 1
            return Shown(0, why="left out: the page would be too large")
        self.bytes += len(made.uri)
        self._shown[picture] = made
        return made

    def _made(self, picture: Blob) -> Shown:
        from PIL import Image, UnidentifiedImageError

        content = self._blobs.get(picture)
        try:
            with Image.open(io.BytesIO(content), formats=["WEBP", "PNG", "JPEG"]) as image:
                if image.width * image.height > MAX_PIXELS:
                    return Shown(0, why="the picture is too large to be shown")
                small = image.convert("RGB")
            small = small.crop((0, 0, small.width, min(small.height, 2 * small.width)))
            small.thumbnail((WIDTH, 2 * WIDTH))
            out = io.BytesIO()
            small.save(out, "WEBP", quality=QUALITY, method=4)
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            return Shown(0, why="the picture cannot be read")
        uri = f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode()}"
        return Shown(len(self._shown) + 1, uri, small.width, small.height)
