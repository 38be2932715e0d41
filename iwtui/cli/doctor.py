"""`iwtui doctor`: what this machine has, what lacks, and the remedy."""

import asyncio
import os
import platform
import shutil
import sys
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click
import msgspec

from iwtui import __version__
from iwtui.bench.text import one_line
from iwtui.cli.options import open_store, settings
from iwtui.cli.output import counted, to_json
from iwtui.config import FILE
from iwtui.resources import users_own
from iwtui.web.chromium import BrowserMissingError, Chromium, find

LAUNCH = 60.0
ROOM = 1 << 30
"""Free bytes below which a store is short of room."""

PACKAGES = ("litellm", "playwright", "duckdb", "polars")
_BUBBLEWRAP = "Debian and Ubuntu: apt install bubblewrap; in a container, allow user namespaces"
_OPEN = 'sandbox = "auto" takes bubblewrap where it runs.'
_GLYPHS = {"ok": ("✓", "green"), "note": ("·", None), "lacks": ("✗", "red")}


class Finding(msgspec.Struct, frozen=True):
    """`state`: ok, note (worth knowing, nothing lacks now) or lacks (needed now). `remedy` says what to do."""

    about: str
    value: str
    state: str = "ok"
    remedy: str = ""


@click.command()
@click.option("--json", "as_json", is_flag=True, help='One object: {"ok": bool, "findings": [..]}.')
@click.option("--launch", is_flag=True, help="Start the browser too, to see that it runs.")
def doctor(as_json: bool, launch: bool) -> None:
    """Check programs, browser, sandbox, terminal and store. Exit code 1 when something that is needed lacks."""
    findings = [*_programs(), *_settings(), *_browser(launch), _node(), _sandbox(), *_terminal(), *_store()]
    healthy = all(finding.state != "lacks" for finding in findings)
    if as_json:
        click.echo(to_json({"ok": healthy, "findings": msgspec.to_builtins(findings)}, indent=2))
    else:
        for finding in findings:
            glyph, colour = _GLYPHS[finding.state]
            click.echo(f"{click.style(glyph, fg=colour)} {finding.about:<10} {one_line(finding.value)}")
            if finding.remedy:
                click.echo(f"{'':13}{one_line(finding.remedy)}")
    if not healthy:
        raise click.exceptions.Exit(1)


def _programs() -> Iterator[Finding]:
    yield Finding("iwtui", __version__)
    yield Finding("python", f"{platform.python_version()} ({sys.executable}) on {platform.platform()}")
    for package in PACKAGES:
        try:
            yield Finding(package, version(package))
        except PackageNotFoundError:
            yield Finding(package, "not installed", "lacks", "Install iwtui again: pip install iwtui")


def _settings() -> Iterator[Finding]:
    own, here = users_own(FILE), Path.cwd() / FILE
    read = [str(file) for file in (here, own) if file.is_file()]
    defaults = f"the defaults; {here} and {own} may say otherwise"
    yield Finding("settings", f"from {', then '.join(read)}" if read else defaults)
    yield Finding("own folder", f"{own.parent}, for packs (tasks/), queries/ and themes/ of your own")


def _browser(launch: bool) -> Iterator[Finding]:
    remedy = "`iwtui setup` gets one, or set IWTUI_CHROMIUM to a Chrome or Chromium."
    try:
        found = find(settings().browser)
    except BrowserMissingError as error:
        yield Finding("browser", str(error), "lacks", remedy)
        return
    if found is None:
        yield Finding("browser", "none was found", "lacks", remedy)
        return
    yield Finding("browser", f"{found.version}, {found.executable} ({found.source})")
    if launch:
        try:
            yield Finding("launch", f"it started and showed a page in {asyncio.run(_launch(found)):.1f} s")
        except Exception as error:  # whatever keeps it from starting is what is asked for here
            yield Finding("launch", f"it does not start: {error}", "lacks", "Install what it names, or another browser.")


async def _launch(chromium: Chromium) -> float:
    from iwtui.web.browser import Browser

    began = time.monotonic()
    async with asyncio.timeout(LAUNCH), Browser.launch(chromium) as browser, browser.page("http://127.0.0.1:9/"):
        return time.monotonic() - began


def _node() -> Finding:
    from iwtui.web import node

    found = node.find()
    if found is None:
        return Finding("node", "Node or npm not found", "note", f"Not needed for static sites. {node.REMEDY}")
    return Finding("node", f"{found.version}, npm {found.npm_version} ({found.executable})")


def _sandbox() -> Finding:
    from iwtui.web import sandbox

    wanted = settings().sandbox
    began = time.monotonic()
    try:
        chosen = sandbox.choose(wanted)
    except sandbox.SandboxMissingError as error:
        return Finding("sandbox", str(error), "lacks", f'{_BUBBLEWRAP}, or set sandbox = "reaper".')
    if chosen.private:
        return Finding("sandbox", f"bubblewrap works ({1000 * (time.monotonic() - began):.0f} ms)")
    if wanted == "reaper":
        return Finding("sandbox", "reaper, as configured: it hides neither files nor network from a site", "note", _OPEN)
    why = sandbox.why_no_bubblewrap()
    remedy = f"Not needed for static sites. {_BUBBLEWRAP}."
    return Finding("sandbox", f"no bubblewrap ({why}); the reaper hides neither files nor network", "note", remedy)


def _terminal() -> Iterator[Finding]:
    env = os.environ
    marks = (("in tmux", "TMUX"), ("over ssh", "SSH_CONNECTION"), ("NO_COLOR", "NO_COLOR"))
    size = shutil.get_terminal_size((0, 0))
    parts = [
        f"TERM={env.get('TERM', '')}",
        f"COLORTERM={env.get('COLORTERM', '')}",
        f"{size.columns}×{size.lines}" if size.columns else "no size",
        "a terminal" if sys.stdout.isatty() else "not a terminal",
        *(word for word, name in marks if env.get(name)),
    ]
    yield Finding("terminal", ", ".join(parts))
    encoding = sys.stdout.encoding or "none"
    if encoding.lower().replace("-", "") != "utf8":
        yield Finding("encoding", encoding, "note", "Set LANG=C.UTF-8 (or another UTF-8 locale), or signs come out wrong.")


def _store() -> Iterator[Finding]:
    from iwtui.archive.index import Index

    elsewhere = "choose another: --store DIR or IWTUI_STORE."
    store = open_store()
    root = store.root
    there = next(folder for folder in (root, *root.parents) if folder.is_dir())
    free = shutil.disk_usage(there).free
    if not os.access(there, os.W_OK):
        yield Finding("store", f"{root} may not be written", "lacks", f"Give yourself the right, or {elsewhere}")
    elif free < ROOM:
        yield Finding("store", f"{root}, only {free / 1e6:.0f} MB free", "lacks", f"Make room, or {elsewhere}")
    else:
        yield Finding("store", f"{root}, {counted(len(store.runs()), 'run')}, {free / 1e9:.0f} GB free")
    index = Index(store)
    if index.path.is_file():
        age = index.age()
        held = "never caught up with the logs" if age is None else f"up to date {age:.0f} s ago"
        yield Finding("index", f"{index.path}, {index.path.stat().st_size / 1e6:.1f} MB, {held}")
    else:
        yield Finding("index", "not made yet", "note", "It is made when it is first asked.")
