"""Finding a Chromium to drive, or getting one."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec

VARIABLE = "IWTUI_CHROMIUM"

_NAMES = ("chromium-headless-shell", "google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "chrome")
"""The headless shell first: it opens a context in a third of the time, with a quarter of the work."""

_MAC_APPS = ("Google Chrome", "Chromium")
_VERSION = re.compile(r"\d+(?:\.\d+){1,3}")
_ANSWER = 20.0
"""Seconds a browser may take to tell its version; the first start after an installation is slow."""
_DOWNLOAD = 900.0
_PACKAGES = 600.0

_ARGUMENTS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--no-first-run",
    # Datagrams would not pass the proxy that keeps a page at home.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # A page that allocates without end dies alone, before the machine suffers.
    "--js-flags=--max-old-space-size=512",
)


class BrowserMissingError(Exception):
    """There is no browser to use; the message says what to do about it."""


class Chromium(msgspec.Struct, frozen=True):
    """A Chromium that answered. `source` says in words where it was found."""

    executable: Path
    source: str
    version: str


def find(configured: str | None = None) -> Chromium | None:
    """The configured browser, else the environment's, else Playwright's own, else one of the system; or None.

    Raises BrowserMissingError when the one that was asked for does not run.
    """
    for asked, source in ((configured, "configured"), (os.environ.get(VARIABLE), VARIABLE)):
        if asked:
            chosen = _try(Path(asked).expanduser(), source)
            if chosen is None:
                raise BrowserMissingError(f"{asked} ({source}) is no Chromium that runs: correct the path, or take it away")
            return chosen
    return next(filter(None, (_try(path, source) for path, source in _candidates())), None)


def install(report: Callable[[str], None]) -> Chromium:
    """Get a browser: Playwright's own, else the package of Debian or Ubuntu when we are root.

    `report` is told each step in a line. Raises BrowserMissingError when nothing worked.
    """
    tried: list[str] = []
    for commands, limit in _ways():
        for command in commands:
            shown = " ".join(command).replace(sys.executable, "python")
            report(f"{shown} (at most {limit / 60:.0f} minutes)")
            failure = _run(command, limit)
            if failure:
                tried.append(f"{shown}: {failure}")
                report(tried[-1])
        found = find()
        if found:
            return found
    raise BrowserMissingError(
        "no browser could be installed:\n  "
        + "\n  ".join(tried or ["what was installed does not run: its system libraries may be missing"])
        + "\nInstall Chrome or Chromium (Debian: apt install chromium; macOS: brew install --cask chromium),"
        f" or set {VARIABLE} to one."
    )


def launch_args() -> list[str]:
    """What to start it with. Root has no user namespaces that Chromium's own sandbox accepts."""
    return [*_ARGUMENTS, *(["--no-sandbox"] if is_root() else [])]


def is_root() -> bool:
    """Whether we run as user 0."""
    return os.geteuid() == 0


def _candidates() -> Iterator[tuple[Path, str]]:
    for path in _playwrights_own():
        yield path, "Playwright's own"
    for name in _NAMES:
        if place := shutil.which(name):
            yield Path(place), "system"
    for folder in (Path("/Applications"), Path.home() / "Applications"):
        for app in _MAC_APPS:
            yield folder / f"{app}.app/Contents/MacOS/{app}", "system"


def _playwrights_own() -> Iterator[Path]:
    """Read from Playwright's list of revisions: asking Playwright itself means to start its driver."""
    spec = find_spec("playwright")
    if spec is None or spec.origin is None:
        return
    listed = Path(spec.origin).parent / "driver/package/browsers.json"
    browsers = {entry["name"]: entry["revision"] for entry in json.loads(listed.read_text())["browsers"]}
    for name, executables in (
        ("chromium-headless-shell", ("*/headless_shell", "*/chrome-headless-shell")),
        ("chromium", ("chrome-linux*/chrome", "chrome-mac*/*.app/Contents/MacOS/*")),
    ):
        folder = _playwrights_folder() / f"{name.replace('-', '_')}-{browsers.get(name)}"
        for pattern in executables:
            yield from sorted(folder.glob(pattern))


def _playwrights_folder() -> Path:
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if chosen and chosen != "0":
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"


def _try(executable: Path, source: str) -> Chromium | None:
    if not (executable.is_file() and os.access(executable, os.X_OK)):
        return None
    try:
        answer = subprocess.run(
            [executable, "--version"], capture_output=True, stdin=subprocess.DEVNULL, timeout=_ANSWER, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None  # a stub, or its libraries are missing: the next one may do
    version = _VERSION.search(answer.stdout.decode("utf-8", "replace"))
    return Chromium(executable, source, version[0]) if version else None


def _ways() -> Iterator[tuple[list[list[str]], float]]:
    yield [[sys.executable, "-m", "playwright", "install", "chromium"]], _DOWNLOAD
    if is_root() and shutil.which("apt-get"):
        for package in ("chromium-headless-shell", "chromium"):
            yield [["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", package]], _PACKAGES


def _run(command: Sequence[str], limit: float) -> str | None:
    """Run to the end or to the limit; in words why it failed, or None."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            start_new_session=True,
        )
        try:
            code = process.wait(limit)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                return f"not done within {limit:.0f} s"
            raise
        output.seek(0)
        said = output.read().decode("utf-8", "replace").split("\n")
    return None if code == 0 else next((line.strip()[:300] for line in reversed(said) if line.strip()), f"exit code {code}")
