"""How long `iwtui --help` takes beside an interpreter that imports click and does nothing."""

import statistics
import subprocess
import sys
import time

ROUNDS = 7


def bench() -> dict[str, float]:
    """Medians of seven starts each, in milliseconds, taken in turn so that both meet the same machine."""
    helping = [sys.executable, "-c", "from iwtui.cli.main import main; main(['--help'])"]
    importing = [sys.executable, "-c", "import click"]
    times = [(_milliseconds(helping), _milliseconds(importing)) for _ in range(ROUNDS)]
    help_ms, click_ms = (statistics.median(column) for column in zip(*times, strict=True))
    return {"help_ms": help_ms, "click_ms": click_ms, "ratio": help_ms / click_ms}


def _milliseconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, timeout=60)
    return 1000 * (time.perf_counter() - began)
