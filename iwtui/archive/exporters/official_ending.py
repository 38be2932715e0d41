"""How an episode ended and was judged, as the official harness's final report has it."""

from typing import Any

from iwtui.archive.exporters.official_pictures import Frames
from iwtui.archive.exporters.official_rows import official_slot
from iwtui.archive.exporters.official_talk import environment
from iwtui.archive.exporters.played import Played, Texts
from iwtui.bench.case import Case
from iwtui.bench.events import SlotJudged
from iwtui.bench.fold import JudgingState
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status
from iwtui.bench.weights import weights

NOT_OBSERVED = "Not observed or tested during exploration"
_STOPS = {"turns": "max_turns_reached", "deadlock": "verification_deadlock"}
_OMITTED = "Observation: A screenshot and some texts. (Omitted in context.)"


def final_note(episode: Played, texts: Texts, frames: Frames) -> dict[str, Any] | None:
    """The note of the last message; None for an episode that the harness would not have evaluated.

    A judge that broke off is `ERROR` there, which its own analyser counts as 0; imported again it is a fault of ours.
    """
    ended = episode.state.ended
    broke_off = episode.status in (Status.INFRA, Status.CANCELLED) and episode.judging is not None
    if ended is None or not (episode.status in (Status.SCORED, Status.CRASHED) or broke_off):
        return None
    last = episode.state.turns[-1] if episode.state.turns else None
    probe = next((probe for probe in reversed(last.probes) if probe.phase == "final"), None) if last else None
    picture = frames.final_frame(probe.picture if probe else None)
    return {
        "evaluation_detail": _detail(episode, texts, broke_off),
        "final_env_state": environment(None, probe, texts, picture),
        "is_final": True,
        "stop_reason": _STOPS.get(ended.stop_reason, ended.stop_reason),
        "oracle_slots_used_for_grading": _slots(episode.case),
    }


def _slots(case: Case | None) -> list[dict[str, Any]]:
    if case is None:
        return []
    return [official_slot(slot, weight) for slot, weight in zip(case.slots, weights(case.slots), strict=True)]


def _detail(episode: Played, texts: Texts, broke_off: bool) -> dict[str, Any]:
    nothing: dict[str, Any] = {"Total_Weight": 0.0, "Details": []}
    said = episode.state.ended.text if episode.state.ended else ""
    judged = episode.judging.ended.text if episode.judging and episode.judging.ended else ""
    if episode.status is Status.CRASHED:
        return {"status": "CRASHED", "sr": 0, "tcr": 0.0, "text": said or judged, "raw_metrics": nothing}
    if broke_off or episode.judging is None or episode.case is None:
        return {"status": "ERROR", "sr": 0, "tcr": 0.0, "text": judged or said, "raw_metrics": nothing}
    details = _details(episode.case, episode.judging, texts)
    passed, tcr = int(episode.score.sr is True), episode.score.tcr
    metrics = {"Success_Rate_SR": passed, "Task_Completion_Rate_TCR": tcr, "Details": details}
    return {"status": "PASS" if passed else "FAIL", "sr": passed, "tcr": tcr, "text": judged, "raw_metrics": metrics}


def _details(case: Case, judging: JudgingState, texts: Texts) -> list[dict[str, Any]]:
    """`passed` is null for a slot on which the judge's answer could not be read: it neither passed nor failed."""
    said = {judged.slot: judged for judged in judging.verdicts}
    rows = zip(case.slots, weights(case.slots), judging.slot_verdicts(len(case.slots)), strict=True)
    return [
        {
            "task": slot.task or slot.expected,
            "passed": None if verdict is Verdict.UNJUDGED else verdict is Verdict.PASSED,
            "weight": weight,
            "reason": _reason(verdict, said.get(number), texts),
        }
        for number, (slot, weight, verdict) in enumerate(rows)
    ]


def _reason(verdict: Verdict, judged: SlotJudged | None, texts: Texts) -> str:
    reason = texts(judged.reason) if judged else ""
    if verdict is Verdict.UNOBSERVED:
        return f"{NOT_OBSERVED}: {reason}".removesuffix(": ")
    # A reason that begins like the one above would be taken for it.
    return f"[{verdict.value}] {reason}" if reason.lower().startswith("not observed") else reason


def judge_talk(episode: Played, texts: Texts, frames: Frames) -> list[dict[str, Any]]:
    """What the judge was told, and its steps as answers: `Thought: .. Action: ..`, with the verdicts given on each."""
    judging, case = episode.judging, episode.case
    if judging is None or case is None or not judging.steps:
        return []
    listed = "\n".join(f"[{number}] {slot.expected}" for number, slot in enumerate(case.slots))
    wanted = case.golden or case.instruction
    task = f"Now you are verifying if the website satisfies: '{wanted}'.\n\nTesting Checklist:\n{listed}"
    talk: list[dict[str, Any]] = [{"role": "user", "content": task}]
    given: dict[int | None, list[SlotJudged]] = {}
    for judged in {judged.slot: judged for judged in judging.verdicts}.values():
        given.setdefault(judged.evidence, []).append(judged)
    for number, (seq, step) in enumerate(judging.steps, 1):
        frames.judge_frame(number, step.picture)
        thought = "\n".join([texts(step.thought), *(_mark(judged, texts(step.thought)) for judged in given.get(seq, []))])
        answer = f"Thought: {thought.strip()}\nAction: {step.action} {step.target}".rstrip()
        talk += [{"role": "assistant", "content": answer}, {"role": "user", "content": _OMITTED}]
    return talk


def _mark(judged: SlotJudged, thought: str) -> str:
    """The official judge's own sign of a verdict, where the thought does not bear it yet."""
    mark = {"passed": f"[PASSED ID: {judged.slot}]", "failed": f"[FAILED ID: {judged.slot}]"}.get(judged.verdict, "")
    return "" if mark in thought else mark
