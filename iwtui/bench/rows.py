"""Rows of a pack file: one case a line, as the benchmark's own task file has them, or as this program freezes cases.

An official row is kept as it is, with whatever keys it has; what this program adds stands under the key `iwtui`
(`visibility`: one word a slot; `mutation`: how the instruction was made). A row is never taken on trust: weights and
difficulty are computed again, and where the file says otherwise that is noted.
"""

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, TypeVar

import msgspec

from iwtui.bench.audit import needed
from iwtui.bench.case import Assertion, Case, Persona, Slot, SlotKind, Visibility, split_facts
from iwtui.bench.checks import faults
from iwtui.bench.weights import LIMITS, difficulty, weights

T = TypeVar("T")

LONGEST_ROW = 2_000_000
"""Bytes. The longest official row has 13,000."""

OWN = "iwtui"
"""The key of an official row under which this program keeps what it adds."""

UNREQUESTED = "unrequested_element_feature"
"""The component of the official anti-hallucination slot, in lower case."""

_KINDS = {
    "Functional Testing": SlotKind.INTERACTION,
    "Data Display Testing": SlotKind.DATA,
    "Design Validation Testing": SlotKind.STYLE,
}
"""What sort of requirement an official slot is, by the category of its test."""

MOST_FACTS = 200
"""Sentences of a golden text; the longest official one has 8."""

_TOO_LONG = 100_000

Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_+-]{1,80}$")]
Said = Annotated[str, msgspec.Meta(min_length=1, max_length=_TOO_LONG)]


class RowError(ValueError):
    """A row that is no case; the message is the reason."""


class Row(msgspec.Struct, frozen=True):
    """A case, and in `notes` where its row says something else than it amounts to."""

    case: Case
    notes: tuple[str, ...] = ()


class _Slot(msgspec.Struct, frozen=True):
    expected_result: Said
    target_component: Said
    assertion_type: Assertion
    c_tech: float
    final_weight: float
    original_task: str = ""


class _Category(msgspec.Struct, frozen=True):
    primary_category: str = ""


class _Test(msgspec.Struct, frozen=True):
    task_category: _Category = _Category()


class _Own(msgspec.Struct, frozen=True):
    visibility: tuple[Visibility, ...] = ()


class _Official(msgspec.Struct, frozen=True, rename={"category": "Category", "own": OWN}):
    id: Name
    persona: Name
    instruction: Said
    ground_truth_instruction: Said
    oracle_slots: Annotated[tuple[_Slot, ...], msgspec.Meta(min_length=1, max_length=200)]
    difficulty: str
    original_id: Name = ""
    application_type: str = ""
    category: _Category = _Category()
    ui_instruct: tuple[_Test, ...] = ()
    oracle_total_score: float | None = None
    own: _Own = _Own()


def read_row(line: bytes, personas: Mapping[str, Persona], pack: str) -> Row:
    """The case of one line. Raises RowError."""
    if len(line) > LONGEST_ROW:
        raise RowError(f"longer than {LONGEST_ROW:,} bytes")
    row = _decoded(line)
    if "oracle_slots" in row or "golden" not in row:
        return _official(_converted(row, _Official), personas, pack)
    return _ours(_converted(row, Case), pack)


