"""What tells a slot from the others in words, and how much of it a text or a piece of code holds.

It reads words, not meaning: an estimate, repeatable and free. For languages that put spaces between words; the word lists
are English.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

import msgspec

from iwtui.bench.case import Case, Slot, SlotKind
from iwtui.bench.lexical import COLOURS, STOP, colours_of, stem, stems_of, values_of, words_of

HALF = 0.5
"""The part of a slot's values, or of its words by weight, that a text must hold to speak of the slot."""

LONGEST = 100_000
"""Characters of a text that are read."""

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_RGB = re.compile(r"\brgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})")
_TESTING = {
    stem(word)
    for word in "verify check test confirm validate ensure assess evaluate examine navigate navigation access view display "
    "displayed click user users website correct correctly work works working successful successfully error errors accurate "
    "accurately complete reflect reflecting specified design requirement requirements instruction feature features "
    "functionality function section component components element elements background style styled option options "
    "different example select exactly hold holds visitor ability able allow provide provided various valid using".split()
}
"""Stems that judges and makers of tasks use of any slot."""

_GENERIC = _TESTING | {stem(word) for word in "colour color scheme main area bar box item items header form data".split()}
"""Stems that name no component by themselves."""

_LOOKS = (SlotKind.CONTENT, SlotKind.STYLE)
"""Kinds of slots that hold when certain values are there."""


class Traits(msgspec.Struct, frozen=True):
    """What tells a slot: its quotations, numbers and names; its colours; its stems by how few slots have them.

    `named`: the stems of its component that name nothing else. `exact`: its values decide, where it has any.
    """

    values: frozenset[str]
    colours: frozenset[str]
    weights: dict[str, float]
    named: frozenset[str]
    exact: bool


class Words(msgspec.Struct, frozen=True):
    """A text as it is searched: its normal words in one line, their stems, and the colours that it names."""

    line: str = " "
    stems: frozenset[str] = frozenset()
    colours: frozenset[str] = frozenset()

    def with_(self, other: "Words") -> "Words":
        """Both texts, one after the other."""
        return Words(f"{self.line}| {other.line}", self.stems | other.stems, self.colours | other.colours)


@lru_cache(maxsize=256)
def traits_of(case: Case) -> tuple[Traits, ...]:
    """The traits of a case's slots. Words that the golden instruction does not have are the judge's, where it is known."""
    known = " ".join((case.golden, *case.facts))
    golden, words = stems_of(known), set(words_of(known))
    own = [_own_stems(slot, golden) for slot in case.slots]
    sharing = Counter(word for stems in own for word in stems)
    return tuple(
        _traits(slot, {word: 1 / sharing[word] for word in sorted(stems)}, words)
        for slot, stems in zip(case.slots, own, strict=True)
    )


def prose(text: str) -> Words:
    """The words of something said."""
    text = text[:LONGEST]
    words = words_of(text)
    return _Found(words, map(_joined, colours_of(text))).words


def code(text: str) -> Words:
    """The words of a source file; `addToBasket` is three, and `#fffff0` is ivory."""
    text = text[:LONGEST]
    names = _by_value()
    codes = {_long(found[0]) for found in _HEX.finditer(text)}
    codes |= {f"#{int(r) & 255:02x}{int(g) & 255:02x}{int(b) & 255:02x}" for r, g, b in _RGB.findall(text)}
    words = words_of(_HUMPS.sub(" ", text))
    named = {_gray(word) for word in set(words) if _gray(word) in _colour_names()}
    return _Found(words, [*named, *(name for code in codes for name in names.get(code, ()))]).words


def held_values(traits: Traits, words: Words) -> int:
    """How many of the slot's values and colours stand there."""
    held = sum(f" {value} " in words.line for value in traits.values)
    return held + sum(colour in words.colours or f" {colour} " in words.line for colour in traits.colours)


def share_of_values(traits: Traits, words: Words) -> float | None:
    """The part of the slot's values that stand there; None when it has none."""
    most = len(traits.values) + len(traits.colours)
    return held_values(traits, words) / most if most else None


def share_of_words(traits: Traits, words: Words) -> float:
    """The part of the slot's words, by weight, that stand there."""
    most = sum(traits.weights.values())
    return sum(weight for word, weight in traits.weights.items() if word in words.stems) / most if most else 0.0


def names_it(traits: Traits, words: Words) -> bool:
    """Whether the component is named there by all of its own words."""
    return bool(traits.named) and words.stems.issuperset(traits.named)


def holds_it(traits: Traits, words: Words) -> bool:
    """Whether code seems to hold what the slot asks for: half of its values, or of its words where no value decides."""
    values = share_of_values(traits, words)
    if traits.exact and values is not None:
        return values >= HALF
    return share_of_words(traits, words) >= HALF or names_it(traits, words)


def speaks_of(traits: Traits, words: Words) -> bool:
    """Whether something said is about the slot: half of its values or of its words, or the name of its component."""
    return (
        (share_of_values(traits, words) or 0.0) >= HALF or share_of_words(traits, words) >= HALF or names_it(traits, words)
    )


class _Found:
    def __init__(self, words: Sequence[str], colours: Iterable[str]) -> None:
        meaning = {word for word in words if word not in STOP}
        stems = frozenset(stem(word) for word in meaning)
        self.words = Words(f" {' '.join(words)} ", stems, frozenset(colours))


def _own_stems(slot: Slot, golden: set[str]) -> set[str]:
    stems = stems_of(_text(slot)) - _TESTING
    return (stems & golden) or stems


def _traits(slot: Slot, weights: dict[str, float], golden: set[str]) -> Traits:
    """`golden`: the words of the golden instruction; a value that it does not have is the judge's; none when unknown."""
    colours = frozenset(map(_joined, colours_of(_text(slot))))
    values = {value for part in (slot.task, slot.expected) for value in values_of(part)}
    kept = {" ".join(value) for value in values if _tells(value, golden)}
    component = stems_of(slot.component.replace("_", " ")) - _GENERIC
    return Traits(frozenset(kept), colours, weights, frozenset(component), slot.kind in _LOOKS)


def _tells(value: tuple[str, ...], golden: set[str]) -> bool:
    """Whether a value tells a slot: colours are told apart, and a small number stands anywhere."""
    small = len(value) == 1 and value[0].isdigit() and len(value[0]) < 3
    return bool(value) and not small and not COLOURS.intersection(value) and (not golden or golden.issuperset(value))


def _text(slot: Slot) -> str:
    return f"{slot.component.replace('_', ' ')}. {slot.task} {slot.expected}"


def _joined(colour: Sequence[str]) -> str:
    return _gray("".join(colour))


def _gray(word: str) -> str:
    return word.replace("grey", "gray")


def _long(code: str) -> str:
    digits = code[1:].lower()
    return "#" + ("".join(digit * 2 for digit in digits) if len(digits) == 3 else digits)


@cache
def _by_value() -> dict[str, tuple[str, ...]]:
    """The names of the CSS colours by their code."""
    from PIL import ImageColor

    found: dict[str, tuple[str, ...]] = {}
    for name, value in ImageColor.colormap.items():
        code = value if isinstance(value, str) else "#{:02x}{:02x}{:02x}".format(*value[:3])
        found[code.lower()] = (*found.get(code.lower(), ()), _gray(name))
    return found


@cache
def _colour_names() -> frozenset[str]:
    return frozenset(name for names in _by_value().values() for name in names)
