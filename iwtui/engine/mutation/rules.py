"""The four operators by rule: free, repeatable, and plainer than a model's. They read English.

Each takes the facts of a golden instruction and gives the client's words. Source of the operators: InteractWeb-Bench (arXiv
2604.27419): incompleteness, noise, ambiguity, contradiction.
"""

import re
import tomllib
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any

from iwtui.bench.contradiction import contradicted
from iwtui.bench.lexical import NUMERALS, stem, words_of
from iwtui.engine.mutation.looks import Look, distance, looks, picture_of
from iwtui.models.scripted.voices import CHATTER

SHORTEST, LONGEST = 4, 8
"""Words of a minimalist's instruction."""

NOISE = 2.6
"""A rambler's words for each word of the golden text; the observed texts have 1.8 to 4.1."""

VEILED = 1.1
"""An intuitive's words for each word of the golden text; the observed texts have 0.9 to 1.9."""

MUCH = 1.2
"""Words for each word of the golden text, after which a fact gets one image instead of two."""

CLASHES = 4
"""Contradictions at most."""

CLASHING_LENGTH = 1.4
"""A conflicting client's words for each word of the golden text at most, or FEW words."""

FEW = 120

_CORE = re.compile(
    r"(?:please\s+)?(?:could you\s+|i (?:want|need)\s+)?(?:to\s+)?"
    r"(?:implement|build|create|make|develop|design|write|set up|provide)\s+(?:me\s+)?(?P<thing>[^.,;:\"“(]+)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s+(?:that|which|where|with|to|including|called|named|using|so|and|in|on|whose|featuring|while)\b.*", re.DOTALL
)
_FOR = re.compile(r"\s+for\b.*", re.DOTALL)
_BARE = frozenset(
    "a an the one-page web based web-based website site page app application platform mini-program online system".split()
)
_ARTICLES = frozenset("a an the our my your their".split())
_ABLE = re.compile(
    r"\b(?:users?|visitors?|customers?|people|buyers?|students?|members?)\s+(?:should|can|must)\s+(?:also\s+)?"
    r"(?:be able to\s+)?(?P<what>[^,.;]+)",
    re.IGNORECASE,
)
_FUNCTIONS = re.compile(
    r"\b(?:functionalit(?:y|ies)|functions?|features?|capabilit(?:y|ies)|sections?|pages?)\s*,?\s+"
    r"(?:for|such as|of|like|including)\s+(?P<what>[^,.;]+)",
    re.IGNORECASE,
)
_QUOTED_PART = re.compile(r'(?P<what>"[^"]{1,80}"\s+(?:button|link|message|heading|label|page))', re.IGNORECASE)
_PART = re.compile(
    r"^(?:an?|the|every)\s+(?P<what>(?:[\w'-]+\s+){0,2}(?:box|form|table|menu|button|list|chart|map|search|carousel|bar))\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"^(?:please\s+)?(?:show|list|display|include)\s+(?:exactly\s+)?(?:the\s+|these\s+|all\s+)?"
    r"(?P<what>[\w' -]+?)(?=\s+(?:with|in|on|as|at|\"|and)|[,.:\"]|$)",
    re.IGNORECASE,
)
_DENIALS = (
    (_QUOTED_PART, "but there must be no {what}"),
    (_ABLE, "but nobody may {what}"),
    (_FUNCTIONS, "but there must be no {what}"),
    (_PART, "but there must be no {what}"),
    (_SHOWN, "but show no {what}"),
)
"""What denies a fact of a known form."""


def minimal(facts: Sequence[str], title: str, turn: int = 0) -> str:
    """What the site is at its core, in 4 to 8 words."""
    found = _CORE.match(facts[0])
    whole = found["thing"] if found else f"a website for {title.casefold() or 'us'}"
    thing = _ENDS.sub("", whole).split()
    if not set(_FOR.sub("", " ".join(thing)).casefold().split()) <= _BARE:
        thing = _FOR.sub("", " ".join(thing)).split()
    elif set(" ".join(thing).casefold().split()) <= _BARE:
        thing = re.sub(r"\s+and\b.*", "", whole).split()[: LONGEST - 1]
    if len(thing) >= LONGEST and "of" in thing:
        del thing[thing.index("of") :]
    while len(thing) >= LONGEST:
        del thing[next((i + 1 for i in range(len(thing) - 2, 0, -1) if thing[i].casefold() in _ARTICLES | {"for"}), 1)]
    said = ["Make", *thing]
    if len(said) < SHORTEST:
        said = ["Please", "make", *thing]
    return " ".join(said) + "."


