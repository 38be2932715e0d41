"""The grammar of the voyager's answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.score import Verdict
from iwtui.judges.answers import ANSWER, Answer, Given, read_answer
from iwtui.web.steps import ACTIONS, Move

P, F, U = Verdict.PASSED, Verdict.FAILED, Verdict.UNOBSERVED


def verdicts(reply: str) -> list[tuple[int, Verdict]]:
    return [(given.slot, given.verdict) for given in read_answer(reply).verdicts]


def test_a_whole_answer_is_read() -> None:
    answer = read_answer(
        "Thought: The list shows six breads, and the search narrows it.\n"
        "[PASSED ID: 2] Reason: Typing rye leaves one bread.\n"
        "[failed ids: 3, 4 and 5] Reason: No basket anywhere.\n"
        "Action: Click [7]"
    )
    assert answer.verdicts == (
        Given(2, P, "Typing rye leaves one bread."),
        *(Given(slot, F, "No basket anywhere.") for slot in (3, 4, 5)),
    )
    assert answer.move is not None and (answer.move.action, answer.move.mark) == ("click", 7)
    assert answer.thought.startswith("The list shows") and not answer.unread


@pytest.mark.parametrize(
    ("thought", "read"),
    [
        ("[PASSED ID: 1] it is there", [(1, P)]),
        ("The page is blue. [PASSED ID: 1] Reason: blue. [FAILED ID: 0] Reason: no title.", [(1, P), (0, F)]),
        ("- **[Passed ID: 3]** Reason: seen", [(3, P)]),
        ("2. [PASSED ID 3] seen", [(3, P)]),
        ("[PASSED ID: 1] [PASSED ID: 2], [FAILED ID: 3] Reason: one look tells all", [(1, P), (2, P), (3, F)]),
        ("[PASSED ID: 1]\nReason: on the next line", [(1, P)]),
        ("[FAILED ID: 1] Reason: slow\n[PASSED ID: 1] Reason: it came after all", [(1, F), (1, P)]),
        ("[FAILED ID: 1] Reason: the list is not yet narrowed after a wait", [(1, F)]),
        ("[UNOBSERVED ID: 4] Reason: never reached", [(4, U)]),
        # None of these says that anything passed.
        ("I cannot yet say [PASSED ID: 2].", []),
        ("If it works I shall write: [PASSED ID: 2] Reason: it works", []),
        ('Later comes "[PASSED ID: 2] Reason: x"', []),
        ("[PASSED ID: 2] cannot yet be said", []),
        ("[PASSED ID: 2] Reason: not yet tested", []),
        ("[FAILED ID: 2] Reason: to be checked", []),
        ("[PASSED ID: 2]", []),
        ("[PASSED ID: X] Reason: the first", []),
        ("[PASSED ID: 1-3] Reason: a range", []),
        ("[PASSED] Reason: which one?", []),
        ("<think>[PASSED ID: 1] Reason: musing</think>Nothing yet.", []),
        ("[PASSED ID: 1] Reason: musing</think>Nothing yet.", []),
    ],
)
def test_verdicts(thought: str, read: list[tuple[int, Verdict]]) -> None:
    assert verdicts(f"Thought: {thought}\nAction: Wait") == read
    assert verdicts(thought) == read, "without an action it is the same"


def test_tags_that_give_no_verdict_are_told() -> None:
    answer = read_answer("Thought: I cannot yet say [PASSED ID: 2]. [PASSED ID: two] Reason: x\nAction: Wait")
    assert answer.unread == ("[PASSED ID: 2]", "[PASSED ID: two]")


def test_what_follows_a_second_action_is_made_up() -> None:
    answer = read_answer(
        "Thought: a\nAction: Click [1]\nObservation: it works\nThought:\n[PASSED ID: 0] Reason: b\nAction: Wait"
    )
    assert answer.verdicts == ()
    assert answer.move is not None and answer.move.mark == 1


@pytest.mark.parametrize(
    ("action", "move"),
    [
        ("Click [3]", Move("click", mark=3)),
        ("click 3", Move("click", mark=3)),
        ("Type [4]; rye bread", Move("type", mark=4, text="rye bread")),
        ('Type [4]; "rye"', Move("type", mark=4, text="rye")),
        ("Type [4];", Move("type", mark=4)),
        ("Select [5]; Large", Move("select", mark=5, text="Large")),
        ("Scroll [WINDOW]; down", Move("scroll", text="down")),
        ("Scroll [12]; up", Move("scroll", text="up")),
        ("Scroll down", Move("scroll", text="down")),
        ("Key Enter", Move("key", text="Enter")),
        ("Key [Control+a]", Move("key", text="Control+a")),
        ("Press Escape.", Move("key", text="Escape")),
        ("Wait", Move("wait")),
        ("GoBack", Move("back")),
        ("Back", Move("back")),
        ("ANSWER; Click [0] worked", Move(ANSWER, text="Click [0] worked")),
        ("ANSWER;\nall is done", Move(ANSWER, text="all is done")),
        ("Fly", None),
        ("Click the button", None),
        ("", None),
    ],
)
def test_actions(action: str, move: Move | None) -> None:
    assert read_answer(f"Thought:\nAction: {action}").move == move


def test_an_answer_holds_verdicts_too() -> None:
    assert verdicts("Thought: done\nAction: ANSWER;\n[PASSED ID: 0] Reason: a\n[FAILED ID: 1] Reason: b") == [(0, P), (1, F)]


@pytest.mark.parametrize(
    "reply",
    [
        '{"thought": "t", "verdicts": [{"id": 0, "verdict": "Passed", "reason": "r"}], "action": "click", "mark": 3}',
        '```json\n{"thought": "t", "verdicts": [{"id": "0", "passed": true, "reason": "r",},],\n'
        '"action": "click", "mark": "[3]"}\n```',
        "Sure: {'thought': 't', 'verdicts': {'0': {'verdict': 'pass', 'reason': 'r'}}, "
        "'action': 'Click', 'mark': 3, 'text': None} ok",
    ],
)
def test_json_in_its_dresses(reply: str) -> None:
    assert read_answer(reply) == Answer("t", (Given(0, P, "r"),), Move("click", "t", 3))


def test_json_is_strict_about_what_it_means() -> None:
    reply = (
        '{"verdicts": [{"id": 0, "verdict": "maybe", "reason": "r"}, {"id": true, "verdict": "passed", "reason": "r"}, '
        '{"id": 1, "verdict": "passed"}, {"id": 2, "passed": "true", "reason": "r"}, '
        '{"id": 3, "verdict": "failed", "reason": "not yet tested"}, {"id": [4, 5], "verdict": "fail", "reason": "r"}], '
        '"action": "fly"}'
    )
    answer = read_answer(reply)
    assert [(given.slot, given.verdict) for given in answer.verdicts] == [(4, F), (5, F)]
    assert len(answer.unread) == 5
    assert answer.move is None


@pytest.mark.parametrize("reply", ["", "I'm sorry, but I can't help with that.", "{", "[PASSED ID:", "Action:", "\x00" * 9])
def test_nothing_to_read(reply: str) -> None:
    assert read_answer(reply).verdicts == ()
    assert read_answer(reply).move is None


@given(
    st.text()
    | st.lists(st.sampled_from(["[PASSED ID: 1]", "Action:", " ", "\n", "{", '"', "Reason:", "ANSWER"])).map("".join)
)
def test_any_text_is_read_without_a_fault(reply: str) -> None:
    answer = read_answer(reply)
    assert answer.move is None or answer.move.action in ACTIONS | {ANSWER}
