"""Cases and slots as the benchmark's own task file has them."""

from typing import Any

from iwtui.bench.case import Case, Slot
from iwtui.bench.rows import OWN
from iwtui.bench.weights import weights


def task_row(case: Case) -> dict[str, Any]:
    """The row of a case. Facts, kinds and checks of slots have no place in it; `visibility` stands under our own key."""
    return {
        "id": case.id,
        "original_id": case.seed,
        "persona": case.persona.id,
        "difficulty": case.difficulty,
        "instruction": case.instruction,
        "ground_truth_instruction": case.golden,
        "application_type": case.application_type,
        "Category": {"primary_category": case.category},
        "oracle_slots": [official_slot(slot, weight) for slot, weight in zip(case.slots, weights(case.slots), strict=True)],
        "oracle_total_score": round(sum(weights(case.slots)), 2),
        OWN: {"visibility": [shown.value for shown in case.visibility]},
    }


def official_slot(slot: Slot, weight: float) -> dict[str, Any]:
    """One slot of a row."""
    return {
        "original_task": slot.task,
        "expected_result": slot.expected,
        "target_component": slot.component,
        "assertion_type": slot.assertion.value,
        "c_tech": slot.c_tech,
        "final_weight": weight,
    }
