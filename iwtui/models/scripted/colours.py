"""Colour words: where they stand in a text, and which ink can be read on them."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources

from PIL import ImageColor

_WORD = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|[A-Za-z]+")
_LONGEST = 3
_DENIED = re.compile(
    r"(?:\b(?:not|no|never|nor|without)|n't|\binstead of|\brather than)(?:\s+[\w']+){0,2}\s+$", re.IGNORECASE
)

LIGHT, DARK = "#ffffff", "#1d2429"


@cache
def lexicon() -> dict[str, dict[str, dict[str, list[str]] | str]]:
    """The data of lexicon.toml: names of colours, and what stands for colours and numbers in metaphor."""
    return tomllib.loads((resources.files(__package__) / "lexicon.toml").read_text(encoding="utf-8"))


@cache
def _names() -> dict[str, str]:
    """Colour words without spaces, and the CSS colour of each."""
    own = {name.replace(" ", ""): str(css) for name, css in lexicon()["names"].items()}
    return {name: name for name in ImageColor.colormap} | own


def colours(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and CSS value of each colour that the text names, outside quotations and denials ("not black")."""
    bare = re.sub(r'"[^"\n]*"', lambda found: " " * len(found[0]), text)
    found = list(_WORD.finditer(bare))
    i = 0
    while i < len(found):
        step, value = _longest(found[i : i + _LONGEST], bare)
        if value and not _DENIED.search(bare[: found[i].start()]):
            yield found[i].start(), found[i + step - 1].end(), value
        i += step


def _longest(run: list[re.Match[str]], text: str) -> tuple[int, str]:
    for length in range(len(run), 0, -1):
        between = text[run[0].start() : run[length - 1].end()]
        if length > 1 and not re.fullmatch(r"[A-Za-z]+(?:[ -][A-Za-z]+)+", between):
            continue
        name = re.sub(r"[ -]", "", between).lower()
        if name.startswith("#") or name in _names():
            return length, _names().get(name, name)
    return 1, ""


def ink_on(css: str) -> str:
    """Black or white ink, whichever is read more easily on the colour (relative luminance as in WCAG 2)."""
    channels = [value / 255 for value in ImageColor.getrgb(css)[:3]]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return DARK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.3 else LIGHT
