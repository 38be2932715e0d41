"""The slots of a case with what a judging says of each."""

from collections.abc import Sequence

import msgspec

from iwtui.bench.blame import Blame
from iwtui.bench.case import Case
from iwtui.bench.events import SlotJudged
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.score import Verdict
from iwtui.bench.text import one_line, visible
from iwtui.bench.weights import weights
from iwtui.tui.state.shapes import Clue, SlotView, judging_seq
from iwtui.tui.state.signs import PENDING, VERDICT_GLYPHS, VERDICT_TONES
from iwtui.tui.state.texts import Texts

MOST = 1_000
"""Slots that are shown of a case that is lost, whatever the judging claims."""


def slot_views(
    case: Case | None,
    episode: EpisodeState,
    judging: JudgingState | None,
    decided: dict[int, int],
    texts: Texts,
    causes: Sequence[Blame] = (),
    before: Sequence[Verdict] = (),
) -> tuple[SlotView, ...]:
    """All slots, without a case only numbered. `decided`: for each slot the number of its verdict's event in its log.

    `causes`: of the slots that the judging found failed. `before`: of a fork, the verdicts in its parent.
    """
    blamed = {blame.slot: blame for blame in causes}
    started = judging.started if judging else None
    count = len(case.slots) if case else min(started.slots, MOST) if started else 0
    weighed = weights(case.slots) if case else (0.0,) * count
    words = {judged.slot: judged for judged in judging.verdicts} if judging else {}
    steps: dict[int, list[int]] = {}
    for number, step in judging.steps if judging else ():
        if step.slot is not None:
            steps.setdefault(step.slot, []).append(judging_seq(number))
    over = judging is not None and judging.ended is not None and judging.ended.status == "scored"
    views = (
        _with_case(
            _view(index, words.get(index), decided.get(index), tuple(steps.get(index, ())), weighed[index], over, texts),
            case,
            episode,
        )
        for index in range(count)
    )
    views = (_with_cause(view, blamed[view.slot]) if view.slot in blamed else view for view in views)
    if len(before) != count:
        return tuple(views)
    return tuple(msgspec.structs.replace(view, before=before[view.slot].value) for view in views)


def _with_cause(view: SlotView, blame: Blame) -> SlotView:
    return msgspec.structs.replace(
        view,
        cause=blame.cause.value,
        cause_turn=blame.turn,
        estimated=blame.estimated,
        clues=tuple(Clue(judging_seq(one.seq) if one.judging else one.seq, one.turn, one.why) for one in blame.evidence),
    )


def _view(
    index: int,
    judged: SlotJudged | None,
    decided: int | None,
    steps: tuple[int, ...],
    weight: float,
    over: bool,
    texts: Texts,
) -> SlotView:
    verdict = Verdict(judged.verdict) if judged else Verdict.UNOBSERVED if over else None
    return SlotView(
        slot=index,
        glyph=VERDICT_GLYPHS[verdict] if verdict else PENDING,
        tone=VERDICT_TONES[verdict] if verdict else "dim",
        verdict=verdict.value if verdict else "",
        weight=weight,
        component=f"slot {index}",
        reason=texts.show(judged.reason)[0] if judged else "the judge never looked" if over else "",
        decided=None if decided is None else judging_seq(decided),
        evidence=judging_seq(judged.evidence) if judged and judged.evidence is not None else None,
        steps=steps,
        seconds=judged.seconds if judged else 0.0,
    )


def _with_case(view: SlotView, case: Case | None, episode: EpisodeState) -> SlotView:
    if case is None:
        return view
    slot = case.slots[view.slot]
    told = (turn.number for turn in episode.turns if turn.reply and not set(slot.facts).isdisjoint(turn.reply.disclosed))
    return msgspec.structs.replace(
        view,
        component=one_line(slot.component, 80),
        expected=visible(slot.expected),
        assertion=slot.assertion,
        kind=slot.kind.value,
        visibility=case.visibility[view.slot] if view.slot < len(case.visibility) else None,
        told=next(told, None),
    )
