"""What models answer in free text, read without trust."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.engine.copilot import ACTIONS, read_move
from iwtui.engine.picks import Picks, read_picks
from iwtui.engine.prompts import ROLES, filled, hashes, prompt


@pytest.mark.parametrize(
    ("reply", "picked"),
    [
        ('{"facts": [1, 3]}', (0, 2)),
        ('Sure! ```json\n{"facts": [3, 1, 3]}\n```', (0, 2)),
        ('{"facts": []}', ()),
        ('{"facts": [0, 8, -1]}', ()),
        ('{"note": 1} {"facts": [2]}', (1,)),
        ('{"facts": [2]} or rather {"facts": [1, 4]}', (0, 3)),
        ('{"facts": [2]} {"facts": "all"}', (1,)),
        ('{"facts": ["3", "#1", " 2. "]}', (0, 1, 2)),
        ('{"facts": [1, 2,],}', (0, 1)),
        ("{" * 20_000 + '{"facts": [1]}', (0,)),
        ("no idea", None),
        ('{"facts": "1"}', None),
        ('{"facts": [true]}', None),
        ('{"facts": [1.5]}', None),
        ("[1]", None),
        ("", None),
    ],
)
def test_picks(reply: str, picked: tuple[int, ...] | None) -> None:
    read = read_picks(reply, 7)
    assert (read.facts if read else None) == picked


@pytest.mark.parametrize(
    ("said", "challenge"),
    [("", None), (', "challenge": true', True), (', "challenge": false', False), (', "challenge": "yes"', None)],
)
def test_picks_may_say_that_the_question_is_a_challenge(said: str, challenge: bool | None) -> None:
    assert read_picks(f'{{"facts": [1]{said}}}', 7) == Picks((0,), challenge)


@pytest.mark.parametrize(
    ("reply", "action", "mark", "text"),
    [
        ('{"action": "click", "mark": 3}', "click", 3, ""),
        ('Well: {"thought": "a {brace}", "action": "type", "mark": "4", "text": "rye"} ok', "type", 4, "rye"),
        ('{"action": "fly"} {"action": "fail", "text": "no"}', "fail", None, "no"),
        ('{"action": "click", "mark": 3, "extra": [1]}', "click", 3, ""),
    ],
)
def test_moves(reply: str, action: str, mark: int | None, text: str) -> None:
    move = read_move(reply)
    assert move is not None
    assert (move.action, move.mark, move.text) == (action, mark, text)


@pytest.mark.parametrize("reply", ["", "click [3]", '{"action": 3}', '{"mark": 1}', "{" * 20_000, '["finish"]'])
def test_no_move(reply: str) -> None:
    assert read_move(reply) is None


@given(st.text())
def test_any_text_is_read_without_a_fault(reply: str) -> None:
    move = read_move(reply)
    assert move is None or move.action in ACTIONS
    picks = read_picks(reply, 5)
    assert picks is None or all(0 <= pick < 5 for pick in picks.facts)


def test_prompts_are_filled_and_hashed() -> None:
    assert "{turns}" in prompt("builder")
    assert "(15)" in filled("builder", turns=15)
    assert '{"facts": [numbers]}' in filled("client_retrieve", turns=1), "other braces stay"
    assert set(hashes()) == set(ROLES)
    assert len(set(hashes().values())) == len(ROLES)
