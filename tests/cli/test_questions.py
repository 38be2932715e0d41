"""The ten questions of the README: they are the saved queries, and what they answer is so."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from iwtui.archive.index import Index
from iwtui.archive.log import LogWriter
from iwtui.archive.query import Query
from iwtui.archive.saved_queries import saved_queries
from iwtui.archive.store import Store
from iwtui.bench.events import ModelCalled, TurnStarted
from tests.support.stores import F, P, judge, make_case, make_run, play

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
ASKED = re.findall(r"^\*\*[^*\n]+\*\* \(`@([a-z-]+)`\)\n\n```sql\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def query(tmp_path_factory: pytest.TempPathFactory) -> Query:
    """Two seeds by one builder, each under P-MIN and P-RAM.

    P-MIN asks nothing and passes the heading only; P-RAM asks once and passes all. One case was played twice, and parts at
    its second turn. One call was cut by its length.
    """
    store = Store(tmp_path_factory.mktemp("asked") / "store")
    cases = [make_case(seed, persona) for seed in ("bakery", "gallery") for persona in ("P-MIN", "P-RAM")]
    folder = make_run(store, "asked", cases, repeats=2)
    for case in cases:
        little = case.persona.id == "P-MIN"
        judge(
            folder,
            play(folder, case, actions="IVS" if little else "CIVS"),
            (P, F, F, P) if little else (P, P, P, P),
            measures={"IAS": 2.0 if little else 4.0, "CHR": 0.0 if little else 50.0},
        )
    again = play(folder, cases[1], repeat=2, actions="CVIS", end=None)
    with LogWriter(folder.episode_log(again), store.blobs) as log:
        log.append(TurnStarted(message="Go on."), 5)
        log.append(
            ModelCalled(role="builder", model="scripted/blind", ordinal=0, request=(), finish_reason="length", tokens_out=8),
            5,
        )
    judge(folder, play(folder, cases[3], repeat=2, actions="CVIS"), (P, F, P, P))
    index = Index(store)
    index.catch_up()
    return Query(index)


def answers(query: Query, name: str) -> list[dict[str, Any]]:
    result = query.run(saved_queries()[name].sql)
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


def parts(row: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(round(row[name], 4) if isinstance(row[name], float) else row[name] for name in names)


def test_the_readme_asks_ten_questions_and_they_are_shipped() -> None:
    shipped = saved_queries()
    assert len(ASKED) == 10
    for name, sql in ASKED:
        assert shipped[name].sql == sql
        assert shipped[name].title.count("?") >= 1


def test_slots_that_only_the_brief_client_costs(query: Query) -> None:
    rows = answers(query, "hidden-slots")
    assert [parts(row, "seed", "slot", "passed_ram", "passed_min", "n_ram", "n_min") for row in rows] == [
        ("bakery", 1, 1.0, 0.0, 1, 1),
        ("bakery", 2, 1.0, 0.0, 1, 1),
        ("gallery", 2, 1.0, 0.0, 2, 1),
        ("gallery", 1, 0.5, 0.0, 2, 1),
    ]


def test_questions_pay_within_a_seed(query: Query) -> None:
    none, one = answers(query, "asking-pays")
    assert parts(none, "asked", "episodes") == (0, 2) and parts(one, "asked", "episodes") == (1, 3)
    assert none["above_its_seed"] < 0 < one["above_its_seed"]


def test_hidden_slots_that_nobody_asked_about(query: Query) -> None:
    rows = {row["persona"]: row for row in answers(query, "never-asked")}
    assert parts(rows["P-MIN"], "failed_slots", "hidden", "never_asked", "share_never_asked") == (4, 4, 4, 1.0)


def test_the_price_of_a_slot(query: Query) -> None:
    (row,) = answers(query, "slot-price")
    assert parts(row, "scripted", "episodes", "passed_slots") == (True, 5, 2 + 2 + 4 + 4 + 3)
    assert row["tokens_a_slot"] > 0


def test_success_that_was_none(query: Query) -> None:
    rows = answers(query, "false-success")
    assert sum(row["episodes"] for row in rows) == 5
    assert sum(row["with_failed_slots"] for row in rows) == 3


def test_leaks_phases_and_cut_calls(query: Query) -> None:
    assert all(row["answers"] >= row["with_a_leak"] for row in answers(query, "who-leaks"))
    assert {row["action"] for row in answers(query, "phases")} == {"clarify", "implement", "verify", "submit"}
    (cut,) = answers(query, "cut-calls")
    assert parts(cut, "role", "turn", "tokens_out", "status") == ("builder", 5, 8, "running")


def test_repeats_part_where_they_do_something_else(query: Query) -> None:
    (row,) = answers(query, "divergence")
    assert parts(row, "case_id", "repeat", "parts_at_turn", "first_did", "this_did") == ("gallery_P-RAM", 2, 2, "I", "V")
    assert row["tcr_difference"] < 0


def test_understanding_beside_doing(query: Query) -> None:
    rows = {(row["builder"], row["persona"]): row for row in answers(query, "understanding")}
    assert parts(rows["scripted/blind", "P-RAM"], "n", "ias", "tcr") == (2, 4.0, 1.0)
    assert rows[None, None]["n"] == 4 and round(rows[None, None]["ias_with_tcr"], 6) == 1.0
