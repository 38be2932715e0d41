"""Logs as the official harness writes them, made by hand."""

import base64
import io
import json
from pathlib import Path
from typing import Any

from PIL import Image

FINISH = '<think>Done.</think><boltAction type="finish">Done</boltAction>'
ASK = '<think>What?</think><boltAction type="ask_user">Which colour?</boltAction>'
CHECK = '<TestCriteria>It shows a clock.</TestCriteria><boltAction type="screenshot_validated">/</boltAction>'
SLOTS: list[dict[str, Any]] = [
    {
        "original_task": f"Look at {component}.",
        "expected_result": f"There is {component}.",
        "target_component": component,
        "assertion_type": assertion,
        "c_tech": 2,
        "d_test": 1.0,
        "final_weight": 2.0,
    }
    for component, assertion in [
        ("clock", "POSITIVE"),
        ("alarm", "POSITIVE"),
        ("Unrequested_Element_Feature", "NEGATIVE"),
    ]
]
DETAILS: list[dict[str, Any]] = [
    {"task": "clock", "passed": True, "weight": 2.0, "reason": "[Verified] it ticks"},
    {"task": "alarm", "passed": False, "weight": 2.0, "reason": "[Failed] it is silent"},
    {"task": "extra", "passed": False, "weight": 2.0, "reason": "Not observed or tested during exploration"},
]
GOLDEN = 'Please make a clock. It rings at 07:30 and says "Wake".'
REPLY = 'It rings at 07:30 and says "Wake".'
THOUGHTS = [
    "Thought: [PASSED ID: 0] Reason: it ticks\nAction: Click [3]",
    "Thought: [FAILED ID: 1] Reason: it is silent\nAction: ANSWER; done",
]


def picture(shade: int) -> bytes:
    """A small picture, another one for each shade."""
    made = io.BytesIO()
    Image.new("RGB", (4, 3), (shade, 20, 40)).save(made, "PNG")
    return made.getvalue()


def code(text: str) -> str:
    """A message that writes `index.html`."""
    return f'<boltArtifact id="x" title="x"><boltAction type="file" filePath="index.html">{text}</boltAction></boltArtifact>'


def final(**changes: Any) -> dict[str, Any]:
    """The note of the last message."""
    talk = [{"role": "user", "content": f"verifying if the website satisfies: '{GOLDEN}'.\n\nTesting Checklist: .."}]
    talk += [{"role": role, "content": text} for text in THOUGHTS for role, text in (("assistant", text), ("user", "see"))]
    metrics = {"Details": DETAILS, "Raw_Trajectory": talk}
    detail = {"status": "FAIL", "sr": 0, "tcr": 0.3333, "text": "done", "raw_metrics": metrics}
    whole = {
        "evaluation_detail": detail | changes.pop("detail", {}),
        "final_env_state": {"install_error": [], "start_results": "Success", "start_error": False, "screenshot_path": ""},
        "is_final": True,
        "stop_reason": "submitted",
        "oracle_slots_used_for_grading": SLOTS,
    }
    return {key: value for key, value in (whole | changes).items() if value is not None}


def trajectory() -> list[dict[str, Any]]:
    """A question, code, a Verify with a picture, a message without any action, and the end."""
    url = "data:image/png;base64," + base64.b64encode(picture(1)).decode()
    audit = "**Visual Process Audit**\nGoal: a clock\nStatus: failed\nDetails: none"
    trace = [
        {
            "step": number,
            "thought": f"look {number}",
            "action": action,
            "logs": "",
            "screenshot_path": f"/x/visual_step_{number}.png",
        }
        for number, action in enumerate(['Click ["Clock"]', "Fail; none"])
    ]
    started = {"install_error": ["npm ERR! odd"], "start_results": "Success", "start_error": False, "screenshot_path": ""}
    feedback = [{"type": "text", "text": audit}, {"type": "image_url", "image_url": {"url": url, "detail": "low"}}]
    return [
        {"turn": 0, "role": "system", "content": "You are Bolt."},
        {"turn": 1, "role": "user", "content": "Make a clock."},
        {"turn": 2, "role": "assistant", "content": ASK, "debug_info": {"is_question": True}},
        {"turn": 3, "role": "user", "content": REPLY},
        {"turn": 4, "role": "assistant", "content": code("<p>one</p>\n"), "debug_info": {}},
        {"turn": 5, "role": "user", "content": "Ready.", "debug_info": {"environment_feedback": started}},
        {"turn": 6, "role": "assistant", "content": CHECK, "debug_info": {}},
        {"turn": 7, "role": "user", "content": feedback, "debug_info": {"internal_test_trace": trace}},
        {"turn": 8, "role": "assistant", "content": "Hm.", "debug_info": {"is_format_error": True}},
        {"turn": 9, "role": "user", "content": "SYSTEM WARNING", "debug_info": {"is_correction": True}},
        {"turn": 10, "role": "assistant", "content": FINISH, "debug_info": {"is_finish": True}},
        {"turn": 11, "role": "user", "content": "[SYSTEM]: Task Stopped", "debug_info": final()},
    ]


def snapshots() -> dict[str, dict[str, str]]:
    """The workspace after each step of `trajectory`."""
    page = {"index.html": "<p>one</p>\n", "src/a.js": "let a\nlet b\n"}
    return {"step_0": {}, **{f"step_{step}": page for step in (1, 2, 3)}, "step_4": {**page, "src/a.js": "let a\n"}}


def write_task(
    logs: Path, name: str, said: list[dict[str, Any]] | None = None, history: dict[str, Any] | None = None
) -> Path:
    """The folder of a task, with the frames of its Verify and of the judge."""
    folder = logs / name
    judge = folder / "eval_webvoyager" / f"task{name}_eval"
    judge.mkdir(parents=True)
    said = trajectory() if said is None else said
    stored = {"path_distribution_stats": {}, "trajectory": said}
    (folder / "interaction_history.json").write_text(json.dumps(stored))
    told = [{"role": m["role"], "content": m["content"], "info": m.get("debug_info", {})} for m in said[:-1]]
    files = snapshots()
    whole = {"messages": told, "nodes": {}, "step_idx": 4, "workspace_files": files["step_4"], "workspace_snapshots": files}
    (folder / "history.json").write_text(json.dumps(whole if history is None else history))
    for number in (0, 1):
        (folder / f"visual_step_{number}.png").write_bytes(picture(10 + number))
    (judge / "screenshot1.png").write_bytes(picture(20))
    return folder
