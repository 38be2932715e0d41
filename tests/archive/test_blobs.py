import hashlib
import threading
from pathlib import Path

import pytest

from iwtui.archive.blobs import BlobStore
from iwtui.archive.log import LogWriter
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.events import FilesChanged, LongText, TurnStarted
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.names import episode_name
from tests.support.stores import make_case, make_run, make_store, play


def test_bytes_come_back(tmp_path: Path) -> None:
    blobs = BlobStore(tmp_path)
    address = blobs.put(b"\x00\xff")
    assert address == hashlib.sha256(b"\x00\xff").hexdigest()
    assert blobs.get(address) == b"\x00\xff"
    assert blobs.put(b"\x00\xff") == address
    assert list(blobs.addresses()) == [address]


def test_a_damaged_blob_is_said_and_mended_by_putting_it_again(tmp_path: Path) -> None:
    blobs = BlobStore(tmp_path)
    address = blobs.put(b"content")
    blobs.path(address).write_bytes(b"conten")
    with pytest.raises(LookupError, match="damaged"):
        blobs.get(address)
    blobs.put(b"content")
    assert blobs.get(address) == b"content"


def test_a_missing_blob_names_its_file(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match=f"missing: {tmp_path}/ab/ab"):
        BlobStore(tmp_path).get("ab" * 32)


@pytest.mark.parametrize(
    "address", ["", "../../etc/passwd", "A" * 64, "a" * 63, "a" * 64 + "\n", "a" * 31 + "/../" + "a" * 29]
)
def test_what_is_no_address_reaches_no_file(tmp_path: Path, address: str) -> None:
    with pytest.raises(LookupError, match="not the address"):
        BlobStore(tmp_path).get(address)


def test_many_threads_may_put_the_same(tmp_path: Path) -> None:
    blobs = BlobStore(tmp_path)
    threads = [threading.Thread(target=lambda: [blobs.put(bytes([n]) * 100) for n in range(20)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(1 for _ in tmp_path.rglob("*") if _.is_file()) == 20


def record(folder: RunFolder) -> LogWriter:
    return folder.record_episode(episode_name(folder.name, "a", "b", 1, 1))


def test_collecting_keeps_what_is_named_directly_or_within(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder = make_run(store, "r", [make_case()])
    page, text, picture, loose = (store.blobs.put(content) for content in (b"page", b"long", b"picture", b"loose"))
    manifest = store.blobs.put(encode_manifest({"index.html": (page, 4)}))
    message = store.blobs.put(b'[{"picture": "' + picture.encode() + b'"}]')
    with record(folder) as log:
        log.append(FilesChanged(manifest=manifest, files=1, lines=1), 1)
        log.append(TurnStarted(message=LongText(text, 4, "l"), picture=message), 1)
    collected = store.collect_blobs()
    assert (collected.blobs, collected.bytes, collected.busy) == (1, 5, False)
    assert set(store.blobs.addresses()) == {page, text, picture, manifest, message}
    assert loose not in set(store.blobs.addresses())


def test_nothing_is_collected_while_a_log_is_being_written(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder = make_run(store, "r", [make_case()])
    with record(folder) as log:
        address = log.blobs.put(b"not named yet")
        log.sync()
        assert store.collect_blobs().busy
        assert store.blobs.get(address)
    assert store.collect_blobs().blobs == 1


def test_removing_a_run_gives_its_blobs_back_but_not_those_that_others_share(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    before = set(store.blobs.addresses())
    folder = make_run(store, "more", [make_case()])
    play(folder, make_case(), actions="IIII")
    assert set(store.blobs.addresses()) > before
    store.remove_run("more")
    store.collect_blobs()
    assert set(store.blobs.addresses()) == before
    store.remove_run("policies")
    store.remove_run("fork")
    store.collect_blobs()
    assert list(store.blobs.addresses()) == []
