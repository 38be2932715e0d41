"""Pictures in a terminal's own graphics: kitty's protocol with placeholders, and sixel."""

import hashlib
import importlib.util
from base64 import b64encode
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

MAX_SIXEL = 1_000_000
"""Characters of sixel data; some terminals show what is beyond as text."""
_CHUNK = 4096
"""Characters of kitty data in one sequence, by its protocol."""
_PLACEHOLDER = "\U0010eeee"


class Encoded(NamedTuple):
    """The cells, and the control sequences that make a picture of them."""

    lines: tuple[Strip, ...]
    payload: str
    number: int = 0
    """A kitty picture's own."""


def kitty(image: Image.Image, columns: int, rows: int) -> Encoded:
    """The picture by kitty's protocol: its cells are placeholders in a colour that is the picture's number."""
    png = BytesIO()
    image.quantize(256, dither=Image.Dither.NONE).save(png, "PNG", compress_level=4)
    number = int.from_bytes(hashlib.sha256(png.getvalue() + b"%d %d" % (columns, rows)).digest()[:3]) or 1
    data = b64encode(png.getvalue()).decode()
    chunks = [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]
    heads = [f"a=T,U=1,f=100,i={number},c={columns},r={rows},q=2,"] + ["q=2,"] * (len(chunks) - 1)
    more = ["m=1"] * (len(chunks) - 1) + ["m=0"]
    payload = "".join(f"\x1b_G{head}{m};{chunk}\x1b\\" for head, m, chunk in zip(heads, more, chunks, strict=True))
    marks = _numerals()
    style = Style(color=f"#{number:06x}")
    lines = tuple(
        Strip([Segment("".join(f"{_PLACEHOLDER}{marks[row]}{marks[column]}" for column in range(columns)), style)], columns)
        for row in range(rows)
    )
    return Encoded(lines, payload, number)


def erased(number: int) -> str:
    """What makes a kitty terminal forget a picture."""
    return f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\"


def largest() -> int:
    """The most columns, or rows, that a kitty picture may take."""
    return len(_numerals())


def sixel(image: Image.Image, columns: int, rows: int) -> Encoded | None:
    """The picture as sixel data, to be sent over its empty cells; None when that would be too much for a terminal."""
    from textual_image._sixel import image_to_sixels

    payload = image_to_sixels(image)
    if len(payload) > MAX_SIXEL:
        return None
    return Encoded((Strip([Segment(" " * columns)], columns),) * rows, payload)


@cache
def _numerals() -> tuple[str, ...]:
    """The combining characters by which kitty counts rows and columns, from textual-image.

    Only that one file of it is loaded: its package asks the terminal questions when it is imported.
    """
    package = importlib.util.find_spec("textual_image")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("textual-image is not installed")
    file = Path(package.submodule_search_locations[0], "renderable", "tgp.py")
    spec = importlib.util.spec_from_file_location("iwtui.tui._kitty", file)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"no module in {file}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return tuple(map(chr, module._NUMBER_TO_DIACRITIC))
