"""Orders to a run: each is seen once, the oldest first, and a file that is none harms nobody."""

from pathlib import Path

import msgspec

from iwtui.archive.control import MAX_ORDER, give, new_orders, ulid
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.names import episode_name
from tests.support.stores import make_case, make_run


def made(root: Path) -> RunFolder:
    return make_run(Store(root), "r", [make_case()])


def test_an_order_is_there_until_it_is_taken(tmp_path: Path) -> None:
    folder = made(tmp_path)
    episode = episode_name("r", "bakery_P-MIN", "scripted/blind", 1, 1)
    given = [give(folder, "pause"), give(folder, "cancel", episode), give(folder, "go on")]
    found = new_orders(folder).given
    assert sorted(one.order.what for one in found) == ["cancel", "go on", "pause"]
    assert {one.order.episode for one in found} == {None, str(episode)}
    found[0].take()
    assert [one.taken for one in given].count(True) == 1
    assert new_orders(folder).given == found[1:]


def test_names_sort_by_time() -> None:
    names = [ulid(t) for t in (0.0, 1.0, 1_800_000_000.0, 1_800_000_000.001)]
    assert names == sorted(names)
    assert {len(name) for name in names} == {26}
    assert len({ulid(5.0) for _ in range(100)}) == 100


def test_a_file_that_is_no_order_is_set_aside_and_told_of(tmp_path: Path) -> None:
    folder = made(tmp_path)
    control = folder.path / "control"
    (control / "a.json").write_bytes(b'{"what": "delete everything", "t": 1}')
    (control / "b.json").write_bytes(b'{"what": "pause", "t": 1, "episode": "' + b"x" * MAX_ORDER + b'"}')
    (control / "c.json").mkdir()
    (control / ".d.json.1.0").write_bytes(b"half")
    (control / "e.json").write_bytes(msgspec.json.encode({"what": "pause", "t": 1.0}))
    new = new_orders(folder)
    assert [given.file.name for given in new.given] == ["e.json"]
    assert len(new.problems) == 3
    assert new_orders(folder).problems == ()


def test_a_run_of_an_older_store_has_no_folder_for_orders_yet(tmp_path: Path) -> None:
    folder = made(tmp_path)
    (folder.path / "control").rmdir()
    assert new_orders(folder).given == ()
    assert not give(folder, "pause").taken
