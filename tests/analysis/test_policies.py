"""Who counts under which policy, on episodes whose figures can be worked out by hand."""

from typing import Any

import pytest

from iwtui.analysis.figures import GroupError
from iwtui.analysis.policy import Policy
from iwtui.analysis.report import report
from tests.analysis.made import EVERY, episodes


def test_what_questions_cost_stands_beside_the_score_and_never_in_it() -> None:
    asked = episodes({"question_cost": 0.1}, {"question_cost": 0.3}, {"status": "infra", "question_cost": 0.9})
    (row,) = report(asked, EVERY, [], Policy.DEFAULT)
    assert row.figures.question_cost == pytest.approx(0.2)
    assert row.figures.tcr == 1.0
    (free,) = report(episodes({}), EVERY, [], Policy.DEFAULT)
    assert free.figures.question_cost is None


TEN: list[dict[str, Any]] = [
    *({"sr": True} for _ in range(6)),
    *({"sr": False, "tcr": 0.5, "tcr_clean": 0.4} for _ in range(2)),
    {"status": "crashed"},
    {"status": "infra"},
]


@pytest.mark.parametrize(
    ("policy", "sr", "tcr", "n"),
    [
        (Policy.STRICT, 6 / 10, 7 / 10, 10),
        (Policy.DEFAULT, 6 / 9, 7 / 9, 9),
        (Policy.SCORED, 6 / 8, 7 / 8, 8),
        (Policy.OFFICIAL, 6 / 10, 6.8 / 10, 10),
    ],
)
def test_six_pass_two_fail_one_crashes_one_is_our_fault(policy: Policy, sr: float, tcr: float, n: int) -> None:
    (row,) = report(episodes(*TEN), EVERY, [], policy)
    figures = row.figures
    assert figures.sr == pytest.approx(sr)
    assert figures.tcr == pytest.approx(tcr)
    assert figures.n == n
    assert (figures.episodes, figures.scored, figures.crashed, figures.infra) == (10, 8, 1, 1)


@pytest.mark.parametrize(
    ("policy", "n", "tcr"),
    [(Policy.STRICT, 4, 0.25), (Policy.DEFAULT, 2, 0.5), (Policy.SCORED, 1, 1), (Policy.OFFICIAL, 4, 0.25)],
)
def test_every_status_is_listed_and_running_never_counts(policy: Policy, n: int, tcr: float) -> None:
    rows = [{"status": status} for status in ("scored", "crashed", "infra", "cancelled", "running", "running")]
    figures = report(episodes(*rows), EVERY, [], policy)[0].figures
    listed = (figures.scored, figures.crashed, figures.infra, figures.cancelled, figures.running)
    assert figures.n == n
    assert figures.tcr == pytest.approx(tcr)
    assert listed == (1, 1, 1, 1, 2)
    assert sum(listed) == figures.episodes


def test_a_score_that_is_unknown_is_left_out_and_counted() -> None:
    figures = report(episodes({"tcr": None, "tcr_clean": None, "sr": None}, {"tcr": 0.5}), EVERY, [], Policy.DEFAULT)[
        0
    ].figures
    assert (figures.tcr, figures.n, figures.unknown, figures.scored) == (0.5, 1, 1, 2)


@pytest.mark.parametrize(
    ("policy", "hr", "n"), [(Policy.DEFAULT, 1 / 2, 2), (Policy.SCORED, 1 / 2, 2), (Policy.OFFICIAL, 3 / 4, 4)]
)
def test_hallucination_is_over_those_of_whom_it_is_known(policy: Policy, hr: float, n: int) -> None:
    """Official: a crashed site is a hallucination, and so is a NEGATIVE slot that nobody looked at."""
    rows: list[dict[str, Any]] = [
        {"hallucinated": True, "negative_missed": True},
        {"hallucinated": False, "negative_missed": False},
        {"hallucinated": None, "negative_missed": True},
        {"status": "crashed"},
        {"status": "infra"},
    ]
    figures = report(episodes(*rows), EVERY, [], policy)[0].figures
    assert figures.hr == pytest.approx(hr)
    assert figures.known["hr"] == n


def test_nobody_is_no_figure_and_not_zero() -> None:
    for con in (episodes({"status": "infra"}), episodes()):
        figures = report(con, EVERY, ["persona"], Policy.DEFAULT)[0].figures
        assert (figures.n, figures.tcr, figures.sr, figures.hr, figures.turns, figures.ask_rate) == (0, *[None] * 5)


def test_groups_follow_the_whole_in_their_own_order() -> None:
    rows: list[dict[str, Any]] = [
        {"difficulty": "hard", "builder": "a", "tcr": 0.2},
        {"difficulty": "easy", "builder": "b", "tcr": 0.4},
        {"difficulty": "middle", "builder": "a", "tcr": 0.6},
        {"difficulty": "easy", "builder": "a", "tcr": 0.8},
    ]
    found = report(episodes(*rows), EVERY, ["difficulty", "builder"], Policy.DEFAULT)
    assert [row.group for row in found] == [
        {},
        {"difficulty": "easy", "builder": "a"},
        {"difficulty": "easy", "builder": "b"},
        {"difficulty": "middle", "builder": "a"},
        {"difficulty": "hard", "builder": "a"},
    ]
    assert [row.figures.tcr for row in found] == pytest.approx([0.5, 0.8, 0.4, 0.6, 0.2])


def test_repeats_are_ordered_as_numbers() -> None:
    rows = report(episodes(*({"repeat": repeat} for repeat in (10, 2, 1))), EVERY, ["repeat"], Policy.DEFAULT)
    assert [row.group["repeat"] for row in rows[1:]] == [1, 2, 10]


def test_an_unknown_group_names_those_there_are() -> None:
    with pytest.raises(GroupError, match="persona"):
        report(episodes({}), EVERY, ["tcr"], Policy.DEFAULT)


def test_costs_add_up_over_all_and_the_unknown_are_counted() -> None:
    rows: list[dict[str, Any]] = [{"cost": 0.25}, {"cost": None, "unpriced_calls": 2}, {"status": "infra", "cost": 1.0}]
    figures = report(episodes(*rows), EVERY, [], Policy.DEFAULT)[0].figures
    assert (figures.cost, figures.unpriced) == (1.25, 1)
    assert report(episodes({"cost": None}), EVERY, [], Policy.DEFAULT)[0].figures.cost is None


def test_asking_and_scripts_are_counted() -> None:
    rows: list[dict[str, Any]] = [{"clarifies": 0}, {"clarifies": 3, "scripted": True}, {"status": "infra", "clarifies": 9}]
    figures = report(episodes(*rows), EVERY, [], Policy.DEFAULT)[0].figures
    assert (figures.ask_rate, figures.clarifies, figures.scripted_episodes) == (0.5, 1.5, 1)


def test_spread_is_over_repeats() -> None:
    rows: list[dict[str, Any]] = [{"repeat": 1, "tcr": 0.2}, {"repeat": 1, "tcr": 0.4}, {"repeat": 2, "tcr": 0.5}]
    assert report(episodes(*rows), EVERY, [], Policy.DEFAULT)[0].repeats.tcr_spread == pytest.approx(0.2 / 2**0.5)
    assert report(episodes(*rows[:2]), EVERY, [], Policy.DEFAULT)[0].repeats.tcr_spread is None
