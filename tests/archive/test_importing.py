"""Logs of the official harness: all that is whole becomes events, and what is not is named."""

import hashlib
import io
import json
import os
import shutil
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from iwtui.archive.errors import NotFoundError, StoreError
from iwtui.archive.importers.official import Done, import_logs
from iwtui.archive.importers.verdicts import read_verdicts
from iwtui.archive.index import Index
from iwtui.archive.log import read_log
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.events import BrowserStepped, Warned
from iwtui.bench.fold import EpisodeState
from iwtui.bench.longtext import read
from iwtui.bench.manifest import decode_manifest
from iwtui.bench.names import EpisodeName
from iwtui.bench.score import Verdict
from iwtui.packs import shipped_personas
from tests.support.harness import ASK, DETAILS, GOLDEN, REPLY, final, picture, snapshots, trajectory, write_task
from tests.support.official import official_file, official_logs

TASK = "000001_P-MIN"
P, F, U, J = Verdict.PASSED, Verdict.FAILED, Verdict.UNOBSERVED, Verdict.UNJUDGED


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return tmp_path / "maker-7b" / "logs"


def bring(path: Path, store: Store, tasks: Path | None = None) -> Done:
    return import_logs(path, tasks, store, shipped_personas(), lambda _: None)


def only(store: Store) -> tuple[RunFolder, EpisodeName, EpisodeState]:
    (run,) = store.runs()
    folder = store.run(run)
    (name,) = folder.episodes()
    return folder, name, folder.fold_episode(name)


def contents(root: Path) -> dict[str, tuple[str, int]]:
    files = [file for file in root.rglob("*") if file.is_file()]
    return {str(f.relative_to(root)): (hashlib.sha256(f.read_bytes()).hexdigest(), f.stat().st_mtime_ns) for f in files}


def test_an_episode_is_told_turn_by_turn(store: Store, logs: Path) -> None:
    write_task(logs, TASK)
    done = bring(logs, store)
    assert not done.faults and not done.runs[0].faults
    folder, _, episode = only(store)
    assert folder.plan.kind == "import" and folder.plan.builders == ("maker-7b",)
    assert [
        turn.action.action for turn in episode.turns if turn.action
    ] == "clarify implement verify malformed submit".split()
    asked, wrote, looked, _, handed_in = episode.turns
    assert asked.reply is not None and (asked.reply.question, asked.reply.reply) == ("Which colour?", REPLY)
    assert asked.reply.disclosed == (1,)
    assert asked.answer == ASK and wrote.message == REPLY
    assert wrote.commands[0].command == "npm install" and wrote.probes[0].ok
    assert looked.verified is not None and (looked.verified.status, looked.verified.streak) == ("failed", 1)
    assert [(step.action, step.target) for step in looked.steps] == [("click", '["Clock"]'), ("fail", "none")]
    assert [store.blobs.get(step.picture or "") for step in looked.steps] == [picture(10), picture(11)]
    assert store.blobs.get(looked.verified.picture or "") == picture(1)
    assert episode.ended is not None and (episode.ended.status, episode.ended.stop_reason) == ("played", "submitted")
    assert handed_in.files is not None


def test_the_files_of_each_turn_are_those_of_its_snapshot(store: Store, logs: Path) -> None:
    write_task(logs, TASK)
    bring(logs, store)
    _, _, episode = only(store)
    changed = {turn.number: turn.files for turn in episode.turns if turn.files}
    assert list(changed) == [2, 5]
    assert [(c.path, c.op, c.added, c.removed) for c in changed[5].changes] == [("src/a.js", "change", 0, 1)]
    assert (changed[2].lines, changed[5].lines) == (3, 2)
    manifest = decode_manifest(store.blobs.get(changed[5].manifest))
    assert {path: store.blobs.get(blob).decode() for path, (blob, _) in manifest.items()} == snapshots()["step_4"]


