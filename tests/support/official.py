"""The benchmark's own task file, where it is at hand; tests that need it skip loudly without it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

OFFICIAL = Path(
    os.environ.get("IWTUI_OFFICIAL_TASKS", Path(__file__).parents[3] / "shared" / "data" / "interactweb-bench.jsonl")
)


def official_file() -> Path:
    """The file; without it the test is skipped."""
    if not OFFICIAL.is_file():
        pytest.skip(f"NOT CHECKED against the official task file: {OFFICIAL} is missing; name it in IWTUI_OFFICIAL_TASKS")
    return OFFICIAL


def rows() -> list[dict[str, Any]]:
    """Its rows as they stand there."""
    return [json.loads(line) for line in official_file().read_text(encoding="utf-8").splitlines()]


def official_logs() -> Path:
    """The archive of logs that the official harness wrote; without it the test is skipped."""
    return _beside("official-logs.tar.gz")


def official_analysis() -> dict[str, str]:
    """What the official analysers printed about them, by section: "B3", "B4", "C2", .."""
    parts = _beside("official-analysis.txt").read_text(encoding="utf-8").split("\n##### ")[1:]
    return {part.split(".")[0].strip(): part.partition("#" * 80)[2].rstrip("#\n").strip() for part in parts}


def _beside(name: str) -> Path:
    file = OFFICIAL.with_name(name)
    if not file.is_file():
        pytest.skip(f"NOT CHECKED against the official logs: {file} is missing; it stands beside IWTUI_OFFICIAL_TASKS")
    return file
