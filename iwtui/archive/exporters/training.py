"""A run as data to train on: one JSON line a turn, with what the builder was sent, what it answered and what came of it.

Nothing is attributed that was not seen: a slot is gained at a turn only where the workspace before that turn and the
one after it were both judged, or are the same.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.archive.exporters.played import Played, Texts, played
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.state_rows import IMPORT
from iwtui.bench.case import Case
from iwtui.bench.events import Blob, ModelCalled, Text
from iwtui.bench.fold import Message, Turn
from iwtui.bench.plan import Plan
from iwtui.bench.score import Verdict, score
from iwtui.bench.status import Status
from iwtui.bench.weights import weights

FORMAT, VERSION = "iwtui-turns", 1

Verdicts = tuple[Verdict, ...]


def turns(folder: RunFolder) -> Iterator[dict[str, Any]]:
    """The lines, one a turn, in the order of episodes and turns. In memory is one episode and one turn's messages."""
    for episode in played(folder):
        yield from _turns(folder, episode)


def _turns(folder: RunFolder, episode: Played) -> Iterator[dict[str, Any]]:
    texts = Texts(folder.blobs)
    about = _about(folder.plan, episode)
    judged = _judged(episode)
    before: Blob | None = None
    for turn in episode.state.turns:
        after = turn.files.manifest if turn.files else before
        call = _answered(turn)
        yield about | {
            "turn": turn.number,
            "last": turn is episode.state.turns[-1],
            "messages": _messages(call, episode, turn, folder.blobs, texts),
            "answer": None if turn.answer is None else texts(turn.answer),
            "reasoning": texts(call.reasoning) if call and call.reasoning else None,
            "finish_reason": call.finish_reason if call else None,
            "action": _action(turn, texts),
            "reward": _reward(folder.plan, episode, turn, judged, before, after),
        }
        before = after


def _about(plan: Plan, episode: Played) -> dict[str, Any]:
    started, case = episode.state.started, episode.case
    return {
        "format": FORMAT,
        "version": VERSION,
        "run": episode.name.run,
        "episode": str(episode.name),
        "case_id": case.id if case else episode.name.case,
        "seed": case.seed if case else None,
        "persona": case.persona.id if case else None,
        "difficulty": case.difficulty if case else None,
        "builder": started.builder if started else episode.name.builder,
        "repeat": episode.name.repeat,
        "attempt": episode.name.attempt,
        "scripted": plan.scripted or bool(started and started.scripted),
        "turns": len(episode.state.turns),
        "turn_limit": started.turns if started else None,
        "outcome": _outcome(episode),
    }


def _outcome(episode: Played) -> dict[str, Any]:
    scored = episode.status is Status.SCORED and episode.judging is not None and episode.case is not None
    verdicts = episode.judging.slot_verdicts(len(episode.case.slots)) if scored else None  # type: ignore[union-attr]
    ended = episode.state.ended
    return {
        "status": episode.status.value,
        "stop_reason": ended.stop_reason if ended else None,
        "judging": episode.judging_name or None,
        "judge": episode.judging.started.judge if episode.judging and episode.judging.started else None,
        **msgspec.structs.asdict(episode.score),
        "verdicts": None if verdicts is None else [verdict.value for verdict in verdicts],
        "weights": list(weights(episode.case.slots)) if episode.case else None,
    }


def _answered(turn: Turn) -> ModelCalled | None:
    return next((call for call in turn.calls if call.role == "builder" and call.fault is None), None)


def _messages(
    call: ModelCalled | None, episode: Played, turn: Turn, blobs: BlobStore, texts: Texts
) -> list[dict[str, Any]] | None:
    """What was sent. An imported log has no requests: there they are the conversation up to the turn, as it stands."""
    if call is None:
        return None
    if call.request:
        return [_sent(blobs, blob, texts) for blob in call.request]
    system = episode.state.started.system if episode.state.started else ""
    told = episode.state.kept(turn.number).conversation
    said = told if turn.answer is None else told[:-1]
    return [_message(message, texts) for message in (Message("system", system), *said)]


