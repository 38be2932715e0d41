"""The one fold: step by step, resumed, up to any event."""

from itertools import accumulate
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.codec import decode
from iwtui.bench.events import (
    ActionChosen,
    BrowserStepped,
    ClientReplied,
    Controlled,
    EpisodeEnded,
    EpisodeMeasured,
    EpisodeResumed,
    Event,
    FilesChanged,
    JudgingEnded,
    JudgingStarted,
    ModelCalled,
    Record,
    SiteProbed,
    SlotJudged,
    TurnStarted,
    Unknown,
    Verified,
    Warned,
)
from iwtui.bench.fold import EpisodeState, JudgingState, Message, Spent, fold, fold_judging, step, step_judging
from iwtui.bench.score import Verdict

GOLDEN = [decode(line) for line in (Path(__file__).parent / "golden" / "v1.jsonl").read_bytes().splitlines()]
BLOB = "a" * 64


def log(*events: tuple[int, Event | Unknown]) -> list[Record]:
    return [Record(seq, 100.0 + seq, turn, event) for seq, (turn, event) in enumerate(events)]  # type: ignore[arg-type]


def call(reply: str = "hm", role: str = "builder", **fields: object) -> ModelCalled:
    return ModelCalled(role=role, model="m", ordinal=0, request=(), reply=reply, **fields)  # type: ignore[arg-type]


def files(manifest: str) -> FilesChanged:
    return FilesChanged(manifest=manifest, files=1, lines=1)


def verified(streak: int, status: str = "failed") -> Verified:
    return Verified(path="/", criteria="c", status=status, report="r", steps=1, streak=streak)


def test_an_empty_log_is_the_first_state() -> None:
    state = fold([])
    assert state == EpisodeState()
    assert (state.seq, state.turn, state.whole_turns, state.manifest, state.failed_verifies) == (-1, 0, 0, None, 0)
    assert state.conversation == ()


def test_the_golden_episode() -> None:
    before = fold(GOLDEN[:15])
    assert before.started is not None and before.started.builder == "scripted/clarifier"
    assert (before.turn, before.whole_turns, before.manifest, before.failed_verifies) == (2, 1, "e" * 64, 1)
    assert before.spent == Spent(calls=2, tokens_in=120, tokens_out=9, cost=0.0015, unpriced=1, untold=1)
    assert [reply.by for reply in before.dialogue] == ["person"]
    assert len(before.turns[1].commands) == 2 and len(before.turns[1].warnings) == 1
    after = fold(GOLDEN[:17])
    assert (after.turn, after.resumes, after.discarded, after.whole_turns, after.manifest) == (1, 1, 9, 1, None)
    assert after.ended is not None and after.ended.stop_reason == "submitted"
    assert after.spent == before.spent, "what was discarded was paid for all the same"


def test_each_event_belongs_to_its_turn() -> None:
    state = fold(
        log(
            (0, Warned(where="start", text="early")),
            (0, call("not in a turn")),
            (1, TurnStarted(message="make it")),
            (1, call(fault="429")),
            (1, call("<ask>")),
            (1, ActionChosen(action="clarify")),
            (1, ClientReplied(question="q", reply="ivory")),
            (2, TurnStarted(message="ivory", picture=BLOB)),
            (2, call("{}", role="copilot")),
            (2, SiteProbed(phase="verify", ok=True)),
            (2, BrowserStepped(phase="verify", step=1, action="click")),
            (2, Warned(where="page", text="late")),
            (2, EpisodeMeasured(metric="x", value=1.0)),
        )
    )
    one, two = state.turns
    assert (one.answer, one.action, one.reply) == (
        "<ask>",
        ActionChosen(action="clarify"),
        ClientReplied(question="q", reply="ivory"),
    )
    assert (two.answer, len(two.probes), len(two.steps), two.warnings) == (None, 1, 1, (Warned(where="page", text="late"),))
    assert state.warnings == (Warned(where="start", text="early"),)
    assert state.spent.calls == 4
    assert state.conversation == (Message("user", "make it"), Message("assistant", "<ask>"), Message("user", "ivory", BLOB))


def test_failed_verifies_count_on_through_new_code_and_end_with_a_success() -> None:
    failing = [(1, TurnStarted(message="")), (1, verified(1)), (2, TurnStarted(message="")), (2, files(BLOB))]
    assert fold(log(*failing)).failed_verifies == 1
    assert fold(log(*failing, (3, TurnStarted(message="")), (3, verified(0, "success")))).failed_verifies == 0


