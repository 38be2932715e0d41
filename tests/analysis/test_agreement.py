"""Agreement: 40 slots with six known errors of the judge, held against a script of its own; and what it is undefined on."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.analysis.agreement import Agreement, AgreementError, agreement, agreements, cohens_kappa, kendalls_tau
from iwtui.analysis.episodes import Asked
from iwtui.analysis.frames import load_frame
from iwtui.analysis.pairs import Side, load_said, pairs
from iwtui.archive.annotations import SlotDecided
from iwtui.archive.annotations_writing import AnnotationWriter
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.bench.score import Verdict
from iwtui.bench.votes import Word
from tests.support.stores import BEGAN, F, J, P, U, judge, make_case, make_run, play

SCRIPT = Path(__file__).parents[1] / "support" / "agreement_by_hand.py"

ERRORS = {(0, 0): "fp", (1, 1): "fp", (3, 2): "fp", (6, 3): "fp", (4, 0): "fn", (8, 2): "fn"}
"""Where the judge errs: (episode, slot)."""


def word(name: EpisodeName, slot: int, passed: bool, judging: str = "checks") -> SlotDecided:
    return SlotDecided(episode=str(name), judging=judging, slot=slot, verdict=Word.PASS if passed else Word.FAIL)


def is_so(episode: int, slot: int) -> bool:
    """Whether the site really does what the slot asks for."""
    return ((episode * 3 + slot) % 4 != 0 and ERRORS.get((episode, slot)) != "fp") or ERRORS.get((episode, slot)) == "fn"


def labelled(root: Path) -> Store:
    """Ten episodes of four slots, all labelled by a person."""
    store = Store(root)
    cases = [make_case(f"s{number}", ("P-MIN", "P-RAM", "P-INT")[number % 3]) for number in range(10)]
    folder = make_run(store, "r", cases)
    names = [play(folder, case) for case in cases]
    with AnnotationWriter(store, "ann") as writer:
        for number, name in enumerate(names):
            said = [P if is_so(number, slot) ^ ((number, slot) in ERRORS) else F for slot in range(4)]
            judge(folder, name, said)
            for slot in range(4):
                writer.add(word(name, slot, is_so(number, slot)))
    return store


def told(store: Store, first: str = "any", second: str = "human", same_site: bool = False) -> pl.DataFrame:
    index = Index(store)
    index.catch_up()
    episodes = load_frame(index, Asked())
    return pairs(load_said(index, store.runs()), episodes, Side(first), Side(second), same_site)


def test_forty_slots_with_six_known_errors_equal_a_script_of_its_own(tmp_path: Path) -> None:
    store = labelled(tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(tmp_path)], capture_output=True, text=True, timeout=60, check=True
    )
    by_hand = json.loads(done.stdout)
    assert (by_hand["all"]["n"], by_hand["all"]["fp"], by_hand["all"]["fn"]) == (40, 4, 2)
    assert len(by_hand) == 1 + 3 + 4 + 1
    paired = told(store)
    ours = {"all": agreement(paired)}
    for column in ("persona", "kind", "judge"):
        ours |= {f"{column} {row.group[column]}": row.agreement for row in agreements(paired, [column])[1:]}
    assert ours.keys() == by_hand.keys()
    for group, expected in by_hand.items():
        assert {name: getattr(ours[group], name) for name in expected} == pytest.approx(expected), group


COUNTS = st.tuples(*[st.integers(0, 6)] * 4)


@given(COUNTS)
def test_coefficients_equal_those_of_the_definitions(counts: tuple[int, int, int, int]) -> None:
    both, fp, fn, neither = counts
    n = sum(counts)
    kappa, tau = cohens_kappa(*counts), kendalls_tau(*counts)
    if not n:
        assert (kappa, tau) == (None, None)
        return
    rows, columns = (both + fp, fn + neither), (both + fn, fp + neither)
    if 0 in rows or 0 in columns:
        assert tau is None
    else:
        # On two classes τ-b is φ, which is the square root of χ² / n.
        determinant = both * neither - fp * fn
        assert tau == pytest.approx(determinant / (rows[0] * rows[1] * columns[0] * columns[1]) ** 0.5)
    expected = (rows[0] * columns[0] + rows[1] * columns[1]) / n**2
    assert kappa == (None if expected == 1 else pytest.approx(((both + neither) / n - expected) / (1 - expected)))


@pytest.mark.parametrize("counts", [(9, 0, 0, 0), (0, 0, 0, 9), (0, 0, 0, 0)])
def test_data_of_one_class_is_undefined(counts: tuple[int, int, int, int]) -> None:
    assert cohens_kappa(*counts) is None
    assert kendalls_tau(*counts) is None


def test_no_pairs_are_no_agreement() -> None:
    empty = pl.DataFrame({"first": [], "second": []}, schema={"first": pl.Boolean, "second": pl.Boolean})
    assert agreement(empty) == Agreement(0, 0, 0, 0, 0, 0, None, None, None)


def one_episode(root: Path, verdicts: Iterable[Verdict]) -> tuple[Store, EpisodeName]:
    store = Store(root)
    folder = make_run(store, "r", [make_case()])
    name = play(folder, make_case())
    judge(folder, name, tuple(verdicts))
    return store, name


def say(store: Store, author: str, *said: SlotDecided) -> None:
    with AnnotationWriter(store, author) as writer:
        for one in said:
            writer.add(one)


def test_what_a_side_did_not_decide_is_left_out_and_counted(tmp_path: Path) -> None:
    store, name = one_episode(tmp_path, (P, U, J, P))
    say(store, "ann", *(word(name, slot, passed=True) for slot in range(4)))
    say(store, "bob", word(name, 3, passed=False))
    found = agreement(told(store))
    assert (found.n, found.left_out, found.both_pass, found.fn) == (2, 2, 1, 1)  # unobserved is not passed
    assert agreement(told(store, second="human:ann")).n == 3
    assert agreement(told(store, "human:ann", "human:bob")).fp == 1


def test_labels_go_with_their_judging_unless_the_site_is_the_same(tmp_path: Path) -> None:
    store, name = one_episode(tmp_path, (P, F, F, P))
    folder = store.run("r")
    judge(folder, name, (P, P, F, P), judging="voyager", judge="voyager", began=BEGAN + 5_000)
    say(store, "ann", *(word(name, slot, passed=slot != 3) for slot in range(4)))
    assert agreement(told(store, "voyager")).n == 0
    found = agreement(told(store, "voyager", same_site=True))
    assert (found.n, found.fp, found.fn) == (4, 1, 1)
    say(store, "ann", word(name, 3, passed=True, judging="voyager"))
    assert agreement(told(store, "voyager", same_site=True)).fp == 0
    assert agreement(told(store, "checks", same_site=True)).fp == 0


def test_two_judges_and_one_judge_with_itself(tmp_path: Path) -> None:
    store, name = one_episode(tmp_path, (P, F, F, P))
    folder = store.run("r")
    judge(folder, name, (P, P, J, F), judging="voyager", judge="voyager")
    found = agreement(told(store, "checks", "voyager"))
    assert (found.n, found.left_out, found.both_pass, found.fp, found.fn) == (3, 1, 1, 1, 1)
    assert agreement(told(store, "voyager", "checks")).fn == 1
    judge(folder, name, (F, F, F, F), judging="checks-2", began=BEGAN + 9_000)
    again = agreement(told(store, "checks", "checks"))
    assert (again.n, again.fn, again.both_fail) == (4, 2, 2)
    assert agreement(told(store, "checks-2", "checks")).fn == 2
    assert agreement(told(store, "nobody", "checks")).n == 0


def test_a_judging_that_a_fault_of_ours_ended_says_nothing(tmp_path: Path) -> None:
    store, name = one_episode(tmp_path, (P, F, F, P))
    judge(store.run("r"), name, (F, P, P, F), judging="voyager", judge="voyager", status="infra")
    assert agreement(told(store, "checks", "voyager")).n == 0


def test_an_unknown_column_is_an_error(tmp_path: Path) -> None:
    store, _ = one_episode(tmp_path, (P, F, F, P))
    with pytest.raises(AgreementError, match="choose among"):
        agreements(told(store), ["colour"])
