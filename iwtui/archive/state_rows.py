"""Rows that stand for the state of an episode or of a judging: pure functions of folds, plan and case."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from iwtui.archive.rows import Row, moment
from iwtui.bench import official
from iwtui.bench.actions import ActionKind
from iwtui.bench.blame import Blame
from iwtui.bench.case import Case
from iwtui.bench.events import ModelCalled, SlotJudged, Text, head
from iwtui.bench.fold import EpisodeState, JudgingState, Spent, Turn
from iwtui.bench.judges import MEASURING
from iwtui.bench.longtext import read
from iwtui.bench.names import EpisodeName
from iwtui.bench.plan import Plan
from iwtui.bench.protocols import Blobs
from iwtui.bench.score import CRASHED, UNKNOWN, Verdict, score
from iwtui.bench.status import Status, episode_score, status
from iwtui.bench.weights import weights

LETTERS = {"clarify": "C", "implement": "I", "verify": "V", "submit": "S"}
"""Of the action string; any other action is M, malformed."""

IMPORT = "import"
"""The kind of a run whose logs hold no times and no audit of the client's replies."""

MEASURES = ("chr", "ias", "vbr", "layout", "creative_alignment", "aesthetics")


class Counts(msgspec.Struct, frozen=True):
    """What a fold does not keep: events and bad lines of a log, and the seconds between breaks and resumes."""

    events: int = 0
    bad_lines: int = 0
    idle: float = 0.0


def run_row(plan: Plan, cases: dict[str, Case]) -> Row:
    """The row of `runs`."""
    return {
        "run": plan.run,
        "kind": plan.kind,
        "pack": plan.pack,
        "created": moment(plan.created),
        "builders": plan.builders,
        "copilot": plan.roles.copilot or None,
        "client": plan.roles.client or None,
        "judge": plan.roles.judge or None,
        "primary_judge": plan.primary_judge,
        "cases": len(cases),
        "repeats": plan.repeats,
        "planned": len(cases) * plan.repeats * len(plan.builders),
        "scripted": plan.scripted,
        "questions": plan.terms.questions,
        "question_cost": plan.terms.question_cost or None,
        "conflict_challenges": plan.terms.conflict_challenges,
        "outside": plan.outside,
        "sandbox": plan.sandbox,
        "prompts": msgspec.json.encode(plan.prompts, order="sorted").decode(),
        "versions": msgspec.json.encode(plan.versions, order="sorted").decode(),
    }


def case_row(run: str, case: Case) -> Row:
    """The row of `cases`."""
    return {
        "run": run,
        "case_id": case.id,
        "pack": case.pack or None,
        "seed": case.seed,
        "persona": case.persona.id,
        "difficulty": case.difficulty,
        "language": case.language,
        "title": case.title or None,
        "application_type": case.application_type or None,
        "category": case.category or None,
        "instruction": case.instruction,
        "golden": case.golden or None,
        "facts": len(case.facts) if case.golden else None,
        "slots": len(case.slots),
        "weight": sum(weights(case.slots)),
    }


def slot_rows(run: str, case: Case) -> list[Row]:
    """The rows of `case_slots`."""
    shown = case.visibility or (None,) * len(case.slots)
    return [
        {
            "run": run,
            "case_id": case.id,
            "slot": number,
            "component": slot.component,
            "expected": slot.expected,
            "assertion": slot.assertion.value,
            "kind": slot.kind.value,
            "c_tech": slot.c_tech,
            "weight": weight,
            "task": slot.task or None,
            "visibility": visibility.value if visibility else None,
            "facts": slot.facts,
            "has_check": slot.check is not None,
        }
        for number, (slot, weight, visibility) in enumerate(zip(case.slots, weights(case.slots), shown, strict=False))
    ]


