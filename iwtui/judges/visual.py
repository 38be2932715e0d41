"""How the site looks, by one picture of what was handed in: visual bug, layout, creative alignment, aesthetics.

Source: InteractWeb-Bench (arXiv 2604.27419): a yes or no for the bug (1 or 0; its mean over episodes is the Visual Bug Rate)
and whole numbers from 1 to 5. What cannot be read is unknown, never a middling score.
"""

from collections.abc import Mapping
from typing import Any

from iwtui.bench.events import BrowserStepped, EpisodeMeasured
from iwtui.bench.fold import Message
from iwtui.bench.judges import VISUAL
from iwtui.bench.longtext import keep
from iwtui.bench.loose_json import objects
from iwtui.bench.text import one_line
from iwtui.judges.base import Sitting

PROMPT = "visual"
ASKS = 2
"""Times the model is asked, when its answer cannot be read."""

METRICS = {"vbr": "bug", "layout": "layout", "creative_alignment": "creative_alignment", "aesthetics": "aesthetics"}
"""The metrics, each with the name of its field in the answer."""

_SCORE = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["bug", "layout", "creative_alignment", "aesthetics", "reason"],
    "properties": {
        "bug": {"type": "boolean"},
        "layout": _SCORE,
        "creative_alignment": _SCORE,
        "aesthetics": _SCORE,
        "reason": {"type": "string"},
    },
}


class VisualJudge:
    """Looks at the first view of the site's first page."""

    name = VISUAL
    role = VISUAL
    opens_site = True

    def __init__(self, model: str) -> None:
        self.model = model

    async def judge(self, sitting: Sitting) -> None:
        page, recorder = sitting.site, sitting.recorder
        picture = recorder.blobs.put(await page.picture())
        url = one_line(page.raw.url, 300)
        recorder.append(BrowserStepped(phase="judging", step=1, action="look", url=url, picture=picture), sitting.turn)
        asked = Message("user", keep(recorder.blobs, f"INSTRUCTION\n{sitting.case.golden}"), picture)
        found: dict[str, float] = {}
        reason = ""
        for _ in range(ASKS):
            reply = await sitting.ask(PROMPT, [asked], schema=SCHEMA, temperature=0)
            read, said = read_looks(reply.text)
            found, reason = read | found, reason or said
            if len(found) == len(METRICS):
                break
        for metric in METRICS:
            why = reason if metric in found else "the judge's answer could not be read"
            event = EpisodeMeasured(metric=metric, value=found.get(metric), reason=keep(recorder.blobs, why))
            recorder.append(event, sitting.turn)


def read_looks(reply: str) -> tuple[dict[str, float], str]:
    """The metrics that an answer gives, and its reason."""
    for given in objects(reply):
        if given.keys() & set(METRICS.values()):
            values = {metric: _value(metric, given.get(field)) for metric, field in METRICS.items()}
            reason = given.get("reason")
            known = {metric: value for metric, value in values.items() if value is not None}
            return known, reason if isinstance(reason, str) else ""
    return {}, ""


def _value(metric: str, given: object) -> float | None:
    if metric == "vbr":
        return float(given) if isinstance(given, bool) else None
    return float(given) if type(given) is int and 1 <= given <= 5 else None
