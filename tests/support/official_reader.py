"""Reads folders of the official harness, by the description of its formats alone; run as `python -I official_reader.py DIR`.

It imports nothing of the program: what it finds is what any script of the benchmark's users would.
"""

import base64
import json
import sys
from pathlib import Path
from typing import Any

PNG = b"\x89PNG\r\n\x1a\n"
PATHS = ["PATH_A_CLARIFY", "PATH_B_IMPLEMENT", "PATH_C_VERIFY", "PATH_D_SUBMIT", "FORMAT_ERROR_COUNT"]


def read_task(task: Path) -> dict[str, Any]:
    history = json.loads((task / "history.json").read_text("utf-8"))
    steps = {int(name.removeprefix("step_")): files for name, files in history["workspace_snapshots"].items()}
    assert sorted(steps) == list(range(len(steps)))
    assert history["workspace_files"] == steps[max(steps)]
    workspace = task.parents[1] / "workspaces" / task.name
    on_disk = {str(file.relative_to(workspace)) for file in workspace.rglob("*") if file.is_file()}
    assert on_disk == set(history["workspace_files"])
    found: dict[str, Any] = {
        "task": task.name,
        "steps": [dict(sorted(files.items())) for _, files in sorted(steps.items())],
        "loc": sum(len(text.splitlines()) for text in history["workspace_files"].values()),
        "frames": sorted(file.name for file in task.glob("visual_step_*.png")),
    }
    assert all(file.read_bytes().startswith(PNG) for file in task.rglob("*.png"))
    finished = task / "interaction_history.json"
    if not finished.is_file():
        return found | {"final": None}
    whole = json.loads(finished.read_text("utf-8"))
    assert all(isinstance(whole["path_distribution_stats"][path], int) for path in PATHS)
    said = whole["trajectory"]
    assert [message["turn"] for message in said] == list(range(len(said)))
    assert said[0]["role"] == "system" and said[1]["role"] == "user" and "debug_info" not in said[1]
    assert [m["content"] for m in history["messages"]] == [m["content"] for m in said[:-1]]
    return found | read_talk(said) | read_end(said[-1]["debug_info"], task)


def read_talk(said: list[dict[str, Any]]) -> dict[str, Any]:
    actions: list[str] = []
    asked: list[str] = []
    browser: list[list[str]] = []
    for place, message in enumerate(said):
        note = message.get("debug_info", {})
        if message["role"] != "assistant":
            browser += [[step["action"], step["thought"]] for step in note.get("internal_test_trace", [])]
            for part in message["content"] if isinstance(message["content"], list) else []:
                if part["type"] == "image_url":
                    head, _, data = part["image_url"]["url"].partition(",")
                    assert head.startswith("data:image/") and base64.b64decode(data, validate=True)
            continue
        following = said[place + 1].get("debug_info", {}) if place + 1 < len(said) else {}
        if note.get("is_question"):
            actions.append("A")
            assert "debug_info" not in said[place + 1]
            asked.append(said[place + 1]["content"])
        elif note.get("is_finish"):
            actions.append("D")
        elif note.get("is_format_error"):
            actions.append("ERR")
        elif "internal_test_trace" in following:
            actions.append("C")
        elif "environment_feedback" in following:
            assert isinstance(following["environment_feedback"]["start_error"], bool)
            actions.append("B")
        else:
            actions.append("?")
    return {"actions": actions, "replies": asked, "browser": browser}


def read_end(note: dict[str, Any], task: Path) -> dict[str, Any]:
    detail = note["evaluation_detail"]
    assert note["is_final"] is True and detail["status"] in ("PASS", "FAIL", "CRASHED", "ERROR")
    slots = note["oracle_slots_used_for_grading"]
    details = detail["raw_metrics"]["Details"]
    assert not details or len(details) == len(slots)
    if talk := detail["raw_metrics"].get("Raw_Trajectory"):
        (kept,) = task.glob(f"eval_webvoyager/task{task.name}_eval/interact_messages.json")
        assert [message["role"] for message in json.loads(kept.read_text("utf-8"))] == [m["role"] for m in talk]
    return {
        "final": detail["status"],
        "stop_reason": note["stop_reason"],
        "sr": detail["sr"],
        "tcr": detail["tcr"],
        "passed": [row["passed"] for row in details],
        "recomputed": recomputed(details),
        "slots": [[slot["target_component"], slot["expected_result"], slot["assertion_type"]] for slot in slots],
    }


def recomputed(details: list[dict[str, Any]]) -> float | None:
    total = sum(row["weight"] for row in details)
    return sum(row["weight"] for row in details if row["passed"]) / total if total else None


def main(root: Path) -> None:
    rows = [json.loads(line) for line in (root / "tasks.jsonl").read_text("utf-8").splitlines()]
    difficulty = {row["id"]: row["difficulty"] for row in rows}
    found: dict[str, Any] = {}
    for model in sorted(folder for folder in root.iterdir() if folder.is_dir()):
        tasks = [read_task(task) for task in sorted((model / "logs").iterdir())]
        found[model.name] = [task | {"difficulty": difficulty.get(task["task"], "Unknown")} for task in tasks]
        for name, key in (("intent_ask_evaluation", "details"), ("api_aesthetic_evaluation", "trajectory_details")):
            if (file := model / f"{name}.json").is_file():
                found[f"{model.name} {key}"] = json.loads(file.read_text("utf-8"))[key]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
