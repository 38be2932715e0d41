"""What is read from a package.json: the script that serves, its port, and what an installation is known by."""

import json
from pathlib import Path

import pytest

from iwtui.web.node import Node
from iwtui.web.package import Package, PackageFaultError, read_package

NODE = Node(Path("/usr/bin/node"), Path("/usr/lib/npm-cli.js"), "v20.1.0", "11.0.0")


def written(root: Path, **about: object) -> Package:
    (root / "package.json").write_text(json.dumps(about))
    return read_package(root)


@pytest.mark.parametrize(
    ("script", "command"),
    [
        ("vite", "vite --port 5000 --host 127.0.0.1 --strictPort"),
        ("vite dev --open", "vite dev --open --port 5000 --host 127.0.0.1 --strictPort"),
        ("cross-env A=b npx vite", "cross-env A=b npx vite --port 5000 --host 127.0.0.1 --strictPort"),
        ("vite build", "vite build"),
        ("vite build && vite preview", "vite build && vite preview"),
        ("node server.js", "node server.js"),
        ("next dev", "next dev --port 5000 --hostname 127.0.0.1"),
        ("webpack --watch", "webpack --watch"),
        ("concurrently 'vite' 'node api.js'", "concurrently 'vite' 'node api.js'"),
    ],
)
def test_only_a_plain_command_is_told_the_port(tmp_path: Path, script: str, command: str) -> None:
    assert written(tmp_path, scripts={"dev": script}).command(5000) == command


def test_dev_is_run_before_start_and_after_what_comes_before_it(tmp_path: Path) -> None:
    package = written(tmp_path, scripts={"start": "node a.js", "dev": "node b.js", "predev": "node c.js"})
    assert (package.script, package.command(1)) == ("dev", "node c.js && node b.js")
    assert written(tmp_path, scripts={"start": "node a.js", "dev": ""}).script == "start"
    assert written(tmp_path, scripts=[1]).script is None


def test_the_key_changes_with_what_an_installation_depends_on_and_with_nothing_else(tmp_path: Path) -> None:
    base = {"dependencies": {"a": "1"}, "scripts": {"dev": "x"}}
    key = written(tmp_path, **base).key(NODE)
    assert written(tmp_path, **base, name="other", version="3").key(NODE) == key
    assert written(tmp_path, **(base | {"scripts": {}})).key(NODE) == key
    others = {
        written(tmp_path, **(base | change)).key(NODE)
        for change in ({"dependencies": {"a": "2"}}, {"devDependencies": {"b": "1"}}, {"overrides": {"a": "3"}})
    }
    again = written(tmp_path, **base)
    others |= {
        again.key(Node(NODE.executable, NODE.npm, *versions)) for versions in (("v22.0.0", "11.0.0"), ("v20.1.0", "10.0.0"))
    }
    for name, content in (("package-lock.json", "{}"), (".npmrc", "legacy-peer-deps=true")):
        (tmp_path / name).write_text(content)
        others.add(read_package(tmp_path).key(NODE))
    assert len(others | {key}) == 8


def test_settings_that_lead_npm_elsewhere_are_left_out(tmp_path: Path) -> None:
    (tmp_path / ".npmrc").write_text("git=/home/project/evil\nlegacy-peer-deps = true\nregistry=http://evil\ncache=/x\n")
    assert written(tmp_path).settings == "legacy-peer-deps = true"


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff\xfe", b"[" * 50_000, b'"' + b"x" * 1_100_000 + b'"'])
def test_what_npm_cannot_read_is_the_sites_fault(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "package.json").write_bytes(content)
    with pytest.raises(PackageFaultError, match=r"package\.json"):
        read_package(tmp_path)


def test_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("{}")
    (tmp_path / "package.json").symlink_to("secret")
    with pytest.raises(PackageFaultError):
        read_package(tmp_path)