def test_the_verdicts_keep_what_was_not_observed_apart_and_name_the_step_that_decided(store: Store, logs: Path) -> None:
    write_task(logs, TASK)
    bring(logs, store)
    folder, name, _ = only(store)
    judging = folder.fold_judging(name, "official-1")
    assert judging.slot_verdicts(3) == (P, F, U)
    records = {r.seq: r.event for _, r in read_log(folder.judging_log(name, "official-1"))}
    shown = {judged.slot: records[judged.evidence or 0] for judged in judging.verdicts}
    assert all(isinstance(event, BrowserStepped) for event in shown.values())
    assert [event.step for event in shown.values() if isinstance(event, BrowserStepped)] == [1, 2]
    first = shown[0]
    assert isinstance(first, BrowserStepped) and store.blobs.get(first.picture or "") == picture(20)
    case = folder.case_of(name)
    assert case is not None and (case.golden, case.difficulty, len(case.slots)) == (GOLDEN, "easy", 3)


def test_what_the_logs_do_not_hold_is_null(store: Store, logs: Path) -> None:
    file = write_task(logs, TASK) / "interaction_history.json"
    os.utime(file, (1_700_000_000, 1_700_000_000))
    bring(logs, store)
    index = Index(store)
    index.catch_up()
    columns = "seconds, tokens_in, tokens_out, cost, leaks, unpriced_calls, epoch(started)"
    (row,) = index.read(lambda con: con.execute(f"SELECT {columns} FROM episodes").fetchall())
    assert row == (None, None, None, None, None, 5, 1_700_000_000)
    (scores,) = index.read(
        lambda con: con.execute("SELECT status, tcr, tcr_clean, hallucinated, turns FROM episodes").fetchall()
    )
    assert scores == ("scored", pytest.approx(1 / 3), 0.5, None, 5)
    assert index.read(lambda con: con.execute("SELECT copilot, client, judge FROM runs").fetchall()) == [(None, None, None)]
    assert index.read(lambda con: con.execute("SELECT count(*) FROM calls WHERE latency IS NOT NULL").fetchall()) == [(0,)]


def test_importing_twice_adds_nothing_and_changes_nothing(store: Store, logs: Path) -> None:
    write_task(logs, TASK)
    before = contents(logs)
    first = bring(logs, store)
    there = contents(store.root / "runs")
    again = bring(logs.parent, store)
    assert (first.runs[0].added, again.runs[0].added, again.runs[0].known) == (1, 0, 1)
    assert first.runs[0].run == again.runs[0].run
    assert {k: v for k, v in contents(store.root / "runs").items() if not k.endswith(".lock")} == {
        k: v for k, v in there.items() if not k.endswith(".lock")
    }
    assert contents(logs) == before
    write_task(logs, "000002_P-RAM")
    assert bring(logs, store).runs[0].run != first.runs[0].run


def test_an_import_that_was_broken_off_is_finished(store: Store, logs: Path) -> None:
    write_task(logs, TASK)
    bring(logs, store)
    folder, name, whole = only(store)
    log = folder.episode_log(name)
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:4]))
    assert bring(logs, store).runs[0].added == 1
    assert folder.fold_episode(name).turns == whole.turns


@pytest.mark.parametrize(
    "metrics",
    [
        {"Details": DETAILS},
        DETAILS,
        {"Details": [{"status": "pass"}, {"status": "FAIL"}, DETAILS[2]]},
        {"0": {"status": "pass"}, "1": {"status": "fail"}},
        {"Checklist ID [0]": "pass", "Checklist ID [1]": {"status": "no"}},
    ],
)
def test_older_shapes_of_the_verdicts(metrics: Any) -> None:
    assert [judged.verdict for judged in read_verdicts(metrics, 3)] == [P, F, U]


@pytest.mark.parametrize("metrics", [None, [], {}, 7, {"Details": None}, {"Details": [7, None, []]}])
def test_verdicts_that_are_not_there_are_not_observed(metrics: Any) -> None:
    assert [judged.verdict for judged in read_verdicts(metrics, 3)] == [U, U, U]


def test_a_verdict_that_cannot_be_read_is_nobodys_failure() -> None:
    assert [judged.verdict for judged in read_verdicts([{"note": "?"}, {"passed": True}], 2)] == [J, P]


@pytest.mark.parametrize(
    ("detail", "status", "judged"), [("CRASHED", "crashed", None), ("ERROR", "infra", "infra"), ("PASS", "scored", "scored")]
)
def test_how_it_ended(store: Store, logs: Path, detail: str, status: str, judged: str | None) -> None:
    said = trajectory()
    said[-1]["debug_info"] = final(detail={"status": detail}, stop_reason="verification_deadlock")
    write_task(logs, TASK, said)
    bring(logs, store)
    index = Index(store)
    index.catch_up()
    query = "SELECT e.status, e.stop_reason, j.status FROM episodes e LEFT JOIN judgings j USING (episode)"
    assert index.read(lambda con: con.execute(query).fetchall()) == [(status, "deadlock", judged)]


