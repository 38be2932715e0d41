"""The anti-hallucination check: controls and headings that neither the golden text nor convention accounts for.

A control is accounted for when most of what its name says is said in the golden text, or when it says nothing but words that
every site may use (close, home, search, ..). A heading is, too, when what stands under it was asked for. Items of a list
that was asked for bring their own words with them.
"""

from collections.abc import Iterable, Iterator

import msgspec
from playwright.async_api import Page

from iwtui.bench.text import one_line
from iwtui.judges.reader import look
from iwtui.judges.vocabulary import SEARCHING, SELECTING, Vocabulary, without_examples, words

_SYMBOLS = frozenset("×✕✖✗xX+＋☰≡▲▼△▽▴▾▵▿↑↓↕⇅⇵⌄⌃›‹»«→←🔍🔎🧺🛒🛍\ufe0f")
"""Signs that stand for closing, adding, menus, sorting, searching and baskets."""

_MEDIA = {
    "frame": frozenset({"map", "video", "embed", "frame", "player", "document"}),
    "video": frozenset({"video", "film", "clip", "movi", "player", "record"}),
    "audio": frozenset({"audio", "music", "sound", "song", "podcast", "player", "record", "listen"}),
}
_ENUMERATED = 0.6
"""Share of a list's words that stand in the golden text, when the golden text itself names its items."""

_NAMED = 0.3
"""Share of one item's words that must stand in the golden text, when it names the items of the list."""

_UNDER = 0.4
"""Share of the words under a heading that must be the golden text's, when they account for it."""


class _Control(msgspec.Struct, frozen=True):
    role: str
    name: str
    hint: str
    field: bool
    inner: bool
    item: int


class _Heading(msgspec.Struct, frozen=True):
    name: str
    level: int
    item: int
    under: str
    controls: tuple[int, ...]


class _Item(msgspec.Struct, frozen=True):
    text: str
    group: int


class Inventory(msgspec.Struct, frozen=True):
    """What is on a page. `groups` has, for each list of items, the place of the heading before it, or -1."""

    controls: tuple[_Control, ...]
    headings: tuple[_Heading, ...]
    items: tuple[_Item, ...]
    groups: tuple[int, ...]


class Unasked(msgspec.Struct, frozen=True):
    """Something that nobody asked for, in words: `button "Subscribe"`. `control`: its place in the inventory, or None."""

    words: str
    control: int | None = None
    role: str = "heading"
    field: bool = False


async def unrequested(page: Page, golden: str, allow: Iterable[str] = ()) -> list[str]:
    """What nobody asked for, in words (`button "Subscribe"`), in the order of the page; each once."""
    return [one.words for one in await unasked(page, golden, allow)]


async def unasked(page: Page, golden: str, allow: Iterable[str] = ()) -> list[Unasked]:
    """The same with its place: headings first, then controls; of those that say the same words the first."""
    found = msgspec.convert(await look(page, "() => inventory()", None, "unrequested.js"), Inventory)
    extras: dict[str, Unasked] = {}
    for one in _Survey(found, Vocabulary(golden, allow)).extras():
        extras.setdefault(one.words, one)
    return list(extras.values())


class _Survey:
    def __init__(self, found: Inventory, golden: Vocabulary) -> None:
        self._found = found
        self._golden = golden
        self._expected = self._expected_items()
        self._item_words = {word for place in self._expected for word in words(found.items[place].text)}
        self._heading_words = {
            word for heading in found.headings if self._heading_is_known(heading) for word in words(heading.name)
        }

    def extras(self) -> Iterator[Unasked]:
        for heading in self._found.headings:
            if not self._heading_is_known(heading):
                yield Unasked(f'heading "{one_line(heading.name, 60)}"')
        for place, control in enumerate(self._found.controls):
            if not self._control_is_known(control):
                name = f'"{one_line(control.name, 60)}"' if control.name else "without a name"
                yield Unasked(f"{control.role} {name}", place, control.role, control.field)

    def _expected_items(self) -> set[int]:
        """The items that were asked for: those that the golden text names, else those of lists under a known heading."""
        texts: dict[int, list[str]] = {}
        for item in self._found.items:
            texts.setdefault(item.group, []).append(item.text)
        named = {group for group, said in texts.items() if self._golden.tally(" ".join(said)).share >= _ENUMERATED}
        if named:
            items = enumerate(self._found.items)
            return {place for place, item in items if item.group in named and self._golden.tally(item.text).share >= _NAMED}
        known = {group for group in texts if self._follows_known(self._found.groups[group])}
        return {place for place, item in enumerate(self._found.items) if item.group in known}

    def _follows_known(self, place: int) -> bool:
        while place >= 0 and self._found.headings[place].item >= 0:
            place -= 1
        if place < 0:
            return True
        heading = self._found.headings[place]
        return heading.level == 1 or self._is_said(heading.name)

    def _is_said(self, text: str, neutral: Iterable[str] = ()) -> bool:
        tally = self._golden.tally(text, neutral)
        return tally.unknown == 0 or tally.known > tally.unknown

    def _heading_is_known(self, heading: _Heading) -> bool:
        return (
            heading.level == 1
            or self._is_said(heading.name)
            or heading.item in self._expected
            or self._accounts_for(heading.under, heading.controls)
        )

    def _accounts_for(self, under: str, controls: Iterable[int]) -> bool:
        """Whether what stands under a heading is something that was asked for, and not just talk about it."""
        asked = (
            self._golden.quotes(under)
            or self._golden.numbers(under) >= 3
            or any(self._golden.tally(self._found.controls[place].name).known for place in controls)
        )
        return asked and self._golden.tally(under).share >= _UNDER

    def _control_is_known(self, control: _Control) -> bool:
        if control.role in _MEDIA:
            return self._golden.speaks_of(_MEDIA[control.role])
        if self._searches(control):
            return self._golden.speaks_of(SEARCHING)
        name = f"{without_examples(control.name)} {control.hint}".strip()
        if not any(char.isalnum() for char in name):
            return self._needs_no_words(control)
        neutral = self._neutral(control)
        tally = self._golden.tally(name, neutral)
        enough = tally.known >= tally.unknown if control.field else tally.known > tally.unknown
        return tally.unknown == 0 or enough

    @staticmethod
    def _searches(control: _Control) -> bool:
        return control.role == "searchbox" or (control.field and not SEARCHING.isdisjoint(words(control.name)))

    @staticmethod
    def _needs_no_words(control: _Control) -> bool:
        if control.field:
            return True
        return bool(control.name) and all(
            char in _SYMBOLS or char.isspace() or not char.isprintable() for char in control.name
        )

    def _neutral(self, control: _Control) -> set[str]:
        """Words that the page's own content lends to a control: its item, the lists it selects from, its section."""
        neutral: set[str] = set()
        if control.item in self._expected:
            neutral |= set(words(self._found.items[control.item].text))
        if self._golden.speaks_of(SELECTING):
            neutral |= self._item_words
        if control.inner:
            neutral |= self._heading_words
        return neutral
