"""What a store needs no more is given back, and nothing else."""

import os
import time
from pathlib import Path

import pytest

from iwtui.archive import compacting
from iwtui.archive.compacting import STALE, compact, size_of
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.events import BrowserStepped
from tests.support.equal_tables import whole_tables
from tests.support.stores import make_case, make_run, make_store, play

PICTURE = 400_000


def filled(store: Store, run: str, pictures: int) -> None:
    """A run with pictures that are no other's."""
    folder = make_run(store, run, [make_case()])
    with folder.record_episode(play(folder, make_case(), end=None)) as log:
        for number in range(pictures):
            picture = log.blobs.put(os.urandom(PICTURE))
            log.append(BrowserStepped(phase="verify", step=number, action="look", picture=picture), 5)


def live(store: Store) -> int:
    """The bytes of logs and blobs: what nothing else could be made from."""
    return size_of(store.root / "runs") + size_of(store.root / "blobs")


def test_after_half_was_removed_the_store_is_as_large_as_what_is_left(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    for run in ("a", "b", "c", "d"):
        filled(store, run, 40)
    index = Index(store)
    index.catch_up()
    full = size_of(store.root)
    kept = whole_tables(store, "a")
    for run in ("b", "d"):
        store.remove_run(run)
    done = compact(store, index)
    assert not done.busy and done.blobs >= 80
    # The index may grow by a few of its blocks meanwhile.
    assert done.before - done.after >= 79 * PICTURE and done.after == size_of(store.root)
    assert size_of(store.root) <= 1.2 * live(store)
    assert live(store) <= 0.55 * full
    assert whole_tables(store, "a") == kept and store.runs() == ["a", "c"]


def test_the_index_is_hardly_larger_than_one_that_is_new(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store")
    folder = make_run(store, "long", [make_case(f"s{number}") for number in range(100)])
    for case in folder.cases.values():
        play(folder, case, actions="CIV" * 12)
    index = Index(store)
    index.catch_up()
    store.remove_run("long")
    compact(store, index)
    compacted = index.path.stat().st_size
    index.rebuild()
    assert compacted <= 1.15 * index.path.stat().st_size


def test_an_index_that_is_made_anew_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make_store(tmp_path / "store")
    index = Index(store)
    index.catch_up()
    before = whole_tables(store, "policies")
    assert not compact(store, index).rebuilt
    monkeypatch.setattr(compacting, "MOST_FREE", -1.0)
    assert compact(store, index).rebuilt
    assert whole_tables(store, "policies") == before


def test_what_a_break_left_goes_once_it_is_old(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store")
    blob = next(store.blobs.addresses())
    leavings = [
        store.root / "runs" / ".removed-x-1" / "run.json",
        store.root / "runs" / ".new-x-2" / "run.json",
        store.blobs.path(blob).with_name(f".{blob}.123.4"),
    ]
    for file in leavings:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"x" * 1000)
    assert compact(store, Index(store)).leavings == 1
    assert [file.exists() for file in leavings] == [False, True, True]
    long_ago = time.time() - STALE - 60
    for path in (leavings[1].parent, leavings[2]):
        os.utime(path, (long_ago, long_ago))
    assert compact(store, Index(store)).leavings == 2
    assert not any(file.exists() for file in leavings) and store.blobs.get(blob)


def test_while_a_log_is_being_written_no_blob_goes(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store")
    loose = store.blobs.put(b"not named yet")
    folder = store.run("policies")
    with folder.record_episode(folder.episodes()[-1]):
        assert compact(store, Index(store)).busy
        assert store.blobs.get(loose)
    assert compact(store, Index(store)).blobs == 1


def test_a_store_without_an_index_stays_without_one(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store")
    done = compact(store, Index(store))
    assert not done.rebuilt and not Index(store).path.exists()
