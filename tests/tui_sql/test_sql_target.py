"""What a row leads to."""

import pytest

from iwtui.bench.names import parse_name
from iwtui.tui.state.shapes import judging_seq
from iwtui.tui.state.sql_target import Sought, Target, target

NAME = "first/bakery_P-MIN.scripted-blind.r1.a1"
EPISODE = parse_name(NAME)


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ({}, None),
        ({"slot": 1, "judging": "checks"}, None),
        ({"episode": None}, None),
        ({"episode": "no name"}, None),
        ({"episode": 7, "run": "first"}, Target("first")),
        ({"run": "first"}, Target("first")),
        ({"episode": NAME}, Target("first", EPISODE)),
        ({"episode": NAME, "slot": 0}, Target("first", EPISODE, slot=0)),
        ({"episode": NAME, "slot": 2, "judging": "j2", "evidence_event": 9}, Target("first", EPISODE, "j2", 2)),
        ({"episode": NAME, "slot": True}, Target("first", EPISODE)),
        ({"episode": NAME, "event": 5}, Target("first", EPISODE, seq=5)),
        ({"episode": NAME, "seq": 5, "event": '{"v": 1}'}, Target("first", EPISODE, seq=5)),
        ({"episode": NAME, "seq": 5, "judging": "checks"}, Target("first", EPISODE, "checks", seq=judging_seq(5))),
        ({"episode": NAME, "evidence_event": 5}, Target("first", EPISODE, seq=judging_seq(5))),
        ({"episode": NAME, "seq": -1}, Target("first", EPISODE)),
        ({"case_id": "bakery_P-MIN"}, Sought((("case_id", "bakery_P-MIN"),))),
        (
            {"case_id": "bakery_P-MIN", "run": "first", "builder": "b", "repeat": 2, "slot": 1},
            Sought((("run", "first"), ("case_id", "bakery_P-MIN"), ("builder", "b"), ("repeat", 2)), slot=1),
        ),
    ],
)
def test_what_a_row_leads_to(row: dict[str, object], wanted: object) -> None:
    assert target(row) == wanted
