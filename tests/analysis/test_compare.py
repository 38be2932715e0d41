"""Two runs, or two filters of one, compared: lists to the slot, differences by hand, and what stands apart."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from iwtui.analysis.compare import Comparison, compare
from iwtui.analysis.compare_sides import ComparisonError, asked
from iwtui.analysis.compare_slots import Change
from iwtui.analysis.means import intervals
from iwtui.analysis.policy import Policy
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from tests.support.stores import BEGAN, SLOTS, F, J, P, U, judge, make_case, make_run, play
from tests.support.two_runs import APART, DIFFERENCES, NEWLY_FAILING, NEWLY_FIXED, STILL_FAILING, two_runs


def compared(store: Store, a: str, b: str, policy: Policy = Policy.DEFAULT, by: tuple[str, ...] = ()) -> Comparison:
    index = Index(store)
    index.catch_up()
    return compare(index, store, asked(store, a), asked(store, b), by, policy)


def slots(found: Comparison, change: Change) -> list[tuple[str, int]]:
    return [(slot.case_id, slot.slot) for slot in found.of(change)]


def test_two_runs_of_six_cases_to_the_slot(tmp_path: Path) -> None:
    found = compared(two_runs(tmp_path), "before", "after", by=("persona", "difficulty"))
    assert slots(found, Change.NEWLY_FAILING) == NEWLY_FAILING
    assert slots(found, Change.NEWLY_FIXED) == NEWLY_FIXED
    assert slots(found, Change.STILL_FAILING) == STILL_FAILING
    assert len(found.of(Change.STILL_PASSING)) == 5 * 4 - 6
    assert not found.of(Change.NOT_SEEN) and not found.of(Change.CHANGED)
    assert [(apart.case_id, apart.why) for apart in found.apart] == APART
    assert {episode.case_id: episode.change.value for episode in found.episodes} == {
        "bakery_P-MIN": "newly_failing",
        "bakery_P-RAM": "still_failing",
        "lending_P-MIN": "newly_fixed",
        "lending_P-RAM": "newly_fixed",
        "museum_P-MIN": "still_failing",
    }


def test_the_paired_difference_is_clustered_by_seed(tmp_path: Path) -> None:
    found = compared(two_runs(tmp_path), "before", "after", by=("persona", "difficulty"))
    whole = found.groups[0].differences
    seeds = np.unique([name.split("_")[0] for name in DIFFERENCES], return_inverse=True)[1]
    values = np.array([[value] for value in DIFFERENCES.values()])
    low, high = intervals(np.zeros(len(values), dtype=np.int64), seeds, values, np.ones_like(values))[0, 0]
    assert whole["tcr"].n == 5
    assert whole["tcr"].difference == pytest.approx(sum(DIFFERENCES.values()) / 5)
    assert whole["tcr"].low == pytest.approx(low)
    assert whole["tcr"].high == pytest.approx(high)
    assert whole["turns"].difference == -1 and whole["asked"].difference == -1
    assert whole["hr"].difference == 0
    assert whole["cost"].n == 0 and whole["cost"].difference is None, "the price of a call is not known"
    by = {tuple(group.group.values()): group.differences["tcr"].difference for group in found.groups[1:]}
    assert by == {
        ("P-MIN", "easy"): pytest.approx((DIFFERENCES["bakery_P-MIN"] + DIFFERENCES["lending_P-MIN"]) / 2),
        ("P-MIN", "hard"): pytest.approx(DIFFERENCES["museum_P-MIN"]),
        ("P-RAM", "easy"): pytest.approx(DIFFERENCES["lending_P-RAM"] / 2),
    }


def test_the_other_way_round_the_lists_change_places(tmp_path: Path) -> None:
    found = compared(two_runs(tmp_path), "after", "before")
    assert slots(found, Change.NEWLY_FAILING) == NEWLY_FIXED
    assert slots(found, Change.NEWLY_FIXED) == NEWLY_FAILING
    assert [apart.why for apart in found.apart] == ["missing in A"]


def test_a_run_with_itself_changes_nothing(tmp_path: Path) -> None:
    found = compared(two_runs(tmp_path), "before", "before")
    assert {slot.change for slot in found.slots} == {Change.STILL_PASSING, Change.STILL_FAILING}
    assert not found.apart and found.groups[0].differences["tcr"].difference == 0


@pytest.fixture
def fates(tmp_path: Path) -> Store:
    """Seven seeds that pass in `before`. In `after` six of them end as they are called: infra, cancelled, running, crashed,
    with a slot unobserved, with a slot unjudged.
    """
    store = Store(tmp_path)
    cases = {
        seed: make_case(seed) for seed in ("infra", "cancelled", "running", "crashed", "unobserved", "unjudged", "fine")
    }
    before = make_run(store, "before", list(cases.values()))
    after = make_run(store, "after", list(cases.values()), created=BEGAN + 1)
    for case in cases.values():
        judge(before, play(before, case), (P, P, P, P))
    play(after, cases["infra"], end=("infra", "model"))
    play(after, cases["cancelled"], end=("cancelled", "person"))
    play(after, cases["running"], end=None)
    play(after, cases["crashed"], end=("crashed", "site"))
    judge(after, play(after, cases["unobserved"]), (P, U, P, P))
    judge(after, play(after, cases["unjudged"]), (P, P, J, P))
    judge(after, play(after, cases["fine"]), (P, P, P, P))
    return store


def test_no_fault_of_ours_and_nothing_unseen_is_a_failure(fates: Store) -> None:
    found = compared(fates, "before", "after")
    assert slots(found, Change.NEWLY_FAILING) == [("crashed_P-MIN", slot) for slot in range(4)]
    assert {slot.reason_b for slot in found.of(Change.NEWLY_FAILING)} == {"the site crashed"}
    assert [(slot.case_id, slot.slot, slot.why) for slot in found.of(Change.NOT_SEEN)] == [
        ("unjudged_P-MIN", 2, "unjudged in B"),
        ("unobserved_P-MIN", 1, "unobserved in B"),
    ]
    assert [(apart.case_id, apart.why) for apart in found.apart] == [
        ("cancelled_P-MIN", "cancelled in B"),
        ("infra_P-MIN", "infra in B"),
        ("running_P-MIN", "running in B"),
    ]
    changes = {episode.case_id: episode.change for episode in found.episodes}
    assert changes["unobserved_P-MIN"] is changes["unjudged_P-MIN"] is Change.NOT_SEEN
    assert found.groups[0].differences["tcr"].n == 4


@pytest.mark.parametrize(
    ("policy", "pairs", "apart"),
    [
        (Policy.DEFAULT, 4, ["cancelled in B", "infra in B", "running in B"]),
        (Policy.STRICT, 6, ["cancelled in B (counts as 0)", "infra in B (counts as 0)", "running in B"]),
        (Policy.SCORED, 3, ["cancelled in B", "crashed in B", "infra in B", "running in B"]),
        (Policy.OFFICIAL, 6, ["cancelled in B (counts as 0)", "infra in B (counts as 0)", "running in B"]),
    ],
)
def test_the_policy_says_who_counts(fates: Store, policy: Policy, pairs: int, apart: list[str]) -> None:
    found = compared(fates, "before", "after", policy)
    assert found.pairs == pairs
    assert [each.why for each in found.apart] == apart
    assert not any(slot.case_id.startswith(("infra", "cancelled", "running")) for slot in found.slots)


def test_two_filters_of_one_run(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    folder = make_run(store, "both", [case], ["scripted/blind", "scripted/clarifier"])
    judge(folder, play(folder, case, "scripted/blind"), (P, F, P, P))
    judge(folder, play(folder, case, "scripted/clarifier"), (P, P, P, P))
    found = compared(store, "builder:*/blind run:last", "builder:*/clarifier run:last")
    assert not found.by_builder
    assert slots(found, Change.NEWLY_FIXED) == [("bakery_P-MIN", 1)]


def test_several_builders_are_paired_by_equal_names(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    for number, (run, builders) in enumerate({"before": ("one", "two"), "after": ("two", "three")}.items()):
        folder = make_run(store, run, [case], builders, created=BEGAN + number)
        for builder in builders:
            judge(folder, play(folder, case, builder), (P, P, P, P if run == "before" else F))
    found = compared(store, "before", "after", by=("builder",))
    assert found.by_builder
    assert [(slot.builder, slot.slot) for slot in found.of(Change.NEWLY_FAILING)] == [("two", 3)]
    assert [(apart.builder, apart.why) for apart in found.apart] == [("one", "missing in B"), ("three", "missing in A")]
    assert [group.group for group in found.groups[1:]] == [{"builder": "two"}]


def test_several_builders_without_an_equal_name_cannot_be_paired(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    for number, (run, builders) in enumerate({"before": ("one", "two"), "after": ("three",)}.items()):
        folder = make_run(store, run, [case], builders, created=BEGAN + number)
        for builder in builders:
            judge(folder, play(folder, case, builder), (P, P, P, P))
    with pytest.raises(ComparisonError, match="A has the builders one, two, B has three"):
        compared(store, "before", "after")
    assert compared(store, "run:before builder:two", "after").pairs == 1


def test_a_side_of_several_runs_that_hold_the_same_case_is_refused(tmp_path: Path) -> None:
    store = two_runs(tmp_path)
    with pytest.raises(ComparisonError, match="A has several episodes of case"):
        compared(store, "seed:bakery", "after")
    with pytest.raises(ComparisonError, match="B has no episode"):
        compared(store, "before", "seed:nowhere")
    with pytest.raises(ComparisonError, match="cannot be grouped by 'builder'"):
        compared(store, "before", "after", by=("builder",))


def test_repeats_are_paired_with_repeats(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    for number, run in enumerate(("before", "after")):
        folder = make_run(store, run, [case], created=BEGAN + number, repeats=2)
        for repeat in (1, 2) if run == "before" else (2,):
            judge(folder, play(folder, case, repeat=repeat), (P, P, P, P) if repeat == 1 or number else (F, P, P, P))
    found = compared(store, "before", "after")
    assert [(slot.repeat, slot.slot) for slot in found.of(Change.NEWLY_FIXED)] == [(2, 0)]
    assert [(apart.repeat, apart.why) for apart in found.apart] == [(1, "missing in B")]


def test_a_slot_that_was_written_anew_is_not_compared(tmp_path: Path) -> None:
    store = Store(tmp_path)
    anew = (SLOTS[0], replace(SLOTS[1], expected="sorts the list"), replace(SLOTS[2], c_tech=1))
    for number, (run, slots_) in enumerate((("before", SLOTS), ("after", anew))):
        case = make_case(slots=slots_)
        folder = make_run(store, run, [case], created=BEGAN + number)
        judge(folder, play(folder, case), (P, P, P, P)[: len(slots_)] if run == "before" else (F, F, F))
    found = compared(store, "before", "after")
    assert slots(found, Change.NEWLY_FAILING) == [("bakery_P-MIN", 0)]
    assert [(slot.slot, slot.why) for slot in found.of(Change.CHANGED)] == [(1, "expected"), (2, "weight"), (3, "only in A")]
    assert any("3 slots are not the same" in warning for warning in found.warnings)


def test_other_judges_are_said_loudly(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    plan = make_run(store, "model", [case]).plan
    for number, (run, by) in enumerate((("before", "checks"), ("after", "voyager"))):
        folder = store.create_run(replace(plan, run=run, primary_judge=by, created=BEGAN + number), [case])
        judge(folder, play(folder, case), (P, P, P, P), judging=by, judge=by)
    found = compared(store, "before", "after")
    assert found.warnings[0].startswith("THE JUDGES DIFFER in 1 of 1 pairs (A by checks; B by voyager)")
    assert (found.a.judges, found.b.judges) == (("checks",), ("voyager",))
    assert compared(store, "before", "before").warnings == ("played by scripts, not by models: A and B",)


def test_a_fork_is_compared_with_its_parent(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    for number, (run, kind) in enumerate((("parent", "run"), ("child", "fork"))):
        folder = make_run(store, run, [case], kind=kind, created=BEGAN + number)
        judge(folder, play(folder, case), (F if number == 0 else P, P, P, P))
    assert slots(compared(store, "parent", "child"), Change.NEWLY_FIXED) == [("bakery_P-MIN", 0)]
    assert slots(compared(store, "run:parent", "run:child"), Change.NEWLY_FIXED) == [("bakery_P-MIN", 0)]
