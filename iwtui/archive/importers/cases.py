"""The case of an imported episode: from the task file, else as much of it as the log itself holds."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from iwtui.archive.importers.walking import Fault
from iwtui.bench.case import Case, Persona
from iwtui.bench.rows import RowError, read_row
from iwtui.packs import numbered_lines

PACK = "interactweb-bench"

_TASK = re.compile(r"(?P<seed>[A-Za-z0-9+-]{1,40})(?:_(?P<persona>[A-Za-z0-9+-]{1,40}))?")
_GOLDEN = re.compile(r"verifying if the website satisfies: '(.*?)'\.\s*Testing Checklist", re.DOTALL)
UNKNOWN = "?"
"""The persona of a task whose name has none."""


def read_tasks(file: Path, personas: Mapping[str, Persona], faults: list[Fault]) -> dict[str, Case]:
    """The cases of a task file by id. Raises OSError."""
    cases: dict[str, Case] = {}
    with file.open("rb") as source:
        for number, line in numbered_lines(source):
            try:
                case = read_row(line, personas, file.stem).case
            except RowError as error:
                faults.append(Fault(file.name, f"line {number}: {error}"))
            else:
                cases[case.id] = case
    return cases


def seed_and_persona(task: str) -> tuple[str, str]:
    """What the name of a task's folder says: `000001_P-MIN`; an unknown persona is "?"."""
    found = _TASK.fullmatch(task)
    if found is None:
        return task, UNKNOWN
    return found["seed"], found["persona"] or UNKNOWN


def case_of_log(
    task: str, instruction: str, final: Mapping[str, Any], judge_told: str, personas: Mapping[str, Persona]
) -> tuple[Case | None, str]:
    """The case as the log has it, or None and why there is none.

    The slots are those used for grading, with weights by the formula. The golden instruction is what the judge was told,
    if the site was handed in (else it was told the client's words, and the golden text is empty: unknown).
    """
    slots = final.get("oracle_slots_used_for_grading")
    if not isinstance(slots, list) or not slots:
        return None, "the log names no slots; with --tasks it would have a case"
    seed, persona = seed_and_persona(task)
    found = _GOLDEN.search(judge_told) if final.get("stop_reason") == "submitted" else None
    golden = found[1].strip() if found else ""
    known = dict(personas) if persona in personas else {**personas, persona: Persona(persona, persona, "")}
    row = {
        "id": task,
        "original_id": seed,
        "persona": persona if persona != UNKNOWN else next(iter(personas)),
        "instruction": instruction or " ",
        "ground_truth_instruction": golden or instruction or " ",
        "oracle_slots": [_slot(slot) for slot in slots],
        "difficulty": "",
    }
    try:
        case = read_row(msgspec.json.encode(row), known, PACK).case
    except RowError as error:
        return None, f"the log's slots are no case: {error}"
    if persona == UNKNOWN:
        case = msgspec.structs.replace(case, persona=Persona(UNKNOWN, UNKNOWN, ""))
    if golden:
        return case, ""
    bare = tuple(msgspec.structs.replace(slot, facts=()) for slot in case.slots)
    return msgspec.structs.replace(case, golden="", facts=(), slots=bare), ""


def _slot(slot: Any) -> Any:
    return {"c_tech": 1, "final_weight": 1.0, **slot} if isinstance(slot, dict) else slot
