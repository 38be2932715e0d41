"""Which slots an instruction states, leaves out, veils or contradicts, by its wording alone: repeatable and free.

It reads words, not meaning: an estimate, where nobody noted it by hand. What it finds contradicted is one of three things:
another colour, another number or a denial, in a clause that speaks of the same matter.
"""

import re
from collections.abc import Sequence

from iwtui.bench.case import Case, Slot, SlotKind, Visibility
from iwtui.bench.disclosure import disclosed
from iwtui.bench.lexical import COLOURS, colours_of, stem, stems_of, values_of, words_of

NEARLY = 0.75
"""A slot needs the fact that shares most with it, and those that share nearly as much."""

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
_PARTS = {
    stem(word) for word in "component button control card header heading footer element text link table bar ui".split()
}
_GROUND = {stem(word) for word in "background backdrop canvas body layout container".split()}
_PAGE = stem("page")


def needed(slot: Slot, facts: Sequence[str]) -> tuple[int, ...]:
    """The facts (0-based) that a slot seems to need: those that share most of their words with its text.

    Shared words count by how few facts have them, colours twice. The slot for what nobody asked for needs none.
    """
    if slot.kind is SlotKind.UNREQUESTED:
        return ()
    text = f"{slot.component.replace('_', ' ')} {slot.task} {slot.expected}"
    own = stems_of(text)
    stems = [stems_of(fact) for fact in facts]
    colours = {stem(word) for word in words_of(text) if word in COLOURS}
    shared = [
        sum((1 + (word in colours)) / sum(word in each for each in stems) for word in sorted(own & of_fact))
        for of_fact in stems
    ]
    most = max(shared, default=0.0)
    return tuple(place for place, share in enumerate(shared) if share and share >= NEARLY * most)


def contradicted(facts: Sequence[str], instruction: str) -> tuple[int, ...]:
    """The facts (0-based) that a clause of the instruction cannot hold together with."""
    for fact in facts:
        instruction = re.sub(re.escape(fact.rstrip(" .!?")), " ", instruction, flags=re.IGNORECASE)
    clauses = [clause for clause in _CLAUSE.split(instruction) if stems_of(clause)]
    return tuple(place for place in range(len(facts)) if any(_clashes(place, facts, clause) for clause in clauses))


def visibilities(case: Case) -> tuple[Visibility, ...]:
    """How the case's instruction shows each slot, by its wording. What it veils cannot be told from what it leaves out."""
    if case.instruction == case.golden:
        told, clashing = set(range(len(case.facts))), set()
    else:
        told, clashing = set(disclosed(case.facts, case.instruction)), set(contradicted(case.facts, case.instruction))
    return tuple(_visibility(slot, told, clashing) for slot in case.slots)


def _visibility(slot: Slot, told: set[int], clashing: set[int]) -> Visibility:
    if not slot.facts or not (told | clashing).issuperset(slot.facts):
        return Visibility.MISSING
    return Visibility.STATED if clashing.isdisjoint(slot.facts) else Visibility.CONTRADICTED


def _clashes(place: int, facts: Sequence[str], clause: str) -> bool:
    return _other_colour(place, facts, clause) or _other_value(place, facts, clause) or _denied(place, facts, clause)


def _other_colour(place: int, facts: Sequence[str], clause: str) -> bool:
    """Whether the clause gives a colour that no fact has to something that the fact gives a colour to."""
    own = colours_of(facts[place])
    known = {colour for fact in facts for colour in colours_of(fact)}
    rivals = [colour for colour in colours_of(clause) if colour not in known and not COLOURS.isdisjoint(colour)]
    if not own or not (rivals or _LOOK.search(clause)) or _SIMILE.search(clause):
        return False
    about, said = _coloured(facts[place]), _coloured(clause)
    return bool(about & said) or not said


def _coloured(text: str) -> set[str]:
    """What a text about colours colours: the background, some part of the page, or what else it names."""
    stems = stems_of(text) | {stem(word) for word in words_of(text)}
    found = set(_PARTS & stems)
    if _GROUND & stems or (not found and _PAGE in stems):
        found.add("background")
    return found


def _other_value(place: int, facts: Sequence[str], clause: str) -> bool:
    """Whether the clause speaks of the fact's matter, with numbers or quotations in place of the fact's own."""
    values = set(values_of(facts[place]))
    if not any(_is_exact(value) for value in values):
        return False
    known = {value for fact in facts for value in values_of(fact)}
    others = [value for value in values_of(clause) if _is_exact(value) and value not in known]
    matter = stems_of(facts[place]) - {stem(word) for value in values for word in value}
    return bool(others) and bool(matter) and len(matter & stems_of(clause)) >= max(1, ABOUT * len(matter))


def _is_exact(value: tuple[str, ...]) -> bool:
    return len(value) > 1 or value[0][0].isdigit()


def _denied(place: int, facts: Sequence[str], clause: str) -> bool:
    """Whether the clause denies something, and is about the fact: it has much of its words, or hardly any others."""
    clause = _FIGURES.sub(" ", clause)
    if not _DENIAL.search(clause) or _DENIAL.search(facts[place]):
        return False
    stems = [stems_of(fact) for fact in facts]
    if any(
        _DENIAL.search(fact) and len(stems_of(clause) & of) >= len(stems_of(clause)) / 2
        for fact, of in zip(facts, stems, strict=True)
    ):
        return False
    said = stems_of(_DENIAL.sub(" ", clause)) - _FILLERS
    shared = said & stems[place]
    weights = {word: 1 / sum(word in each for each in stems) for word in stems[place]}
    if not shared or max(weights[word] for word in shared) < 1 / 2:
        return False
    much = sum(weights[word] for word in shared) >= SAME_MATTER * sum(weights.values()) and len(shared) >= 2
    return len(shared) >= ALMOST_ALL * len(said) or (much and len(said) <= LONG_CLAUSE)
