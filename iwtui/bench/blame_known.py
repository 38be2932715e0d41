"""What the builder could know of a slot, and from when on: by the client's instruction, or by an answer."""

import re
from collections.abc import Callable
from functools import lru_cache

import msgspec

from iwtui.bench.audit import visibilities
from iwtui.bench.blame_words import Traits, Words, prose, share_of_values, share_of_words, speaks_of, traits_of
from iwtui.bench.case import Case, Slot, Visibility
from iwtui.bench.conflict import contested
from iwtui.bench.contradiction import contradicted
from iwtui.bench.disclosure import disclosed
from iwtui.bench.events import ClientReplied, Text
from iwtui.bench.fold import Turn

ReadText = Callable[[Text], str]

MOSTLY = 0.6
"""The part of a slot's values, and of its words by weight, that an instruction must hold to state it."""

_YES = re.compile(r"\W*(?:yes|yeah|yep|sure|of course|exactly|absolutely|correct|right|definitely|certainly|indeed)\b", re.I)


class Told(msgspec.Struct, frozen=True):
    """What of the facts the instruction tells and contradicts, by its wording; how it shows slots; if that is `noted`."""

    facts: frozenset[int]
    clashing: frozenset[int]
    shown: tuple[Visibility, ...]
    noted: bool


@lru_cache(maxsize=256)
def told_at_first(case: Case) -> Told:
    """What the case's instruction tells. How it shows a slot is estimated where nobody noted it."""
    if case.instruction == case.golden:
        facts, clashing = frozenset(range(len(case.facts))), frozenset[int]()
    else:
        facts = frozenset(disclosed(case.facts, case.instruction))
        clashing = contested(case) or frozenset(contradicted(case.facts, case.instruction))
    if len(case.visibility) == len(case.slots):
        return Told(facts, clashing, case.visibility, noted=True)
    said = prose(case.instruction)
    shown = (
        _shown(slot, by_facts, own, said, clashing, golden_lost=not case.facts)
        for slot, by_facts, own in zip(case.slots, visibilities(case), traits_of(case), strict=True)
    )
    return Told(facts, clashing, tuple(shown), noted=False)


def _shown(
    slot: Slot, by_facts: Visibility, own: Traits, said: Words, clashing: frozenset[int], golden_lost: bool
) -> Visibility:
    """How an instruction shows a slot: a fact may be a sentence about several slots, so the slot's own words decide.

    Without the golden text the words of a slot are the judge's too, and half of them are enough.
    """
    if by_facts is Visibility.CONTRADICTED or not clashing.isdisjoint(slot.facts):
        return Visibility.CONTRADICTED
    values = share_of_values(own, said)
    if values is not None and values < MOSTLY:
        return Visibility.MISSING
    stated = by_facts is Visibility.STATED or share_of_words(own, said) >= MOSTLY or (golden_lost and speaks_of(own, said))
    return Visibility.STATED if stated else Visibility.MISSING


def missing_facts(slot: Slot, told: Told, shown: Visibility) -> frozenset[int]:
    """The facts that the slot needs and that the instruction does not plainly tell."""
    if shown is Visibility.STATED:
        return frozenset()
    needed = frozenset(slot.facts)
    return needed - (told.facts - told.clashing) or needed


def answer_that_told(
    missing: frozenset[int], traits: Traits, turns: tuple[Turn, ...], read: ReadText
) -> tuple[Turn, tuple[int, ...]] | None:
    """The turn whose answer told the last of what was missing, and the facts that it told of it; None when none did.

    A yes to a question that speaks of the slot tells it, and so, where it is not known which facts the slot needs, does an
    answer that speaks of it.
    """
    left = set(missing)
    for turn in turns:
        if turn.reply is None or not turn.reply.answered:
            continue
        news = left & given_by(turn.reply)
        left -= news
        if news and not left:
            return turn, tuple(sorted(news))
        reply = read(turn.reply.reply)
        if (not missing and speaks_of(traits, prose(reply))) or (
            _YES.match(reply) and speaks_of(traits, prose(read(turn.reply.question)))
        ):
            return turn, ()
    return None


def given_by(reply: ClientReplied) -> set[int]:
    """The facts that an answer gives: those found in it, and those handed over for it, which it may say in other words."""
    return set(reply.disclosed) | (set(reply.retrieved) - set(reply.held))


def asked_in_vain(missing: frozenset[int], turns: tuple[Turn, ...]) -> Turn | None:
    """The last turn whose question was about it, and whose answer held it back."""
    return next((turn for turn in reversed(turns) if turn.reply and missing.intersection(turn.reply.held)), None)
