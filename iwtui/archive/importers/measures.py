"""What the official judges of intent and looks wrote down about the tasks of a model, as measures of our judgings."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from iwtui.archive.importers.walking import Fault
from iwtui.bench.events import EpisodeMeasured
from iwtui.bench.judges import INTENT, VISUAL

INTENT_FILE, LOOKS_FILE = "intent_ask_evaluation.json", "api_aesthetic_evaluation.json"
MAX_SIZE = 200_000_000
_HIT = "chr_hit"

Measures = dict[str, dict[str, list[EpisodeMeasured]]]
"""By judge, then by task."""


def read_measures(model: Path, faults: list[Fault]) -> Measures:
    """The measures in a model's folder. CHR becomes 0 to 1; what is null there is unknown here too."""
    found: Measures = {INTENT: {}, VISUAL: {}}
    for task, given in _entries(model / INTENT_FILE, "details", faults):
        found[INTENT][task] = list(_intent(given))
    for task, given in _entries(model / LOOKS_FILE, "trajectory_details", faults):
        found[VISUAL][task] = list(_looks(given))
    return found


def _entries(file: Path, key: str, faults: list[Fault]) -> Iterator[tuple[str, dict[str, Any]]]:
    if not file.is_file():
        return
    if file.stat().st_size > MAX_SIZE:
        faults.append(Fault(file.name, f"left out: longer than {MAX_SIZE:,} bytes"))
        return
    try:
        content = msgspec.json.decode(file.read_bytes())
    except (msgspec.MsgspecError, RecursionError) as error:
        faults.append(Fault(file.name, f"left out: {error}"))
        return
    entries = content.get(key) if isinstance(content, dict) else None
    if not isinstance(entries, list):
        faults.append(Fault(file.name, "left out: it has no such list", key=key))
        return
    for number, given in enumerate(entries):
        if isinstance(given, dict) and isinstance(given.get("task_id"), str):
            yield given["task_id"], given
        else:
            faults.append(Fault(file.name, "left out: no entry of a task", key=f"{key}[{number}]"))


def _intent(given: Mapping[str, Any]) -> Iterator[EpisodeMeasured]:
    yield EpisodeMeasured(metric="ias", value=_number(given.get("ias")), reason=_text(given.get("ias_reasoning")))
    rate = _number(given.get("chr"))
    yield EpisodeMeasured(metric="chr", value=None if rate is None else rate / 100)
    details = given.get("chr_details")
    for hit in details.get("evaluations", []) if isinstance(details, dict) else []:
        match hit:
            case {"constraint_index": int(index), "hit": bool(was)} if index > 0:
                yield EpisodeMeasured(metric=_HIT, value=float(was), reason=_text(hit.get("reasoning")), slot=index - 1)


def _looks(given: Mapping[str, Any]) -> Iterator[EpisodeMeasured]:
    bug, reason = given.get("has_visual_bug"), _text(given.get("reasoning"))
    yield EpisodeMeasured(metric="vbr", value=float(bug) if isinstance(bug, bool) else None, reason=reason)
    named = {"layout": "visual_layout", "creative_alignment": "creative_alignment", "aesthetics": "overall_aesthetics"}
    for metric, field in named.items():
        yield EpisodeMeasured(metric=metric, value=_number(given.get(field)), reason=reason)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: Any) -> str:
    return value[:2_000] if isinstance(value, str) else ""
