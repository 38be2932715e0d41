"""Finding what a target of the check language means, however its author wrote it in HTML."""

import re
from collections.abc import Sequence

import msgspec
from playwright.async_api import ElementHandle, JSHandle, Page

from iwtui.bench.checks import Target
from iwtui.bench.text import one_line
from iwtui.judges.reader import bounded, calling

FLAGS = re.IGNORECASE | re.DOTALL | re.MULTILINE
_ITEMS = frozenset({"row", "listitem", "article"})
_SHOWN = 6


class _Around(msgspec.Struct, frozen=True):
    """One ancestor of a candidate: its text (by a number that is the ancestor's own), whether it is a list item or row,
    and the texts of the elements that look like the branch the candidate is on."""

    text: int
    item: bool
    alike: tuple[int, ...]


class Element(msgspec.Struct, frozen=True):
    """One visible element as a person sees it. `chain` are its ancestors, the nearest first."""

    role: str
    name: str
    label: str
    text: str
    field: bool
    outer: bool
    chain: tuple[_Around, ...]


class _Described(msgspec.Struct, frozen=True):
    described: tuple[Element, ...]
    texts: tuple[str, ...]


class Located:
    """The elements that fit a target, as long as the document lasts."""

    def __init__(self, page: Page, handle: JSHandle, described: _Described, places: Sequence[int]) -> None:
        self._page = page
        self._handle = handle
        self._described = described
        self._places = places

    @property
    def elements(self) -> list[Element]:
        return [self._described.described[place] for place in self._places]

    @property
    def others(self) -> list[Element]:
        """Visible elements of the same roles that do not fit."""
        fitting = set(self._places)
        return [element for place, element in enumerate(self._described.described) if place not in fitting]

    def pick(self, nth: int) -> int | None:
        """The place of the nth element within `elements`."""
        count = len(self._places)
        return nth % count if -count <= nth < count else None

    async def handle(self, index: int) -> ElementHandle:
        place = self._places[index]
        handle = await bounded(self._page, self._handle.evaluate_handle("(found, place) => found.elements[place]", place))
        element = handle.as_element()
        assert element is not None
        return element


async def locate(page: Page, target: Target) -> Located:
    """All visible elements that fit the target, in the order of the page; of nested items only the innermost."""
    arg = {"roles": list(target.roles), "level": target.level, "around": bool(target.within)}
    handle = await bounded(page, page.evaluate_handle(calling("(arg) => reader.candidates(arg)"), arg))
    found = await bounded(page, handle.evaluate("({described, texts}) => ({described, texts})"))
    described = msgspec.convert(found, _Described)
    places = [place for place, element in enumerate(described.described) if fits(element, target)]
    if target.within:
        places = _within(described, places, re.compile(target.within, FLAGS))
    if _ITEMS & set(target.roles) or not target.roles:
        places = await _innermost(page, handle, places)
    return Located(page, handle, described, places)


def fits(element: Element, target: Target) -> bool:
    """Whether the patterns of the target are found in the element; spaces and line breaks count as one space."""

    def found(pattern: str, *texts: str) -> bool:
        return not pattern or any(re.search(pattern, " ".join(text.split()), FLAGS) for text in texts)

    return (
        found(target.name, element.name, element.text)
        and found(target.label, element.label)
        and found(target.text, element.text)
        and not (target.label and not element.field)
    )


def _within(described: _Described, places: Sequence[int], pattern: re.Pattern[str]) -> list[int]:
    """The candidates that stand in an item with that text: the smallest surroundings that hold it are the candidate's own.

    They are not, when the text belongs to a sibling that looks alike (the next row), or when they hold other candidates too.
    """
    texts = described.texts
    kept: dict[int, int] = {}
    for place in places:
        chain = described.described[place].chain
        own = next((around for around in chain if pattern.search(texts[around.text])), None)
        if own is None or any(pattern.search(texts[other]) for other in own.alike):
            continue
        if not own.item and any(place != other and _stands_in(described, other, own) for other in places):
            continue
        kept[place] = len(texts[own.text])
    nearest = min(kept.values(), default=0)
    return [place for place, size in kept.items() if size == nearest] if kept else []


def _stands_in(described: _Described, place: int, around: _Around) -> bool:
    return any(one.text == around.text for one in described.described[place].chain)


async def _innermost(page: Page, handle: JSHandle, places: Sequence[int]) -> list[int]:
    """Without the elements that hold another of them."""
    if len(places) < 2:
        return list(places)
    keep = """({elements}, places) => places.filter((one) =>
      !places.some((other) => other !== one && elements[one].contains(elements[other])))"""
    kept: list[int] = await bounded(page, handle.evaluate(keep, list(places)))
    return kept


def words(target: Target) -> str:
    """A target as a person would say it: `button "Borrow" in "Hedge trimmer"`."""
    kinds = " or ".join("list item" if role == "listitem" else role for role in target.roles)
    if target.level:
        kinds = "main heading" if target.level == 1 else f"heading of level {target.level}"
    said = [kinds or "element"]
    said += [f'"{plain(pattern)}"' for pattern in (target.name, target.label) if pattern]
    if target.text:
        said.append(f'with the text "{plain(target.text)}"' if target.roles or target.name else f'"{plain(target.text)}"')
    if target.within:
        said.append(f'in "{plain(target.within)}"')
    if target.nth:
        said.append("(the last one)" if target.nth == -1 else f"(number {target.nth + 1})")
    return " ".join(said)


_LOOKS = re.compile(r"\(\?<?[=!](?:[^()\\]|\\.|\([^()]*\))*\)")
_PLAINER = (
    (re.compile(r"\((?:\?:)?([^()|]+)\|[^()]*\)"), r"\1"),
    (re.compile(r"\.\*\??|\[\^[^\]]*\](?:\{[^}]*\}|[*+])\??"), " … "),
    (re.compile(r"\\[bBAZ]|[\^$]|\\W\*|\(\?:|\w\?"), ""),
    (re.compile(r"\[\.,\]"), "."),
    (re.compile(r"\\[sW][+*]?"), " "),
    (re.compile(r"\\d(?:\{[^}]*\}|[+*])?"), "#"),
    (re.compile(r"\|"), " or "),
    (re.compile(r"[()?\\]"), ""),
)


def plain(pattern: str) -> str:
    """A pattern without the signs of a regular expression, near enough for a person to know what is meant."""
    pattern = _LOOKS.sub("", pattern)
    for sign, instead in _PLAINER:
        pattern = sign.sub(instead, pattern)
    return one_line(pattern, 120)


def shown(elements: Sequence[Element]) -> str:
    """What is there, in a few words, for a reason: `"Buy", "Search" and 3 more`."""
    names = [f'"{one_line(element.label or element.name or element.text, 40)}"' for element in elements]
    names = list(dict.fromkeys(name for name in names if name != '""'))
    rest = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + rest
