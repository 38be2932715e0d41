import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from iwtui.archive.errors import IndexBusyError, QueryStoppedError
from iwtui.archive.flock import Wait
from iwtui.archive.gate import Gate
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from tests.archive.hashing import hashes
from tests.support.stores import make_case, make_run, play

READ = """
import sys, time
from pathlib import Path
from iwtui.archive.index import Index
from iwtui.archive.query import Query
from iwtui.archive.store import Store
index = Index(Store(Path(sys.argv[1])))
print("ready", flush=True)
sys.stdin.readline()
worst = last = 0
while last < int(sys.argv[2]):
    began = time.monotonic()
    count = Query(index).run("SELECT count(*) FROM attempts").rows[0][0]
    assert count >= last
    last, worst = count, max(worst, time.monotonic() - began)
print(worst)
"""


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path / "index")


def test_readers_go_together_a_writer_alone(gate: Gate) -> None:
    with gate.reading(Wait(1)), gate.reading(Wait(1)), pytest.raises(IndexBusyError), gate.writing(Wait(0.05)):
        pass
    with gate.writing(Wait(1)):
        for other in (gate.reading, gate.writing):
            with pytest.raises(IndexBusyError, match=r"0\.1 s"), other(Wait(0.05)):
                pass
    with gate.writing(Wait(1)):
        pass


def test_new_readers_queue_behind_a_writer_that_waits(gate: Gate) -> None:
    order: list[str] = []
    waiting = threading.Event()

    class Waiting(Wait):
        def nap(self, busy: IndexBusyError, least: float = 0.001, most: float = 0.01) -> None:  # type: ignore[override]
            waiting.set()
            super().nap(busy, least, most)

    def write() -> None:
        with gate.writing(Waiting(5)):
            order.append("writer")

    def read() -> None:
        with gate.reading(Wait(5)):
            order.append("reader")

    writer, reader = threading.Thread(target=write), threading.Thread(target=read)
    with gate.reading(Wait(1)):
        writer.start()
        assert waiting.wait(5)
        with pytest.raises(IndexBusyError), gate.reading(Wait(0.05)):
            pass
        reader.start()
        assert order == []
    writer.join()
    reader.join()
    assert sorted(order) == ["reader", "writer"]


def test_waiting_can_be_cancelled(gate: Gate) -> None:
    cancelled = threading.Event()
    timer = threading.Timer(0.1, cancelled.set)
    began = time.monotonic()
    with gate.writing(Wait(1)):
        timer.start()
        with pytest.raises(QueryStoppedError), gate.reading(Wait(10, cancelled)):
            pass
    assert time.monotonic() - began < 2
    timer.join()


def test_one_writer_and_two_reading_processes_all_get_through(tmp_path: Path) -> None:
    store = Store(tmp_path)
    index = Index(store)
    index.catch_up()
    batches = 6
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READ, str(tmp_path), str(batches)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    try:
        for reader in readers:
            assert reader.stdin is not None
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
            reader.stdin.write("\n")
            reader.stdin.flush()
        for number in range(batches):
            play(make_run(store, f"r{number}", [make_case()]), make_case())
            assert index.catch_up(wait=5).events
        waits = [float(reader.communicate(timeout=20)[0]) for reader in readers]
    finally:
        for reader in readers:
            reader.kill()
            reader.wait()
    assert [reader.returncode for reader in readers] == [0, 0]
    assert max(waits) < 5
    grown = hashes(index)
    index.rebuild()
    assert hashes(index) == grown
