"""The copilot's answers: one JSON object that names the next action in the browser, or the result."""

from collections.abc import Mapping, Sequence
from typing import Any

from iwtui.bench.fold import Message
from iwtui.bench.loose_json import objects
from iwtui.web import steps
from iwtui.web.marks import describe
from iwtui.web.steps import Move, View

ENDS = frozenset({"finish", "fail"})
ACTIONS = steps.ACTIONS | ENDS
MAX_TEXT = 4_000
"""Characters of the page's text that a copilot is shown."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["thought", "action", "mark", "text"],
    "properties": {
        "thought": {"type": "string"},
        "action": {"type": "string", "enum": sorted(ACTIONS)},
        "mark": {"type": ["integer", "null"]},
        "text": {"type": "string"},
    },
}
"""For models that can be held to it."""


def read_move(reply: str) -> Move | None:
    """The first JSON object in a reply that is a known action; None when there is none."""
    return next(filter(None, (steps.move_of(found, ACTIONS) for found in objects(reply))), None)


def shown(criteria: str, url: str, view: View, text: str, earlier: Sequence[str]) -> Message:
    """What the copilot is shown before each decision; the picture with the marks drawn on it."""
    done = "\n".join(f"{number}. {line}" for number, line in enumerate(earlier, 1)) or "none"
    parts = [
        f"CRITERIA\n{criteria}",
        f"PAGE\n{url}",
        f"MARKS\n{describe(view.marks) or 'none'}",
        f"TEXT\n{text[:MAX_TEXT]}",
        f"EARLIER\n{done}",
    ]
    return Message("user", "\n\n".join(parts), view.picture, view.marks_blob)
