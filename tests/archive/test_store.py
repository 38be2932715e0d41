import subprocess
import sys
from pathlib import Path

import pytest

from iwtui.archive.errors import (
    AmbiguousError,
    NotFoundError,
    RunBrokenError,
    RunBusyError,
    RunExistsError,
    RunMissingError,
)
from iwtui.archive.store import Store, find_store
from iwtui.bench.plan import Plan, Roles
from iwtui.bench.status import Status, status
from iwtui.resources import data_folder
from tests.support.stores import BEGAN, F, P, judge, make_case, make_run, make_store, play

HOLD = """
import sys
from pathlib import Path
from iwtui.archive.store import Store
with Store(Path(sys.argv[1])).run("r").lock():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_where_the_store_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("IWTUI_STORE", raising=False)
    assert find_store(None) == data_folder()
    (tmp_path / ".iwtui").mkdir()
    assert find_store(None) == tmp_path / ".iwtui"
    monkeypatch.setenv("IWTUI_STORE", "elsewhere")
    assert find_store(None) == tmp_path / "elsewhere"
    assert find_store("/x/y") == Path("/x/y")


def test_a_run_keeps_its_plan_and_cases(tmp_path: Path) -> None:
    cases = [make_case("a"), make_case("b", "P-RAM")]
    made = make_run(Store(tmp_path), "r", cases)
    found = Store(tmp_path).run("r")
    assert found.plan == made.plan
    assert list(found.cases.values()) == cases
    with pytest.raises(RunExistsError):
        make_run(Store(tmp_path), "r", cases)
    assert [folder.name for folder in (tmp_path / "runs").iterdir()] == ["r"]


@pytest.mark.parametrize("name", ["", "../r", "a/b", ".hidden", "-x", "a\nb", "a" * 300])
def test_a_run_has_a_name_that_a_folder_can_bear(tmp_path: Path, name: str) -> None:
    plan = Plan(run=name, pack="p", builders=("b",), roles=Roles("c", "d"), case_ids=(), created=0.0)
    with pytest.raises(ValueError, match="no name for a run"):
        Store(tmp_path).create_run(plan, [])
    with pytest.raises(RunMissingError):
        Store(tmp_path).run(name)


def test_runs_by_age_and_by_part_of_their_name(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(RunMissingError, match="no run in"):
        store.resolve_run("last")
    for created, name in enumerate(["zebra-1", "ape-12", "zebra-12"]):
        make_run(store, name, [make_case()], created=BEGAN + created)
    assert store.runs() == ["zebra-1", "ape-12", "zebra-12"]
    assert store.resolve_run("last").name == "zebra-12"
    assert store.resolve_run("zebra-1").name == "zebra-1"
    assert store.resolve_run("ap").name == "ape-12"
    with pytest.raises(AmbiguousError, match="ape-12, zebra-12") as caught:
        store.resolve_run("12")
    assert caught.value.candidates == ["ape-12", "zebra-12"]
    with pytest.raises(RunMissingError, match="zebra-12"):
        store.resolve_run("yak")


def test_episodes_by_part_of_their_name(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    assert str(store.resolve_episode("last")) == "fork/bakery0_P-MIN.scripted-blind.r1.a1"
    assert store.resolve_episode("bakery6").attempt == 2
    assert store.resolve_episode("bakery6_P-MIN.scripted-blind.r1.a1").attempt == 1
    assert store.resolve_episode("policies/bakery3").case == "bakery3_P-MIN"
    with pytest.raises(AmbiguousError, match="and "):
        store.resolve_episode("policies/")
    with pytest.raises(NotFoundError):
        store.resolve_episode("nobody")
    with pytest.raises(NotFoundError):
        Store(tmp_path / "none").resolve_episode("last")


def test_the_last_episode_is_the_one_begun_last(tmp_path: Path) -> None:
    store = Store(tmp_path)
    cases = [make_case("a"), make_case("b")]
    folder = make_run(store, "r", cases)
    late = play(folder, cases[0], began=BEGAN + 500)
    play(folder, cases[1])
    assert store.resolve_episode("last") == late


def test_attempts_stay_side_by_side(tmp_path: Path) -> None:
    folder = make_store(tmp_path).run("policies")
    assert [name.attempt for name in folder.attempts("bakery6_P-MIN", "scripted/blind", 1)] == [1, 2]
    assert folder.attempts("bakery6_P-MIN", "scripted/blind", 2) == []


def test_folds_and_the_primary_judging(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder = make_run(store, "r", [make_case()])
    name = play(folder, make_case(), broken_after=2)
    assert folder.primary_judging(name) is None
    judge(folder, name, (F, F, F, F), judging="a")
    judge(folder, name, (P, P, P, P), judging="b", began=BEGAN + 2000)
    judge(folder, name, (), judging="c", status="infra", began=BEGAN + 3000)
    judge(folder, name, (F, F, F, F), judging="d", judge="voyager", began=BEGAN + 4000)
    assert folder.judgings(name) == ["a", "b", "c", "d"]
    primary = folder.primary_judging(name)
    assert primary
    assert primary[0] == "b"
    state = folder.fold_episode(name)
    assert status(state, primary[1]) is Status.SCORED
    assert (len(state.turns), state.resumes, state.discarded) == (4, 1, 4)


@pytest.mark.parametrize("judging", ["", "a.b", "../x", "a/b", "a" * 200])
def test_a_judging_has_a_name_that_a_file_can_bear(tmp_path: Path, judging: str) -> None:
    folder = make_store(tmp_path).run("fork")
    with pytest.raises(ValueError, match="no name for a judging"):
        folder.judging_log(folder.episodes()[0], judging)


def test_a_run_is_held_by_one(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder = make_run(store, "r", [make_case()])
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(RunBusyError, match=rf"process {holder.pid} on \S+ since \d\d\d\d-"), folder.lock():
            pass
        with pytest.raises(RunBusyError):
            store.remove_run("r")
    finally:
        holder.kill()
        holder.communicate()
    with folder.lock():
        pass
    store.remove_run("r")
    assert store.runs() == []


def test_a_removal_that_was_interrupted_ends_with_the_next(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    (tmp_path / "runs" / ".removed-old-1" / "episodes").mkdir(parents=True)
    store.remove_run("fork")
    assert [folder.name for folder in (tmp_path / "runs").iterdir()] == ["policies"]
    with pytest.raises(RunMissingError):
        store.remove_run("fork")


@pytest.mark.parametrize(("file", "content"), [("run.json", b"{"), ("run.json", b"[]"), ("cases.jsonl", b"x\n")])
def test_a_broken_run_says_which_file(tmp_path: Path, file: str, content: bytes) -> None:
    make_run(Store(tmp_path), "r", [make_case()])
    (tmp_path / "runs" / "r" / file).write_bytes(content)
    store = Store(tmp_path)
    assert store.runs() == ["r"]
    with pytest.raises(RunBrokenError, match=file):
        _ = store.run("r").plan, store.run("r").cases
