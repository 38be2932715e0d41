"""How well the agent understood the client: the paper's Intent Alignment Score and Clarification Hit Rate.

Source: InteractWeb-Bench (arXiv 2604.27419). IAS is a whole number from 1 to 5 that a model gives to the agent's reasoning
against the golden instruction. CHR is the share (0 to 1) of an episode's slots, NEGATIVE ones too, that at least one
question to the client aims at; an episode without a question has none. What cannot be read is unknown: a judge that fails
is no bad agent.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from iwtui.bench.case import Case
from iwtui.bench.events import EpisodeMeasured
from iwtui.bench.fold import EpisodeState, Message, Turn
from iwtui.bench.judges import INTENT
from iwtui.bench.longtext import keep, read
from iwtui.bench.loose_json import objects
from iwtui.bench.protocols import Blobs
from iwtui.bench.text import one_line
from iwtui.judges.base import Sitting

PROMPT = "intent"
IAS, CHR, HIT = "ias", "chr", "chr_hit"
"""`chr_hit` is CHR's part of one slot: 1 when a question aims at it, else 0."""
ASKS = 2
"""Times the model is asked, when its answer cannot be read."""
MAX_TRACES = 60_000
"""Characters of the agent's reasoning that the model is shown; of more, the beginning and the end."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["alignment", "reason", "hits"],
    "properties": {
        "alignment": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
        "reason": {"type": "string"},
        "hits": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["id", "hit", "question", "reason"],
                "properties": {
                    "id": {"type": "integer"},
                    "hit": {"type": "boolean"},
                    "question": {"type": ["integer", "null"]},
                    "reason": {"type": "string"},
                },
            },
        },
    },
}


class Hit(msgspec.Struct, frozen=True):
    """Whether a question aims at a slot; `question` counts from 1."""

    id: int
    hit: bool
    question: int | None = None
    reason: str = ""


class Understanding(msgspec.Struct, frozen=True):
    """What an answer says; None and missing slots are what it does not say."""

    alignment: int | None = None
    reason: str = ""
    hits: Mapping[int, Hit] = {}


class IntentJudge:
    """Reads the episode; the site itself it does not see."""

    name = INTENT
    role = INTENT
    opens_site = False

    def __init__(self, model: str) -> None:
        self.model = model

    async def judge(self, sitting: Sitting) -> None:
        blobs, episode, case = sitting.recorder.blobs, sitting.episode, sitting.case
        traces = list(_traces(episode, blobs))
        questions = [read(blobs, said.question) for said in episode.dialogue]
        if not (traces or questions):
            self._measure(sitting, IAS, None, "the agent left no reasoning and no text")
            self._measure(sitting, CHR, None, "the agent asked nothing")
            return
        asked = Message("user", keep(blobs, request(case, traces, questions)))
        found = Understanding()
        for _ in range(ASKS):
            reply = await sitting.ask(PROMPT, [asked], schema=SCHEMA, temperature=0)
            found = _both(found, read_understanding(reply.text, len(case.slots), len(questions)))
            if found.alignment is not None and (not questions or len(found.hits) == len(case.slots)):
                break
        if not traces:
            self._measure(sitting, IAS, None, "the agent left no reasoning and no text")
        else:
            reason = found.reason if found.alignment is not None else "the judge's answer could not be read"
            self._measure(sitting, IAS, found.alignment, reason)
        self._measure_hits(sitting, questions, found.hits)

    def _measure_hits(self, sitting: Sitting, questions: list[str], hits: Mapping[int, Hit]) -> None:
        slots = len(sitting.case.slots)
        if not questions:
            self._measure(sitting, CHR, None, "the agent asked nothing")
            return
        for slot, found in sorted(hits.items()):
            by = f"question {found.question}: " if found.hit and found.question else ""
            self._measure(sitting, HIT, float(found.hit), f"{by}{found.reason}", slot)
        hit = sum(found.hit for found in hits.values())
        if len(hits) < slots:
            self._measure(
                sitting, CHR, None, f"of {slots} slots, the judge's answer says of {len(hits)} whether they were hit"
            )
        else:
            self._measure(sitting, CHR, hit / slots if slots else None, f"{hit} of {slots} slots were asked for")

    @staticmethod
    def _measure(sitting: Sitting, metric: str, value: float | None, reason: str, slot: int | None = None) -> None:
        text = keep(sitting.recorder.blobs, reason)
        sitting.recorder.append(EpisodeMeasured(metric=metric, value=value, reason=text, slot=slot), sitting.turn)


def request(case: Case, traces: list[str], questions: list[str]) -> str:
    """All that the model is shown."""
    slots = "\n".join(f"{i}. {one_line(s.component, 200)}: {one_line(s.expected, 1_000)}" for i, s in enumerate(case.slots))
    asked = "\n".join(f"{number}. {one_line(question, 2_000)}" for number, question in enumerate(questions, 1))
    parts = {
        "GOLDEN": case.golden,
        "SAID": case.instruction,
        "CONSTRAINTS": slots,
        "TRACES": _bounded("\n---\n".join(traces)) or "none",
        "QUESTIONS": asked or "none",
    }
    return "\n\n".join(f"{title}\n{text}" for title, text in parts.items())


def _traces(episode: EpisodeState, blobs: Blobs) -> Iterator[str]:
    """The reasoning of each turn; where a turn has none, its words: all but the files."""
    for turn in episode.turns:
        text = _trace(turn, blobs).strip()
        if text:
            yield f"Turn {turn.number}: {text}"


def _trace(turn: Turn, blobs: Blobs) -> str:
    action = turn.action
    if action is None:
        return ""
    return read(blobs, action.reasoning).strip() or "\n".join(
        filter(None, (read(blobs, said).strip() for said in (action.prose, action.question, action.criteria)))
    )


def _bounded(text: str) -> str:
    if len(text) <= MAX_TRACES:
        return text
    half = MAX_TRACES // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters …]\n{text[-half:]}"


def read_understanding(reply: str, slots: int, questions: int) -> Understanding:
    """What an answer says, as far as it can be read; slots and questions that are not there are passed over."""
    for given in objects(reply):
        if given.keys() & {"alignment", "hits"}:
            score, reason, listed = given.get("alignment"), given.get("reason"), given.get("hits")
            hits = {hit.id: hit for hit in map(_hit, listed if isinstance(listed, list) else []) if hit}
            fitting = {slot: hit for slot, hit in hits.items() if 0 <= slot < slots and (not hit.hit or questions)}
            known = score if type(score) is int and 1 <= score <= 5 else None
            return Understanding(known, reason if isinstance(reason, str) else "", fitting)
    return Understanding()


def _hit(entry: object) -> Hit | None:
    try:
        return msgspec.convert(entry, Hit)
    except msgspec.ValidationError:
        return None


def _both(one: Understanding, other: Understanding) -> Understanding:
    """What either says; where both do, the first."""
    first = one if one.alignment is not None else other
    return Understanding(first.alignment, first.reason, {**other.hits, **one.hits})
