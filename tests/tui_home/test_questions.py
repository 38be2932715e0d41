"""What the screens are told of a store, by hand-made logs."""

from pathlib import Path

import duckdb
import msgspec
import pytest

from iwtui.analysis.plots import Bar, Bin, Point, Priced
from iwtui.analysis.policy import Policy
from iwtui.archive.errors import IndexBusyError, IndexFaultError
from iwtui.archive.store import Store
from iwtui.bench.filters import FilterError
from iwtui.tui.answers import Margin, Page
from iwtui.tui.queries import Questions
from tests.cli.scribe import Scribe, add_whole
from tests.support.stores import make_store


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with an episode of each fate, and a fork."""
    store = make_store(tmp_path_factory.mktemp("many") / "store")
    Questions(store).overview()
    return store


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
    overview, metrics = questions.overview(), questions.metrics("second")
    cell = questions.cell("second")
    monkeypatch.setattr("iwtui.archive.index.Index.read", lambda *_: pytest.fail("it was read again"))

    assert questions.overview().runs == overview.runs
    assert questions.metrics("second").figures == metrics.figures
    assert questions.cell("second") == cell


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
    questions = Questions(stored.store)
    metrics = questions.metrics("second")
    grid = metrics.by_builder

    assert grid.rows == (Margin.ALL, "P-MIN", "P-RAM")
    assert grid.columns == (Margin.ALL, "scripted/blind", "scripted/clarifier")
    whole = grid.cells[Margin.ALL, Margin.ALL]
    assert (whole.tcr, whole.n, whole.episodes) == (metrics.figures.tcr, metrics.figures.n, 8)
    inner = [grid.cells[row, column] for row in grid.rows[1:] for column in grid.columns[1:]]
    assert sum(cell.n for cell in inner) == 7
    for row in grid.rows:
        for column in grid.columns:
            there = questions.cell("second", where={"persona": row, "builder": column})
            assert there.total == len(there.lines) == grid.cells[row, column].episodes
    assert questions.cell("second", where={"persona": "P-RAM", "difficulty": "hard"}) == Page((), 0, 0)


def test_means_come_first_and_intervals_follow(stored: Scribe) -> None:
    questions = Questions(stored.store)
    means, whole = questions.metrics("second", by="builder"), questions.intervals("second", by="builder")

    assert not means.bounded and not means.figures.bounds
    assert whole.bounded and whole.figures.bounds["tcr"] == whole.figures.interval("tcr")
    assert msgspec.structs.replace(whole.figures, bounds={}) == means.figures
    assert [part.label for part in means.breakdown] == [part.label for part in whole.breakdown]
    cell = whole.by_difficulty.cells[Margin.ALL, Margin.ALL]
    assert (cell.low, cell.high) == whole.figures.interval("tcr")


def test_the_lowest_scores_come_first_and_the_unknown_last(stored: Scribe) -> None:
    lines = Questions(stored.store).cell("second").lines

    known = [line.tcr for line in lines if line.tcr is not None]
    assert known == sorted(known)
    assert [line.tcr for line in lines][-1] is None
    assert (lines[0].passed, lines[0].slots, lines[0].actions) == (1, 3, "C I V M S")


@pytest.mark.parametrize(
    ("column", "down"), [("tcr", False), ("passed", True), ("application_type", False), ("tokens", True)]
)
def test_pages_put_together_are_the_whole_in_any_order(many: Store, column: str, down: bool) -> None:
    questions = Questions(many)
    whole = questions.cell(None, order=(column, down))
    pages = [questions.cell(None, order=(column, down), offset=offset, limit=4) for offset in range(0, whole.total, 4)]

    assert [line for page in pages for line in page.lines] == list(whole.lines)
    assert len({line.name for line in whole.lines}) == whole.total == 10
    assert {page.total for page in pages} == {10}


def test_the_highest_come_first_when_asked_for_and_the_unknown_stay_last(many: Store) -> None:
    turns = [line.turns for line in Questions(many).cell(None, order=("turns", True)).lines]
    scores = [line.tcr for line in Questions(many).cell(None, order=("tcr", True)).lines]

    assert turns == sorted(turns, reverse=True) and len(set(turns)) > 1
    assert scores[-3:] == [None] * 3 and scores[0] == 1.0


def test_an_order_that_is_none_is_refused(many: Store) -> None:
    with pytest.raises(KeyError):
        Questions(many).cell(None, order=("tcr; DROP TABLE attempts", False))


@pytest.mark.parametrize(("policy", "filter_text"), [*((policy, "") for policy in Policy), ("default", "-case:bakery0*")])
def test_each_element_of_a_plot_leads_to_the_episodes_behind_it(many: Store, policy: str, filter_text: str) -> None:
    questions = Questions(many)
    points = questions.metrics(None, policy, filter_text).points

    def behind(element: Point | Bin | Priced | Bar) -> int:
        return questions.cell(None, f"{filter_text} {element.filter}").total

    assert points.tcr_by_turn and points.loc_hallucination and points.stop_reasons and points.cost_tcr
    assert all(behind(point) == point.n for point in points.tcr_by_turn)
    assert all(behind(each) == each.n for each in points.loc_hallucination)
    assert all(behind(bar) == bar.count for bar in points.stop_reasons)
    assert all(behind(one) == one.n for one in points.cost_tcr)
    assert all((behind(bar) > 0) == (bar.count > 0) for bar in points.actions)


@pytest.mark.parametrize("by", ["case_id", "category", "judge", "repeat", "scripted", "stop_reason"])
def test_each_part_of_a_breakdown_leads_to_its_episodes(many: Store, by: str) -> None:
    questions = Questions(many)
    metrics = questions.metrics(None, by=by)

    assert sum(part.figures.episodes for part in metrics.breakdown) == metrics.figures.episodes == 10
    assert all(questions.cell(None, part.filter).total == part.figures.episodes for part in metrics.breakdown)


def test_a_fork_is_shown_by_itself_and_never_among_others(many: Store) -> None:
    questions = Questions(many)

    assert questions.metrics(None).runs == ("policies",)
    assert questions.metrics("fork").figures.episodes == questions.cell("fork").total == 1
    assert questions.cell(None, "run:fork").total == 0


def test_an_index_that_is_behind_is_read_as_it_stands_when_that_is_enough(stored: Scribe) -> None:
    questions = Questions(stored.store)
    before = questions.metrics(None)
    add_whole(stored, "third")

    as_it_stands = questions.metrics(None, fresh=False)
    assert as_it_stands.figures == before.figures and as_it_stands.age.seconds is not None
    assert questions.metrics(None).figures.episodes == before.figures.episodes + 1


def test_an_index_of_an_older_version_is_made_anew_before_it_is_asked(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store")
    before = Questions(store).metrics(None)
    with duckdb.connect(str(store.root / "iwtui.duckdb")) as con:
        con.execute("DROP VIEW episodes; ALTER TABLE attempts DROP COLUMN conflicts")
        con.execute("UPDATE internal.about SET fingerprint = 'older'")

    assert Questions(store).cell(None).total == 10
    assert Questions(store).metrics(None, fresh=False).figures == before.figures


def test_an_older_index_that_others_hold_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make_store(tmp_path / "store")
    Questions(store).overview()
    with duckdb.connect(str(store.root / "iwtui.duckdb")) as con:
        con.execute("UPDATE internal.about SET fingerprint = 'older'")

    def held(*_: object, **__: object) -> None:
        raise IndexBusyError("another program has the index open")

    monkeypatch.setattr("iwtui.archive.index.Index.catch_up", held)
    with pytest.raises(IndexFaultError, match="another version"):
        Questions(store).metrics(None)


def test_what_is_shown_can_be_written_out(many: Store) -> None:
    questions = Questions(many)
    figures = questions.export(None, by="case_id")
    rows = [dict(zip(figures.columns, row, strict=True)) for row in figures.rows]
    shown = questions.intervals(None, by="case_id")
    assert (rows[0]["case_id"], rows[0]["tcr"], rows[0]["tcr_low"]) == (
        None,
        shown.figures.tcr,
        shown.figures.interval("tcr")[0],
    )
    assert [row["case_id"] for row in rows[1:]] == [part.label for part in shown.breakdown]

    written = questions.export_episodes(None, "status:scored", order=("case_id", True))
    names = [row[written.columns.index("case_id")] for row in written.rows]
    assert names == [line.case_id for line in questions.cell(None, "status:scored", order=("case_id", True)).lines]


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