def rambling(facts: Sequence[str], title: str, turn: int = 0) -> str:
    """Every fact word for word, amid chatter."""
    golden = sum(len(fact.split()) for fact in facts)
    wanted = max(min(NOISE * golden, 240), 1.9 * golden, 165) - golden
    start = (zlib.crc32(facts[0].encode()) + turn) % len(CHATTER)
    chatter: list[str] = []
    while sum(len(sentence.split()) for sentence in chatter) < wanted:
        chatter.append(CHATTER[(start + len(chatter)) % len(CHATTER)])
    told: list[str] = []
    for place, fact in enumerate(facts):
        share = slice(place * len(chatter) // len(facts), (place + 1) * len(chatter) // len(facts))
        told += [*chatter[share], fact]
    return " ".join(told)


def intuitive(facts: Sequence[str], title: str, turn: int = 0) -> str:
    """An image for what each fact speaks of and for each colour; no value of the golden text literally."""
    lexicon = _lexicon()
    golden = sum(len(fact.split()) for fact in facts)
    opening, closing = lexicon["opening"], lexicon["closing"]
    start = zlib.crc32(facts[0].encode()) + turn
    said = [opening[start % len(opening)]]
    for fact in facts:
        images = [image for image in _images(fact) if image not in said]
        much = sum(len(sentence.split()) for sentence in said) > MUCH * golden
        said += images if looks(fact) or not much else images[:1]
    for place in range(len(closing)):
        if sum(len(sentence.split()) for sentence in said) >= max(VEILED * golden, 60):
            break
        said.append(closing[(start + place) % len(closing)])
    return " ".join(said)


def conflicting(facts: Sequence[str], title: str, turn: int = 0) -> str:
    """The facts, and beside some of them a demand that cannot hold together with them."""
    golden = sum(len(fact.split()) for fact in facts)
    room = max(CLASHING_LENGTH * golden, FEW)
    rivals = [(place, rival) for place, fact in enumerate(facts) if (rival := _rival(place, facts))]
    first = [each for each in rivals if looks(facts[each[0]])]
    chosen = dict([*first, *(each for each in rivals if each not in first)][:CLASHES])
    told = {
        place: f"{fact.rstrip(' .!?')}, {chosen[place]}." if place in chosen else fact for place, fact in enumerate(facts)
    }
    for place in reversed(range(1, len(facts))):
        if sum(len(text.split()) for text in told.values()) > room and place not in chosen:
            del told[place]
    for place in reversed(list(chosen)[1:]):
        if sum(len(text.split()) for text in told.values()) > room and len(told) > 1:
            del told[place]
    return " ".join(told.values())


RULES: dict[str, Callable[[Sequence[str], str, int], str]] = {
    "P-MIN": minimal,
    "P-RAM": rambling,
    "P-INT": intuitive,
    "P-CON": conflicting,
}
"""The operator of each persona that has one: from facts, title and a number that varies the choice to an instruction."""


def veiled(facts: Sequence[str]) -> frozenset[int]:
    """The facts that `intuitive` has an image for."""
    return frozenset(place for place, fact in enumerate(facts) if next(_images(fact), None))


def _images(fact: str) -> Iterator[str]:
    """The pictures for a fact: of its colours, else the first two that fit its words."""
    colours = looks(fact)
    for look in colours:
        yield _lexicon()["ground" if look.of_ground else "parts"]["said"].format(picture=picture_of(look.css))
    if colours:
        return
    words = words_of(fact)
    fitting = [image["said"] for image in _lexicon()["image"] if any(_fits(word, image["about"].split()) for word in words)]
    yield from fitting[:2]


def _fits(word: str, about: Sequence[str]) -> bool:
    return any(stem(word) == stem(known) or (len(known) >= 5 and word.startswith(known)) for known in about)


def _rival(place: int, facts: Sequence[str]) -> str:
    """A demand that a fact cannot hold together with, or nothing."""
    fact = facts[place]
    colours = looks(fact)
    if colours:
        rival = _rival_look(colours[0], [look for other in facts for look in looks(other)])
        part = "the background" if colours[0].of_ground else f"{colours[0].part or 'that'}"
        candidates = [f"and make {part} {rival}"]
    else:
        candidates = [
            template.format(what=_bare(found["what"])) for pattern, template in _DENIALS if (found := pattern.search(fact))
        ]
    return next((text for text in candidates if place in contradicted(facts, f"{fact.rstrip(' .!?')}, {text}.")), "")


def _bare(what: str) -> str:
    return re.sub(
        rf"^(?:a|an|the|their|own|\d+|{'|'.join(NUMERALS)})\s+", "", re.sub(r"\s+(?:and|or)\b.*", "", what.strip())
    )


def _rival_look(look: Look, known: Sequence[Look]) -> str:
    """The rival colour that lies farthest from the true one, and is none of the seed's."""
    rivals: list[str] = _lexicon()["rivals"]
    free = [name for name in rivals if all(distance(name, other.css) > 10 for other in known)]
    return max(free or rivals, key=lambda name: distance(name, look.css))


@cache
def _lexicon() -> dict[str, Any]:
    return tomllib.loads((resources.files(__package__) / "lexicon.toml").read_text(encoding="utf-8"))
