"""Kills a process in the middle of indexing, and looks at what it leaves."""

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from iwtui.archive.index import Index
from iwtui.archive.store import Store
from tests.archive.hashing import hashes

INDEXER = """
import sys
from pathlib import Path
from iwtui.archive import index, ingest
from iwtui.archive.store import Store
ingest.EVENTS, index.HOLD = 12, 0.0
made = index.Index(Store(Path(sys.argv[1])))
print("ready", flush=True)
while True:
    made.catch_up()
    made.rebuild()
"""
"""Fills the index in small transactions and makes it anew, without end."""


def kill_while_indexing(root: Path, times: int, seed: int) -> None:
    """Each time: what was committed agrees with the cursors, and catching up gives what a rebuild gives."""
    chance = random.Random(seed)
    store = Store(root)
    lines = count_lines(root)
    for _ in range(times):
        child = subprocess.Popen([sys.executable, "-c", INDEXER, str(root)], stdout=subprocess.PIPE, text=True)
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0.0, 0.6))  # the moment of the kill
        finally:
            child.kill()
            child.wait()
        left = Index(store)
        if left.path.exists():
            assert_cursors_agree(left, root)
        left.catch_up()
        grown = hashes(left)
        assert left.read(lambda con: con.execute("SELECT count(*) FROM events").fetchone()) == (lines,)
        left.rebuild()
        assert hashes(left) == grown


def count_lines(root: Path) -> int:
    """Lines in all logs."""
    return sum(log.read_bytes().count(b"\n") for log in root.glob("runs/*/*/*.jsonl"))


def assert_cursors_agree(index: Index, root: Path) -> None:
    """Of each log the index holds as many events as there are lines before its cursor."""
    tables = "SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'internal'"
    if index.read(lambda con: con.execute(tables).fetchone()) == (0,):
        return  # killed before the tables were made
    logs = index.read(lambda con: con.execute('SELECT run, episode, judging, "offset" FROM internal.logs').fetchall())
    events = index.read(lambda con: con.execute("SELECT episode, coalesce(judging, '') FROM events").fetchall())
    held = Counter(events)
    for run, episode, judging, offset in logs:
        folder, stem = ("judgings", f"{episode}.{judging}") if judging else ("episodes", episode)
        before = (root / "runs" / run / folder / f"{stem}.jsonl").read_bytes()[:offset]
        assert held.pop((f"{run}/{episode}", judging), 0) == before.count(b"\n")
    assert not held
