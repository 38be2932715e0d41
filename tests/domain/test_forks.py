"""What a fork keeps of an episode, how its log folds, and how it compares with its parent."""

import itertools
from collections.abc import Iterator

import pytest

from iwtui.bench.events import (
    ActionChosen,
    ClientReplied,
    Controlled,
    EpisodeEnded,
    EpisodeForked,
    EpisodeResumed,
    EpisodeStarted,
    FilesChanged,
    Known,
    ModelCalled,
    Record,
    TurnStarted,
)
from iwtui.bench.fold import EpisodeState, fold
from iwtui.bench.forks import ForkError, Way, compared, prefix
from iwtui.bench.score import Verdict

P, F, U, J = Verdict.PASSED, Verdict.FAILED, Verdict.UNOBSERVED, Verdict.UNJUDGED
STARTED = EpisodeStarted(
    case_id="c", persona="P-MIN", builder="b", repeat=1, attempt=1, difficulty="easy", turns=15, failed_verifies=6,
    verify_steps=8, models={}, system="s", scripted=True,
)  # fmt: skip


def turn(number: int, action: str) -> Iterator[tuple[int, Known]]:
    yield number, TurnStarted(message=f"told {number}")
    yield number, ModelCalled(role="builder", model="b", ordinal=0, request=(), reply=f"said {number}", cost=1.0)
    yield number, ActionChosen(action=action, question="Which?" if action == "clarify" else "")
    if action == "clarify":
        yield number, ModelCalled(role="client", model="c", ordinal=0, request=(), reply="x", cost=0.5)
        yield number, ClientReplied(question="Which?", reply=f"answer {number}")
    if action == "implement":
        yield number, FilesChanged(manifest="a" * 64, files=1, lines=number)


def episode() -> list[Record]:
    """Asks, writes, asks (that turn was broken off once, and played again), writes, hands in."""
    broken = list(turn(3, "implement"))
    happened: list[tuple[int, Known]] = [(0, STARTED), *turn(1, "clarify"), *turn(2, "implement"), *broken]
    happened += [(3, Controlled(what="stop")), (2, EpisodeResumed(kept_turns=2, discards_from=len(happened) - len(broken)))]
    happened += [*turn(3, "clarify"), *turn(4, "implement"), *turn(5, "submit")]
    happened.append((5, EpisodeEnded(status="played", stop_reason="submitted")))
    return [Record(seq, 100.0 + seq, number, event) for seq, (number, event) in enumerate(happened)]


def forked(at: int, way: Way, *more: tuple[int, Known]) -> EpisodeState:
    """The fold of a fork's log: what it inherits, and then what it did itself."""
    kept = prefix(episode(), at, way)
    first = EpisodeForked(
        parent="r/p", at_turn=at, way=way, kept=kept.kept, inherits=len(kept.records), message=kept.message
    )
    events = [(0, first), *((record.turn, record.event) for record in kept.records), *more]
    return fold(Record(seq, 500.0 + seq, number, event) for seq, (number, event) in enumerate(events))


@pytest.mark.parametrize("way", [Way.AGAIN, Way.ASK, Way.BUILDER, Way.PROMPT])
@pytest.mark.parametrize("at", range(1, 6))
def test_the_turns_before_are_kept_and_the_builder_is_told_what_it_was_told_then(at: int, way: Way) -> None:
    kept = prefix(episode(), at, way)
    assert (kept.kept, kept.message) == (at - 1, f"told {at}")
    whole = fold(episode())
    state = forked(at, way)
    assert [(t.number, t.answer, t.reply) for t in state.turns] == [
        (t.number, t.answer, t.reply) for t in whole.turns[: at - 1]
    ]
    assert state.whole_turns == at - 1
    assert state.ended is None and not state.controls and not state.resumes


def test_an_answer_is_put_right_after_the_question() -> None:
    kept = prefix(episode(), 3, Way.ANSWER)
    assert kept.kept == 3
    state = forked(3, Way.ANSWER)
    assert state.whole_turns == 3
    assert state.turns[-1].action and state.turns[-1].action.question == "Which?"
    assert state.turns[-1].reply is None
    assert [call.role for call in state.turns[-1].calls] == ["builder"], "the client was not asked yet"


def test_an_edit_comes_after_the_turn() -> None:
    kept = prefix(episode(), 2, Way.EDIT)
    assert (kept.kept, kept.message) == (2, "told 3")
    assert forked(2, Way.EDIT).manifest == "a" * 64


@pytest.mark.parametrize(
    ("at", "way", "why"),
    [
        (0, Way.AGAIN, "there is no turn 0"),
        (6, Way.ASK, "the episode has 5"),
        (2, Way.ANSWER, "asks no question"),
        (5, Way.EDIT, "nothing follows"),
    ],
)
def test_what_cannot_be_forked_is_refused_with_the_reason(at: int, way: Way, why: str) -> None:
    with pytest.raises(ForkError, match=why):
        prefix(episode(), at, way)


def test_what_is_inherited_costs_nothing_again_and_has_its_own_time() -> None:
    assert fold(episode()).spent.cost == 7.0, "what a resume discarded was paid for"
    state = forked(4, Way.AGAIN, *turn(4, "submit"))
    assert (state.spent.calls, state.spent.cost) == (1, 1.0)
    assert state.began == 500.0, "it began when it was forked"
    assert [state.inherits(t.seq) for t in state.turns] == [True, True, True, False]
    assert state.went_own_way and state.whole_turns == 3


def test_a_fork_of_a_fork_keeps_what_counts() -> None:
    first = forked(2, Way.AGAIN, *turn(2, "clarify"), *turn(3, "submit"))
    assert first.forked
    log = [Record(0, 0.0, 0, first.forked), *episode()[:6]]
    kept = prefix([Record(seq, 0.0, record.turn, record.event) for seq, record in enumerate(log)], 1, Way.ASK)
    assert [record.kind for record in kept.records] == ["EpisodeStarted"], "one log says once what it is a fork of"


def test_a_persons_words_stand_where_the_builders_would() -> None:
    put_in = ActionChosen(action="clarify", question="Which?", by="person", said="<ask>Which?</ask>")
    state = forked(
        2, Way.ASK, (2, TurnStarted(message="told 2")), (2, put_in), (2, ClientReplied(question="Which?", reply="so"))
    )
    said = [(message.role, message.text) for message in state.conversation]
    assert said == [("user", "told 1"), ("assistant", "said 1"), ("user", "told 2"), ("assistant", "<ask>Which?</ask>")]


def test_slots_are_compared_as_passed_or_not() -> None:
    pairs = list(itertools.product((P, F, U, J), repeat=2))
    found = compared([before for before, _ in pairs], [after for _, after in pairs])
    named = {word: [pairs[slot] for slot in getattr(found, word)] for word in ("passed", "failed", "same", "unknown")}
    assert named == {
        "passed": [(F, P), (U, P)],
        "failed": [(P, F), (P, U)],
        "same": [(P, P), (F, F), (F, U), (U, F), (U, U)],
        "unknown": [(P, J), (F, J), (U, J), (J, P), (J, F), (J, U), (J, J)],
    }
