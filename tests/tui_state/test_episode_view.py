"""An episode's view: cursor, following, what is told at the cursor."""

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.events import (
    ActionChosen,
    EpisodeResumed,
    FileChange,
    JudgingEnded,
    JudgingStarted,
    Record,
    TurnStarted,
    Unknown,
    Warned,
)
from iwtui.bench.fold import EpisodeState, fold
from iwtui.bench.score import UNKNOWN
from iwtui.bench.status import Status
from iwtui.bench.text import visible
from iwtui.tui.state.episode import EpisodeView
from iwtui.tui.state.shapes import judging_seq, number_of
from tests.support.console_logs import A, B, episode, files, judging, log, long, many, started, step
from tests.support.stores import make_case

EVIL = "\x1b]52;c;aGk=\x07\x9b2J\x00[/][link='x'\u202e\x7f"


def view_of(records: list[Record], **judgings: list[Record]) -> EpisodeView:
    view = EpisodeView(make_case())
    view.feed(records)
    for name, judged in judgings.items():
        view.feed_judging(name, judged)
    return view


def test_an_empty_view_tells_nothing_and_moves_nowhere() -> None:
    view = EpisodeView(None)
    assert (view.cursor, view.index, view.new, view.following) == (-1, -1, 0, True)
    assert (view.row, view.record, view.picture, view.judging) == (None, None, None, None)
    assert (list(view.rows), list(view.dialogue), list(view.files), list(view.pictures)) == ([], [], [], [])
    assert view.state == EpisodeState()
    assert (view.slots, view.changes, view.block_index, view.find("x"), view.wanted()) == ((), (), -1, [], [])
    assert not view.move(1) and not view.move_turn(-1) and not view.go(7)
    assert view.next_failure(1) is None
    assert (view.header.status, view.header.score, view.header.event) == (Status.RUNNING, UNKNOWN, 0)


def test_while_it_follows_the_cursor_keeps_to_the_end() -> None:
    view = EpisodeView(None)
    for record in episode():
        view.feed([record])
        assert (view.cursor, view.following, view.new) == (record.seq, True, 0)


def test_moving_away_stops_following_and_what_comes_in_is_counted() -> None:
    records = episode()
    view = view_of(records[:8])
    assert view.move(-1)
    assert not view.following
    view.feed(records[8:11])
    assert (view.cursor, view.new) == (6, 3)
    view.go(9)
    assert view.new == 1
    view.go(2)
    assert view.new == 1  # what was reached is no longer new
    view.end()
    assert (view.cursor, view.following, view.new) == (10, True, 0)


def test_moving_on_to_the_last_event_follows_again() -> None:
    view = view_of(episode()[:5])
    view.move(-2)
    view.move(1)
    assert (view.cursor, view.following) == (3, False)
    view.move(1)
    assert (view.cursor, view.following) == (4, True)
    view.follow(False)
    view.feed(episode()[5:7])
    assert (view.cursor, view.new) == (4, 2)
    view.follow(True)
    assert (view.cursor, view.new) == (6, 0)


def test_a_view_that_does_not_follow_begins_at_the_first_event() -> None:
    view = EpisodeView(None)
    view.follow(False)
    view.feed(episode())
    assert (view.cursor, view.new) == (0, 0)


def test_the_cursor_stays_within_the_timeline() -> None:
    view = view_of(episode())
    assert not view.move(5)
    assert view.move(-100)
    assert view.cursor == 0
    assert not view.move(-1)
    assert view.go(9_999)
    assert view.cursor == 13


@given(st.integers(0, 13))
def test_the_state_is_that_after_the_event_under_the_cursor(seq: int) -> None:
    records = episode()
    view = view_of(records)
    view.go(seq)
    assert view.state == fold(records[: seq + 1])
    assert view.latest == fold(records)
    assert view.row is not None and view.row.seq == seq
    assert view.record == records[seq]


def test_turns_and_slots_are_stepped_by_their_beginnings() -> None:
    view = view_of(episode(), checks=judging())
    view.go(0)
    stops = []
    while view.move_turn(1):
        stops.append(view.cursor)
    assert stops == [1, 4, 8, *map(judging_seq, (0, 1, 3, 5))]  # the last is the end
    back = []
    while view.move_turn(-1):
        back.append(view.cursor)
    assert back == [*map(judging_seq, (3, 1, 0)), 8, 4, 1, 0]


def test_from_within_a_turn_back_is_to_its_own_beginning() -> None:
    view = view_of(episode())
    view.go(6)
    view.move_turn(-1)
    assert view.cursor == 4
    view.go(6)
    view.move_turn(1)
    assert view.cursor == 8
    view.move_turn(-2)
    assert view.cursor == 1


def test_failures_of_the_episode_and_of_the_judging_are_found_both_ways() -> None:
    view = view_of(episode(), checks=judging(verdicts=("passed", "failed", "unjudged")))
    view.go(0)
    found = []
    while (seq := view.next_failure()) is not None:
        found.append(seq)
        assert view.cursor == seq
    assert found == [12, judging_seq(4), judging_seq(6)]
    assert [view.next_failure(-1), view.next_failure(-1), view.next_failure(-1)] == [judging_seq(4), 12, None]
    assert view.cursor == 12


