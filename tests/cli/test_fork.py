"""`iwtui fork` and `iwtui forks` where nothing is played: wrong uses, what a fork begins with, and the tree."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from iwtui.archive.run_folder import FOREIGN
from iwtui.archive.store import Store
from iwtui.bench.events import EpisodeEnded
from iwtui.bench.fold import EpisodeState
from iwtui.bench.forks import Way
from iwtui.bench.manifest import decode_manifest
from iwtui.bench.names import EpisodeName
from iwtui.bench.plan import Roles
from iwtui.cli.assignments import faulty
from iwtui.cli.forking import Wanted, fork_of
from iwtui.cli.forks import told_of
from tests.cli.scribe import Command, Scribe
from tests.support.stores import F, P, U, judge, make_case, make_run, play


@pytest.fixture
def parent(scribe: Scribe) -> EpisodeName:
    """Asks, writes, looks, hands in; one slot of four passed."""
    case = make_case()
    folder = make_run(scribe.store, "run", [case])
    name = play(folder, case)
    judge(folder, name, (P, F, F, U))
    return name


def forked(store: Store, name: EpisodeName, wanted: Wanted) -> tuple[EpisodeName, EpisodeState]:
    plan = store.run(name.run).plan
    folder = fork_of(store, name, wanted, plan.roles, plan)
    (fork,) = folder.episodes()
    return fork, folder.fold_episode(fork)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--turn", "1", "--ask", "x", "--answer", "y"], "one way at a time: --ask and --answer"),
        (["--turn", "1", "--ask", " "], "--ask has no text"),
        (["--turn", "1", "--recorded", "--ask", "x"], "a change has no record"),
        (["--turn", "9"], "there is no turn 9; the episode has 4"),
        (["--turn", "2", "--answer", "x"], "turn 2 asks no question"),
        (["--turn", "4", "--edit", "a.txt"], "turn 4 is the last"),
        (["--turn", "1", "--edit", "none.txt"], "none.txt: "),
        (["--turn", "1", "--edit", "bad.bin"], "bad.bin: "),
        (["--turn", "0"], "0 is not in the range"),
        ([], "Missing option '--turn'"),
    ],
)
def test_wrong_uses_are_answered_and_leave_nothing_behind(
    iwtui: Command, scribe: Scribe, parent: EpisodeName, tmp_path: Path, options: list[str], said: str
) -> None:
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "bad.bin").write_bytes(b"\xff\xfe")
    done = iwtui("fork", str(parent), *options)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr
    assert scribe.store.runs() == ["run"]


def test_an_episode_that_is_not_there(iwtui: Command, parent: EpisodeName) -> None:
    assert iwtui("fork", "nothing", "--turn", "1").exit_code == 3
    assert iwtui("forks", "nothing").exit_code == 3


def test_a_fork_begins_with_what_it_inherits_and_leaves_its_parent_alone(scribe: Scribe, parent: EpisodeName) -> None:
    store = scribe.store
    log = store.run("run").episode_log(parent)
    before, whole = log.read_bytes(), store.run("run").fold_episode(parent)
    fork, state = forked(store, parent, Wanted(3, Way.AGAIN))
    assert log.read_bytes() == before
    assert state.forked and (state.forked.parent, state.forked.at_turn, state.forked.kept) == (str(parent), 3, 2)
    assert [turn.t for turn in state.turns] == [turn.t for turn in whole.turns[:2]], "each event has its own time"
    assert state.manifest == whole.turns[1].files.manifest  # type: ignore[union-attr]
    plan = store.run(fork.run).plan
    assert (plan.kind, plan.forks, plan.repeats, plan.case_ids) == ("fork", str(parent), 1, ("bakery_P-MIN",))


@pytest.mark.parametrize("broken", ["create", "write"])
def test_a_fork_that_could_not_be_written_is_not_there(
    scribe: Scribe, parent: EpisodeName, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    where = "iwtui.archive.log.LogWriter.append" if broken == "write" else "iwtui.archive.store.write_durably"
    monkeypatch.setattr(where, full)
    with pytest.raises(OSError, match="No space"):
        forked(scribe.store, parent, Wanted(2))
    assert scribe.store.runs() == ["run"]
    left = {path.name for path in (scribe.store.root / "runs").iterdir() if not path.name.startswith(".new-")}
    assert left == {"run"}


def test_a_fork_is_told_as_one_and_counts_nowhere(iwtui: Command, scribe: Scribe, parent: EpisodeName) -> None:
    fork, _ = forked(scribe.store, parent, Wanted(2, Way.ASK, "Which [/] \x1b[2J name?"))
    told = iwtui("show", str(fork)).stdout
    assert f"a fork of {parent} at turn 2, by ask; it counts in no mean" in told
    shown = json.loads(iwtui("show", str(fork), "--json").stdout)["forked"]
    assert (shown["parent"], shown["at_turn"], shown["text"]) == (str(parent), 2, "Which [/] \x1b[2J name?")
    query = "SELECT parent, fork_turn, fork_way, counts, calls, cost FROM attempts WHERE parent IS NOT NULL"
    (row,) = json.loads(iwtui("sql", query, "--format", "json").stdout)
    assert row == {
        "parent": str(parent), "fork_turn": 2, "fork_way": "ask", "counts": False, "calls": 0, "cost": None,
    }  # fmt: skip
    inherited = "SELECT DISTINCT inherited FROM {} WHERE episode = '" + str(fork) + "'"
    for table in ("turns", "calls", "dialogue"):
        assert json.loads(iwtui("sql", inherited.format(table), "--format", "json").stdout) == [{"inherited": True}], table
    report = json.loads(iwtui("report", "--format", "json", "--by", "run").stdout)
    assert report["rows"][0]["episodes"] == 1


def test_the_tree_shows_each_fork_against_its_parent(iwtui: Command, scribe: Scribe, parent: EpisodeName) -> None:
    store = scribe.store
    first, _ = forked(store, parent, Wanted(2))
    judge(store.run(first.run), _ended(store, first), (F, P, F, P))
    second, _ = forked(store, first, Wanted(1, Way.ASK, "x"))
    lone, _ = forked(store, parent, Wanted(3))
    rows = json.loads(iwtui("forks", "--format", "json").stdout)
    assert [row["episode"] for row in rows] == [str(name) for name in (parent, first, second, lone)]
    assert [(row["turn"], row["way"], row["status"]) for row in rows] == [
        (None, None, "scored"), (2, "again", "scored"), (1, "ask", "running"), (3, "again", "running"),
    ]  # fmt: skip
    assert [(row["passed"], row["failed"], row["same"]) for row in rows[1:3]] == [("1, 3", "0", 1), (None, None, None)]
    assert list(told_of(store, first.run))[1:] == [
        "  passes now: slot 1, Search", "  passes now: slot 3, Unrequested", "  fails now: slot 0, Heading",
    ]  # fmt: skip
    assert "cannot be compared" in " ".join(told_of(store, lone.run))
    table = iwtui("forks", str(first)).stdout
    assert f"└ {second.run}" in table and str(lone) not in table
    store.remove_run(first.run)
    rows = json.loads(iwtui("forks", "--format", "json").stdout)
    assert {row["episode"]: row["status"] for row in rows}[str(first)] == "removed", "its own forks still hang on it"


def _ended(store: Store, name: EpisodeName) -> EpisodeName:
    folder = store.run(name.run)
    with folder.record_episode(name) as log:
        log.append(EpisodeEnded(status="played", stop_reason="submitted"), 4)
    return name


def test_an_edit_keeps_its_place_in_the_workspace(scribe: Scribe, parent: EpisodeName) -> None:
    store = scribe.store
    fork, state = forked(store, parent, Wanted(2, Way.EDIT, files=(("src/a.js", b"let a"),)))
    assert state.forked and [(file.path, store.blobs.get(file.blob)) for file in state.forked.files] == [
        ("src/a.js", b"let a")
    ]
    assert decode_manifest(store.blobs.get(state.manifest or "")).keys() == {"index.html"}, "it is put in when it is played"
    assert fork.run != parent.run


def test_what_nobody_could_play_on_is_refused(scribe: Scribe, iwtui: Command) -> None:
    lost = msgspec.structs.replace(make_case(), golden="", facts=())
    folder = make_run(scribe.store, "lost", [lost], kind="import")
    name = play(folder, lost)
    imported = iwtui("fork", str(name), "--turn", "1")
    assert (imported.exit_code, "say who plays on with --builder" in imported.stderr) == (2, True)
    known = make_run(scribe.store, "known", [make_case()], kind="import")
    roles = Roles(copilot="scripted/copilot", client="scripted/client", judge="openai/eyes")
    fork = fork_of(
        scribe.store, play(known, make_case()), Wanted(2, Way.BUILDER, builder="scripted/blind"), roles, known.plan
    )
    assert (fork.plan.primary_judge, fork.plan.primary_model) == ("voyager", "openai/eyes"), "its own judge gives its score"
    assert fork.episodes()[0].builder == "scripted-blind"
    unknown = iwtui("fork", str(name), "--turn", "1", "--builder", "scripted/blind")
    assert (unknown.exit_code, "nobody could play on" in unknown.stderr) == (2, True)


def test_a_retry_of_a_fork_begins_with_what_it_inherited(scribe: Scribe, parent: EpisodeName) -> None:
    store = scribe.store
    first, state = forked(store, parent, Wanted(3, Way.ASK, "Which name?"))
    folder = store.run(first.run)
    with folder.record_episode(first) as log:
        log.append(EpisodeEnded(status="infra", stop_reason="model"), 3)
    for _ in range(2):
        (left,) = faulty(folder)
        assert left.attempt == 2
        again = left.fold()
        assert again.forked == state.forked and again.started and again.started.attempt == 2
        assert [(turn.number, turn.t, turn.action) for turn in again.turns] == [
            (t.number, t.t, t.action) for t in state.turns
        ]
        assert not again.went_own_way and again.spent.calls == 0


def test_a_fork_is_not_replayed_as_if_it_were_a_run(iwtui: Command, scribe: Scribe, parent: EpisodeName) -> None:
    fork, _ = forked(scribe.store, parent, Wanted(2))
    done = iwtui("run", "--replay", fork.run)
    assert (done.exit_code, "--recorded` plays from a record" in done.stderr) == (2, True)
    told = iwtui("report", fork.run).stdout
    assert f"`iwtui forks {parent}` tells of what it goes back to" in told


def test_a_script_that_is_not_there_is_told_before_anything_is_made(
    iwtui: Command, scribe: Scribe, parent: EpisodeName
) -> None:
    done = iwtui("fork", str(parent), "--turn", "2", "--builder", "scripted/nobody")
    assert (done.exit_code, "there is no script 'scripted/nobody'" in done.stderr) == (2, True), done.stderr
    assert scribe.store.runs() == ["run"]


def test_an_episode_that_a_bundle_brought_is_not_forked_with_ones_own_keys(
    iwtui: Command, scribe: Scribe, parent: EpisodeName
) -> None:
    folder = scribe.store.run(parent.run)
    plan = msgspec.structs.replace(folder.plan, roles=Roles(copilot="openai/m", client="openai/m", judge="checks"))
    (folder.path / "run.json").write_bytes(msgspec.json.encode(plan))
    (folder.path / FOREIGN).touch()
    told = iwtui("fork", str(parent), "--turn", "1")
    assert told.exit_code == 2
    assert "came in a bundle" in told.stderr
    assert scribe.store.runs() == ["run"]