def test_a_resume_takes_back_the_turns_that_were_not_whole() -> None:
    first = [
        (1, TurnStarted(message="one")),
        (1, files("1" * 64)),
        (2, TurnStarted(message="two")),
        (2, files("2" * 64)),
        (2, call(cost=0.5)),
    ]
    again = [
        (2, TurnStarted(message="two")),
        (2, files("3" * 64)),
        (2, EpisodeEnded(status="played", stop_reason="submitted")),
    ]
    state = fold(log(*first, (1, EpisodeResumed(kept_turns=1, discards_from=2)), *again))
    assert [turn.files.manifest if turn.files else None for turn in state.turns] == ["1" * 64, "3" * 64]
    assert (state.resumes, state.discarded, state.spent.cost, state.whole_turns) == (1, 3, 0.5, 2)


def test_a_resume_after_an_end_goes_on() -> None:
    state = fold(
        log(
            (1, TurnStarted(message="one")),
            (1, EpisodeEnded(status="infra", stop_reason="model")),
            (0, EpisodeResumed(kept_turns=0, discards_from=0)),
        )
    )
    assert (state.ended, state.turns, state.manifest) == (None, (), None)


def test_controls_and_unknown_kinds_are_counted() -> None:
    state = fold(log((0, Controlled(what="pause")), (0, Unknown("Dreamt", "{}")), (0, Controlled(what="go on"))))
    assert ([control.what for control in state.controls], state.unknown, state.seq) == (["pause", "go on"], 1, 2)


def test_kept_is_the_state_after_so_many_turns() -> None:
    whole = fold(GOLDEN[:15])
    assert whole.kept(1).turns == whole.turns[:1]
    assert whole.kept(0).manifest is None
    assert whole.kept(99).turns == whole.turns


events = st.one_of(
    st.integers(1, 3).map(lambda n: TurnStarted(message=str(n))),
    st.floats(0, 1).map(lambda cost: call(cost=cost)),
    st.builds(EpisodeResumed, kept_turns=st.integers(0, 3), discards_from=st.just(0)),
    st.sampled_from(
        [files(BLOB), verified(2), Warned(where="", text=""), Unknown("x", "{}"), ActionChosen(action="verify")]
    ),
    st.just(EpisodeEnded(status="played", stop_reason="turns")),
)


@given(st.lists(events, max_size=30), st.integers(0, 30))
def test_any_way_of_cutting_the_log_gives_the_same_state(happened: list[Event], at: int) -> None:
    records = log(*((1, event) for event in happened))
    whole = fold(records)
    assert fold(records[at:], fold(records[:at])) == whole
    states = list(accumulate(records, step, initial=EpisodeState()))
    assert states[-1] == whole
    assert [state.seq for state in states] == list(range(-1, len(records)))


def test_a_kept_state_does_not_change_when_others_go_on() -> None:
    half = fold(GOLDEN[:9])
    again = fold(GOLDEN[:9])
    fold(GOLDEN[9:], half)
    assert half == again


JUDGED = log(
    (0, JudgingStarted(judge="checks", slots=3, manifest=BLOB, turn_judged=4)),
    (0, SiteProbed(phase="judging", ok=True)),
    (0, BrowserStepped(phase="judging", step=1, action="click", slot=0)),
    (0, SlotJudged(slot=0, verdict="failed", reason="no")),
    (0, SlotJudged(slot=0, verdict="passed", reason="yes, after all", evidence=2)),
    (0, SlotJudged(slot=2, verdict="unjudged", reason="?")),
    (0, SlotJudged(slot=9, verdict="passed", reason="no such slot")),
    (0, call(role="judge", cost=0.25)),
    (0, EpisodeMeasured(metric="ias", value=4.0)),
    (0, Warned(where="judge", text="slow")),
    (0, Unknown("Dreamt", "{}")),
    (0, JudgingEnded(status="scored")),
)


def test_a_judging_gives_each_slot_its_last_verdict() -> None:
    state = fold_judging(JUDGED)
    assert state.slot_verdicts(3) == (Verdict.PASSED, Verdict.UNOBSERVED, Verdict.UNJUDGED)
    assert [seq for seq, _ in state.steps] == [2]
    assert (len(state.probes), len(state.measures), len(state.warnings), state.unknown) == (1, 1, 1, 1)
    assert (state.spent.cost, state.began, state.seq) == (0.25, 100.0, 11)
    assert state.ended == JudgingEnded(status="scored")


def test_a_judging_step_by_step_is_the_whole() -> None:
    assert list(accumulate(JUDGED, step_judging, initial=JudgingState()))[-1] == fold_judging(JUDGED)
    assert fold_judging(JUDGED[5:], fold_judging(JUDGED[:5])) == fold_judging(JUDGED)
