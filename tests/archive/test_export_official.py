"""Folders of the official harness: a script that knows their description only reads them, and so do we again."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from iwtui.archive.exporters.official import Written, write_official
from iwtui.archive.exporters.official_files import Workspaces
from iwtui.archive.importers.official import import_logs
from iwtui.archive.store import Store
from iwtui.bench.case import Case
from iwtui.bench.events import EpisodeMeasured, JudgingEnded, JudgingStarted
from iwtui.bench.manifest import encode_manifest
from iwtui.packs import shipped_personas
from tests.support import official_reader
from tests.support.equal_tables import across_formats
from tests.support.harness import DETAILS, FINISH, REPLY, final, picture, snapshots, trajectory, write_task
from tests.support.official import official_file, official_logs
from tests.support.stores import F, J, P, U, judge, make_case, make_run, make_store, play

TASK = "000001_P-MIN"
NO_GOLDEN = ("000002_P-RAM", "000003_P-CON", "000004_P-INT")
"""Tasks of `official` of which nobody said what is really wanted."""


def read(folder: Path) -> dict[str, Any]:
    """What a script finds there that knows nothing of this program."""
    script = [sys.executable, "-I", str(official_reader.__file__), str(folder)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def export(store: Store, run: str, folder: Path) -> Written:
    folder.mkdir()
    return write_official(store.run(run), folder)


def bring(path: Path, store: Store, tasks: Path | None = None) -> list[str]:
    """The faults of an import."""
    done = import_logs(path, tasks, store, shipped_personas(), lambda _: None)
    return [fault.text for fault in [*done.faults, *(fault for run in done.runs for fault in run.faults)]]


@pytest.fixture
def official(tmp_path: Path) -> Store:
    """A store with a run that was imported: whatever an official log can tell stands in it."""
    logs = tmp_path / "maker-7b" / "logs"
    write_task(logs, TASK)
    crashed = final(detail={"status": "CRASHED", "raw_metrics": {"Total_Weight": 0.0, "Details": []}, "text": "no server"})
    broken = final(detail={"status": "ERROR", "raw_metrics": {"Total_Weight": 0.0, "Details": []}, "text": "judge broke"})
    unclear = [DETAILS[0], {"task": "alarm", "weight": 2.0, "reason": "no word"}, DETAILS[2]]
    unread = final(detail={"raw_metrics": {"Details": unclear}}, stop_reason="max_turns_reached")
    for name, note in (("000002_P-RAM", crashed), ("000003_P-CON", broken), ("000004_P-INT", unread)):
        said = [*trajectory()[:-1], {"turn": 11, "role": "user", "content": "[SYSTEM]: Task Stopped", "debug_info": note}]
        write_task(logs, name, said)
    intent = {"task_id": TASK, "chr": 50.0, "ias": 4, "ias_reasoning": "it asked", "chr_details": None}
    intent["chr_details"] = {"evaluations": [{"constraint_index": 1, "hit": True, "reasoning": "asked"}]}
    looks = {"task_id": TASK, "has_visual_bug": True, "visual_layout": 3, "creative_alignment": 4, "overall_aesthetics": 2}
    (logs.parent / "intent_ask_evaluation.json").write_text(json.dumps({"details": [intent]}))
    (logs.parent / "api_aesthetic_evaluation.json").write_text(json.dumps({"trajectory_details": [looks]}))
    store = Store(tmp_path / "store")
    assert bring(logs.parent, store) == []
    return store


def test_a_script_that_knows_the_formats_only_reads_it(official: Store, tmp_path: Path) -> None:
    (run,) = official.runs()
    written = export(official, run, tmp_path / "out")
    assert (written.episodes, written.builders) == (4, ("maker-7b",))
    assert {left.of: "golden" in left.text for left in written.left_out} == dict.fromkeys(list(NO_GOLDEN), True)
    found = read(tmp_path / "out")
    told = {task["task"]: task for task in found["maker-7b"]}
    first = told[TASK]
    assert first["actions"] == ["A", "B", "C", "ERR", "D"]
    assert first["replies"] == [REPLY]
    assert first["browser"] == [['click ["Clock"]', "look 0"], ["fail none", "look 1"]]
    assert first["steps"] == [dict(sorted(files.items())) for files in snapshots().values()]
    assert (first["final"], first["stop_reason"], first["passed"]) == ("FAIL", "submitted", [True, False, False])
    assert first["tcr"] == first["recomputed"] == pytest.approx(1 / 3)
    assert first["frames"] == ["visual_step_0.png", "visual_step_1.png"]
    assert told["000002_P-RAM"]["final"] == "CRASHED" and told["000002_P-RAM"]["passed"] == []
    assert told["000003_P-CON"]["final"] == "ERROR"
    assert told["000004_P-INT"]["passed"] == [True, None, False]
    (intent,) = found["maker-7b details"]
    assert (intent["chr"], intent["ias"], intent["chr_details"]["evaluations"][0]["hit"]) == (50.0, 4.0, True)
    (looks,) = found["maker-7b trajectory_details"]
    assert (looks["has_visual_bug"], looks["visual_layout"], looks["overall_aesthetics"]) == (True, 3.0, 2.0)


def test_imported_again_it_gives_equal_tables_and_pictures(official: Store, tmp_path: Path) -> None:
    (run,) = official.runs()
    export(official, run, tmp_path / "out")
    again = Store(tmp_path / "again")
    assert bring(tmp_path / "out", again, tmp_path / "out" / "cases.jsonl") == []
    before, after = across_formats(official), across_formats(again)
    assert before == after
    assert all(before.values()) and len(before["episodes"]) == 4
    assert set(official.blobs.addresses()) & set(again.blobs.addresses()) >= {
        again.blobs.put(picture(n)) for n in (1, 10, 20)
    }


def test_it_is_the_same_without_the_cases_but_for_what_the_format_does_not_hold(official: Store, tmp_path: Path) -> None:
    (run,) = official.runs()
    export(official, run, tmp_path / "out")
    again = Store(tmp_path / "again")
    assert bring(tmp_path / "out", again) == []
    assert across_formats(official) == across_formats(again)
    third = Store(tmp_path / "third")
    assert bring(tmp_path / "out", third, tmp_path / "out" / "tasks.jsonl") == []
    assert across_formats(official)["verdicts"] == across_formats(third)["verdicts"]


def test_logs_of_the_official_harness_itself_survive_the_way_out_and_back(tmp_path: Path) -> None:
    store, again = Store(tmp_path / "store"), Store(tmp_path / "again")
    import_logs(official_logs(), official_file(), store, shipped_personas(), lambda _: None)
    for run in store.runs():
        export(store, run, tmp_path / run)
        read(tmp_path / run)
        assert bring(tmp_path / run, again, tmp_path / run / "cases.jsonl") == []
    before, after = across_formats(store), across_formats(again)
    assert before == after and len(before["episodes"]) == 20 and len(before["turns"]) > 50


def test_every_status_has_its_place_and_a_fault_of_ours_is_no_failure(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store")
    written = export(store, "policies", tmp_path / "out")
    (tasks,) = (tasks for model, tasks in read(tmp_path / "out").items() if model == "scripted-blind")
    finals = {task["task"].removesuffix("_P-MIN"): task["final"] for task in tasks}
    assert finals == {
        "bakery0": "PASS", "bakery1": "FAIL", "bakery2": "FAIL", "bakery3": "CRASHED", "bakery4": None, "bakery5": None,
        "bakery6": "PASS", "bakery7": "PASS", "bakery8": "PASS", "bakery9": None,
    }  # fmt: skip
    said = {left.of.partition("/")[2].partition("_")[0]: left.text for left in written.left_out if "evaluation" in left.text}
    assert said.keys() == {"bakery4", "bakery5", "bakery9"} and "cancelled" in said["bakery5"]
    assert (tasks[1]["passed"], tasks[1]["tcr"]) == ([False, False, False, False], 0.0)
    again = Store(tmp_path / "again")
    assert bring(tmp_path / "out", again, tmp_path / "out" / "cases.jsonl") == []
    assert across_formats(store)["verdicts"] == across_formats(again)["verdicts"]
    statuses = {row[0]: row[5] for row in across_formats(again)["episodes"]}
    assert statuses["bakery3_P-MIN"] == "crashed" and statuses["bakery4_P-MIN"] == statuses["bakery9_P-MIN"] == "infra"


def test_words_of_a_verdict_are_not_taken_for_another(tmp_path: Path) -> None:
    store, case = Store(tmp_path / "store"), make_case()
    folder = make_run(store, "r", [case])
    judge(folder, play(folder, case), (P, F, U, J))
    export(store, "r", tmp_path / "out")
    again = Store(tmp_path / "again")
    bring(tmp_path / "out", again, tmp_path / "out" / "cases.jsonl")
    verdicts = [row[3] for row in across_formats(again)["verdicts"]]
    assert verdicts == ["passed", "failed", "unobserved", "unjudged"]


def test_repeats_stand_in_folders_of_their_own(tmp_path: Path) -> None:
    store, case = Store(tmp_path / "store"), make_case()
    folder = make_run(store, "r", [case], repeats=2)
    for repeat, verdicts in ((1, (P, P, P, P)), (2, (F, F, F, F))):
        judge(folder, play(folder, case, repeat=repeat), verdicts)
    assert export(store, "r", tmp_path / "out").builders == ("scripted-blind", "scripted-blind.r2")
    found = read(tmp_path / "out")
    assert [found[builder][0]["tcr"] for builder in ("scripted-blind", "scripted-blind.r2")] == [1.0, 0.0]


def test_measures_that_are_not_known_are_null(tmp_path: Path) -> None:
    store, case = Store(tmp_path / "store"), make_case()
    folder = make_run(store, "r", [case])
    name = play(folder, case)
    judge(folder, name, (P, P, P, P))
    for judging, metric in (("intent", "chr"), ("visual", "vbr")):
        with folder.record_judging(name, f"{judging}-1") as log:
            log.append(JudgingStarted(judge=judging, slots=4, manifest=store.blobs.put(b"{}"), turn_judged=2), 2)
            log.append(EpisodeMeasured(metric=metric, value=None), 2)
            log.append(JudgingEnded(status="scored"), 2)
    export(store, "r", tmp_path / "out")
    found = read(tmp_path / "out")
    assert found["scripted-blind details"][0]["chr"] is None
    assert found["scripted-blind trajectory_details"][0]["has_visual_bug"] is None
    whole = json.loads((tmp_path / "out" / "scripted-blind" / "intent_ask_evaluation.json").read_text())
    assert whole["aggregate_overall"]["avg_chr"] is None
    assert whole["aggregate_by_persona"]["P-MIN"]["avg_chr"] == "N/A"


def test_pictures_are_the_same_to_the_pixel(tmp_path: Path) -> None:
    store, case = Store(tmp_path / "store"), make_case()
    folder = make_run(store, "r", [case])
    made = io.BytesIO()
    Image.effect_noise((64, 40), 90).convert("RGB").save(made, "WEBP", lossless=True)
    blob = store.blobs.put(made.getvalue())
    name = play(folder, case, actions="V")
    log = folder.episode_log(name)
    log.write_bytes(log.read_bytes().replace(store.blobs.put(b"picture").encode(), blob.encode()))
    judge(folder, name, (P, P, P, P))
    export(store, "r", tmp_path / "out")
    (frame,) = (tmp_path / "out").rglob("visual_step_0.png")
    with Image.open(frame) as shown, Image.open(made) as given:
        assert shown.tobytes() == given.convert("RGB").tobytes()


@pytest.mark.parametrize(
    "path", ["../evil", "/tmp/evil", "a/../../evil", "a//b", "C:/evil", "a\\..\\evil", "", ".", "n\0", "x" * 501]
)
def test_a_workspace_from_elsewhere_stays_where_it_belongs(tmp_path: Path, path: str) -> None:
    store = Store(tmp_path / "store")
    page = store.blobs.put(b"page")
    manifest = store.blobs.put(encode_manifest({path: (page, 4), "good/index.html": (page, 4)}))
    workspaces = Workspaces(store.blobs, tmp_path / "out" / "workspace")
    workspaces.write(manifest)
    out = io.BytesIO()
    workspaces.write_texts(manifest, out)
    assert [file.name for file in (tmp_path / "out").rglob("*") if file.is_file()] == ["index.html"]
    assert json.loads(out.getvalue()) == {"good/index.html": "page"}
    assert len(workspaces.left_out) == 1


def test_a_name_that_is_a_file_and_a_folder_stops_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    page = store.blobs.put(b"page")
    manifest = store.blobs.put(encode_manifest({"a": (page, 4), "a/b": (page, 4), "c": ("0" * 64, 4)}))
    workspaces = Workspaces(store.blobs, tmp_path / "workspace")
    workspaces.write(manifest)
    assert (tmp_path / "workspace" / "a").read_bytes() == b"page"
    assert len(workspaces.left_out) == 2


def test_an_odd_builder_and_case_make_no_odd_path(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    case: Case = msgspec.structs.replace(make_case(), id="../../evil\x1b[2J")
    folder = make_run(store, "r", [case], builders=["../../up/\x00own"])
    judge(folder, play(folder, case, builder="../../up/\x00own"), (P, P, P, P))
    export(store, "r", tmp_path / "deep")
    assert {path.name for path in tmp_path.iterdir()} == {"store", "deep"}
    assert len(list((tmp_path / "deep").rglob("interaction_history.json"))) == 1
    assert FINISH not in str(list((tmp_path / "deep").rglob("*")))
