"""Which slots an instruction states, leaves out or contradicts, and which facts a slot needs, by their wording alone.

It reads words, not meaning: an estimate, where nobody noted it by hand.
"""

from collections import Counter
from collections.abc import Sequence

from iwtui.bench.case import Case, Slot, SlotKind, Visibility
from iwtui.bench.contradiction import contradicted
from iwtui.bench.disclosure import disclosed
from iwtui.bench.lexical import COLOURS, stem, stems_of, words_of

NEARLY = 0.75
"""A slot needs the fact that shares most with it, and those that share nearly as much."""


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
    sharing = Counter(word for of_fact in stems for word in of_fact)
    shared = [sum((1 + (word in colours)) / sharing[word] for word in sorted(own & of_fact)) for of_fact in stems]
    most = max(shared, default=0.0)
    return tuple(place for place, share in enumerate(shared) if share and share >= NEARLY * most)


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
