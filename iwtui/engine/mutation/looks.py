"""The colours that a fact gives to things, and the pictures and rivals of a colour."""

import re
from collections.abc import Sequence
from functools import cache

import msgspec
from PIL import ImageColor

from iwtui.judges import colours as eye
from iwtui.models.scripted.colours import colours, lexicon

_GROUND = re.compile(r"\b(?:background|backdrop|backgrounds|backdrops|body|canvas|layout)\b", re.IGNORECASE)
_PART = re.compile(
    r"\bthe (?:[a-z]+ ){0,2}(?:header|heading|footer|bar|buttons?|links?|table|cards?|menu|text|accents?)\b", re.IGNORECASE
)
_BREAK = re.compile(r"[,;]|\band\b|\bthen\b|\bwith\b|\bwhile\b")


class Look(msgspec.Struct, frozen=True):
    """A colour (CSS), whether the background is to have it, and else the part that is, as the fact names it."""

    css: str
    of_ground: bool
    part: str = ""


def looks(fact: str) -> tuple[Look, ...]:
    """The colours of a fact, in their order, with what they are for: what is named nearest to each, within its clause."""
    found = list(colours(fact))
    parts = _pieces(fact, [start for start, _, _ in found])
    told = [Look(css, bool(_GROUND.search(part)), _named(part)) for (_, _, css), part in zip(found, parts, strict=True)]
    if len(told) > 1 and all(look.of_ground for look in told):
        told = [msgspec.structs.replace(look, of_ground=place == 0) for place, look in enumerate(told)]
    return tuple(told)


def picture_of(css: str) -> str:
    """A picture for a colour, of the lexicon's colour that comes nearest to it."""
    return _pictures()[min(_pictures(), key=lambda name: distance(name, css))]


def distance(one: str, other: str) -> float:
    """How far apart two colours are, given by CSS or lexicon names (CIE76)."""
    return eye.distance(_rgb(one), _rgb(other))


def _pieces(fact: str, starts: Sequence[int]) -> list[str]:
    """The piece of the text around each colour, up to the breaks that part it from the others."""
    breaks = [0, *(found.start() for found in _BREAK.finditer(fact)), len(fact)]
    return [fact[max(cut for cut in breaks if cut <= start) : min(cut for cut in breaks if cut > start)] for start in starts]


def _named(piece: str) -> str:
    found = _PART.search(piece)
    return found[0] if found else ""


@cache
def _pictures() -> dict[str, str]:
    return {name: known["spoken"][0] for name, known in lexicon()["colour"].items() if isinstance(known, dict)}


@cache
def _rgb(name: str) -> tuple[int, int, int]:
    css = next((css for _, _, css in colours(name)), name)
    red, green, blue = ImageColor.getrgb(css)[:3]
    return red, green, blue
