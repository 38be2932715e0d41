"""The official judge's verdicts, in every shape that its versions wrote them."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from iwtui.bench.score import Verdict

_MARK = re.compile(r"\[(PASSED|FAILED)\s+ID:\s*(\d{1,4})\]", re.IGNORECASE)
_NOT_SEEN = "not observed"


class Judged(msgspec.Struct, frozen=True):
    """A verdict on a slot (0-based), and the judge's reason."""

    verdict: Verdict
    reason: str


def read_verdicts(metrics: Any, slots: int) -> list[Judged]:
    """A verdict a slot, by its place in the list; a slot that the log does not name was not observed.

    `metrics` holds `Details`, a list of `{passed, reason}` (in old logs of `{status: "pass"}`); or is that list; or has the
    slots under "0", "1", .. or "Checklist ID [0]", as objects with a status or as the bare word.
    """
    listed = metrics.get("Details") if isinstance(metrics, dict) else metrics
    items = listed if isinstance(listed, list) else []
    return [_judged(items[slot] if slot < len(items) else _keyed(metrics, slot)) for slot in range(slots)]


def length(metrics: Any) -> int:
    """How many slots the metrics speak of."""
    listed = metrics.get("Details") if isinstance(metrics, dict) else metrics
    if isinstance(listed, list) and listed:
        return len(listed)
    count = 0
    while isinstance(metrics, dict) and _keyed(metrics, count) is not None:
        count += 1
    return count


def _keyed(metrics: Any, slot: int) -> Any:
    if not isinstance(metrics, dict):
        return None
    return metrics.get(str(slot)) or metrics.get(f"Checklist ID [{slot}]")


def _judged(item: Any) -> Judged:
    if isinstance(item, str):
        item = {"status": item}
    if not isinstance(item, dict):
        return Judged(Verdict.UNOBSERVED, "the log has no verdict on it")
    reason = item.get("reason")
    said = reason if isinstance(reason, str) else ""
    if item.get("passed") is not None:
        passed = bool(item["passed"])
    elif "status" in item:
        passed = str(item["status"]).lower() == "pass"
    else:
        return Judged(Verdict.UNJUDGED, said or "the log's verdict on it cannot be read")
    if passed:
        return Judged(Verdict.PASSED, said)
    return Judged(Verdict.UNOBSERVED if said.lower().startswith(_NOT_SEEN) else Verdict.FAILED, said)


def evidence(thoughts: Sequence[str], slot: int, verdict: Verdict) -> int | None:
    """The step that decided on a slot: the first that says PASSED, which nothing takes back, else the last FAILED."""
    said = [
        (step, word.upper())
        for step, thought in enumerate(thoughts)
        for word, number in _MARK.findall(thought)
        if int(number) == slot
    ]
    wanted = [step for step, word in said if word == verdict.value.upper()]
    if not wanted:
        return None
    return wanted[0] if verdict is Verdict.PASSED else wanted[-1]
