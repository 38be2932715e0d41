"""What is asked of an agent: a case is one seed told by one persona."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from iwtui.bench.checks import Step


class Assertion(StrEnum):
    """POSITIVE: the expected result must be there. NEGATIVE: something must not be there."""

    POSITIVE = "POSITIVE"
    NEGATIVE = "NEGATIVE"


class SlotKind(StrEnum):
    """What sort of requirement a slot is; `unrequested` is the anti-hallucination slot."""

    CONTENT = "content"
    STYLE = "style"
    INTERACTION = "interaction"
    DATA = "data"
    VALIDATION = "validation"
    UNREQUESTED = "unrequested"


class Visibility(StrEnum):
    """How a persona's instruction shows the requirement of a slot."""

    STATED = "stated"
    MISSING = "missing"
    METAPHOR = "metaphor"
    CONTRADICTED = "contradicted"


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One atomic requirement, <component, expected, assertion> in the paper's form.

    `facts` are indexes (0-based) of the facts of the golden instruction that the slot needs.
    `check` is an executable check; without one only a model can judge the slot.
    """

    component: str
    expected: str
    assertion: Assertion
    kind: SlotKind
    c_tech: int
    task: str = ""
    facts: tuple[int, ...] = ()
    check: tuple[Step, ...] | None = None


class Persona(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way of speaking. `rules` is what the client's model is told about its voice."""

    id: str
    name: str
    rules: str


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seed told by one persona, as it is frozen into a run.

    `golden` is the full instruction, known to the client and the judge only; `facts` are its sentences.
    `visibility` has one entry a slot, or is empty when nobody noted it.
    """

    id: str
    seed: str
    persona: Persona
    instruction: str
    golden: str
    facts: tuple[str, ...]
    slots: tuple[Slot, ...]
    difficulty: str
    visibility: tuple[Visibility, ...] = ()
    pack: str = ""
    title: str = ""
    application_type: str = ""
    category: str = ""
    language: str = "en"


def split_facts(golden: str) -> tuple[str, ...]:
    """Sentences of a golden instruction that does not list its facts itself.

    A full stop within a number or a quotation does not end a sentence. Where the quotation marks do not pair, they are
    inches and the like, and quote nothing.
    """
    quotes = golden.count('"') % 2 == 0
    facts: list[str] = []
    start = 0
    quoted = False
    for i, char in enumerate(golden):
        if char == '"' and quotes:
            quoted = not quoted
        at_end = i + 1 == len(golden) or golden[i + 1].isspace()
        if char in ".!?" and at_end and not quoted:
            facts.append(golden[start : i + 1].strip())
            start = i + 1
    facts.append(golden[start:].strip())
    return tuple(fact for fact in facts if fact)


def slots_needing(slots: Sequence[Slot], fact: int) -> tuple[int, ...]:
    """Indexes of the slots whose check needs the fact (0-based)."""
    return tuple(i for i, slot in enumerate(slots) if fact in slot.facts)
