"""What a resume and a retry play, and what they leave alone."""

from pathlib import Path

from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.score import Verdict
from iwtui.cli.assignments import StoredAssignment, faulty, unfinished
from tests.support.stores import judge, make_case, make_run, play

P = Verdict.PASSED
CASES = [make_case(f"bakery{number}") for number in range(5)]


def run_of_each_kind(root: Path) -> RunFolder:
    """Scored, infra, infra in its judging, cancelled, and one that was not begun."""
    folder = make_run(Store(root), "r", CASES)
    judge(folder, play(folder, CASES[0]), [P] * 4)
    play(folder, CASES[1], end=("infra", "model"), actions="C")
    judge(folder, play(folder, CASES[2]), [P], status="infra")
    play(folder, CASES[3], end=("cancelled", "person"), actions="C")
    return folder


def named(found: list[StoredAssignment]) -> list[tuple[str, int]]:
    return [(one.case.seed, one.attempt) for one in found]


def test_a_retry_plays_faults_of_ours_alone(tmp_path: Path) -> None:
    folder = run_of_each_kind(tmp_path)
    assert named(list(unfinished(folder))) == [("bakery4", 1)]
    found = list(faulty(folder))
    assert named(found) == [("bakery1", 2), ("bakery2", 1)]
    assert found[1].fold().ended is not None, "it was played, and is only judged again"
    assert found[1].judging() is None


def test_a_retry_that_was_killed_is_gone_on_with_by_either_and_hides_nothing(tmp_path: Path) -> None:
    folder = run_of_each_kind(tmp_path)
    before = {path: path.read_bytes() for path in (folder.path / "episodes").iterdir()}
    (second,) = [one for one in faulty(folder) if one.attempt == 2]
    folder.episode_log(second.episode).touch()  # killed before its first write
    for left in (faulty, unfinished):
        assert ("bakery1", 2) in named(list(left(folder)))
        assert ("bakery0", 1) not in named(list(left(folder)))
    folder.episode_log(second.episode).unlink()
    play(folder, CASES[1], attempt=2, end=None, actions="CI")  # killed in its second turn
    assert ("bakery1", 2) in named(list(faulty(folder)))
    play(folder, CASES[1], attempt=3, end=("infra", "model"), actions="C")
    assert ("bakery1", 4) in named(list(faulty(folder)))
    assert {path: path.read_bytes() for path in before} == before, "the attempts stand side by side"
