"""Which facts of a golden instruction a text contradicts, by its wording alone: repeatable and free.

It reads words, not meaning. A clause contradicts a fact when it gives another colour to what the fact gives a colour to,
when it speaks of the fact's matter with other numbers or quotations, or when it denies what the fact is about.
"""

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from iwtui.bench.lexical import COLOURS, colours_of, stem, stems_of, values_of, words_of

ABOUT = 0.6
"""The part of a fact's words, its values aside, that a clause with other values must hold to be about the fact."""

SAME_MATTER = 0.4
"""The part of a fact's words that a clause must hold for a denial in it to be about the fact."""

ALMOST_ALL = 0.5
"""The part of a clause's words that a fact must hold for a denial in the clause to be about the fact."""

LONG_CLAUSE = 14
"""Words that carry meaning; in a longer clause a denial may be about anything."""

_CLAUSE = re.compile(r"(?<=[.!?;])\s+|\n+|;|,?\s+(?:but|yet|although|though|while|however|and then)\b|,\s+and\b")
_DENIAL = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|nowhere|without|hidden|hide|invisible|unable|forbid\w*|forbidden|disabled?|"
    r"impossible|prevent\w*|empty|blank|forget\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    r"\b(?:(?:do|let)(?:n['’]t| not|['’]?s not|s not) (?:ever )?forget|who (?:does|would|could)(?:n['’]t| not)|"
    r"(?:do|would|is|are|wo|ca)n['’]t (?:you|it|they|we)|(?:don['’]t|do not) (?:get me|you|worry|mind)|"
    r"not (?:just|only|to mention)|without (?:any |a |further )?(?:issues?|hassles?|fuss|doubt|trouble|ado|effort)|"
    r"(?:do|does|is|are)n['’]t just|no doubt|why not|if not|in no time|never mind|(?:do|does)n['’]t (?:get|really|know))\b",
    re.IGNORECASE,
)
"""Denials that deny nothing."""

_LOOK = re.compile(r"\b(?:neon|transparent|invisible|rainbow|camouflage|dark background|dark mode)\b", re.IGNORECASE)
"""Looks that rule any colour out."""

_SIMILE = re.compile(
    r"\b(?:like|as|whisper\w*|evok\w*|reminiscent|resonat\w*|remind\w*|hues?|shades?|imagine|picture|envision)\b",
    re.IGNORECASE,
)
_FILLERS = {stem(word) for word in "anything anybody anyone ever yet ensure sure however visible time they them".split()}
_PARTS = {stem(word) for word in "button control card header heading footer text link table bar".split()}
_GROUND = {stem(word) for word in "background backdrop canvas body layout container".split()}
_PAGE = stem("page")
_WHOLE = {
    stem(word) for word in "component element ui interface site website theme design style color colour look all".split()
}
"""Words that mean any part, or the whole."""

BACKGROUND, ANY = "background", "any part"


class _Fact(msgspec.Struct, frozen=True):
    """What is known of one fact. `weights`: its stems, each by how few facts have it; `matter`: those not of its values."""

    weights: dict[str, float]
    matter: frozenset[str]
    exact: bool
    coloured: frozenset[str]
    has_colour: bool
    denies: bool


class _Facts(msgspec.Struct, frozen=True):
    each: tuple[_Fact, ...]
    colours: frozenset[tuple[str, ...]]
    values: frozenset[tuple[str, ...]]


class _Clause(msgspec.Struct, frozen=True):
    """What is known of one clause. `others`: exact values that no fact has; `denied`: its stems, if it denies anything."""

    stems: frozenset[str]
    coloured: frozenset[str]
    has_rival: bool
    others: bool
    denied: frozenset[str]


def contradicted(facts: Sequence[str], text: str) -> tuple[int, ...]:
    """The facts (0-based) that a clause of the text cannot hold together with."""
    known = _known(facts)
    for fact in facts:
        text = re.sub(re.escape(fact.rstrip(" .!?")), " ", text, flags=re.IGNORECASE)
    clauses = [_read(clause, known) for clause in _CLAUSE.split(text) if clause.strip()]
    return tuple(place for place, fact in enumerate(known.each) if any(_clashes(fact, clause) for clause in clauses))


def _known(facts: Sequence[str]) -> _Facts:
    stems = [stems_of(fact) for fact in facts]
    values = [set(values_of(fact)) for fact in facts]
    sharing = Counter(word for own in stems for word in own)
    each = tuple(
        _Fact(
            weights={word: 1 / sharing[word] for word in own},
            matter=frozenset(own - {stem(word) for value in exact for word in value}),
            exact=any(_is_exact(value) for value in exact),
            coloured=_coloured(fact),
            has_colour=bool(colours_of(fact)),
            denies=bool(_DENIAL.search(fact)),
        )
        for fact, own, exact in zip(facts, stems, values, strict=True)
    )
    return _Facts(
        each,
        frozenset(colour for fact in facts for colour in colours_of(fact)),
        frozenset(value for exact in values for value in exact),
    )


def _read(clause: str, known: _Facts) -> _Clause:
    plain = _FIGURES.sub(" ", clause)
    rivals = [colour for colour in colours_of(clause) if colour not in known.colours and not COLOURS.isdisjoint(colour)]
    return _Clause(
        stems=frozenset(stems_of(clause)),
        coloured=_coloured(clause),
        has_rival=bool(rivals or _LOOK.search(clause)) and not _SIMILE.search(clause),
        others=any(_is_exact(value) and value not in known.values for value in values_of(clause)),
        denied=_denied(plain, known),
    )


def _denied(clause: str, known: _Facts) -> frozenset[str]:
    """What a clause denies: its words, unless it denies nothing, or a fact says the same."""
    if not _DENIAL.search(clause):
        return frozenset()
    stems = stems_of(clause)
    if any(fact.denies and len(stems & fact.weights.keys()) >= len(stems) / 2 for fact in known.each):
        return frozenset()
    return frozenset(stems_of(_DENIAL.sub(" ", clause)) - _FILLERS)


def _clashes(fact: _Fact, clause: _Clause) -> bool:
    return _other_colour(fact, clause) or _other_value(fact, clause) or _is_denied(fact, clause)


def _other_colour(fact: _Fact, clause: _Clause) -> bool:
    """Whether the clause gives a colour that no fact has to something that the fact gives a colour to."""
    if not fact.has_colour or not clause.has_rival:
        return False
    if ANY in fact.coloured and clause.coloured - {BACKGROUND}:
        return True
    return ANY in clause.coloured or not fact.coloured.isdisjoint(clause.coloured)


def _other_value(fact: _Fact, clause: _Clause) -> bool:
    """Whether the clause speaks of the fact's matter, with numbers or quotations in place of the fact's own."""
    if not fact.exact or not clause.others or not fact.matter:
        return False
    return len(fact.matter & clause.stems) >= max(1, ABOUT * len(fact.matter))


def _is_denied(fact: _Fact, clause: _Clause) -> bool:
    """Whether what the clause denies is the fact: it has much of its words, or hardly any others."""
    shared = clause.denied & fact.weights.keys()
    if fact.denies or not shared or max(fact.weights[word] for word in shared) < 1 / 2:
        return False
    much = sum(fact.weights[word] for word in shared) >= SAME_MATTER * sum(fact.weights.values()) and len(shared) >= 2
    return len(shared) >= ALMOST_ALL * len(clause.denied) or (much and len(clause.denied) <= LONG_CLAUSE)


def _is_exact(value: tuple[str, ...]) -> bool:
    return len(value) > 1 or value[0][0].isdigit()


def _coloured(text: str) -> frozenset[str]:
    """What a text about colours colours: the background, some part of the page, or what else it names."""
    stems = stems_of(text) | {stem(word) for word in words_of(text)}
    found = _PARTS & stems
    if _GROUND & stems or (not found and _PAGE in stems):
        found |= {BACKGROUND}
    return frozenset(found | {ANY} if _WHOLE & stems else found)
