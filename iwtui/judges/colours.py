"""Colours as a page shows them, and how far apart two colours are to the eye."""

from collections.abc import Sequence
from functools import cache

from playwright.async_api import ElementHandle, Page

from iwtui.judges.reader import bounded, calling, look

RGB = tuple[int, int, int]
Lab = tuple[float, float, float]

_D65 = (0.95047, 1.0, 1.08883)
_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


def lab(colour: RGB) -> Lab:
    """CIE L*a*b* (D65) of an sRGB colour (0-255). Source: IEC 61966-2-1 and CIE 15."""
    linear = [_linear(value / 255) for value in colour]
    x, y, z = (
        _root(sum(weight * value for weight, value in zip(row, linear, strict=True)) / white)
        for row, white in zip(_TO_XYZ, _D65, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 216 / 24389 else (841 / 108) * value + 4 / 29


def distance(one: RGB, other: RGB) -> float:
    """CIE76: the Euclidean distance in L*a*b*; 2.3 is just noticeable."""
    return _apart(lab(one), lab(other))


def _apart(one: Lab, other: Lab) -> float:
    return float(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5)


def named(colour: RGB) -> str:
    """`#faf0e6 (linen)`: a colour with the name of the CSS colour that comes nearest."""
    here = lab(colour)
    gap, name = min((_apart(there, here), name) for name, there in _named_labs())
    code = "#{:02x}{:02x}{:02x}".format(*colour)
    return f"{code} ({name})" if gap < 2.3 else f"{code} (near {name})"


@cache
def _named_labs() -> tuple[tuple[str, Lab], ...]:
    return tuple((name, lab(colour)) for name, colour in _names().items())


@cache
def _names() -> dict[str, RGB]:
    from PIL import ImageColor

    return {name: _triple(ImageColor.getrgb(name)) for name in ImageColor.colormap}


def colour_names() -> frozenset[str]:
    """The names of the CSS colours."""
    return frozenset(_names())


async def resolve(page: Page, values: Sequence[str]) -> list[RGB]:
    """CSS colours as the browser understands them. Raises ValueError for what is none."""
    found = await look(page, "(values) => resolved(values)", list(values), "colours.js")
    wrong = [value for value, colour in zip(values, found, strict=True) if colour is None]
    if wrong:
        raise ValueError(f"no colour: {', '.join(wrong)}")
    return [_triple(colour) for colour in found]


async def page_background(page: Page) -> RGB:
    """The colour behind everything: the canvas, or what lies over nearly all of the page."""
    return _triple(await look(page, "() => pageBackground()", None, "colours.js"))


async def element_colour(page: Page, element: ElementHandle, kind: str) -> RGB | None:
    """The colour of an element's `background`, `text` or `border`; None when it has no border."""
    expression = calling("([el, kind]) => colourOf[kind](el)", "colours.js")
    found = await bounded(page, page.evaluate(expression, [element, kind]))
    return None if found is None else _triple(found)


def _triple(values: Sequence[float]) -> RGB:
    red, green, blue = (round(value) for value in values[:3])
    return red, green, blue
