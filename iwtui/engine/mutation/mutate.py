"""A case told anew by a persona: written by rule or by a model, checked against what the benchmark's own texts are like."""

import hashlib
import re
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from iwtui.bench.audit import visibilities
from iwtui.bench.case import Case, Persona, Visibility
from iwtui.engine.mutation.looks import looks
from iwtui.engine.mutation.rules import RULES, veiled
from iwtui.engine.prompts import filled, prompt
from iwtui.judges.tellings import RANGES, RATIOS, telling_faults

COOPERATIVE = "P-BASE"
"""The persona whose telling is the golden text itself."""

BY_RULES = "rules"

INTUITIVE, MINIMALIST, CONFLICTING = "P-INT", "P-MIN", "P-CON"

LONGEST_REPLY = 20_000
"""Characters of a model's telling; what goes beyond is no telling."""

Ask = Callable[[Sequence[dict[str, str]]], Awaitable[str]]
"""Sends messages to a model and gives its answer."""

_THOUGHT = re.compile(r"<think>.*?</think>|^.*</think>", re.DOTALL)
_FENCED = re.compile(r"```[a-z]*\n(.*?)```", re.DOTALL)


class OperatorError(ValueError):
    """There is no operator for that."""


class Mutation(msgspec.Struct, frozen=True):
    """A case in a persona's words. `faults` say where it stays outside of what is observed; `by` is `rules` or a model."""

    case: Case
    by: str
    tries: int
    faults: tuple[str, ...] = ()


def by_rules(case: Case, persona: Persona, tries: int) -> Mutation:
    """The telling of the persona's rule; others of its choices are tried while it has faults. Raises OperatorError."""
    if case.language != "en":
        raise OperatorError(f"the rules write English, and this seed is told in {case.language!r}; name a model")
    _refuse_unknown(persona)
    images = veiled(case.facts) if persona.id == INTUITIVE else None
    made: list[Mutation] = []
    for turn in range(tries):
        told = case.golden if persona.id == COOPERATIVE else RULES[persona.id](case.facts, case.title, turn)
        made.append(_mutation(retold(case, persona, told, images), BY_RULES, turn + 1))
        if not made[-1].faults:
            break
    return _best(made)


async def by_model(case: Case, persona: Persona, ask: Ask, model: str, tries: int) -> Mutation:
    """The first telling of a model without a fault, else the one with the fewest; it is told what was wrong with the last.

    Raises OperatorError, and whatever `ask` raises.
    """
    _refuse_unknown(persona)
    if persona.id == COOPERATIVE:
        return by_rules(case, persona, 1)
    messages = [{"role": "system", "content": _system(case, persona)}, {"role": "user", "content": case.golden}]
    made: list[Mutation] = []
    for turn in range(tries):
        reply = await ask(messages)
        made.append(_mutation(retold(case, persona, telling(reply)), model, turn + 1))
        if not made[-1].faults:
            break
        again = "Not yet right: " + "; ".join(made[-1].faults) + ". Give the whole text again, mended."
        messages = [*messages[:2], {"role": "assistant", "content": reply}, {"role": "user", "content": again}]
    return _best(made)


def telling(reply: str) -> str:
    """What a model meant to say: without its thoughts, a fence or quotation marks around it."""
    text = _THOUGHT.sub("", reply[:LONGEST_REPLY])
    fenced = _FENCED.findall(text)
    text = " ".join((fenced[-1] if fenced else text).split())
    if len(text) > 1 and (text[0], text[-1]) in {('"', '"'), ("“", "”")} and not set(text[1:-1]) & {'"', "“", "”"}:
        text = text[1:-1]
    return text.strip()


def retold(case: Case, persona: Persona, instruction: str, images: frozenset[int] | None = None) -> Case:
    """The case in other words, with an id of its own and the visibility that its wording shows.

    An intuitive client veils what it does not state: `images` are the facts it has an image for, all when not known.
    """
    digest = hashlib.sha256(instruction.encode()).hexdigest()[:6]
    bare = msgspec.structs.replace(
        case, id=f"{case.seed}_{persona.id}-{digest}", persona=persona, instruction=instruction, visibility=()
    )
    seen = visibilities(bare)
    if persona.id == INTUITIVE:
        covered = frozenset(range(len(case.facts))) if images is None else images
        seen = tuple(
            Visibility.METAPHOR
            if shown is not Visibility.STATED and slot.facts and covered.issuperset(slot.facts)
            else shown
            for slot, shown in zip(case.slots, seen, strict=True)
        )
    return msgspec.structs.replace(bare, visibility=seen)


def faults(case: Case) -> tuple[str, ...]:
    """Where a telling stays outside of what the benchmark's texts of that persona are like."""
    if not case.instruction.strip():
        return (f"{case.persona.id}: there is no text",)
    found = list(telling_faults(case))
    if case.persona.id == MINIMALIST and {look.css for look in looks(case.instruction)} & {
        look.css for look in looks(case.golden)
    }:
        found.append(f"{MINIMALIST}: it names a colour of the golden text")
    if case.persona.id == CONFLICTING and Visibility.CONTRADICTED not in case.visibility:
        found.append(f"{CONFLICTING}: by its wording it contradicts nothing")
    return tuple(found)


def _mutation(case: Case, by: str, tries: int) -> Mutation:
    return Mutation(case, by, tries, faults(case))


def _best(made: Sequence[Mutation]) -> Mutation:
    best = min(made, key=lambda mutation: len(mutation.faults))
    return msgspec.structs.replace(best, tries=len(made))


def _system(case: Case, persona: Persona) -> str:
    """The operator's prompt, with the observed length; for a golden text of unusual length, as a ratio to it."""
    golden = len(case.golden.split())
    least, most = RANGES[persona.id]
    if persona.id in RATIOS:
        lowest, highest = RATIOS[persona.id]
        if not lowest * golden <= (least + most) / 2 <= highest * golden:
            least, most = round(lowest * golden), round(highest * golden)
    return filled("mutate", operator=prompt(f"mutate_{persona.id}").strip(), least=least, most=most)


def _refuse_unknown(persona: Persona) -> None:
    if persona.id not in {*RULES, COOPERATIVE}:
        raise OperatorError(f"there is no operator for {persona.id}; there are {', '.join([*RULES, COOPERATIVE])}")
