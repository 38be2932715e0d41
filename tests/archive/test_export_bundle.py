"""A bundle moves a run from one store to another, whole; and whoever made it, it does no harm."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from iwtui.archive.blobs import BlobStore
from iwtui.archive.errors import StoreError
from iwtui.archive.exporters.bundle import write_bundle
from iwtui.archive.exporters.leaving import gather, look_for_secrets
from iwtui.archive.exporters.named import named_blobs
from iwtui.archive.importers import bundle as bundles
from iwtui.archive.importers.bundle import import_bundle, is_zip
from iwtui.archive.run_files import run_files
from iwtui.archive.store import Store
from iwtui.bench.events import BrowserStepped, FilesChanged, ModelCalled
from iwtui.bench.fold import Message
from iwtui.bench.longtext import keep
from iwtui.bench.manifest import encode_manifest
from tests.support.equal_tables import whole_tables
from tests.support.stores import make_case, make_run, make_store, play

ANNOTATION = {"kind": "Overridden", "episode": "policies/bakery0_P-MIN.scripted-blind.r1.a1", "slot": 1, "verdict": "passed"}
OTHER = {"kind": "Noted", "episode": "fork/bakery0_P-MIN.scripted-blind.r1.a1", "text": "not of this run"}


def bundle(store: Store, run: str, target: Path) -> Path:
    leaving = gather(store.run(run))
    write_bundle(leaving, look_for_secrets(leaving, {}), target)
    return target


def tree(root: Path) -> dict[str, str]:
    """Every file but locks and the index."""
    files = (file for file in root.rglob("*") if file.is_file() and "duckdb" not in file.name)
    digests = {str(file.relative_to(root)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    return {name: digest for name, digest in digests.items() if not name.endswith((".lock", ".writers"))}


def annotate(store: Store, *lines: object) -> None:
    folder = store.root / "annotations"
    folder.mkdir(exist_ok=True)
    whole = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    (folder / "kim-host-01J.jsonl").write_bytes(whole + b'{"torn": "policies/')


@pytest.fixture
def made(tmp_path: Path) -> Store:
    return make_store(tmp_path / "made")


@pytest.fixture
def other(tmp_path: Path) -> Store:
    return Store(tmp_path / "other")


def test_a_moved_run_has_equal_tables_and_equal_pictures(made: Store, other: Store, tmp_path: Path) -> None:
    done = import_bundle(bundle(made, "policies", tmp_path / "b.zip"), other)
    assert (done.run, done.added, done.missing) == ("policies", True, ())
    there = whole_tables(other, "policies")
    assert there == whole_tables(made, "policies")
    assert all(there[name] for name in ("episodes", "verdicts", "turns", "browser_steps", "events", "calls", "case_slots"))
    shown = {blob for row in there["browser_steps"] for blob in row if isinstance(blob, str) and len(blob) == 64}
    assert shown and all(other.blobs.get(blob) == made.blobs.get(blob) for blob in shown)


def test_it_holds_what_the_events_name_and_nothing_else(tmp_path: Path, other: Store) -> None:
    store = Store(tmp_path / "made")
    folder = make_run(store, "r", [make_case()])
    put = store.blobs.put
    page, picture, marks, long, loose = (put(text) for text in (b"page", b"picture", b"[]", b"x" * 3000, b"loose"))
    manifest = put(encode_manifest({"index.html": (page, 4)}))
    shown = put(b"shown to a model")
    request = put(msgspec.json.encode(Message("user", keep(store.blobs, "y" * 3000), shown)))
    quoted = put(b"only quoted")
    with folder.record_episode(play(folder, make_case(), end=None)) as log:
        log.append(FilesChanged(manifest=manifest, files=1, lines=1), 5)
        log.append(BrowserStepped(phase="verify", step=1, action="x", picture=picture, marks=marks, result=quoted), 5)
        log.append(
            ModelCalled(role="builder", model="m", ordinal=0, request=(request,), reply=keep(store.blobs, "x" * 3000)), 5
        )
    named = named_blobs(run_files(folder), store.blobs)
    assert not named.missing
    assert {page, picture, marks, long, manifest, shown, request} <= named.blobs.keys()
    assert not {loose, quoted} & named.blobs.keys()
    import_bundle(bundle(store, "r", tmp_path / "b.zip"), other)
    assert set(other.blobs.addresses()) == named.blobs.keys()


def test_the_same_run_gives_the_same_bytes_and_twice_is_once(made: Store, other: Store, tmp_path: Path) -> None:
    first, second = bundle(made, "policies", tmp_path / "1.zip"), bundle(made, "policies", tmp_path / "2.zip")
    assert first.read_bytes() == second.read_bytes()
    import_bundle(first, other)
    before = tree(other.root)
    again = import_bundle(second, other)
    assert (again.run, again.added, again.blobs, again.annotations) == ("policies", False, 0, 0)
    assert tree(other.root) == before
    back = import_bundle(bundle(other, "policies", tmp_path / "3.zip"), made)
    assert not back.added and (tmp_path / "3.zip").read_bytes() == first.read_bytes()


def test_a_lost_blob_is_whole_again_after_a_second_import(made: Store, other: Store, tmp_path: Path) -> None:
    file = bundle(made, "policies", tmp_path / "b.zip")
    import_bundle(file, other)
    blob = next(other.blobs.addresses())
    other.blobs.path(blob).unlink()
    assert import_bundle(file, other).blobs == 1
    assert other.blobs.get(blob) == made.blobs.get(blob)


def test_another_run_of_the_same_name_is_kept_apart(made: Store, other: Store, tmp_path: Path) -> None:
    make_run(other, "policies", [make_case("other")])
    before = tree(other.root)
    annotate(made, ANNOTATION)
    file = bundle(made, "policies", tmp_path / "b.zip")
    done = import_bundle(file, other)
    assert done.added and done.named == "policies" and done.run.startswith("policies-")
    assert other.run(done.run).plan.run == done.run
    assert before.items() <= tree(other.root).items()
    assert import_bundle(file, other).run == done.run and len(other.runs()) == 2
    (lines,) = [file.read_text() for file in (other.root / "annotations").glob("*.jsonl")]
    assert json.loads(lines)["episode"].startswith(f"{done.run}/")
    here, there = whole_tables(made, "policies")["verdicts"], whole_tables(other, done.run)["verdicts"]
    assert len(here) == len(there) > 0


def test_annotations_come_with_their_run_and_are_merged(made: Store, other: Store, tmp_path: Path) -> None:
    annotate(made, ANNOTATION, OTHER)
    first = import_bundle(bundle(made, "policies", tmp_path / "1.zip"), other)
    assert first.annotations == 1
    more = {**ANNOTATION, "slot": 2}
    annotate(made, ANNOTATION, OTHER, more)
    second = import_bundle(bundle(made, "policies", tmp_path / "2.zip"), other)
    assert (second.added, second.annotations) == (False, 1)
    lines = [json.loads(line) for file in (other.root / "annotations").iterdir() for line in file.read_text().splitlines()]
    assert sorted(line["slot"] for line in lines) == [1, 2]
    assert import_bundle(tmp_path / "1.zip", other).annotations == 0


def test_annotations_about_other_runs_are_not_brought_in(made: Store, other: Store, tmp_path: Path) -> None:
    annotate(made, ANNOTATION)
    file = bundle(made, "policies", tmp_path / "b.zip")
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    (mine,) = (name for name in members if name.startswith("annotations/"))
    sly = {"episode": "mine/x", "note": "policies/x"}
    foul = b"no json policies/\n" + b"".join(msgspec.json.encode(line) + b"\n" for line in (OTHER, sly, ANNOTATION, [1]))
    _listed(mine, foul)(members)
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    assert import_bundle(file, other).annotations == 1
    (lines,) = [file.read_bytes() for file in (other.root / "annotations").glob("*.jsonl")]
    assert json.loads(lines) == ANNOTATION


def test_a_log_that_is_being_written_leaves_whole_lines_only(made: Store, other: Store, tmp_path: Path) -> None:
    folder = made.run("policies")
    running = next(name for name in folder.episodes() if name.case == "bakery9_P-MIN")
    log = folder.episode_log(running)
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"v":1,"seq":99')
    import_bundle(bundle(made, "policies", tmp_path / "b.zip"), other)
    assert other.run("policies").episode_log(running).read_bytes() == whole


def test_a_lost_blob_is_said_and_the_rest_is_written(made: Store, other: Store, tmp_path: Path) -> None:
    picture = made.blobs.put(b"picture")
    made.blobs.path(picture).unlink()
    done = import_bundle(bundle(made, "policies", tmp_path / "b.zip"), other)
    assert done.missing == (picture,)
    assert whole_tables(other, "policies") == whole_tables(made, "policies")


Change = Callable[[dict[str, bytes]], None]


def _manifest(**changes: object) -> Change:
    def change(members: dict[str, bytes]) -> None:
        whole = json.loads(members["iwtui-bundle.json"])
        members["iwtui-bundle.json"] = json.dumps({**whole, **changes}).encode()

    return change


def _listed(name: str, content: bytes) -> Change:
    """A member with its true hash in the manifest."""

    def change(members: dict[str, bytes]) -> None:
        whole = json.loads(members["iwtui-bundle.json"])
        whole["files"][name] = hashlib.sha256(content).hexdigest()
        members[name] = content
        members["iwtui-bundle.json"] = json.dumps(whole).encode()

    return change


def _without(begins: str) -> Change:
    def change(members: dict[str, bytes]) -> None:
        del members[next(name for name in members if name.startswith(begins))]

    return change


def _blob(members: dict[str, bytes]) -> str:
    return next(name for name in members if name.startswith("blobs/"))


HOSTILE: dict[str, Change] = {
    "a path out of the store": lambda m: m.update({"run/episodes/../../../../evil.jsonl": b"x"}),
    "an absolute path": lambda m: m.update({"/etc/evil": b"x"}),
    "a path with a backslash": lambda m: m.update({"run\\episodes\\evil.jsonl": b"x"}),
    "a hidden file": lambda m: m.update({"annotations/.evil.jsonl": b"x"}),
    "a listed path out of the store": _listed("annotations/../../evil.jsonl", b"x"),
    "a blob under another address": lambda m: m.update({_blob(m): b"other bytes"}),
    "a blob too many": lambda m: m.update(
        {f"blobs/{hashlib.sha256(b'x').hexdigest()[:2]}/{hashlib.sha256(b'x').hexdigest()}": b"x"}
    ),
    "a blob in the wrong folder": lambda m: m.update({f"blobs/zz/{hashlib.sha256(b'x').hexdigest()}": b"x"}),
    "a log that was changed": lambda m: m.update({next(n for n in m if "/episodes/" in n): b"{}\n"}),
    "a log that is gone": _without("run/episodes/"),
    "a member that is not listed": lambda m: m.update({"annotations/x.jsonl": b"{}\n"}),
    "no run.json": _without("run/run.json"),
    "a run.json that is none": _listed("run/run.json", b"[]"),
    "a run.json nested too deep": _listed("run/run.json", b"[" * 100_000),
    "cases that are none": _listed("run/cases.jsonl", b"no case\n"),
    "the run.json of another run": _manifest(run="another"),
    "a run with a path for a name": _manifest(run="../evil"),
    "a manifest of a newer version": _manifest(version=99),
    "a manifest of another program": _manifest(format="other"),
    "a manifest that is none": lambda m: m.update({"iwtui-bundle.json": b"{"}),
    "no manifest": _without("iwtui-bundle.json"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_of_a_bundle_that_is_not_right_nothing_is_taken(made: Store, tmp_path: Path, kind: str) -> None:
    target = make_store(tmp_path / "deep" / "down" / "other")
    with zipfile.ZipFile(bundle(made, "policies", tmp_path / "b.zip")) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    HOSTILE[kind](members)
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    target.remove_run("policies")
    before = tree(tmp_path)
    with pytest.raises(StoreError, match="nothing was imported"):
        import_bundle(tmp_path / "b.zip", target)
    assert tree(tmp_path) == before


def test_members_that_stand_there_twice_are_refused(made: Store, other: Store, tmp_path: Path) -> None:
    file = bundle(made, "policies", tmp_path / "b.zip")
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning):
        archive.writestr("run/run.json", b"{}")
    with pytest.raises(StoreError, match="twice"):
        import_bundle(file, other)
    assert not other.root.exists()


@pytest.mark.parametrize("limit", ["MAX_MEMBER", "MAX_TOTAL", "MAX_WHOLE", "MAX_MEMBERS"])
def test_what_would_unpack_to_too_much_is_refused_before_it_is_unpacked(
    made: Store, other: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    folder = made.run("policies")
    zeros = made.blobs.put(b"0" * 5_000_000)
    with folder.record_episode(folder.episodes()[-1]) as log:
        log.append(BrowserStepped(phase="verify", step=1, action="x", picture=zeros), 9)
    file = bundle(made, "policies", tmp_path / "b.zip")
    assert file.stat().st_size < 1_000_000
    monkeypatch.setattr(bundles, limit, {"MAX_MEMBERS": 5, "MAX_WHOLE": 10}.get(limit, 4_000_000))
    with pytest.raises(StoreError, match=r"more than .* nothing was imported"):
        import_bundle(file, other)
    assert not other.root.exists()


def test_a_disk_without_room_is_noticed_first(
    made: Store, other: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundles, "SPARE", 1 << 60)
    with pytest.raises(StoreError, match="MB left"):
        import_bundle(bundle(made, "policies", tmp_path / "b.zip"), other)
    assert not other.root.exists()


def test_a_file_cut_at_any_place_is_refused(made: Store, other: Store, tmp_path: Path) -> None:
    whole = bundle(made, "fork", tmp_path / "b.zip").read_bytes()
    for size in range(0, len(whole), max(1, len(whole) // 40)):
        (tmp_path / "cut.zip").write_bytes(whole[:size])
        with pytest.raises(StoreError):
            import_bundle(tmp_path / "cut.zip", other)
    assert not other.root.exists()


def test_a_byte_that_fell_over_is_noticed_or_does_not_matter(made: Store, tmp_path: Path) -> None:
    whole = bundle(made, "fork", tmp_path / "b.zip").read_bytes()
    refused = 0
    for place in range(30, len(whole), max(1, len(whole) // 60)):
        changed = bytearray(whole)
        changed[place] ^= 0x55
        (tmp_path / "b.zip").write_bytes(changed)
        target = Store(tmp_path / f"at-{place}")
        try:
            import_bundle(tmp_path / "b.zip", target)
        except StoreError:
            refused += 1
            assert not target.root.exists()
        else:  # one that no reader of zip files heeds, such as a byte of a time
            assert whole_tables(target, "fork") == whole_tables(made, "fork")
    assert refused > 40


@pytest.mark.parametrize("at", [0, 2, 5])
def test_an_import_that_breaks_off_leaves_nothing(
    made: Store, other: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    make_run(other, "there", [make_case()])
    file = bundle(made, "policies", tmp_path / "b.zip")
    before = tree(other.root)
    put, calls = BlobStore.put, iter(range(10_000))

    def failing(self: BlobStore, content: bytes) -> str:
        if next(calls) == at:
            raise OSError(28, "No space left on device")
        return put(self, content)

    monkeypatch.setattr(BlobStore, "put", failing)
    with pytest.raises(OSError, match="No space"):
        import_bundle(file, other)
    assert tree(other.root) == before


def test_a_run_that_cannot_be_put_in_place_leaves_nothing(
    made: Store, other: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(other, "there", [make_case()])
    before = tree(other.root)

    def full(path: Path, pieces: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bundles, "_write", full)
    with pytest.raises(OSError, match="No space"):
        import_bundle(bundle(made, "policies", tmp_path / "b.zip"), other)
    assert tree(other.root) == before and other.runs() == ["there"]


def test_nothing_is_swept_while_a_bundle_comes_in(
    made: Store, other: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = bundles._put_run
    swept: list[bool] = []

    def swept_before(*given: object) -> None:
        swept.append(other.collect_blobs().busy)
        place(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(bundles, "_put_run", swept_before)
    import_bundle(bundle(made, "policies", tmp_path / "b.zip"), other)
    assert swept == [True]
    assert other.collect_blobs().blobs == 0


def test_only_a_zip_file_is_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_bytes(b"no zip")
    assert not is_zip(tmp_path / "x.tar") and not is_zip(tmp_path) and not is_zip(tmp_path / "missing")
