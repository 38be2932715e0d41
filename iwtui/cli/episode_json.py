"""An episode as one JSON object: `iwtui show --json`. Its keys are stable; the README documents them."""

from collections.abc import Iterator

import msgspec

from iwtui.bench.case import Case
from iwtui.bench.events import LongText
from iwtui.bench.fold import EpisodeState, JudgingState, Spent, Turn
from iwtui.bench.weights import weights
from iwtui.cli.story import Reader, Subject


def as_object(subject: Subject, reader: Reader) -> dict[str, object]:
    """The whole subject; null is "unknown" or "not there yet". Long texts stand in it whole."""
    started = subject.episode.started
    return {
        "episode": subject.name,
        "case_id": started.case_id if started else None,
        "persona": started.persona if started else None,
        "difficulty": started.difficulty if started else None,
        "builder": started.builder if started else None,
        "repeat": started.repeat if started else None,
        "attempt": started.attempt if started else None,
        "scripted": started.scripted if started else None,
        "models": started.models if started else {},
        "status": subject.status.value,
        "stop_reason": subject.episode.ended.stop_reason if subject.episode.ended else None,
        "end": subject.episode.ended.text if subject.episode.ended else None,
        "event": subject.episode.seq,
        "upto": subject.upto,
        "score": _plain(subject.score, reader),
        "instruction": subject.case.instruction if subject.case else None,
        "golden": (subject.case.golden or None) if subject.case else None,
        **_account(subject.episode, reader),
        "turns": [_turn(turn, reader) for turn in subject.episode.turns],
        "judging": _judging(subject, reader),
    }


def _account(episode: EpisodeState, reader: Reader) -> dict[str, object]:
    return {
        "began": episode.began,
        "seconds": (episode.t - episode.began) or None,
        "spent": _spent(episode.spent),
        "forked": _plain(episode.forked, reader),
        "resumes": episode.resumes,
        "discarded": episode.discarded,
        "manifest": episode.manifest,
        "warnings": _plain(episode.warnings, reader),
        "controls": _plain(episode.controls, reader),
    }


def _spent(spent: Spent) -> dict[str, object]:
    """Tokens of which no call told any are unknown, not 0."""
    unknown = {"tokens_in": None, "tokens_out": None} if 0 < spent.calls == spent.untold else {}
    return msgspec.structs.asdict(spent) | unknown


def _turn(turn: Turn, reader: Reader) -> dict[str, object]:
    return {"turn": turn.number, "event": turn.seq} | {
        field: _plain(getattr(turn, field), reader) for field in Turn.__struct_fields__ if field not in ("number", "seq")
    }


def _judging(subject: Subject, reader: Reader) -> dict[str, object] | None:
    judging, case = subject.judging, subject.case
    if judging is None or case is None:
        return None
    return {
        "judging": subject.judging_name,
        "judge": judging.started.judge if judging.started else None,
        "status": judging.ended.status if judging.ended else None,
        "slots": list(_slots(judging, case, reader)),
        "measures": _plain(judging.measures, reader),
        "warnings": _plain(judging.warnings, reader),
    }


def _slots(judging: JudgingState, case: Case, reader: Reader) -> Iterator[dict[str, object]]:
    said = {judged.slot: judged for judged in judging.verdicts}
    steps = dict(judging.steps)
    rows = zip(case.slots, weights(case.slots), judging.slot_verdicts(len(case.slots)), strict=True)
    for number, (slot, weight, verdict) in enumerate(rows):
        judged = said.get(number)
        evidence = judged.evidence if judged else None
        yield {
            "slot": number,
            "component": slot.component,
            "expected": slot.expected,
            "assertion": slot.assertion.value,
            "kind": slot.kind.value,
            "weight": weight,
            "verdict": verdict.value,
            "reason": reader(judged.reason) if judged else None,
            "evidence": evidence,
            "step": None if evidence is None else _plain(steps.get(evidence), reader),
        }


def _plain(value: object, reader: Reader) -> object:
    match value:
        case LongText():
            return reader(value)
        case msgspec.Struct():
            return {field: _plain(getattr(value, field), reader) for field in value.__struct_fields__}
        case tuple() | list():
            return [_plain(item, reader) for item in value]
    return value