def test_a_truncated_history_keeps_what_is_whole_and_says_where_it_ends(store: Store, logs: Path) -> None:
    task = write_task(logs, TASK)
    file = task / "history.json"
    whole = file.read_bytes()
    cut = whole.index(b'"step_2"') + 20
    file.write_bytes(whole[:cut])
    (fault,) = bring(logs, store).runs[0].faults
    assert (fault.file, fault.at) == (f"{TASK}/history.json", cut)
    assert fault.key.startswith("workspace_snapshots")
    folder, name, episode = only(store)
    assert [turn.number for turn in episode.turns if turn.files] == [2, 5]
    assert episode.ended is not None and episode.ended.status == "played"
    warned = [r.event for _, r in read_log(folder.episode_log(name)) if isinstance(r.event, Warned)]
    assert len(warned) == 1 and f"byte {cut:,}" in warned[0].text


def test_a_truncated_trajectory_gives_way_to_the_longer_one(store: Store, logs: Path) -> None:
    file = write_task(logs, TASK) / "interaction_history.json"
    whole = file.read_bytes()
    file.write_bytes(whole[: whole.index(b"SYSTEM WARNING")])
    (fault, no_case) = sorted(bring(logs, store).runs[0].faults, key=lambda fault: fault.at is None)
    assert fault.key == "trajectory[9].role" and "no case" in no_case.text
    folder, name, episode = only(store)
    assert len(episode.turns) == 5 and folder.case_of(name) is None
    assert episode.ended is not None and episode.ended.status == "infra"
    assert episode.turns[-1].action is not None and episode.turns[-1].action.action == "submit"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"7", b"\xff\xfe{}", b'{"trajectory": {}}', b"[" * 5000, b'{"trajectory": [7, {"role": 5}]}'],
)
def test_odd_files_are_told_and_stop_nothing(store: Store, logs: Path, content: bytes) -> None:
    (write_task(logs, TASK) / "history.json").write_bytes(content)
    (write_task(logs, "000002_P-RAM") / "interaction_history.json").write_bytes(content)
    done = bring(logs, store)
    assert done.runs[0].added == 2
    folder = store.run(done.runs[0].run)
    states = [folder.fold_episode(name) for name in folder.episodes()]
    assert [len(state.turns) for state in states] == [5, 5]
    assert [state.ended.status for state in states if state.ended] == ["played", "infra"]


def test_paths_that_lead_outside_stay_out(store: Store, logs: Path) -> None:
    odd = {"../x": "a", "/etc/x": "b", "a/../../x": "c", "C:/x": "d", "a\\..\\x": "e", "": "f", "ok.txt": "g", "bad": 7}
    write_task(logs, TASK, history={"messages": [], "workspace_snapshots": {"step_4": odd, "x": {}}})
    done = bring(logs, store)
    assert len(done.runs[0].faults) == 8
    _, _, episode = only(store)
    assert list(decode_manifest(store.blobs.get(episode.manifest or ""))) == ["ok.txt"]


def test_messages_with_half_characters_and_wrong_parts_are_kept(store: Store, logs: Path) -> None:
    said = trajectory()
    said[3]["content"] = [{"type": "text", "text": "half \ud83d"}, {"type": "image_url", "image_url": {"url": "data:x"}}, 7]
    write_task(logs, TASK, said)
    done = bring(logs, store)
    assert Counter(fault.key for fault in done.runs[0].faults) == {"trajectory[3]": 2, "messages[3]": 2}
    _, _, episode = only(store)
    reply = episode.turns[0].reply
    assert reply is not None and read(store.blobs, reply.reply).startswith("half ")


