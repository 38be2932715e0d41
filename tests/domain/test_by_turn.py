"""The score turn by turn: which turn a judging is of, what each gained and lost."""

import pytest

from iwtui.archive.choosing import Pass, primary_judging
from iwtui.archive.store import Store
from iwtui.bench.by_turn import TurnScore, by_turn, turns_that_wrote
from iwtui.bench.names import EpisodeName
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status
from iwtui.tui.state.turn_scores import curve, history, marks
from tests.support.stores import F, P, judge, make_case, make_run, play


@pytest.fixture
def judged(tmp_path) -> tuple[Store, EpisodeName]:  # type: ignore[no-untyped-def]
    """Files are written in turns 2, 4 and 6; the site was judged after each, after turn 6 as it was handed in."""
    store, case = Store(tmp_path), make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="CICIVIS")
    judge(folder, name, (P, F, F, P), "checks-1", turn=7)
    judge(folder, name, (P, P, F, F), "checks-2", turn=2)
    judge(folder, name, (F, P, P, F), "checks-3", turn=4)
    return store, name


def _scores(store: Store, name: EpisodeName, judge: str = "checks") -> tuple[TurnScore, ...]:
    folder = store.run("run")
    case = folder.case_of(name)
    assert case is not None
    states = [folder.fold_judging(name, judging) for judging in folder.judgings(name)]
    return by_turn(case, folder.fold_episode(name), states, judge)


def test_each_turn_that_wrote_has_what_it_gained_and_lost(judged: tuple[Store, EpisodeName]) -> None:
    scores = _scores(*judged)
    assert turns_that_wrote(judged[0].run("run").fold_episode(judged[1])) == (2, 4, 6)
    assert [(one.turn, one.gained, one.lost) for one in scores] == [(2, (0, 1), ()), (4, (2,), (0,)), (6, (0, 3), (1, 2))]
    assert _scores(*judged, judge="voyager") == ()


def test_marks_curve_and_history(judged: tuple[Store, EpisodeName]) -> None:
    scores = _scores(*judged)
    assert {turn: mark.partition(" % ")[2] for turn, mark in marks(scores).items()} == {
        2: "+s0,s1",
        4: "+s2 −s0",
        6: "+s0,s3 −s1,s2",
    }
    assert len(curve(scores)) == 3
    assert history(scores, 0) == "passes from turn 2, lost in turn 4, passes from turn 6"
    assert history(scores, 3) == "passes from turn 6"
    assert history(scores[:2], 3) == "passed after no turn"
    assert (marks(scores[:1]), curve(scores[:1]), history(scores[:1], 0)) == ({}, "", "")


def test_a_site_that_did_not_run_passes_nothing_and_an_unjudged_turn_has_no_score(tmp_path) -> None:  # type: ignore[no-untyped-def]
    store, case = Store(tmp_path), make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="III")
    judge(folder, name, (P, P, P, P), "checks-1", turn=1)
    judge(folder, name, (), "checks-2", status="crashed", turn=2)
    judge(folder, name, (Verdict.UNJUDGED,) * 4, "checks-3", turn=3)
    judge(folder, name, (P, P, P, P), "checks-4", status="infra", turn=3)
    scores = _scores(store, name)
    assert [(one.turn, one.tcr, one.lost) for one in scores] == [(1, 1.0, ()), (2, 0.0, (0, 1, 2, 3)), (3, None, ())]
    assert marks(scores)[3] == "– %"


def test_a_judging_of_an_earlier_turn_is_never_the_primary_one() -> None:
    last = Pass("a", "checks", Status.INFRA, 1.0, turn=7)
    early = Pass("b", "checks", Status.SCORED, 2.0, turn=3)
    assert primary_judging([last, early], "checks") == "a"
    assert primary_judging([early], "checks") == "b"
