"""`iwtui setup`, `doctor`, `rm`, `index` and `serve`: the machine and the store."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from iwtui.cli import doctor, setup
from iwtui.web.chromium import BrowserMissingError, Chromium
from tests.cli.scribe import Command, Scribe, add_whole

FOUND = Chromium(Path("/opt/chrome"), "system", "150.0.1")


def test_setup_takes_the_browser_that_is_there(iwtui: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "find", lambda _: FOUND)
    monkeypatch.setattr(setup, "install", lambda _: pytest.fail("nothing is to be installed"))
    result = iwtui("setup")
    assert result.exit_code == 0
    assert "/opt/chrome (system, version 150.0.1)" in result.stderr


def test_setup_gets_a_browser_and_says_each_step(iwtui: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def install(report: object) -> Chromium:
        assert callable(report)
        report("playwright install chromium")
        return FOUND

    monkeypatch.setattr(setup, "find", lambda _: None)
    monkeypatch.setattr(setup, "install", install)
    result = iwtui("setup")
    assert result.exit_code == 0
    assert "playwright install chromium" in result.stderr
    assert "/opt/chrome" in result.stderr


def test_setup_that_fails_says_what_to_do(iwtui: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def install(_: object) -> Chromium:
        raise BrowserMissingError("install Chrome yourself")

    monkeypatch.setattr(setup, "find", lambda _: None)
    monkeypatch.setattr(setup, "install", install)
    result = iwtui("setup")
    assert result.exit_code == 2
    assert "install Chrome yourself" in result.stderr


def test_a_healthy_machine(iwtui: Command, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find", lambda _: FOUND)
    iwtui("report")
    result = iwtui("doctor", "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["ok"]) == (0, True)
    about = {finding["about"]: finding for finding in found["findings"]}
    assert {"iwtui", "python", "litellm", "playwright", "duckdb", "polars", "browser", "node", "sandbox", "terminal"} <= set(
        about
    )
    assert "1 run," in about["store"]["value"]
    assert "up to date" in about["index"]["value"]
    assert "/opt/chrome" in iwtui("doctor").stdout


def test_the_files_of_the_settings_are_named(iwtui: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "find", lambda _: FOUND)
    nothing = iwtui("doctor").stdout
    assert f"the defaults; {tmp_path / 'iwtui.toml'} and {tmp_path / 'config' / 'iwtui' / 'iwtui.toml'}" in nothing
    (tmp_path / "iwtui.toml").write_text("jobs = 2\n")
    assert f"from {tmp_path / 'iwtui.toml'}\n" in iwtui("doctor").stdout


def test_what_lacks_has_a_remedy(iwtui: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find", lambda _: None)
    result = iwtui("doctor", "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["ok"]) == (1, False)
    assert all(finding["remedy"] for finding in found["findings"] if finding["state"] != "ok")
    assert "iwtui setup" in iwtui("doctor").stdout


def test_no_node_and_no_sandbox_is_no_fault_yet(iwtui: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find", lambda _: FOUND)
    monkeypatch.setenv("PATH", "")
    result = iwtui("doctor", "--json")
    states = {finding["about"]: finding["state"] for finding in json.loads(result.stdout)["findings"]}
    assert (result.exit_code, states["node"], states["sandbox"]) == (0, "note", "note")


def test_a_browser_that_does_not_start_is_found_out(iwtui: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "find", lambda _: Chromium(Path("/bin/false"), "configured", "1"))
    result = iwtui("doctor", "--launch")
    assert result.exit_code == 1
    assert "does not start" in result.stdout


def test_rm_asks_nobody_and_removes_nothing(iwtui: Command, scribe: Scribe, told: str) -> None:
    assert iwtui("rm", "first").exit_code == 2
    assert scribe.store.runs() == ["first"]


def test_rm_removes_the_run_its_blobs_and_its_rows(iwtui: Command, scribe: Scribe, told: str) -> None:
    add_whole(scribe, "second", " of another run")
    iwtui("report")
    before = len(list(scribe.store.blobs.addresses()))
    result = iwtui("rm", "first", "--yes")
    assert result.exit_code == 0, result.output
    assert scribe.store.runs() == ["second"]
    assert 0 < len(list(scribe.store.blobs.addresses())) < before
    rows = json.loads(iwtui("sql", "select distinct run from events", "--format", "json").stdout)
    assert rows == [{"run": "second"}]


def test_rm_of_a_run_that_is_being_played(iwtui: Command, scribe: Scribe, told: str) -> None:
    with scribe.store.run("first").lock():
        result = iwtui("rm", "first", "--yes")
    assert result.exit_code == 2
    assert str(os.getpid()) in result.stderr
    assert scribe.store.runs() == ["first"]


def test_the_index_is_made_again(iwtui: Command, scribe: Scribe, told: str) -> None:
    iwtui("report")
    (scribe.store.root / "iwtui.duckdb").write_bytes(b"spoilt")
    result = iwtui("index", "rebuild")
    assert result.exit_code == 0, result.output
    assert "29 events of 2 logs" in result.stderr
    assert iwtui("report").exit_code == 0


def test_serve_shows_the_site_until_it_is_interrupted(scribe: Scribe, told: str) -> None:
    program = "from iwtui.cli.main import main; main()"
    command = [sys.executable, "-c", program, "--store", str(scribe.store.root), "serve", told, "--turn", "2"]
    env = {**os.environ, "SSH_CONNECTION": "1.2.3.4 1 5.6.7.8 22"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with urllib.request.urlopen(url, timeout=10) as answer:
            assert answer.read() == b"<h1>Crumb</h1>"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
    assert process.returncode == 0
    port = url.rstrip("/").rpartition(":")[2]
    assert f"ssh -N -L {port}:127.0.0.1:{port}" in errors


@pytest.mark.parametrize(("turn", "says"), [("1", "no file"), ("6", "5 turns")])
def test_a_turn_without_a_site(iwtui: Command, told: str, turn: str, says: str) -> None:
    result = iwtui("serve", told, "--turn", turn)
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_site_whose_files_are_lost(iwtui: Command, scribe: Scribe, told: str) -> None:
    for blob in list(scribe.store.blobs.addresses()):
        scribe.store.blobs.path(blob).unlink()
    assert iwtui("serve", told).exit_code == 3


async def test_a_port_that_is_taken(iwtui: Command, told: str) -> None:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        result = await asyncio.to_thread(iwtui, "serve", told, "--port", str(port))
    assert result.exit_code == 2
    assert f"port {port} cannot be used" in result.stderr


def test_serve_ends_when_nobody_holds_its_stdin(scribe: Scribe, told: str) -> None:
    command = [sys.executable, "-m", "iwtui", "--store", str(scribe.store.root), "serve", told, "--turn", "2", "--tied"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline().startswith(b"http://127.0.0.1:")
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
