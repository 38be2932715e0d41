"""A run that was played leaves the store and comes back equal; and its page, seen in a real browser, does nothing."""

import asyncio
import io
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from aiohttp import web
from PIL import Image, ImageStat
from playwright.async_api import Page, async_playwright

from iwtui.archive.exporters.bundle import write_bundle
from iwtui.archive.exporters.leaving import gather, look_for_secrets
from iwtui.archive.exporters.official import write_official
from iwtui.archive.importers.bundle import import_bundle
from iwtui.archive.importers.official import import_logs
from iwtui.archive.index import Index
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.cli.html.page import write_report
from iwtui.packs import load_pack, shipped_personas
from iwtui.web.chromium import Chromium, is_root
from tests.cli.scribe import Scribe, add_whole
from tests.support import official_reader
from tests.support.equal_tables import across_formats, whole_tables

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
ATTACKS = """
<script>document.title='ran';fetch('{url}/script')</script><img src="{url}/image" onerror="document.title='ran'">
"></style><style>@import url({url}/style);body{{background:url({url}/background)}}</style><iframe src="{url}/frame"></iframe>
<link rel=stylesheet href="{url}/link"><meta http-equiv=refresh content="0;url={url}/refresh"><base href="{url}/">
<form action="{url}/form"><button autofocus onfocus="document.title='ran'">x</button></form>
<svg onload="document.title='ran'">
' onmouseover='document.title="ran"' <a href="javascript:document.title='ran'">x</a><object data="{url}/object"></object>
"""


async def test_a_run_that_was_played_leaves_whole_and_comes_back_equal(player: Any, chromium: Chromium) -> None:
    """One playing serves three trials: it is what takes the time."""
    case = next(case for case in load_pack("starter") if case.id == "bakery_P-BASE")
    await player.play([case], ["blind", "clarifier"])
    folder = player.store.run(player.store.runs()[0])
    check_bundle(folder, player)
    await asyncio.to_thread(check_official, folder, player)
    await check_page(report(player.store, folder.name, player.root / "x.html"), chromium)


def check_bundle(folder: RunFolder, player: Any) -> None:
    leaving = gather(folder)
    write_bundle(leaving, look_for_secrets(leaving, {}), player.root / "x.zip")
    other = Store(player.root / "other")
    import_bundle(player.root / "x.zip", other)
    there = whole_tables(other, folder.name)
    assert there == whole_tables(player.store, folder.name) and len(there["verdicts"]) == 16
    assert not leaving.named.missing
    assert set(other.blobs.addresses()) == set(player.store.blobs.addresses())


def check_official(folder: RunFolder, player: Any) -> None:
    out = player.root / "out"
    out.mkdir()
    assert write_official(folder, out).left_out == ()
    read = subprocess.run([sys.executable, "-I", official_reader.__file__, str(out)], capture_output=True, check=True)
    found = json.loads(read.stdout)
    assert found["scripted-blind"][0]["actions"] == ["B", "D"]
    assert found["scripted-clarifier"][0]["actions"] == ["A", "B", "C", "D"]
    for builder in ("scripted-blind", "scripted-clarifier"):
        assert found[builder][0]["tcr"] == pytest.approx(found[builder][0]["recomputed"])
    again = Store(player.root / "again")
    done = import_logs(out, out / "cases.jsonl", again, shipped_personas(), lambda _: None)
    assert not done.faults and not any(run.faults for run in done.runs)
    before, after = across_formats(player.store), across_formats(again)
    assert before == after and all(before.values())


class Listener:
    """A server that notes what it is asked for."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[str] = []
        self.heard = asyncio.Event()

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        self.heard.set()
        return web.Response(text="document.title='ran'", content_type="text/javascript")


@asynccontextmanager
async def listening() -> AsyncIterator[Listener]:
    listener = Listener()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", listener.answer)
    running = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await running.setup()
    try:
        await web.TCPSite(running, "127.0.0.1", 0).start()
        listener.url = f"http://127.0.0.1:{running.addresses[0][1]}"
        yield listener
    finally:
        await running.cleanup()


@asynccontextmanager
async def opened(chromium: Chromium, scheme: Scheme = "light") -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.executable, chromium_sandbox=not is_root())
        try:
            yield await browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
        finally:
            await browser.close()


def report(store: Store, run: str, target: Path) -> Path:
    index = Index(store)
    index.catch_up()
    write_report(index, store.run(run), target)
    return target


async def asked_for(page: Page, file: Path) -> list[str]:
    """What the page asks for but its own file, while it is loaded, unfolded, walked through and printed."""
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    await page.goto(file.as_uri(), wait_until="load")
    for summary in await page.query_selector_all("summary"):
        await summary.click()
    await page.mouse.move(300, 300)
    for _ in range(12):
        await page.keyboard.press("Tab")
    await page.emulate_media(media="print")
    await page.pdf()
    return [url for url in requests if url != file.as_uri() and not url.startswith("data:")]


async def test_nothing_in_the_page_runs_and_no_request_leaves_it(chromium: Chromium, tmp_path: Path) -> None:
    async with listening() as listener, opened(chromium) as page:
        scribe = Scribe(tmp_path / "store")
        attacks = ATTACKS.replace("{url}", listener.url)
        add_whole(scribe, "first", attacks)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        asked = await asked_for(page, report(scribe.store, "first", tmp_path / "x.html"))
        assert (asked, listener.asked, said) == ([], [], [])
        assert await page.title() == "first · InteractWeb-Bench"
        assert f'"{listener.url}/image"' in await page.inner_text("body")
        assert await page.query_selector("body script, body style, iframe, form, object, svg, link, base") is None


async def test_those_attacks_do_run_in_a_page_that_escapes_nothing(chromium: Chromium, tmp_path: Path) -> None:
    async with listening() as listener, opened(chromium) as page:
        (tmp_path / "x.html").write_text("<title>first</title>" + ATTACKS.replace("{url}", listener.url))
        await page.goto((tmp_path / "x.html").as_uri(), wait_until="commit")
        await asyncio.wait_for(listener.heard.wait(), 20)


async def check_page(file: Path, chromium: Chromium) -> None:
    """Light or dark as its reader is, with its pictures, and no wider than a telephone."""
    shades: dict[str, float] = {}
    for scheme in SCHEMES:
        async with opened(chromium, scheme) as page:
            await page.goto(file.as_uri())
            assert await page.evaluate("[...document.images].map(i => i.complete && i.naturalWidth > 0)") == [True]
            with Image.open(io.BytesIO(await page.screenshot())) as picture:
                shades[scheme] = ImageStat.Stat(picture.convert("L")).mean[0]
            await page.set_viewport_size({"width": 400, "height": 800})
            assert await page.evaluate("document.documentElement.scrollWidth") <= 400
            assert not await page.evaluate("document.querySelector('details .turns').checkVisibility()")
    assert shades["light"] > 200 and shades["dark"] < 60
