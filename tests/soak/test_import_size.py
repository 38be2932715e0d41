"""A history of a hundred megabytes is imported in little memory: what is held does not grow with the file."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.harness import code, write_task

STEPS = 25
FILES = 40
SIZE = 100_000
LIMIT = 150_000_000

IMPORT = """
import json, resource, sys
from pathlib import Path
from iwtui.archive.importers.official import import_logs
from iwtui.archive.store import Store
from iwtui.packs import shipped_personas
done = import_logs(Path(sys.argv[1]), None, Store(Path(sys.argv[2])), shipped_personas(), lambda _: None)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"added": done.runs[0].added, "faults": len(done.runs[0].faults), "peak": peak}))
"""


def write_large(folder: Path) -> int:
    """A history in which every file changes at every step; how many bytes it takes."""
    said = [{"role": "user", "content": "Make a clock."}]
    said += [{"role": "assistant", "content": code(str(step))} for step in range(STEPS)]
    file = folder / "history.json"
    with file.open("w") as out:
        out.write('{"messages": ' + json.dumps(said) + ', "workspace_snapshots": {')
        for step in range(STEPS):
            files = {f"src/{number}.js": f"{step} {number}\n" + "let a = 1;\n" * (SIZE // 11) for number in range(FILES)}
            out.write(f'{", " if step else ""}"step_{step}": {json.dumps(files)}')
        out.write("}}")
    return file.stat().st_size


@pytest.mark.soak
def test_a_large_history_takes_little_memory(tmp_path: Path) -> None:
    logs = tmp_path / "maker" / "logs"
    size = write_large(write_task(logs, "000001_P-MIN"))
    assert size > 95_000_000
    command = [sys.executable, "-c", IMPORT, str(logs), str(tmp_path / "store")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True, env=os.environ)
    told = json.loads(done.stdout)
    print(f"{size / 1e6:.0f} MB of history, {told['peak'] / 1e6:.0f} MB of memory at most: {told['peak'] / size:.2f}")
    assert (told["added"], told["faults"]) == (1, 0)
    assert told["peak"] < LIMIT
