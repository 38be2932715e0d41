"""What each figure is made of, by hand; and all of them against plain SQL on a store of two thousand."""

from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest

from iwtui.analysis.cube import MEANS
from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import Figures, Table
from iwtui.analysis.policy import Policy
from iwtui.analysis.report import report
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.filters import parse
from tests.analysis.made import EVERY, episodes, insert
from tests.bench.big_store import big_store


def of(*rows: dict[str, Any], policy: Policy = Policy.DEFAULT) -> Figures:
    return report(episodes(*rows), EVERY, [], policy)[0].figures


def test_a_ratio_is_a_ratio_of_sums_and_not_a_mean_of_ratios() -> None:
    assert of({"verifies": 3, "implements": 1}, {"verifies": 1, "implements": 4}).vci == pytest.approx(4 / 5)
    assert of({"verifies": 0, "implements": 2}).vci == 0.0
    assert of({"verifies": 1, "implements": 0}).vci is None


@pytest.mark.parametrize(
    ("actions", "first"), [("C I S", 1), ("I C S", 0), ("C", 1), ("I S", 0), ("M C V I", 1), ("M I C", 0), ("", 0)]
)
def test_asking_first_is_asking_before_any_code(actions: str, first: int) -> None:
    assert of({"actions": actions}).pcr == first


def test_shares_are_of_the_episodes_that_count() -> None:
    found = of({"actions": "I S"}, {"actions": "I", "clarifies": 2}, {"status": "infra", "actions": "C", "clarifies": 9})
    assert (found.submit_rate, found.ask_rate, found.clarifies) == (0.5, 0.5, 1.0)


def test_a_crash_before_any_turn_has_no_share_in_what_nobody_saw() -> None:
    found = of({}, {"status": "crashed", "actions": "", "turns": 0, "implements": 0, "loc": None})
    assert (found.hr, found.known["hr"], found.loc, found.turns) == (0.0, 1, 100.0, 1.0)


def test_what_is_unknown_is_in_no_mean_and_its_n_says_so() -> None:
    found = of({"tokens_in": 10, "cost": None}, {"tokens_in": None, "cost": 0.25, "ias": 4})
    assert (found.tokens_in, found.known["tokens_in"]) == (10.0, 1)
    assert (found.cost, found.cost_mean, found.known["cost_mean"]) == (0.25, 0.25, 1)
    assert (found.ias, found.known["ias"], found.chr, found.known["chr"]) == (4.0, 1, None, 0)


def test_a_judge_that_broke_off_makes_no_bad_agent() -> None:
    """No answer of a judge is a low figure: intent, hits and hallucination are unknown then, and so is the score."""
    found = of({"status": "infra", "judging": "voyager", "ias": None, "chr": None})
    assert (found.n, found.tcr, found.ias, found.chr, found.hr, found.infra) == (0, None, None, None, None, 1)


@pytest.mark.parametrize("policy", list(Policy))
def test_figures_are_the_same_from_a_finer_cube(policy: Policy) -> None:
    """Means come from a cube without seeds, and with their intervals from one with them."""
    con = episodes(*({"seed": f"s{n % 3}", "tcr": n / 10, "ias": n % 5 + 1, "builder": "ab"[n % 2]} for n in range(10)))
    coarse = Table(con, EVERY, ["builder"], policy).by(["builder"])
    fine = Table(con, EVERY, ["builder", "persona"], policy, bounded=True).by(["builder"])
    assert [(group.label, group.figures.tcr, group.figures.ias) for group in coarse] == [
        (group.label, group.figures.tcr, group.figures.ias) for group in fine
    ]
    assert all(low is not None for low, _ in (group.figures.interval("tcr") for group in fine))


def test_conflicts_are_read_from_what_stood_in_a_message(tmp_path: Path) -> None:
    from iwtui.bench.events import ActionChosen, EpisodeEnded, TurnStarted
    from tests.cli.scribe import Scribe, make_case, started

    scribe = Scribe(tmp_path / "store")
    case = make_case("bakery", "P-MIN")
    scribe.run("r", [case])
    said = [("implement", "implement"), ("implement", "clarify"), ("verify", "implement"), ("clarify", "submit"), ()]
    said += [("implement", "verify", "submit")]
    turns = [
        (n, event)
        for n, stood in enumerate(said, 1)
        for event in (TurnStarted(message="x"), ActionChosen(action="implement", stood=stood))
    ]
    ended = EpisodeEnded(status="crashed", stop_reason="site")
    scribe.episode("r", "bakery_P-MIN.scripted-blind.r1.a1", [started(case), *turns, (6, ended)])
    index = Index(scribe.store)
    index.catch_up()
    row = index.read(lambda con: con.execute("SELECT conflicts, steal_steps, blind_executions FROM episodes").fetchone())
    assert row == (4, 1, 1)


