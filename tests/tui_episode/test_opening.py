"""Reading logs into a view, and files out of blobs that may be missing or no text."""

from pathlib import Path

import pytest

from iwtui.archive.errors import RunMissingError
from iwtui.archive.following import Growth
from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.events import Controlled
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.names import episode_name
from iwtui.tui import opening
from iwtui.tui.opening import Opened, read_file, read_manifest, read_texts
from tests.support.stores import F, P, judge, make_case, make_run, make_store, play

LOST = "0" * 64


def test_it_comes_to_what_the_archive_folds(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    for run in map(store.run, store.runs()):
        for name in run.episodes():
            opened = Opened(store, name)
            opened.read_all()
            primary = run.primary_judging(name)
            assert opened.view.latest == run.fold_episode(name)
            assert (opened.view.judging_name, opened.view.judging) == (primary or ("", None))


def test_what_comes_later_is_read_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="C", end=None)
    opened = Opened(store, name)
    opened.read_all()
    before = len(opened.view.rows)
    with LogWriter(folder.episode_log(name), folder.blobs) as log:
        log.append(Controlled(what="pause"), 1)
    opened.take(opened.logs.poll().growths)
    opened.take(opened.logs.poll().growths)
    assert len(opened.view.rows) == before + 1


def test_another_log_in_the_place_of_one_makes_what_came_before_void(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="CIVS")
    judge(folder, name, (P, P, P, P))
    opened = Opened(store, name)
    opened.read_all()
    other = play(folder, case, builder="other", actions="C", end=None)
    judge(folder, other, (F,), status=None)
    again = Opened(store, other)
    again.read_all()
    records = tuple(record for record in (again.view._episode.track.records))
    opened.take([Growth(name, "", records, restarted=True)])
    assert opened.view.latest == folder.fold_episode(other)
    judged = tuple(again.view._shown.track.records)
    opened.take([Growth(name, "checks", judged, restarted=True)])
    assert opened.view.judging == folder.fold_judging(other, "checks")


def test_a_run_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunMissingError):
        Opened(Store(tmp_path), episode_name("none", "a", "b", 1, 1))


def test_an_episode_whose_cases_are_damaged_is_shown_all_the_same(tmp_path: Path) -> None:
    store = Store(tmp_path)
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case)
    judge(folder, name, (P, F))
    (folder.path / "cases.jsonl").write_bytes(b"{damaged")
    opened = Opened(store, name)
    opened.read_all()
    assert opened.view.case is None
    assert [slot.verdict for slot in opened.view.slots] == ["passed", "failed"]


def test_files_that_are_no_text_or_lost_are_told_and_long_ones_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blobs = Store(tmp_path).blobs
    text, binary = blobs.put("<p>é\n".encode()), blobs.put(b"\x89PNG\0\0")
    assert read_file(blobs, None, text) == (None, "<p>é\n", "")
    assert read_file(blobs, text, None) == ("<p>é\n", None, "")
    assert "no text: 6 bytes" in read_file(blobs, text, binary).note
    assert "missing" in read_file(blobs, LOST, text).note
    blobs.path(text).write_bytes(b"other")
    assert "damaged" in read_file(blobs, None, text).note
    monkeypatch.setattr(opening, "MOST_CODE", 3)
    assert read_file(blobs, None, blobs.put(b"long"))[:2] == (None, "lon")
    assert "1 more bytes" in read_file(blobs, None, blobs.put(b"long")).note


def test_texts_and_manifests_that_are_lost_are_empty(tmp_path: Path) -> None:
    blobs = Store(tmp_path).blobs
    good, bad = blobs.put("é".encode()), blobs.put(b"\xff")
    assert read_texts(blobs, [good, bad, LOST, "../x"]) == {good: "é", bad: "\ufffd", LOST: "", "../x": ""}
    manifest = {"a": (good, 2)}
    assert read_manifest(blobs, blobs.put(encode_manifest(manifest))) == manifest
    assert read_manifest(blobs, good) == read_manifest(blobs, LOST) == read_manifest(blobs, None) == {}
