"""Which words a golden text accounts for: its own, in any of their forms, and those of everyday convention."""

import re
from collections.abc import Iterable
from functools import cache

import msgspec

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_QUOTED = re.compile(r'["“„]([^"“”„]{2,200})["”“]')
_EXAMPLE = re.compile(r"(?:\(|\b)(?:e\.?\s?g\.?|for example|for instance|such as)(?!\w).*$", re.IGNORECASE | re.DOTALL)
_SUFFIXES = (
    "abilities ability ables able ations ation ingly edly ings ies ied ing ers ery ors ions ion ed es er or ly als al s y e"
).split()
_EMPTY = frozenset(
    """a an and any are as at be been but by can do does each every for from has have how i if in into is it its let me my
    no not of on one or our out per so some than that the their them then there these they this to too up us via was we what
    when where which who will with you your yours""".split()
)
_CONVENTION = """submit send save close menu home skip content main search find filter clear reset back top bottom view show
    hide see more less detail read open next previous prev page go all result list item entry total number count name title
    new info information section overview welcome navigation cancel select choose enter type here now please today required
    optional form field apply confirm done loading site website web app"""


def _ends(word: str, suffix: str) -> bool:
    return word.endswith(suffix) and len(word) - len(suffix) >= 3 and not (suffix == "s" and word.endswith("ss"))


@cache
def stem(word: str) -> str:
    """A word without its ending, the same for all forms of an English word as far as a few rules go: baked, bakery: bak."""
    word = word.casefold().replace("’", "'").removesuffix("'s")
    while suffix := next((end for end in _SUFFIXES if _ends(word, end)), ""):
        word = word.removesuffix(suffix)
    word = word.removesuffix("e") if len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


_CONVENTIONAL = frozenset(map(stem, _CONVENTION.split()))
SEARCHING = frozenset(map(stem, "search find filter narrow look lookup query".split()))
SELECTING = SEARCHING | set(map(stem, "category choose select tab sort group pick option switch link navigate".split()))


def words(text: str) -> list[str]:
    """The words and numbers of a text that mean something, as stems; numbers with a decimal point."""
    found = [word for word in _WORD.findall(text) if word.casefold() not in _EMPTY]
    return [
        word.replace(",", ".") if word[0].isdigit() else stem(word) for word in found if len(word) > 1 or word[0].isdigit()
    ]


def without_examples(text: str) -> str:
    """The text of a placeholder without the example it gives."""
    return _EXAMPLE.sub("", text)


class Tally(msgspec.Struct, frozen=True):
    """How many words of a text the golden text accounts for, and how many nothing does."""

    known: int
    unknown: int

    @property
    def share(self) -> float:
        total = self.known + self.unknown
        return self.known / total if total else 0.0


class Vocabulary:
    """The words of one golden text and those that are allowed beside it."""

    def __init__(self, golden: str, allow: Iterable[str] = ()) -> None:
        self.stems = frozenset(words(golden)) | {one for word in allow for one in words(word)}
        self._quoted = tuple(" ".join(phrase.split()).casefold() for phrase in _QUOTED.findall(golden))

    def speaks_of(self, stems: Iterable[str]) -> bool:
        return not self.stems.isdisjoint(stems)

    def tally(self, text: str, neutral: Iterable[str] = ()) -> Tally:
        """Words of the golden text count as known; conventional and neutral ones, and other numbers, not at all."""
        aside = _CONVENTIONAL.union(neutral)
        found = set(words(text))
        known = sum(word in self.stems for word in found)
        unknown = sum(word not in self.stems and word not in aside and not word[0].isdigit() for word in found)
        return Tally(known, unknown)

    def quotes(self, text: str) -> bool:
        """Whether a quoted phrase of the golden text stands in the text."""
        flat = " ".join(text.split()).casefold()
        return any(phrase in flat for phrase in self._quoted)

    def numbers(self, text: str) -> int:
        """How many numbers of the golden text stand in the text."""
        return sum(word[0].isdigit() and word in self.stems for word in set(words(text)))
