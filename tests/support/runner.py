"""Starts `iwtui` as a process of its own and reads the logs that it writes, with nothing but the standard library."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def environment(home: Path) -> dict[str, str]:
    """The environment of a stranger: no configuration, no store, folders of its own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("IWTUI_", "XDG_"))}
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
    return kept | folders | {"XDG_RUNTIME_DIR": str(runtime), "NO_COLOR": "1"}


def start(arguments: Sequence[str], home: Path, **more: Any) -> "subprocess.Popen[str]":
    """The command, running."""
    return subprocess.Popen(
        [sys.executable, "-m", "iwtui", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(home),
        cwd=home,
        **more,
    )


def run(arguments: Sequence[str], home: Path, timeout: float = 300) -> "subprocess.CompletedProcess[str]":
    """The command, run to its end."""
    process = start(arguments, home)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def logs(store: Path) -> list[Path]:
    """All event logs of a store: of episodes and of judgings."""
    return sorted([*store.glob("runs/*/episodes/*.jsonl"), *store.glob("runs/*/judgings/*.jsonl")])


def whole_lines(log: Path) -> list[bytes]:
    """The lines of a log that were written to their end."""
    return [line for line in log.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def count_lines(store: Path) -> int:
    """Whole lines in all logs of a store."""
    return sum(len(whole_lines(log)) for log in logs(store))


def kept_turns(log: Path) -> list[int]:
    """The numbers of the turns that count, read without the program's own fold."""
    turns: list[int] = []
    for line in whole_lines(log):
        event = json.loads(line)
        if event["kind"] == "TurnStarted":
            turns.append(event["turn"])
        elif event["kind"] == "EpisodeResumed":
            turns = turns[: event["kept_turns"]]
    return turns
