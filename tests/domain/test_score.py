"""Scores and the status that allows them, by hand-computed values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.case import Assertion, Case, Persona, Slot, SlotKind
from iwtui.bench.events import EpisodeEnded, JudgingEnded, JudgingStarted, SlotJudged
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.score import CRASHED, UNKNOWN, Score, Verdict, score
from iwtui.bench.status import Status, episode_score, status

P, F, O, U = Verdict.PASSED, Verdict.FAILED, Verdict.UNOBSERVED, Verdict.UNJUDGED  # noqa: E741 - the letters of the tables


def slot(component: str, c_tech: int, kind: SlotKind = SlotKind.CONTENT, assertion: Assertion = Assertion.POSITIVE) -> Slot:
    return Slot(component=component, expected="", assertion=assertion, kind=kind, c_tech=c_tech)


UNREQUESTED = slot("extra", 1, SlotKind.UNREQUESTED, Assertion.NEGATIVE)
VALIDATION = slot("message", 2, SlotKind.VALIDATION, Assertion.NEGATIVE)
SLOTS = (slot("name", 1), slot("list", 2), slot("list", 2), slot("basket", 3), UNREQUESTED)
"""Weights 1, 2·1.5/2 = 1.5, 1.5, 3, 1: 8 in all, 7 of them POSITIVE."""


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ((P, P, P, P, P), Score(1.0, 1.0, True, False)),
        ((P, P, F, F, P), Score(3.5 / 8, 2.5 / 7, False, False)),
        ((F, F, F, F, F), Score(0.0, 0.0, False, True)),
        ((P, P, P, P, F), Score(7 / 8, 1.0, False, True)),
        ((P, P, P, P, O), Score(7 / 8, 1.0, False, None)),
        ((P, O, O, P, P), Score(5 / 8, 4 / 7, False, False)),
        ((P, U, P, P, P), Score(1.0, 1.0, None, False)),
        ((P, U, P, F, P), Score(3.5 / 6.5, 2.5 / 5.5, False, False)),
        ((U, U, U, U, P), Score(1.0, None, None, False)),
        ((U, U, U, U, U), Score(None, None, None, None)),
    ],
)
def test_scores_by_hand(verdicts: tuple[Verdict, ...], expected: Score) -> None:
    assert score(SLOTS, verdicts) == expected


def test_only_the_unrequested_slot_tells_of_hallucination() -> None:
    slots = (slot("name", 1), VALIDATION, UNREQUESTED)
    assert score(slots, (P, F, P)).hallucinated is False
    assert score(slots, (P, P, F)).hallucinated is True
    assert score(slots[:2], (P, F)).hallucinated is None


def test_without_positive_slots_the_negative_ones_are_the_clean_score() -> None:
    assert score((VALIDATION, UNREQUESTED), (P, F)) == Score(2 / 3, 2 / 3, False, True)


def test_no_slots_are_no_score() -> None:
    assert score((), ()) == UNKNOWN


def test_each_slot_needs_a_verdict() -> None:
    with pytest.raises(ValueError, match="4 verdicts for 5 slots"):
        score(SLOTS, (P, P, P, P))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 3), st.sampled_from(Verdict)), min_size=1, max_size=12))
def test_scores_are_shares_and_a_pass_never_lowers_them(rows: list[tuple[str, int, Verdict]]) -> None:
    slots = [slot(component, c_tech) for component, c_tech, _ in rows]
    verdicts = [verdict for _, _, verdict in rows]
    before = score(slots, verdicts)
    assert before.tcr is None or 0 <= before.tcr <= 1
    assert before.tcr == before.tcr_clean
    assert (before.sr is True) == (set(verdicts) == {P})
    for place, verdict in enumerate(verdicts):
        if verdict in (F, O):
            after = score(slots, [*verdicts[:place], P, *verdicts[place + 1 :]])
            assert after.tcr is not None and before.tcr is not None and after.tcr > before.tcr


CASE = Case(
    id="c",
    seed="s",
    persona=Persona("P-MIN", "n", "r"),
    instruction="i",
    golden="g",
    facts=(),
    slots=SLOTS,
    difficulty="easy",
)
PLAYED = EpisodeState(ended=EpisodeEnded(status="played", stop_reason="submitted"))


def judged(outcome: str) -> JudgingState:
    return JudgingState(
        started=JudgingStarted(judge="checks", slots=5, manifest="a" * 64, turn_judged=1),
        verdicts=tuple(SlotJudged(slot=place, verdict="passed", reason="") for place in range(4)),
        ended=JudgingEnded(status=outcome),
    )


@pytest.mark.parametrize(
    ("episode", "judging", "expected", "worth"),
    [
        (EpisodeState(), None, Status.RUNNING, UNKNOWN),
        (EpisodeState(), judged("scored"), Status.RUNNING, UNKNOWN),
        (PLAYED, None, Status.RUNNING, UNKNOWN),
        (PLAYED, JudgingState(), Status.RUNNING, UNKNOWN),
        (PLAYED, judged("scored"), Status.SCORED, Score(7 / 8, 1.0, False, None)),
        (PLAYED, judged("crashed"), Status.CRASHED, CRASHED),
        (PLAYED, judged("infra"), Status.INFRA, UNKNOWN),
        (PLAYED, judged("cancelled"), Status.CANCELLED, UNKNOWN),
        (EpisodeState(ended=EpisodeEnded(status="crashed", stop_reason="site")), None, Status.CRASHED, CRASHED),
        (EpisodeState(ended=EpisodeEnded(status="infra", stop_reason="model")), judged("scored"), Status.INFRA, UNKNOWN),
        (EpisodeState(ended=EpisodeEnded(status="cancelled", stop_reason="person")), None, Status.CANCELLED, UNKNOWN),
    ],
)
def test_the_status_decides_what_the_score_may_be(
    episode: EpisodeState, judging: JudgingState | None, expected: Status, worth: Score
) -> None:
    assert status(episode, judging) is expected
    assert episode_score(CASE, episode, judging) == worth