def attempt_row(
    name: EpisodeName,
    plan: Plan,
    case: Case | None,
    state: EpisodeState,
    counts: Counts,
    primary: tuple[str, JudgingState] | None,
    measures: dict[str, float | None],
) -> Row:
    """The row of `attempts`, but for `counts`, which depends on the other attempts."""
    started, ended = state.started, state.ended
    judging = primary[1] if primary else None
    taken = Counter(LETTERS.get(turn.action.action, "M") for turn in state.turns if turn.action)
    worth = episode_score(case, state, judging) if case else UNKNOWN
    files = next((turn.files for turn in reversed(state.turns) if turn.files), None)
    return {
        "episode": str(name),
        "run": name.run,
        "case_id": case.id if case else (started.case_id if started else name.case),
        "pack": (case.pack if case else "") or plan.pack,
        "seed": case.seed if case else None,
        "persona": case.persona.id if case else (started.persona or None if started else None),
        "difficulty": case.difficulty if case else (started.difficulty or None if started else None),
        "language": case.language if case else None,
        "builder": started.builder if started else name.builder,
        "repeat": name.repeat,
        "attempt": name.attempt,
        "parent": state.forked.parent if state.forked else None,
        "fork_turn": state.forked.at_turn if state.forked else None,
        "fork_way": state.forked.way if state.forked else None,
        "scripted": plan.scripted or bool(started and started.scripted),
        "status": status(state, judging).value,
        "stop_reason": ended.stop_reason if ended else None,
        "started": moment(state.began),
        "seconds": None if plan.kind == IMPORT else round(state.t - state.began - counts.idle, 3),
        "turns": len(state.turns),
        "actions": " ".join(LETTERS.get(turn.action.action, "M") for turn in state.turns if turn.action),
        "clarifies": taken["C"],
        "implements": taken["I"],
        "verifies": taken["V"],
        "failed_verifies": sum(turn.verified is not None and turn.verified.status != "success" for turn in state.turns),
        "malformed": taken["M"],
        **_conflicts(state),
        "question_cost": _question_cost(plan, state),
        "leaks": None if plan.kind == IMPORT else sum(len(reply.leaked) for reply in state.dialogue),
        **_spent(state.spent),
        "unpriced_calls": state.spent.unpriced,
        "loc": files.lines if files else None,
        "files": files.files if files else None,
        "manifest": files.manifest if files else None,
        **msgspec.structs.asdict(worth),
        **measures,
        "judging": primary[0] if primary else None,
        "judge": judging.started.judge if judging and judging.started else None,
        "resumes": state.resumes,
        "discarded": state.discarded,
        "warnings": len(state.warnings) + sum(len(turn.warnings) for turn in state.turns),
        "events": counts.events,
        "bad_lines": counts.bad_lines,
    }


def _conflicts(state: EpisodeState) -> Row:
    """Turns in which actions of several kinds stood, as the parser reads them; of two kinds by where the code stood."""
    kinds = [tuple(dict.fromkeys(turn.action.stood)) for turn in state.turns if turn.action]
    two = [pair for pair in kinds if len(pair) == 2]
    return {
        "conflicts": sum(len(each) > 1 for each in kinds),
        "steal_steps": sum(pair[0] == ActionKind.IMPLEMENT for pair in two),
        "blind_executions": sum(pair[1] == ActionKind.IMPLEMENT for pair in two),
    }


def _question_cost(plan: Plan, state: EpisodeState) -> float | None:
    """What the answered questions cost on the run's terms; None where a question costs nothing."""
    price = plan.terms.question_cost
    return price * sum(reply.answered for reply in state.dialogue) if price else None


def measures_of(judgings: list[JudgingState]) -> dict[str, float | None]:
    """The figures about the whole episode; of several judgings that give one, the last in the list."""
    found: dict[str, float | None] = {}
    for judging in judgings:
        found |= {measured.metric.lower(): measured.value for measured in judging.measures if measured.slot is None}
    return {name: found.get(name) for name in MEASURES}


def _measuring(state: JudgingState) -> bool:
    """Whether the judging gives figures on the whole episode, and no verdict on any slot."""
    return state.started is not None and state.started.judge in MEASURING


def judging_row(name: EpisodeName, judging: str, case: Case | None, state: JudgingState, counts: Counts) -> Row:
    """The row of `judgings`, but for `is_primary`, which depends on the other judgings."""
    started, ended = state.started, state.ended
    scored = ended is not None and ended.status == Status.SCORED and not _measuring(state)
    verdicts = state.slot_verdicts(len(case.slots)) if case else tuple(Verdict(v.verdict) for v in state.verdicts)
    if ended is not None and ended.status == Status.CRASHED and not _measuring(state):
        worth = CRASHED
    else:
        worth = score(case.slots, verdicts) if case and scored else UNKNOWN
    number = Counter(verdicts if scored else (Verdict(v.verdict) for v in _holding(state)))
    return {
        "episode": str(name),
        "judging": judging,
        "run": name.run,
        "judge": started.judge if started else None,
        "model": started.model if started else None,
        "status": ended.status if ended else Status.RUNNING.value,
        "turn_judged": started.turn_judged if started else None,
        "manifest": started.manifest if started else None,
        "slots": started.slots if started else None,
        **{verdict.value: number[verdict] for verdict in Verdict},
        **msgspec.structs.asdict(worth),
        "started": moment(state.began),
        "seconds": round(state.t - state.began, 3) or None,
        **_spent(state.spent),
        "message": (ended.text or None) if ended else None,
        "warnings": len(state.warnings),
        "events": counts.events,
        "bad_lines": counts.bad_lines,
    }