def retold_row(source: Mapping[str, Any] | None, case: Case, mutation: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a case told anew: the official row that it comes of, with every key, else the case as it is frozen."""
    official = source is not None and "oracle_slots" in source
    own: dict[str, Any] = {"mutation": dict(mutation)}
    if official:
        own["visibility"] = [shown.value for shown in case.visibility]
        changed: dict[str, Any] = {"id": case.id, "persona": case.persona.id, "instruction": case.instruction}
        row = {**(source or {}), **changed}
    else:
        row = msgspec.to_builtins(msgspec.structs.replace(case, pack=""))
    return {**row, OWN: {**row.get(OWN, {}), **own}}


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object of one line, with every key. Raises RowError."""
    return _decoded(line)


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise RowError(f"not UTF-8: byte {error.start + 1}") from error
    try:
        row = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RowError(f"not JSON: {error}") from error
    if not isinstance(row, dict):
        raise RowError("not a JSON object")
    return row


def _converted(row: dict[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(row, kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RowError(str(error)) from error


def _ours(case: Case, pack: str) -> Row:
    """A frozen case, with what a pack's seed is held to as well."""
    if not re.fullmatch(r"[A-Za-z0-9_+-]{1,80}", case.id):
        raise RowError(f"the id {case.id[:80]!r} may hold letters, digits, _, + and - only, 80 at most")
    if not case.instruction.strip() or not case.golden.strip() or not case.facts or not case.slots:
        raise RowError("instruction, golden, facts and slots may not be empty")
    _refuse_too_many(case.facts)
    for number, slot in enumerate(case.slots):
        problems = faults(slot.check) if slot.check is not None else ()
        for problem in problems:
            raise RowError(f"slot {number} ({slot.component}): {problem}")
        if slot.c_tech not in (1, 2, 3):
            raise RowError(f"slot {number} ({slot.component}): c_tech is {slot.c_tech}, not 1, 2 or 3")
        if any(not 0 <= fact < len(case.facts) for fact in slot.facts):
            raise RowError(f"slot {number} ({slot.component}): it needs a fact that is not there")
        if slot.kind is SlotKind.UNREQUESTED and slot.assertion is not Assertion.NEGATIVE:
            raise RowError(f"slot {number} ({slot.component}): a slot of kind unrequested is NEGATIVE")
    _refuse_odd_visibility(case.visibility, len(case.slots))
    if case.difficulty not in LIMITS:
        raise RowError(f"difficulty {case.difficulty!r} is none of {', '.join(LIMITS)}")
    right = difficulty(case.slots)
    notes = () if case.difficulty == right else (_other_difficulty(case.difficulty, right),)
    return Row(msgspec.structs.replace(case, pack=pack, difficulty=right), notes)


def _refuse_too_many(facts: tuple[str, ...]) -> None:
    if len(facts) > MOST_FACTS:
        raise RowError(f"{len(facts)} facts, more than {MOST_FACTS}")


def _official(row: _Official, personas: Mapping[str, Persona], pack: str) -> Row:
    if row.persona not in personas:
        raise RowError(f"no persona {row.persona!r}; there are {', '.join(sorted(personas))}")
    facts = split_facts(row.ground_truth_instruction)
    if not facts or not row.instruction.strip():
        raise RowError("instruction and ground_truth_instruction may not be empty")
    _refuse_too_many(facts)
    slots = tuple(_slot(number, row, facts) for number in range(len(row.oracle_slots)))
    _refuse_odd_visibility(row.own.visibility, len(slots))
    case = Case(
        id=row.id,
        seed=row.original_id or row.id.removesuffix(f"_{row.persona}"),
        persona=personas[row.persona],
        instruction=row.instruction,
        golden=row.ground_truth_instruction,
        facts=facts,
        slots=slots,
        difficulty=difficulty(slots),
        visibility=row.own.visibility,
        pack=pack,
        title=row.application_type,
        application_type=row.application_type,
        category=row.category.primary_category,
    )
    return Row(case, _differences(row, case))


def _slot(number: int, row: _Official, facts: tuple[str, ...]) -> Slot:
    slot = row.oracle_slots[number]
    if slot.c_tech not in (1, 2, 3):
        raise RowError(f"slot {number} ({slot.target_component}): c_tech is {slot.c_tech:g}, not 1, 2 or 3")
    bare = Slot(
        component=slot.target_component,
        expected=slot.expected_result,
        assertion=slot.assertion_type,
        kind=_kind(number, row),
        c_tech=int(slot.c_tech),
        task=slot.original_task,
    )
    return msgspec.structs.replace(bare, facts=_needed(bare, facts))


def _kind(number: int, row: _Official) -> SlotKind:
    slot = row.oracle_slots[number]
    if slot.assertion_type is Assertion.NEGATIVE:
        return SlotKind.UNREQUESTED if slot.target_component.casefold() == UNREQUESTED else SlotKind.VALIDATION
    category = row.ui_instruct[number].task_category.primary_category if number < len(row.ui_instruct) else ""
    return _KINDS.get(category, SlotKind.CONTENT)


@lru_cache(maxsize=4_096)
def _needed(slot: Slot, facts: tuple[str, ...]) -> tuple[int, ...]:
    """A seed's cases share their slots."""
    return needed(slot, facts)


def _differences(row: _Official, case: Case) -> tuple[str, ...]:
    notes: list[str] = []
    own = weights(case.slots)
    for number, (slot, weight) in enumerate(zip(row.oracle_slots, own, strict=True)):
        if not math.isclose(slot.final_weight, weight, abs_tol=1e-9):
            said = f"the file says weight {slot.final_weight:g}, the formula {weight:g}"
            notes.append(f"slot {number} ({slot.target_component}): {said}")
    if row.oracle_total_score is not None and not math.isclose(row.oracle_total_score, sum(own), abs_tol=0.005):
        notes.append(f"the file says total weight {row.oracle_total_score:g}, the formula {sum(own):g}")
    if row.difficulty != case.difficulty:
        notes.append(_other_difficulty(row.difficulty, case.difficulty))
    return tuple(notes)


def _other_difficulty(said: str, right: str) -> str:
    return f"the file says difficulty {said[:40]!r}, the weights {right!r}"


def _refuse_odd_visibility(visibility: tuple[Visibility, ...], slots: int) -> None:
    if visibility and len(visibility) != slots:
        raise RowError(f"{len(visibility)} visibility notes for {slots} slots")
