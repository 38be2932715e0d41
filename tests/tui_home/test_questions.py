"""What the screens are told of a store, by hand-made logs."""

import pytest

from iwtui.analysis.policy import Policy
from iwtui.bench.filters import FilterError
from iwtui.tui.answers import Margin
from iwtui.tui.queries import Questions
from tests.cli.scribe import Scribe


def test_plans_need_no_index(stored: Scribe) -> None:
    overview = Questions(stored.store).plans()

    assert {(line.run, line.planned, line.figures) for line in overview.runs} == {("first", 1, None), ("second", 8, None)}
    assert not (stored.store.root / "iwtui.duckdb").exists()


def test_an_empty_store_is_left_alone(scribe: Scribe) -> None:
    assert Questions(scribe.store).overview().runs == ()
    assert not scribe.store.root.exists()


def test_an_overview_counts_what_is_over(stored: Scribe) -> None:
    overview = Questions(stored.store).overview()
    second = next(line for line in overview.runs if line.run == "second")

    assert second.figures is not None
    assert (second.over, second.figures.running, second.figures.n) == (7, 1, 7)
    assert len(overview.over) == 8
    assert overview.age.why == ""


def test_a_run_that_cannot_be_read_says_why(stored: Scribe) -> None:
    (stored.store.root / "runs" / "first" / "run.json").write_text("{")

    lines = {line.run: line for line in Questions(stored.store).overview().runs}

    assert "run.json" in lines["first"].trouble
    assert lines["second"].trouble == ""


def test_what_did_not_change_is_not_read_again(stored: Scribe, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = Questions(stored.store)
    before = questions.overview()
    monkeypatch.setattr("iwtui.analysis.episodes.load_episodes", lambda *_: pytest.fail("it was read again"))

    assert questions.overview().runs == before.runs
    assert len(questions.episodes("second")) == 8


def test_new_events_are_seen(stored: Scribe) -> None:
    questions = Questions(stored.store)
    questions.overview()
    name = next(line.name for line in questions.episodes("second") if line.status == "running")
    with stored.store.run("second").record_episode(name) as log:
        from iwtui.bench.events import EpisodeEnded

        log.append(EpisodeEnded(status="crashed", stop_reason="site"), 2)

    second = next(line for line in questions.overview().runs if line.run == "second")

    assert second.figures is not None
    assert (second.figures.crashed, second.figures.running) == (1, 0)


def test_a_grid_has_margins_that_agree_with_the_whole(stored: Scribe) -> None:
    metrics = Questions(stored.store).metrics("second")
    grid = metrics.by_builder

    assert grid.rows == (Margin.ALL, "P-MIN", "P-RAM")
    assert grid.columns == (Margin.ALL, "scripted/blind", "scripted/clarifier")
    whole = grid.cells[Margin.ALL, Margin.ALL]
    assert (whole.tcr, whole.n, whole.episodes) == (metrics.figures.tcr, metrics.figures.n, 8)
    inner = [grid.cells[row, column] for row in grid.rows[1:] for column in grid.columns[1:]]
    assert sum(cell.n for cell in inner) == 7
    assert [len(metrics.within("builder", row, "scripted/blind")) for row in grid.rows] == [4, 2, 2]
    assert metrics.within("difficulty", "P-RAM", "hard") == ()


def test_the_lowest_scores_come_first_and_the_unknown_last(stored: Scribe) -> None:
    lines = Questions(stored.store).metrics("second").episodes

    known = [line.tcr for line in lines if line.tcr is not None]
    assert known == sorted(known)
    assert [line.tcr for line in lines][-1] is None
    assert (lines[0].passed, lines[0].slots, lines[0].actions) == (1, 3, "C I V M S")


@pytest.mark.parametrize(("policy", "n"), [("default", 7), ("strict", 7), ("scored", 7), ("official", 7)])
def test_each_policy_can_be_asked_for(stored: Scribe, policy: str, n: int) -> None:
    metrics = Questions(stored.store).metrics("second", policy)

    assert (metrics.policy, metrics.figures.n) == (Policy(policy), n)


def test_a_filter_keeps_what_fits(stored: Scribe) -> None:
    questions = Questions(stored.store)

    assert questions.metrics(None, filter_text="persona:P-RAM status:scored").figures.episodes == 3
    assert questions.metrics("second", filter_text="run:first").figures.episodes == 0
    with pytest.raises(FilterError):
        questions.metrics(None, filter_text="colour:red")