def _sent(blobs: BlobStore, blob: Blob, texts: Texts) -> dict[str, Any]:
    try:
        return _message(msgspec.json.decode(blobs.get(blob), type=Message), texts)
    except (LookupError, msgspec.MsgspecError):
        return {"role": None, "content": None, "blob": blob}


def _message(message: Message, texts: Texts) -> dict[str, Any]:
    pictures = {"picture": message.picture} if message.picture else {}
    marks = {"marks": message.marks} if message.marks else {}
    return {"role": message.role, "content": texts(message.text), **pictures, **marks}


def _action(turn: Turn, texts: Texts) -> dict[str, Any] | None:
    action = turn.action
    if action is None:
        return None

    def said(text: Text) -> str | None:
        return texts(text) or None

    return {
        "action": action.action,
        "stood": action.stood,
        "oddities": [{"kind": oddity.kind, "detail": oddity.detail} for oddity in action.oddities],
        "question": said(action.question),
        "files": action.files,
        "commands": action.commands,
        "path": action.path or None,
        "criteria": said(action.criteria),
        "cut": action.cut,
        "reply": texts(turn.reply.reply) if turn.reply else None,
        "verify_status": turn.verified.status if turn.verified else None,
    }


def _judged(episode: Played) -> dict[Blob, Verdicts]:
    """The verdicts on each workspace that the primary judge judged; the latest counts."""
    primary = episode.judging.started if episode.judging else None
    if primary is None or episode.case is None:
        return {}
    of_judge = [
        judging
        for judging in episode.judgings.values()
        if judging.started is not None
        and (judging.started.judge, judging.started.model) == (primary.judge, primary.model)
        and judging.ended is not None
        and judging.ended.status == Status.SCORED
    ]
    slots = len(episode.case.slots)
    ordered = sorted(of_judge, key=lambda judging: judging.began)
    return {judging.started.manifest: judging.slot_verdicts(slots) for judging in ordered if judging.started}


def _reward(
    plan: Plan, episode: Played, turn: Turn, judged: Mapping[Blob, Verdicts], before: Blob | None, after: Blob | None
) -> dict[str, Any]:
    gained = lost = change = None
    if episode.case is not None and judged:
        gained, lost, change = _gained(episode.case, judged, before, after)
    own = [call for call in turn.calls if call.role == "builder"]
    asked = turn.reply if plan.kind != IMPORT else None
    price = plan.terms.question_cost
    return {
        "slots_gained": gained,
        "slots_lost": lost,
        "tcr_change": change,
        "clarification_hit": bool(asked.retrieved) if asked else None,
        "facts_asked_for": asked.retrieved if asked else None,
        "facts_disclosed": turn.reply.disclosed if turn.reply else None,
        "question_cost": price * turn.reply.answered if price and turn.reply else None,
        "tokens_in": _sum([call.tokens_in for call in own]),
        "tokens_out": _sum([call.tokens_out for call in own]),
        "cost": _sum([call.cost for call in own]),
    }


def _gained(
    case: Case, judged: Mapping[Blob, Verdicts], before: Blob | None, after: Blob | None
) -> tuple[list[int] | None, list[int] | None, float | None]:
    """Slots (from 0) that passed after a turn and not before it, the reverse, and the change of TCR; None where not seen.

    Before anything was written nothing has passed.
    """
    if before == after:
        return [], [], 0.0
    was = (Verdict.FAILED,) * len(case.slots) if before is None else judged.get(before)
    now = judged.get(after) if after else None
    if was is None or now is None or Verdict.UNJUDGED in (*was, *now):
        return None, None, None
    gained = [slot for slot, (old, new) in enumerate(zip(was, now, strict=True)) if new is Verdict.PASSED is not old]
    lost = [slot for slot, (old, new) in enumerate(zip(was, now, strict=True)) if old is Verdict.PASSED is not new]
    first, second = score(case.slots, was).tcr, score(case.slots, now).tcr
    return gained, lost, None if first is None or second is None else second - first


def _sum(values: list[Any]) -> Any:
    """The sum of what is known; None when one is not."""
    return None if not values or None in values else sum(values)
