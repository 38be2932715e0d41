"""What a fragment is: one requirement, read from the wording of a sentence, and the piece of a site that meets it."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Self

import msgspec

if TYPE_CHECKING:
    from iwtui.models.scripted.fragments.site import Site


class Topic(StrEnum):
    """What a question of the builder, and a fact of the client, is about."""

    NAME = "name"
    BACKGROUND = "background"
    PARTS = "colour of parts"
    DATA = "data"
    ACTIONS = "actions"
    MESSAGES = "messages"
    LASTING = "lasting"
    TEXTS = "texts"
    ELSE = "anything else"


class Place(StrEnum):
    """Where on the page a part stands."""

    STYLE = "style"
    HEADER = "header"
    TOP = "top"
    ABOVE = "above the data"
    DATA = "data"
    BELOW = "below the data"
    FOOTER = "footer"
    ITEM = "in each item"
    SCRIPT = "script"


class Part(msgspec.Struct, frozen=True):
    """A piece of the page, and the key of the fragment that brought it."""

    place: Place
    text: str
    by: str


class Fragment(msgspec.Struct, frozen=True):
    """A requirement with the values captured from its wording.

    `key` says what a site can have only one of, in words that a client understands; of two fragments with one key the later
    counts. `value` is what two readings of it can be at odds about. `wish` is the requirement as a plain sentence,
    which reads back as the same fragment.
    """

    topic: ClassVar[Topic]
    subject: ClassVar[str]
    """What a denial of all fragments of this kind is called: `"the table"`."""
    pattern: ClassVar[re.Pattern[str]]
    denial: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")

    @classmethod
    def read(cls, sentence: str) -> Iterator[Self]:
        """The fragments of this kind that the sentence asks for."""
        for found in cls.pattern.finditer(sentence):
            if not denied(sentence[: found.start()]) and (fragment := cls.of(found, sentence)) is not None:
                yield fragment

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        """The fragment that a match of the pattern stands for."""
        return cls()

    @classmethod
    def denies(cls, sentence: str) -> bool:
        """Whether the last word of the sentence is that the site shall not have this."""
        bare = re.sub(r'"[^"]*"', lambda found: "_" * len(found[0]), sentence)
        denying = list(cls.denial.finditer(bare))
        if not denying:
            return False
        asking = [found for found in cls.pattern.finditer(sentence) if not denied(sentence[: found.start()])]
        return not asking or denying[-1].end() >= asking[-1].end()

    @property
    def about(self) -> Topic:
        return self.topic

    @property
    def key(self) -> str:
        return self.subject

    @property
    def value(self) -> str:
        return ""

    @property
    def wish(self) -> str:
        raise NotImplementedError

    def merged(self, earlier: Self) -> Self:
        """This fragment after an earlier one of the same key."""
        return self

    def parts(self, site: "Site") -> Iterator[Part]:
        """The pieces it brings to a page. A feature acts on what the site has, and brings nothing else along."""
        raise NotImplementedError

    def part(self, place: Place, text: str) -> Part:
        return Part(place, text.strip("\n"), self.key)


def listed(names: Sequence[str]) -> str:
    """ "A, B and C", quoting what would not be read back as one name."""
    told = [name if re.fullmatch(r"[A-Z][\w-]*", name) else f'"{name}"' for name in names]
    return " and ".join(filter(None, (", ".join(told[:-1]), told[-1])))


_DENIED = re.compile(r"(?:\b(?:no|not|never|without|avoid|neither|nor)|n't)(?:\s+[\w']+){0,2}\s*$", re.IGNORECASE)


def denied(before: str) -> bool:
    """Whether the words right before something deny it: "show no ", "do not add a "."""
    return _DENIED.search(before) is not None


def compiled(text: str) -> re.Pattern[str]:
    """A pattern over a sentence, whatever the case of its letters."""
    return re.compile(text, re.IGNORECASE)


def no(things: str) -> re.Pattern[str]:
    """A denial: "no table", "without a search box", "nobody may put anything into a basket"."""
    without = r"(?:without|never|never show|never use|not (?:show|want|need|use|have))(?: an?| any| the)?"
    return compiled(
        rf"\b(?:no|{without})\s+(?:{things})\b"
        rf"|\b(?:nobody|no one|no visitor|none|nothing)\b[^,.]{{0,60}}\b(?:{things})\b"
    )
