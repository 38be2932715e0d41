"""Whatever a model calls its files, they land inside the workspace or nowhere, and come back byte for byte."""

import base64
import hashlib
import os
import socket
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iwtui.bench.events import Blob, Refusal
from iwtui.bench.manifest import decode_manifest, encode_manifest
from iwtui.web import workspace
from iwtui.web.workspace import Workspace, lines_of_code, safe_path

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


class Memory:
    """Blobs in memory; `puts` counts what was stored."""

    def __init__(self) -> None:
        self.kept: dict[Blob, bytes] = {}
        self.puts = 0

    def put(self, content: bytes) -> Blob:
        self.puts += 1
        blob = hashlib.sha256(content).hexdigest()
        self.kept[blob] = content
        return blob

    def get(self, blob: Blob) -> bytes:
        return self.kept[blob]


@pytest.fixture
def blobs() -> Memory:
    return Memory()


@pytest.fixture
def site(tmp_path: Path, blobs: Memory) -> Workspace:
    return Workspace(tmp_path / "outer/site", blobs)


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def outside(site: Workspace) -> set[tuple[str, int, int]]:
    """Name, inode and time of change of all that stands around the workspace."""
    around = site.root.parent.parent
    return {
        (str(path), path.lstat().st_ino, path.lstat().st_mtime_ns)
        for path in around.rglob("*")
        if not path.is_relative_to(site.root)
    }


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "src/../../x",
        "a/./../../x",
        "/etc/x",
        "C:\\Users\\x",
        "c:x",
        "\\\\host\\s",
        "~/x",
        "~root/x",
        "/home/project/../x",
        "/home/projectile/x",
        "",
        ".",
        "a/..",
        "src/",
        "/home/project",
        "/home/project/",
        "a\nb",
        "a\0b",
        "\x1b[2J",
        "\ud800",
        "n" * 300,
        "é" * 128,
        "/".join(["deep" * 20] * 20),
        "node_modules/x/index.js",
        ".git/hooks/pre-commit",
        "..\\x",
    ],
)
def test_a_path_that_leads_astray_is_refused_with_a_reason(site: Workspace, path: str) -> None:
    before = outside(site)
    (refusal,) = site.write([(path, "x")])
    assert refusal.reason and refusal.path.encode() is not None
    assert files(site.root) == {} and outside(site) == before


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("%2e%2e/x", "%2e%2e/x"),
        ("/home/project/src/a.js", "src/a.js"),
        ("src\\u0061\\b.ts", "src/u0061/b.ts"),
        ("src\\components\\App.tsx", "src/components/App.tsx"),
        ("./src//./a/../b.js", "src/b.js"),
        (".env", ".env"),
        ("con", "con"),
        ("trailing.", "trailing."),
        ("with space ", "with space "),
        ("n" * 255, "n" * 255),
        ("~backup", "~backup"),
        ("src/[id]/page.tsx", "src/[id]/page.tsx"),
    ],
)
def test_an_honest_name_is_kept_as_it_is(site: Workspace, given: str, kept: str) -> None:
    assert site.write([(given, "x")]) == ()
    assert files(site.root) == {kept: b"x"}
    manifest, changes = site.scan({})
    assert list(manifest) == [kept] and changes[0].path == kept


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.sampled_from("./\\~ab:%\0\n é"), max_size=12))
def test_no_name_at_all_leads_out(path: str) -> None:
    safe = safe_path(path)
    if isinstance(safe, Refusal):
        return
    root = "/some/root"
    assert os.path.normpath(f"{root}/{safe}") == f"{root}/{safe}"
    assert safe_path(safe) == safe


def test_composed_and_decomposed_twins_stand_apart(site: Workspace, blobs: Memory) -> None:
    composed, decomposed = (unicodedata.normalize(form, "é.txt") for form in ("NFC", "NFD"))
    assert site.write([(composed, "one"), (decomposed, "two")]) == ()
    manifest, _ = site.scan({})
    if len(manifest) == 1:
        pytest.skip("this file system takes them for one name")
    site.restore(manifest)
    assert files(site.root) == {composed: b"one", decomposed: b"two"}


