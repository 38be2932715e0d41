"""What a text asks for, as far as the library of fragments understands its wording."""

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from iwtui.models.scripted.fragments import KINDS
from iwtui.models.scripted.fragments.base import Fragment, Topic
from iwtui.models.scripted.sentences import LONGEST_TEXT, sentences


class Clash(msgspec.Struct, frozen=True):
    """Two sentences that cannot both hold, and what they are at odds about."""

    about: str
    first: str
    second: str


class Reading(msgspec.Struct, frozen=True):
    """The fragments that a text asks for, in the order of the page; of rivals the last one read counts.

    `unread` are the sentences in which nothing was understood.
    """

    fragments: tuple[Fragment, ...] = ()
    clashes: tuple[Clash, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(fragment.key for fragment in self.fragments)

    def has(self, topic: Topic) -> bool:
        """Whether anything is known about a topic."""
        return any(fragment.about is topic for fragment in self.fragments)


class _Reader:
    """Reads sentence by sentence."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[Fragment, str]] = {}
        self.of_this_text: set[str] = set()
        self.denials: dict[str, str] = {}
        self.clashes: dict[str, Clash] = {}
        self.unread: list[str] = []

    def take(self, sentence: str) -> None:
        understood = False
        for kind in KINDS:
            for fragment in kind.read(sentence):
                understood = True
                self._ask(fragment, sentence)
            if kind.denies(sentence):
                understood = True
                self._deny(kind, sentence)
        if not understood:
            self.unread.append(sentence)

    def _ask(self, fragment: Fragment, sentence: str) -> None:
        subject = fragment.subject
        if subject in self.denials:
            self._clash(subject, self.denials.pop(subject), sentence)
        if fragment.key in self.known:
            earlier, said = self.known[fragment.key]
            if earlier.value != fragment.value:
                self._clash(fragment.key, said, sentence)
            fragment = fragment.merged(earlier) if fragment.key in self.of_this_text else fragment
        self.of_this_text.add(fragment.key)
        self.known[fragment.key] = (fragment, sentence)

    def _deny(self, kind: type[Fragment], sentence: str) -> None:
        self.denials[kind.subject] = sentence
        for key in [key for key, (fragment, _) in self.known.items() if isinstance(fragment, kind)]:
            _, said = self.known.pop(key)
            self._clash(key, said, sentence)

    def _clash(self, about: str, first: str, second: str) -> None:
        self.clashes.setdefault(about, Clash(about, first, second))


def read(*texts: str) -> Reading:
    """Read texts one after the other; what a later one says counts for more."""
    return _read(*(text[:LONGEST_TEXT] for text in texts))


@lru_cache(maxsize=256)
def _read(*texts: str) -> Reading:
    reader = _Reader()
    for text in texts:
        reader.of_this_text.clear()
        for sentence in sentences(text):
            reader.take(sentence)
    return Reading(
        fragments=_in_page_order(fragment for fragment, _ in reader.known.values()),
        clashes=tuple(reader.clashes.values()),
        unread=tuple(reader.unread),
    )


def _in_page_order(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """The fragments in the order in which they stand on a page."""
    return tuple(sorted(fragments, key=lambda fragment: (KINDS.index(type(fragment)), fragment.key)))
