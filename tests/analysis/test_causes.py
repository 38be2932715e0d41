"""Shares of lost weight by cause, against sums worked out by hand; and the same from an index, whatever way it grew."""

from pathlib import Path

import polars as pl
import pytest

from iwtui.analysis.causes import NOT_OBSERVED, Share, load_lost, shares
from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import GroupError
from iwtui.analysis.frames import load_frame
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from tests.support.stores import F, P, U, judge, make_case, make_run, make_store, play

LOST = pl.DataFrame(
    [
        ("a", "P-MIN", "never asked", 2.0, False),
        ("a", "P-MIN", "hallucinated", 1.0, False),
        ("b", "P-RAM", "never asked", 1.0, True),
        ("b", "P-RAM", "missed", 3.0, True),
        ("c", "P-RAM", NOT_OBSERVED, 1.0, False),
    ],
    schema=["episode", "persona", "cause", "weight", "estimated"],
    orient="row",
)


def told(found: list[Share]) -> list[tuple[object, str, float, int, int]]:
    return [(share.group.get("persona"), share.cause, share.share, share.slots, share.estimated) for share in found]


def test_shares_are_of_the_weight_that_the_group_lost() -> None:
    assert told(shares(LOST, ["persona"])) == [
        (None, "never asked", 3 / 8, 2, 1),
        (None, "missed", 3 / 8, 1, 1),
        (None, "hallucinated", 1 / 8, 1, 0),
        (None, NOT_OBSERVED, 1 / 8, 1, 0),
        ("P-MIN", "never asked", 2 / 3, 1, 0),
        ("P-MIN", "hallucinated", 1 / 3, 1, 0),
        ("P-RAM", "never asked", 1 / 5, 1, 1),
        ("P-RAM", "missed", 3 / 5, 1, 1),
        ("P-RAM", NOT_OBSERVED, 1 / 5, 1, 0),
    ]


def test_where_nothing_was_lost_there_is_no_share() -> None:
    assert shares(LOST.clear(), ["persona"]) == []


def test_what_cannot_be_grouped_by_is_named() -> None:
    with pytest.raises(GroupError, match="mood"):
        shares(LOST, ["mood"])


def test_the_index_has_the_cause_of_each_failed_slot_of_a_scored_episode(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    index = Index(store)
    index.catch_up()
    lost = load_lost(index, load_frame(index, Asked()))
    assert set(lost["status"]) == {"scored"}
    by_slot = {(row["seed"], row["slot"]): row["cause"] for row in lost.iter_rows(named=True)}
    # The client told all facts in turn 1, and the code has none of it; slot 0 was stated.
    assert by_slot == {
        ("bakery1", 0): "missed",
        ("bakery1", 1): "answer ignored",
        ("bakery1", 2): "answer ignored",
        ("bakery1", 3): NOT_OBSERVED,
        ("bakery2", 3): "hallucinated",
    }
    stored = index.read(
        lambda con: con.execute("SELECT DISTINCT verdict, cause IS NULL FROM verdicts ORDER BY 1").fetchall()
    )
    assert stored == [("failed", False), ("passed", True), ("unobserved", True)]


def test_each_judging_has_causes_of_its_own(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    folder = make_run(store, "r", [case])
    name = play(folder, case)
    judge(folder, name, (P, F, P, P))
    index = Index(store)
    index.catch_up()
    judge(folder, name, (F, P, U, P), judging="voyager-2", judge="voyager")
    index.catch_up()
    causes = "SELECT judging, slot, cause, is_primary FROM verdicts WHERE cause IS NOT NULL ORDER BY judging"
    found = index.read(lambda con: con.execute(causes).fetchall())
    assert found == [("checks", 1, "answer ignored", True), ("voyager-2", 0, "missed", False)]