def test_links_are_never_written_through(site: Workspace, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("key")
    (site.root / "folder").symlink_to(secret)
    (site.root / "file").symlink_to(secret / "key")
    before = outside(site)
    refused = site.write([("folder/key", "stolen"), ("file", "mine")])
    assert [refusal.path for refusal in refused] == ["folder/key"]
    assert (secret / "key").read_text() == "key" and outside(site) == before
    assert (site.root / "file").read_text() == "mine" and not (site.root / "file").is_symlink()


def test_links_out_and_special_files_are_left_out_of_a_scan(site: Workspace, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("key")
    site.write([("a.txt", "a"), ("sub/b.txt", "b")])
    for name, target in {
        "out": tmp_path / "key",
        "out2": Path("../../key"),
        "gone": Path("nothing"),
        "loop": Path("loop"),
    }.items():
        (site.root / name).symlink_to(target)
    (site.root / "in").symlink_to("sub/b.txt")
    (site.root / "around").symlink_to(".")
    os.mkfifo(site.root / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(site.root / "sock"))
    Path(os.fsdecode(os.fsencode(site.root) + b"/\xff\xfe")).write_text("x")
    manifest, _ = site.scan({})
    assert set(manifest) == {"a.txt", "sub/b.txt", "in"}
    assert manifest["in"] == manifest["sub/b.txt"]
    assert len(site.left_out) >= 6 and all(refusal.reason for refusal in site.left_out)
    encode_manifest(manifest)


def test_a_file_where_a_folder_is_and_the_other_way_round_are_refused(site: Workspace) -> None:
    assert site.write([("a", "file"), ("b/c", "file")]) == ()
    refused = site.write([("a/below", "x"), ("b", "x"), ("ok", "x")])
    assert [(refusal.path, "stands" in refusal.reason) for refusal in refused] == [("a/below", True), ("b", True)]
    assert set(files(site.root)) == {"a", "b/c", "ok"}


def test_limits_hold_over_all_writes(site: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "MAX_FILES", 3)
    monkeypatch.setattr(workspace, "MAX_TOTAL", 100)
    monkeypatch.setattr(workspace, "MAX_FILE", 50)
    assert "bytes" in site.write([("big", "é" * 26)])[0].reason
    assert site.write([("a", "x" * 50), ("b", "x" * 50)]) == ()
    assert "100" in site.write([("c", "x")])[0].reason
    assert site.write([("a", "x"), ("c", "x")]) == ()
    assert "3 files" in site.write([("d", "")])[0].reason
    assert site.write([("c", "xx")]) == ()


def test_a_scan_has_limits_and_says_what_they_cost(site: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "MAX_SCANNED_FILE", 10)
    monkeypatch.setattr(workspace, "MAX_SCANNED_TOTAL", 15)
    monkeypatch.setattr(workspace, "MAX_SCANNED_FILES", 2)
    for name, size in {"a": 11, "b": 10, "c": 6, "d": 5, "e": 0}.items():
        (site.root / name).write_bytes(b"x" * size)
    manifest, _ = site.scan({})
    assert set(manifest) == {"b", "d"}
    assert [refusal.path for refusal in site.left_out] == ["a", "c", "e"]


def test_a_scan_tells_what_changed_and_stores_only_what_is_new(site: Workspace, blobs: Memory) -> None:
    site.write([("kept.js", "1\n2\n3\n"), ("cut.js", "\n".join(f"line {n}" for n in range(200))), ("gone.js", "a\nb")])
    first, added = site.scan({})
    assert [(change.path, change.op, change.added, change.removed) for change in added] == [
        ("cut.js", "add", 200, 0),
        ("gone.js", "add", 2, 0),
        ("kept.js", "add", 3, 0),
    ]
    stored = blobs.puts
    (site.root / "gone.js").unlink()
    (site.root / "node_modules/x").mkdir(parents=True)
    (site.root / "node_modules/x/index.js").write_text("x")
    (site.root / "logo.png").write_bytes(PNG)
    site.write([("cut.js", "\n".join([f"line {n}" for n in range(11)] + ["// … rest of the code remains the same"]))])
    second, changes = site.scan(first, elided={"cut.js"})
    assert [(change.path, change.op, change.added, change.removed, change.elided) for change in changes] == [
        ("cut.js", "change", 1, 189, True),
        ("gone.js", "delete", 0, 2, False),
        ("logo.png", "add", 0, 0, False),
    ]
    assert changes[1].blob is None and blobs.puts == stored + 2
    assert site.scan(second) == (second, ())


def test_a_restore_is_exact(site: Workspace, blobs: Memory) -> None:
    site.write([("index.html", "a\r\nb\r"), (".env", "K=1"), ("deep/er/x", ""), ("bom", "\ufeffx")])
    (site.root / "logo.png").write_bytes(PNG)
    manifest, _ = site.scan({})
    before = files(site.root)
    site.write([("index.html", "other"), ("more/new", "x")])
    (site.root / "deep/er/x").unlink()
    (site.root / "deep/er/x").mkdir()
    (site.root / "link").symlink_to("/etc")
    (site.root / "node_modules").mkdir()
    site.restore(decode_manifest(encode_manifest(manifest)))
    assert files(site.root) == before
    assert {path.name for path in site.root.iterdir()} == {"index.html", ".env", "deep", "bom", "logo.png"}
    assert site.scan(manifest)[0] == manifest
    assert Path("/etc/passwd").exists()


def test_a_restore_that_cannot_be_whole_touches_nothing(site: Workspace, blobs: Memory) -> None:
    site.write([("a", "a")])
    manifest, _ = site.scan({})
    for bad in ({"b": ("0" * 64, 1)}, {"../b": manifest["a"]}, {"/b": manifest["a"]}, {"c//d": manifest["a"]}):
        with pytest.raises((LookupError, ValueError)):
            site.restore({**manifest, **bad})
        assert files(site.root) == {"a": b"a"}


def test_huge_hostile_rewrites_are_counted_in_time(site: Workspace) -> None:
    site.write([("a.js", "\n".join("ab"[n % 2] for n in range(300_000)))])
    before, _ = site.scan({})
    site.write([("a.js", "\n".join("abc"[n % 3] for n in range(300_000)))])
    _, (change,) = site.scan(before)
    assert change.added == 100_000 and change.removed == 100_000


def test_lines_of_code_leave_out_what_the_published_count_leaves_out(site: Workspace, blobs: Memory) -> None:
    site.write(
        [
            ("a.js", "1\n\n3"),
            ("package.json", "{\n}\n"),
            ("package-lock.json", "{\n}"),
            ("sub/dist/b.js", "1\n2"),
            ("c.svg", "1"),
        ]
    )
    (site.root / "logo.png").write_bytes(PNG)
    (site.root / "binary").write_bytes(b"a\0\nb\n")
    manifest, _ = site.scan({})
    assert lines_of_code(manifest, blobs) == 3 + 2 + 1
