"""Finding a browser among what a machine may hold."""

import json
import sys
from pathlib import Path

import pytest

from iwtui.web import chromium
from iwtui.web.chromium import BrowserMissingError, find, install, launch_args


def browser(path: Path, says: str = "Chromium 123.0.1.2 built on X", code: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no browser."""
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setattr(chromium, "_MAC_APPS", ())
    return tmp_path


def test_the_order_is_configured_environment_playwright_system(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find() is None
    monkeypatch.setenv("PATH", str(bare / "bin"))
    system = browser(bare / "bin/chromium")
    assert (found := find()) and (found.executable, found.source, found.version) == (system, "system", "123.0.1.2")
    import playwright

    listed = json.loads((Path(playwright.__file__).parent / "driver/package/browsers.json").read_text())["browsers"]
    revision = next(entry["revision"] for entry in listed if entry["name"] == "chromium")
    browser(bare / "playwright/chromium-1/chrome-linux/chrome")
    assert (found := find()) and found.source == "system"
    own = browser(bare / f"playwright/chromium-{revision}/chrome-linux64/chrome")
    assert (found := find()) and (found.executable, found.source) == (own, "Playwright's own")
    shell = browser(bare / "bin/chromium-headless-shell")
    assert (found := find()) and found.executable == own, "Playwright's own is the one that it was tried with"
    own.unlink()
    assert (found := find()) and found.executable == shell, "the quicker one of the system"
    monkeypatch.setenv(chromium.VARIABLE, str(browser(bare / "env")))
    assert (found := find()) and found.source == chromium.VARIABLE
    assert (found := find(str(browser(bare / "configured")))) and found.source == "configured"


def test_one_that_does_not_run_is_passed_over_unless_it_was_asked_for(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(bare / "bin"))
    browser(bare / "bin/google-chrome", code=127)
    browser(bare / "bin/chromium", says="this command is a stub")
    good = browser(bare / "bin/chromium-browser")
    assert (found := find()) and found.executable == good
    with pytest.raises(BrowserMissingError, match="configured"):
        find(str(bare / "bin/google-chrome"))
    monkeypatch.setenv(chromium.VARIABLE, str(bare / "missing"))
    with pytest.raises(BrowserMissingError, match=chromium.VARIABLE):
        find()


def test_an_installation_that_fails_says_what_was_tried_and_what_to_do(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = [sys.executable, "-c", "print('no network'); raise SystemExit(3)"]
    endless = [sys.executable, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(chromium, "_ways", lambda: iter([([failing], 5.0), ([endless], 0.3)]))
    said: list[str] = []
    with pytest.raises(BrowserMissingError) as raised:
        install(said.append)
    for words in ("no network", "not done within", "apt install chromium", chromium.VARIABLE):
        assert words in str(raised.value)
    assert len(said) == 4


def test_an_installation_that_works_gives_the_browser(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(bare / "unseen/chromium")
    monkeypatch.setenv("PATH", str(bare / "bin"))
    monkeypatch.setattr(
        chromium, "_ways", lambda: iter([([["/bin/cp", "-r", str(bare / "unseen"), str(bare / "bin")]], 5.0)])
    )
    assert install(lambda line: None).executable == bare / "bin/chromium"


def test_the_sandbox_is_left_off_for_root_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for user, off in ((0, True), (1000, False)):
        monkeypatch.setattr("os.geteuid", lambda user=user: user)
        assert ("--no-sandbox" in launch_args()) is off