def archive(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for info, content in members:
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


def test_an_archive_writes_nothing_outside_and_follows_no_link(tmp_path: Path, store: Store, logs: Path) -> None:
    content = (write_task(logs, TASK) / "interaction_history.json").read_bytes()
    link = tarfile.TarInfo("maker/logs/b_P-MIN/history.json")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    made = archive(
        tmp_path / "a.tar.gz",
        (tarfile.TarInfo("../../escaped/interaction_history.json"), content),
        (tarfile.TarInfo(f"{tmp_path}/absolute/interaction_history.json"), content),
        (link, b""),
        (tarfile.TarInfo("maker/logs/a_P-MIN/interaction_history.json"), content),
        (tarfile.TarInfo("maker/workspaces/a_P-MIN/index.html"), b"x"),
    )
    before = set(tmp_path.rglob("*"))
    done = bring(made, store)
    assert [(run.builder, run.added) for run in done.runs] == [("maker", 1)]
    assert {path for path in tmp_path.rglob("*") if store.root not in [path, *path.parents]} == before


def test_a_truncated_archive_gives_what_is_whole(tmp_path: Path, store: Store, logs: Path) -> None:
    for number in range(3):
        write_task(logs, f"00000{number}_P-MIN")
        (logs / f"00000{number}_P-MIN" / "visual_step_9.png").write_bytes(picture(1) + os.urandom(200_000))
    made = tmp_path / "logs.tgz"
    with tarfile.open(made, "w:gz") as tar:
        tar.add(logs.parent, "maker-7b")
    made.write_bytes(made.read_bytes()[: made.stat().st_size // 2])
    done = bring(made, store)
    assert "the rest cannot be read" in done.faults[0].text
    assert 1 <= done.runs[0].added < 3


def test_what_is_no_log_is_said(tmp_path: Path, store: Store) -> None:
    (tmp_path / "x.tar.gz").write_bytes(b"no archive")
    with pytest.raises(StoreError, match="no archive"):
        bring(tmp_path / "x.tar.gz", store)
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(NotFoundError):
            bring(path, store)
    assert store.runs() == []


def test_copies_and_empty_tasks_are_left_out_and_named(store: Store, logs: Path) -> None:
    task = write_task(logs, TASK)
    shutil.copytree(task, logs.parent / "error_logs" / TASK)
    (logs / "000003_P-INT").mkdir()
    done = bring(logs.parent, store)
    assert done.runs[0].added == 1
    assert {fault.file for fault in done.faults} == {"error_logs", "logs/000003_P-INT"}


def test_measures_of_the_official_judges_stand_beside(store: Store, logs: Path) -> None:
    write_task(logs, TASK)
    hits = {"evaluations": [{"constraint_index": 2, "hit": True, "reasoning": "asked"}]}
    details = [{"task_id": TASK, "chr": 25.0, "ias": 4, "chr_details": hits}, {"task_id": 7}]
    (logs.parent / "intent_ask_evaluation.json").write_text(json.dumps({"details": details}))
    looks = {"task_id": TASK, "has_visual_bug": True, "visual_layout": 4, "creative_alignment": 3, "overall_aesthetics": 5}
    (logs.parent / "api_aesthetic_evaluation.json").write_text(json.dumps({"trajectory_details": [looks]}))
    assert [fault.key for fault in bring(logs, store).runs[0].faults] == ["details[1]"]
    index = Index(store)
    index.catch_up()
    columns = "chr, ias, vbr, layout, creative_alignment, aesthetics, judge"
    (row,) = index.read(lambda con: con.execute(f"SELECT {columns} FROM episodes").fetchall())
    assert row == (0.25, 4.0, 1.0, 4.0, 3.0, 5.0, "official")
    hit = index.read(lambda con: con.execute("SELECT slot, value FROM measures WHERE metric = 'chr_hit'").fetchall())
    assert hit == [(1, 1.0)]


def test_the_official_logs(store: Store) -> None:
    done = bring(official_logs(), store, official_file())
    assert {run.builder: run.added for run in done.runs} == {"scripted-ci": 1, "scripted-core": 12, "scripted-extra": 7}
    assert not done.faults and not any(run.faults for run in done.runs)
    index = Index(store)
    index.catch_up()
    statuses = index.read(lambda con: con.execute("SELECT status FROM episodes").fetchall())
    assert Counter(status for (status,) in statuses) == {"scored": 13, "crashed": 6, "infra": 1}
    assert index.read(lambda con: con.execute("SELECT count(*) FROM cases WHERE golden IS NULL").fetchall()) == [(0,)]
    shown = "SELECT phase, count(*) FILTER (screenshot IS NOT NULL) FROM browser_steps GROUP BY phase ORDER BY phase"
    assert index.read(lambda con: con.execute(shown).fetchall()) == [("judging", 79), ("verify", 17)]