def verdict_rows(
    name: EpisodeName, judging: str, case: Case | None, state: JudgingState, causes: Sequence[Blame] = ()
) -> list[Row]:
    """The rows of `verdicts`: of the slots judged so far, and of all slots once the judging is scored.

    A judging that a fault of ours ended says nothing of the site. `causes`: of the slots that it found failed.
    """
    blamed = {blame.slot: blame for blame in causes}
    judged = {verdict.slot: verdict for verdict in _holding(state)}
    if case and state.ended and state.ended.status == Status.SCORED and not _measuring(state):
        wanted: list[int] = list(range(len(case.slots)))
    else:
        wanted = sorted(slot for slot in judged if not case or slot < len(case.slots))
    weight = weights(case.slots) if case else ()
    rows: list[Row] = []
    for slot in wanted:
        verdict = judged.get(slot)
        row: dict[str, Any] = {
            "episode": str(name),
            "judging": judging,
            "run": name.run,
            "slot": slot,
            "judge": state.started.judge if state.started else None,
            "verdict": verdict.verdict if verdict else Verdict.UNOBSERVED.value,
            "reason": _text(verdict.reason) if verdict else None,
            "evidence_event": verdict.evidence if verdict else None,
            "seconds": (verdict.seconds or None) if verdict else None,
            **_cause(blamed.get(slot)),
        }
        if case:
            asked = case.slots[slot]
            row |= {"weight": weight[slot], "assertion": asked.assertion.value}
            row |= {"kind": asked.kind.value, "component": asked.component}
        rows.append(row)
    return rows


def _cause(blame: Blame | None) -> Row:
    if blame is None:
        return {"cause": None, "cause_turn": None, "cause_estimated": None}
    return {"cause": blame.cause.value, "cause_turn": blame.turn, "cause_estimated": blame.estimated}


def _holding(state: JudgingState) -> tuple[SlotJudged, ...]:
    """The verdicts that hold."""
    broken = state.ended is not None and state.ended.status in (Status.INFRA, Status.CANCELLED)
    return () if broken else state.verdicts


def turn_row(name: EpisodeName, turn: Turn, blobs: Blobs) -> Row:
    """The row of `turns`; of a long answer the blob is read."""
    action, verified, files = turn.action, turn.verified, turn.files
    answer = _whole(blobs, turn.answer)
    return {
        "episode": str(name),
        "run": name.run,
        "turn": turn.number,
        "event": turn.seq,
        "t": moment(turn.t),
        "action": action.action if action else None,
        "stood": action.stood if action else None,
        "oddities": [oddity.kind for oddity in action.oddities] if action else None,
        "message": _text(turn.message),
        "answer": _text(turn.answer or ""),
        "question": _text(action.question) if action else None,
        "criteria": _text(action.criteria) if action else None,
        "verify_status": verified.status if verified else None,
        "report": _text(verified.report) if verified else None,
        "files_changed": len(files.changes) + files.more_changes if files else 0,
        "loc": files.lines if files else None,
        "commands": len(turn.commands),
        "browser_steps": len(turn.steps),
        **_spent(_of_calls(turn.calls)),
        "warnings": len(turn.warnings),
        "official_kinds": None if answer is None else official.kinds(answer),
        "official_questions": None if answer is None else official.questions(answer),
    }


def _whole(blobs: Blobs, text: Text | None) -> str | None:
    """The whole text; None when there is none, or when its blob is not to be had."""
    try:
        return None if text is None else read(blobs, text)
    except LookupError:
        return None


def _of_calls(calls: tuple[ModelCalled, ...]) -> Spent:
    spent = Spent()
    for call in calls:
        spent = spent.plus(call)
    return spent


def _spent(spent: Spent) -> Row:
    told = not spent.calls or spent.untold < spent.calls
    return {
        "calls": spent.calls,
        "tokens_in": spent.tokens_in if told else None,
        "tokens_out": spent.tokens_out if told else None,
        "cost": spent.cost if spent.unpriced < spent.calls else None,
    }


def _text(text: Text) -> str | None:
    return head(text) or None
