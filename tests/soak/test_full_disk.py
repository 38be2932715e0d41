"""A disk that fills up: the run pauses with a clear line, and goes on by itself when there is room again."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.runner import logs, start, whole_lines


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("NOT RUN: mounting a small disk needs root")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("NOT RUN: this machine lets nobody mount a tmpfs")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.soak
@pytest.mark.browser
def test_full_disk(small_disk: Path, tmp_path: Path) -> None:
    ballast = small_disk / "ballast"
    store = small_disk / "store"
    process = start(["demo", "--headless", "--json", "--jobs", "1", "--store", str(store)], tmp_path)
    assert process.stderr is not None
    filled, paused = threading.Event(), threading.Event()
    heard: list[str] = []

    def listen() -> None:
        for line in process.stderr or ():
            heard.append(line)
            if line.startswith("scored") and not filled.is_set():
                filled.set()
                fill(ballast)
            if "paused" in line:
                paused.set()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        assert paused.wait(180), heard
        intact = {log: whole_lines(log) for log in logs(store)}
        ballast.unlink()
        assert process.wait(300) == 0
    finally:
        process.kill()
    assert process.stdout is not None
    episodes = json.loads(process.stdout.read())["episodes"]
    listener.join(10)
    assert [episode["status"] for episode in episodes] == ["scored"] * 10
    for log, lines in intact.items():
        assert whole_lines(log)[: len(lines)] == lines, log


def fill(ballast: Path) -> None:
    """Write until nothing more fits."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 65_536)
        except OSError:
            return