def test_events_are_found_by_any_of_their_words() -> None:
    view = view_of(episode(), checks=judging())
    assert view.find("IVORY") == [3, 4, 9, 12]
    assert view.find("because 1") == [judging_seq(4)]
    assert view.find("index.html") == [5, 6]
    assert view.find("ClientReplied") == [3]
    assert view.find(A) == []  # addresses are no words
    assert view.find("") == []
    view.go(4)
    assert view.seek(view.find("ivory")) == 9
    assert view.seek(view.find("ivory"), -1) == 4


def test_long_texts_are_shown_and_found_once_they_are_supplied() -> None:
    view = view_of(episode(long(B, "Which", 70)))
    block = view.dialogue[1]
    assert (block.text, block.chars, block.blob) == ("Which", 70, B)
    assert view.wanted() == [B, A]  # A is the file's content
    generation = view.generation
    view.supply({B: "Which colour of \x1b?", A: "<h1>Crumb</h1>"})
    assert view.generation > generation
    block = view.dialogue[1]
    assert (block.text, block.blob) == ("Which colour of ␛?", None)
    assert block.chars == len(block.text)
    assert view.wanted() == []
    assert view.find("colour of") == [2]
    assert view.find("<H1>") == [6]


def test_a_text_that_cannot_be_read_keeps_its_beginning_and_is_not_asked_for_again() -> None:
    view = view_of(episode(long(B, "Which", 70)))
    view.supply({B: ""})
    generation = view.generation
    view.supply({A: ""})
    assert view.generation == generation  # no block holds it
    assert (view.dialogue[1].text, view.dialogue[1].blob, view.wanted()) == ("Which", B, [])


def test_texts_are_kept_up_to_a_limit_and_files_leave_room_for_what_was_said() -> None:
    names = [f"{i:064x}" for i in range(200)]
    said = log(*((1, TurnStarted(message=long(name, "m", 200_000))) for name in names))
    view = view_of(said)
    wanted = view.wanted(1_000)
    assert wanted == names[:80]  # of 200,000 characters each
    view.supply(dict.fromkeys(names, "x" * 300_000))
    assert sum(len(block.text) for block in view.dialogue) <= 16_200_000
    assert view.wanted() == []
    changed = log(*((1, files(A, FileChange("f", "add", name, 200_000))) for name in names))
    assert view_of(changed).wanted(1_000) == names[:40]


def test_the_dialogue_says_each_thing_once() -> None:
    view = view_of(episode())
    said = [(block.seq, block.who, block.label, block.text) for block in view.dialogue]
    assert said == [
        (1, "client", "instruction", "Make a site for my bakery."),
        (2, "agent", "clarify", "Which colour?"),
        (3, "client", "", "Ivory."),
        (5, "agent", "implement", "writes index.html"),
        (8, "feedback", "", "Execution feedback: it runs."),
        (9, "agent", "verify", "ivory"),
        (12, "audit", "failed after 2 steps", "white"),
        (13, "runner", "played", "the end: submitted"),
    ]
    assert view.dialogue[1].reasoning == "no colour is named"
    view.go(4)
    assert view.block_index == 2
    view.go(0)
    assert view.block_index == -1


def test_what_a_resume_took_back_stays_and_is_marked() -> None:
    view = view_of(episode()[:12])
    generation = view.generation
    resumed = log(
        (2, EpisodeResumed(kept_turns=2, discards_from=8)),
        (3, TurnStarted(message="Execution feedback: it runs.")),
        (3, ActionChosen(action="malformed")),
        first=12,
    )
    view.feed(resumed)
    assert view.generation > generation
    assert [row.seq for row in view.rows if row.discarded] == [8, 9, 10, 11]
    assert [block.seq for block in view.dialogue if block.discarded] == [8, 9]
    assert [block.seq for block in view.dialogue][-2:] == [13, 14]
    assert view.state == fold([*episode()[:12], *resumed])
    view.go(11)
    assert [turn.number for turn in view.state.turns] == [1, 2, 3]
    assert [picture.seq for picture in view.pictures] == [10, 11]


def test_a_failure_that_a_resume_took_back_is_none() -> None:
    view = view_of(log((0, started()), (1, TurnStarted(message="m")), (1, ActionChosen(action="malformed"))))
    view.go(0)
    view.feed(log((0, EpisodeResumed(kept_turns=0, discards_from=1)), first=3))
    assert view.next_failure() is None


