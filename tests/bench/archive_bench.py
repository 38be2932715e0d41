"""Speed of the store: appending with a flush to the disk each turn, catching the index up, decoding a long log."""

import itertools
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from iwtui.archive.index import Index
from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.codec import decode, encode
from iwtui.bench.events import (
    ActionChosen,
    BrowserStepped,
    CommandRan,
    EpisodeEnded,
    FileChange,
    FilesChanged,
    Known,
    ModelCalled,
    Record,
    TurnStarted,
)
from iwtui.bench.names import episode_name
from tests.support.stores import make_case, make_run

TURN = 20
"""Events in a turn."""

EVENTS = 10_000
LOG_BYTES = 60_000_000


def bench() -> dict[str, float]:
    """Events appended a second; seconds to index 10,000 events; decoding 60 MB: seconds, and as a share of json.loads."""
    with tempfile.TemporaryDirectory() as folder:
        return _append(Path(folder)) | _catch_up(Path(folder)) | _decode()


def _append(root: Path) -> dict[str, float]:
    blobs = Store(root).blobs
    began = time.perf_counter()
    with LogWriter(root / "append.jsonl", blobs) as log:
        for number, event in enumerate(itertools.islice(_events(), 2_000)):
            log.append(event, number // TURN + 1)
            if number % TURN == TURN - 1:
                log.sync()
    return {"appended_per_second": 2_000 / (time.perf_counter() - began)}


def _catch_up(root: Path) -> dict[str, float]:
    store = Store(root / "store")
    cases = [make_case(f"seed{number}") for number in range(20)]
    folder = make_run(store, "r", cases)
    for case in cases:
        path = folder.episode_log(episode_name("r", case.id, "scripted/blind", 1, 1))
        with LogWriter(path, store.blobs) as log:
            for number, event in enumerate(itertools.islice(_events(), EVENTS // len(cases) - 1)):
                log.append(event, number // TURN + 1)
            log.append(EpisodeEnded(status="crashed", stop_reason="site"), 25)
    index = Index(store)
    index.catch_up(budget=0)  # the tables are made
    done = index.rebuild()
    assert done.events == EVENTS
    return {"indexed_10000_events_s": done.seconds, "rebuilt_events_per_second": done.events / done.seconds}


def _decode() -> dict[str, float]:
    batch = [
        encode(Record(number, 1.8e9, number // TURN, event)) for number, event in enumerate(itertools.islice(_events(), 500))
    ]
    lines = batch * (LOG_BYTES // sum(map(len, batch)) + 1)
    ours, theirs = [], []
    for _ in range(5):
        ours.append(_seconds(lines, decode))
        theirs.append(_seconds(lines, json.loads))
    mine, other = min(ours), min(theirs)  # the least disturbed rounds
    return {"decode_60mb_s": mine, "json_loads_60mb_s": other, "decode_ratio": mine / other}


def _seconds(lines: list[bytes], read: object) -> float:
    assert callable(read)
    began = time.perf_counter()
    for line in lines:
        read(line)
    return time.perf_counter() - began


def _events() -> Iterator[Known]:
    """Turns of an episode with texts as long as they are in life, without end."""
    for turn in itertools.count(1):
        yield TurnStarted(message=f"Go on with turn {turn}. " + "The page lacks its heading. " * 10)
        yield ModelCalled(
            role="builder",
            model="scripted/blind",
            ordinal=0,
            request=("a" * 64,) * (2 * turn % 50),
            reply="<p>code</p>" * 150,
            tokens_in=1000,
            tokens_out=500,
        )
        yield ActionChosen(
            action="implement", stood=("implement",), files=("index.html", "main.js"), prose="I build it. " * 20
        )
        changes = tuple(FileChange(f"src/part{number}.js", "change", "b" * 64, 900, 3, 2) for number in range(8))
        yield FilesChanged(manifest="c" * 64, files=12, lines=400, changes=changes)
        yield CommandRan(command="npm install", exit_code=0, seconds=1.0, output="added 12 packages\n" * 8)
        for step in range(TURN - 5):
            yield BrowserStepped(
                phase="verify",
                step=step,
                action="click",
                target="Add to basket",
                thought="The button should raise the number. " * 6,
                result="clicked",
                url="http://localhost:4173/",
                picture="d" * 64,
                marks="e" * 64,
                marks_count=30,
            )