COLUMNS = {
    "sr": "sr::INT", "hr": "hallucinated::INT", "cost_mean": "cost", "ask_rate": "(clarifies > 0)::INT",
    "submit_rate": "(actions LIKE '%S%')::INT", "pcr": "(regexp_matches(actions, '^[^I]*C'))::INT",
}  # fmt: skip


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Index:
    store: Store = big_store(tmp_path_factory.mktemp("big") / "store", 2_000)
    return Index(store)


def _rows(con: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    return con.execute(query).fetchall()


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("", "true"),
        ("persona:P-MIN,P-CON -builder:*a tcr>0.2", "persona IN ('P-MIN', 'P-CON') AND builder NOT LIKE '%a' AND tcr > 0.2"),
        ("category:User* kind:run", "(run, case_id) IN (SELECT (run, case_id) FROM cases WHERE category LIKE 'User%')"),
    ],
)
def test_every_figure_is_what_plain_sql_says(big: Index, text: str, condition: str) -> None:
    found = big.read(lambda con: report(con, Asked(terms=parse(text)), ["builder"], Policy.DEFAULT))
    assert len(found) > 4 and all(row.figures.n > 20 for row in found)
    for name in set(MEANS) - {"vci"}:
        value = COLUMNS.get(name, name)
        query = f"""SELECT builder, avg({value}), count({value}) FROM episodes
            WHERE status IN ('scored', 'crashed') AND {condition} GROUP BY builder"""
        for builder, mean, n in big.read(partial(_rows, query=query)):
            (row,) = [row for row in found if row.group.get("builder") == builder]
            assert getattr(row.figures, name) == (None if mean is None else pytest.approx(mean)), name
            assert row.figures.known[name] == n, name


def test_a_correlation_of_flags_is_that_of_average_ranks() -> None:
    """By hand: lines 10, 20, 20, 40 have the ranks 1, 2.5, 2.5, 4; flags 0, 0, 1, 1 have 1.5, 1.5, 3.5, 3.5."""
    rows: list[dict[str, Any]] = [{"loc": 10, "hallucinated": False}, {"loc": 20, "hallucinated": False}]
    rows += [{"loc": 20, "hallucinated": True}, {"loc": 40, "hallucinated": True}]
    unknown: list[dict[str, Any]] = [
        {"loc": None, "hallucinated": True},
        {"loc": 5, "hallucinated": None},
        {"status": "infra", "loc": 1},
    ]
    (row,) = report(episodes(*rows, *unknown), EVERY, [], Policy.DEFAULT)
    assert row.correlation.rho == pytest.approx(3 / 18**0.5)
    assert row.correlation.n == 4 and row.correlation.p == pytest.approx(0.2928932)


@pytest.mark.parametrize(
    "rows", [[], [{}], [{"loc": n} for n in range(5)], [{"loc": 1, "hallucinated": n > 1} for n in range(5)]]
)
def test_a_correlation_that_means_nothing_is_none(rows: list[dict[str, Any]]) -> None:
    (row,) = report(episodes(*rows), EVERY, [], Policy.DEFAULT)
    assert (row.correlation.rho, row.correlation.p) == (None, None)


def test_how_turns_and_episodes_are_shared_out() -> None:
    rows: list[dict[str, Any]] = [
        {"builder": "a", "actions": "C I S", "clarifies": 1, "implements": 1},
        {"builder": "b", "actions": "I I", "implements": 2, "stop_reason": None},
        {"builder": "b", "actions": "M", "implements": 0, "malformed": 1, "stop_reason": ""},
        {"builder": "b", "status": "infra", "actions": "M M", "malformed": 2, "stop_reason": "model"},
    ]
    whole, _, second = report(episodes(*rows), EVERY, ["builder"], Policy.DEFAULT)
    sixth = pytest.approx(1 / 6)
    assert whole.figures.distribution == {
        "clarify": sixth, "implement": pytest.approx(1 / 2), "verify": 0.0, "submit": sixth, "malformed": sixth
    }  # fmt: skip
    assert whole.stop_reasons == {"submitted": 1, "unknown": 2}
    assert second.stop_reasons == {"submitted": 0, "unknown": 2}, "what occurs in others is 0 here, not absent"
    (nothing,) = report(episodes({"status": "infra"}), EVERY, [], Policy.DEFAULT)
    assert set(nothing.figures.distribution.values()) == {None} and nothing.stop_reasons == {}


def test_forks_count_only_when_they_are_asked_for() -> None:
    con = episodes(
        {}, {"run": "f", "counts": False, "tcr": 0.0}, {"run": "f", "counts": False, "attempt": 2, "case_id": "c1"}
    )
    insert(con, "runs", {"run": "f", "kind": "fork"})
    assert report(con, EVERY, [], Policy.DEFAULT)[0].figures.episodes == 1
    forks = Asked(("f",), forks=True)
    assert report(con, forks, [], Policy.DEFAULT)[0].figures.episodes == 1, "the latest attempt alone"
    assert report(con, Asked(("f",)), [], Policy.DEFAULT)[0].figures.episodes == 0