def test_of_several_judgings_the_primary_one_is_shown_unless_another_is_chosen() -> None:
    view = view_of(episode(), checks_1=judging(), voyager_1=judging("voyager", ("failed", "failed", "failed")))
    assert view.judging_name == "checks_1"
    rows = len(view.rows)
    view.feed_judging("checks_2", judging(verdicts=("passed",), end=None))
    assert view.judging_name == "checks_1"  # the other one has come to no result yet
    generation = view.generation
    view.show_judging("voyager_1")
    assert view.judging_name == "voyager_1"
    assert view.generation > generation
    assert len(view.rows) == rows + 2
    assert [slot.verdict for slot in view.slots] == ["failed", "failed", "failed", "unobserved"]
    view.show_judging(None)
    assert view.judging_name == "checks_1"
    assert view.judgings == ("checks_1", "checks_2", "voyager_1")


def test_episode_and_judging_may_come_in_in_any_order() -> None:
    view = EpisodeView(make_case())
    view.feed_judging("checks_1", judging())
    view.go(judging_seq(2))
    view.feed(episode())
    assert view.cursor == judging_seq(2)
    assert view.index == 16
    assert [row.seq for row in view.rows][:14] == list(range(14))
    assert view.header.status is Status.SCORED


def test_within_the_judging_the_episode_stands_at_its_end() -> None:
    view = view_of(episode(), checks_1=judging())
    view.go(judging_seq(1))
    assert view.state == fold(episode())
    assert view.row is not None and (view.row.number, view.row.slot, view.row.judging) == (1, 0, True)
    assert number_of(view.cursor) == 1
    head = view.header
    assert (head.event, head.events, head.turn, head.turns, head.limit) == (16, 20, 3, 3, 15)
    assert (head.judging, head.in_judging, head.status) == ("checks_1", True, Status.SCORED)
    assert head.score.tcr == pytest.approx(1 / 5.75)


def test_a_log_that_was_replaced_is_read_anew() -> None:
    view = view_of(episode(), checks_1=judging())
    view.clear_judging("checks_1")
    assert (view.judging, view.judging_name, len(view.rows), view.cursor) == (None, "", 14, 13)
    view.feed_judging("checks_1", judging())
    generation = view.generation
    view.clear()
    assert (len(view.rows), view.cursor, view.following) == (0, -1, True)
    assert view.generation > generation
    view.feed(episode())
    assert len(view.rows) == 14


def test_events_that_are_here_already_are_passed_over() -> None:
    view = view_of(episode())
    view.feed(episode())
    view.feed([Record(-3, 0.0, 0, Warned(where="w", text="t")), Record(1 << 50, 0.0, 0, Warned(where="w", text="t"))])
    assert [row.seq for row in view.rows] == list(range(14))


def test_a_gap_in_a_log_moves_nothing() -> None:
    records = [record for record in episode() if record.seq not in (5, 6)]
    view = view_of(records)
    view.go(6)
    assert view.cursor == 4
    assert view.state == fold(records[:5])


def test_text_of_others_holds_no_control_characters() -> None:
    evil = log(
        (0, started()),
        (1, TurnStarted(message=EVIL)),
        (1, ActionChosen(action="clarify", question=EVIL, reasoning=EVIL, prose=EVIL, files=(EVIL,))),
        (1, step(1, A)),
        (1, files(B)),
        (1, Warned(where=EVIL, text=EVIL)),
        (1, Unknown(EVIL, EVIL)),
        (1, ActionChosen(action=EVIL)),
    )
    view = view_of(evil)
    shown = [text for row in view.rows for text in (row.text, row.kind, row.glyph)]
    shown += [
        text for block in view.dialogue for text in (block.text, block.label, block.reasoning, *dict(block.notes).values())
    ]
    assert len(shown) > 30
    assert all(visible(text) == text for text in shown)
    assert all("\n" not in row.text for row in view.rows)


@pytest.fixture(scope="module")
def long_view() -> Iterator[EpisodeView]:
    view = EpisodeView(make_case())
    view.feed(many(7_000))
    yield view


def test_stepping_back_through_7000_events_is_quick(long_view: EpisodeView) -> None:
    long_view.end()
    took = []
    for _ in range(2_000):
        began = time.process_time()
        long_view.move(-1)
        assert long_view.state.seq == long_view.cursor
        assert long_view.row and long_view.files is not None and long_view.header and long_view.slots
        assert long_view.picture is not None
        took.append(time.process_time() - began)
    assert sorted(took)[1_900] < 0.005


def test_a_long_episode_is_taken_in_at_once() -> None:
    records = many(7_000)
    view = EpisodeView(make_case())
    began = time.process_time()
    view.feed(records)
    assert time.process_time() - began < 0.5
    assert view.header.event == 7_000


def test_of_two_models_that_judged_the_one_that_the_run_names_is_shown() -> None:
    view = EpisodeView(make_case(), "voyager", "openai/a")
    for name, model, first in (("voyager", "openai/a", 0), ("voyager-2", "openai/b", 100)):
        started = JudgingStarted(judge="voyager", slots=2, manifest=A, turn_judged=1, model=model)
        view.feed_judging(name, log((1, started), (1, JudgingEnded(status="scored")), first=first))

    assert view.judging_name == "voyager"
    assert view.judgings == ("voyager", "voyager-2")
