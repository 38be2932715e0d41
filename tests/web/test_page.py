"""Opening, acting, and all that a page may do meanwhile."""

import asyncio
import io
import time
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web
from PIL import Image

from iwtui.web.browser import Browser
from iwtui.web.faults import PageDeadError
from iwtui.web.marks import Mark
from iwtui.web.page import MAX_TABS, SitePage
from iwtui.web.window import Window
from tests.web.conftest import serving

if TYPE_CHECKING:
    from tests.web.conftest import Opened
else:
    Opened = Any

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


async def mark(site: SitePage, name: str) -> Mark:
    return next(mark for mark in (await site.marks()).marks if mark.name == name)


async def hanging(_: web.Request) -> web.Response:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


async def test_a_link_to_a_new_tab_is_followed_and_the_old_tab_is_reached_by_back(opened: Opened) -> None:
    async with opened({"/": "<a href=/other target=_blank>open</a>", "/other": "<p>the other page</p>"}) as site:
        assert await site.click(await mark(site, "open")) == "clicked"
        assert "the other page" in await site.text()
        assert site.raw.url.endswith("/other")
        assert any(note.startswith("a new tab opened") for note in site.drain().notes)
        assert len(site.raw.context.pages) == 2
        assert await site.back() == "went back to the tab before"
        assert "open" in await site.text()
        assert len(site.raw.context.pages) == 1


async def test_a_flood_of_tabs_is_held_back(opened: Opened) -> None:
    async with opened("<button onclick=\"for (let n = 0; n < 30; n++) window.open('/')\">flood</button>") as site:
        await site.click(await mark(site, "flood"))
        await site.wait()
        assert len(site.raw.context.pages) <= MAX_TABS + 1
        assert any("beyond" in note for note in site.drain().notes)


async def test_back_goes_through_the_history_of_a_tab(opened: Opened) -> None:
    async with opened({"/": "<a href=/two>next</a>", "/two": "<p>second</p>"}) as site:
        assert await site.click(await mark(site, "next")) == "clicked"
        assert await site.text() == "second"
        assert await site.back() == "went back"
        assert await site.text() == "next"


async def test_a_font_that_never_comes_holds_up_no_picture(opened: Opened) -> None:
    page = """<style>@font-face{font-family:F;src:url(/font.woff2)} h1{font-family:F}</style><h1>Words</h1>"""
    async with opened({"/": page, "/font.woff2": hanging}) as site:
        begun = time.monotonic()
        assert len(await site.picture()) > 100
        assert time.monotonic() - begun < 5
        assert "fonts not ready" in site.drain().notes


async def test_dialogs_are_answered_and_recorded_and_hang_nothing(opened: Opened) -> None:
    page = """<p id=said></p><button onclick="said.textContent = prompt('Name?') + confirm('Sure?')">ask</button>
      <a href=/two>leave</a><script>onload = () => alert('welcome');
        addEventListener('beforeunload', event => event.preventDefault())</script>"""
    async with opened({"/": page, "/two": "<p>gone over</p>"}) as site:
        assert [dialog.type for dialog in site.drain().dialogs] == ["alert"]
        assert await site.click(await mark(site, "ask")) == "clicked"
        assert "test inputtrue" in await site.text()
        asked = site.drain().dialogs
        assert [(one.type, one.message, one.answer) for one in asked] == [
            ("prompt", "Name?", "test input"),
            ("confirm", "Sure?", "accepted"),
        ]
        assert await site.click(await mark(site, "leave")) == "clicked"
        assert await site.text() == "gone over"
        assert [dialog.type for dialog in site.drain().dialogs] == ["beforeunload"]


async def test_an_endless_pulse_is_clicked_in_time_and_a_running_target_is_no_success(opened: Opened) -> None:
    page = """<style>@keyframes p{50%{transform:scale(1.4)}} #pulse{animation:p .4s infinite}
        #run{position:absolute;left:0;top:200px;width:40px;height:20px}</style><button id=pulse>pulse</button>
      <button id=run>run</button><script>const flee = () => { run.style.left = 100 + Math.random() * 900 + 'px';
        run.style.top = 200 + Math.random() * 400 + 'px' }; addEventListener('mousemove', flee, true)</script>"""
    async with opened(page) as site:
        begun = time.monotonic()
        assert await site.click(await mark(site, "pulse")) == "clicked"
        assert time.monotonic() - begun < 3
        assert (await site.click(await mark(site, "run"))).startswith("no event reached it")


async def test_an_element_that_moved_since_it_was_marked_is_clicked_where_it_is(opened: Opened) -> None:
    async with opened(
        "<button id=it style='position:absolute;top:20px' onclick='it.textContent=\"hit\"'>it</button>"
    ) as site:
        marked = await mark(site, "it")
        await site.raw.evaluate("it.style.top = '400px'")
        assert await site.click(marked) == "clicked"
        assert "hit" in await site.text()


async def test_only_the_sites_own_address_is_reached_whatever_the_way(opened: Opened, browser: Browser) -> None:
    reached: list[str] = []

    async def other(request: web.Request) -> web.Response:
        reached.append(request.path)
        return web.Response(text="secret", headers={"Access-Control-Allow-Origin": "*"})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", other)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]

    async def redirect(_: web.Request) -> web.Response:
        raise web.HTTPFound(f"http://127.0.0.1:{port}/redirected")

    page = f"""<p>home</p><img src="https://cdn.invented.test/a.png"><script>
      for (const host of ['127.0.0.1', 'localhost', '[::1]']) fetch(`http://${{host}}:{port}/fetched`).catch(() => 0);
      fetch('/redirect').catch(() => 0); new WebSocket('ws://127.0.0.1:{port}/socket');
      navigator.sendBeacon('http://127.0.0.1:{port}/beacon', 'x')</script>
      <a href="http://127.0.0.1:{port}/link">away</a>"""
    async with opened({"/": page, "/redirect": redirect}) as site:
        await site.wait()
        seen = site.drain()
        blocked = " ".join(seen.blocked)
        for what in ("cdn.invented.test/a.png", "/fetched", "/redirected", "/beacon", "CONNECT ws://127.0.0.1"):
            assert what in blocked
        assert not any("Failed to load resource" in line for line in seen.console)
        await site.click(await mark(site, "away"))
        assert f"GET http://127.0.0.1:{port}/link" in site.drain().blocked
    assert reached == []
    await runner.cleanup()


async def test_errors_in_the_console_are_told_and_are_no_failure(opened: Opened) -> None:
    async with opened(
        "<p>fine</p><script>console.error('bad \\x1b[2J'); console.log('quiet'); nothing.here</script>"
    ) as site:
        seen = site.drain().console
        assert any(line.startswith("error: bad") for line in seen)
        assert any("nothing is not defined" in line for line in seen)
        assert not any("quiet" in line for line in seen)
        assert site.drain() == type(site.drain())()


async def test_floods_of_messages_are_bounded(opened: Opened) -> None:
    page = "<p>x</p><script>for (let n = 0; n < 6000; n++) console.error('\\u0007'.repeat(500) + n)</script>"
    async with opened(page) as site:
        await site.wait()
        seen = site.drain()
        assert sum(len(line.encode()) for line in seen.console) < 4_000
        assert seen.console[-1].startswith("… and")
        assert any("was not heard" in note for note in seen.notes)


async def test_an_empty_page_is_the_sites_fault(opened: Opened) -> None:
    async def look(nothing: str) -> None:
        async with opened({"/": "<p>x</p>", "/nothing": nothing}) as site:
            probe = await site.open("/nothing")
            assert not probe.ok and probe.fault == "site" and "empty" in probe.reason

    await asyncio.gather(*map(look, ("", "<div id=root></div><style>p{}</style>", "<p> &nbsp; </p><img width=0>")))


async def test_what_comes_late_is_waited_for(opened: Opened) -> None:
    async with opened("<div id=root></div><script>setTimeout(() => root.textContent = 'late', 1200)</script>") as site:
        assert await site.text() == "late"


async def test_a_missing_page_and_an_unreachable_site_differ_in_fault(browser: Browser, opened: Opened) -> None:
    async with opened("<p>x</p>") as site:
        missing = await site.open("/missing")
        assert (missing.ok, missing.fault, missing.reason) == (False, "site", "HTTP 404 Not Found")
        outside = await site.open("https://example.org/")
        assert (outside.ok, outside.fault) == (False, "site")
    async with browser.page("http://127.0.0.1:1") as page:
        probe = await page.open("/")
        assert not probe.ok and probe.reason


async def test_a_script_without_end_is_stopped_and_the_next_page_is_unharmed(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iwtui.web.page._READ", 1.0)
    async with opened({"/": "<p>first</p>", "/busy": "<p>words</p><script>for (;;);</script>"}) as site:
        begun = time.monotonic()
        probe = await site.open("/busy")
        assert time.monotonic() - begun < 25
        assert probe.fault == "site" or probe.ok
        await site.raw.evaluate("setTimeout(() => { for (;;); }, 50)")
        with pytest.raises(PageDeadError):
            while True:
                await site.text()
        assert len(await site.picture()) > 100  # the script was stopped: there is still something to show
        assert (await site.open("/")).ok
    async with opened("<p>second</p>") as site:
        assert await site.text() == "second"


async def test_a_page_that_takes_all_memory_dies_alone(browser: Browser, opened: Opened) -> None:
    async with opened(
        "<button onclick='const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))'>eat</button>"
    ) as site:
        begun = time.monotonic()
        with pytest.raises(PageDeadError):
            await site.click(await mark(site, "eat"))
            while True:
                await site.text()
        assert time.monotonic() - begun < 20
        assert (await site.fresh()).ok
    async with opened("<p>second</p>") as site:
        assert await site.text() == "second"


async def test_fresh_forgets_everything_that_was_stored(opened: Opened) -> None:
    page = """<p id=said></p><script>(async () => {
      const open = indexedDB.open('d', 1); open.onupgradeneeded = () => open.result.createObjectStore('s');
      await new Promise(done => open.onsuccess = done);
      const read = open.result.transaction('s').objectStore('s').get('k');
      await new Promise(done => read.onsuccess = done);
      const cache = await caches.open('c');
      said.textContent = ['seen', localStorage.k, sessionStorage.k, document.cookie, read.result,
        !!await cache.match('/x'), name, history.length].join('|');
      localStorage.k = sessionStorage.k = 1; document.cookie = 'k=1'; name = 'n'; await cache.put('/x', new Response('y'));
      open.result.transaction('s', 'readwrite').objectStore('s').put(1, 'k');
      addEventListener('pagehide', () => { localStorage.k = sessionStorage.k = 2 }); })()</script>"""
    async with opened(page) as site:
        first = await site.text()
        assert first.startswith("seen")
        await site.raw.reload()
        await site.wait()
        assert "|2|2|k=1|1|true|n|" in await site.text()
        assert (await site.fresh()).ok
        assert await site.text() == first


async def test_a_fresh_page_has_no_pointer_over_it_and_no_past(opened: Opened) -> None:
    page = "<style>p{height:300px} p:hover{color:red}</style><p>words</p><a href=/two>on</a>"
    async with opened({"/": page, "/two": "<p>second</p>"}) as site:
        await site.click_at(100, 100)
        assert await site.raw.evaluate("document.querySelector('p').matches(':hover')")
        await site.click(await mark(site, "on"))
        assert (await site.fresh()).ok
        await site.wait()
        assert not await site.raw.evaluate("document.querySelector('p').matches(':hover')")
        assert await site.back() == "there is nothing to go back to"


async def test_a_page_stands_until_something_in_it_changes(opened: Opened) -> None:
    page = '<p id=it>words</p><button onclick=\'history.pushState(0, "", "#x")\'>go</button>'
    async with opened({"/": page, "/framed": "<iframe src=/></iframe><p>x</p>"}) as site:
        assert await site.stands()
        await site.raw.evaluate("it.textContent = 'other'")
        assert not await site.stands()
        assert (await site.fresh()).ok and await site.stands()
        await site.raw.evaluate("location.hash = 'y'")
        assert not await site.stands()
        await site.open("/framed")
        assert not await site.stands(), "what happens in a frame cannot be told"


async def test_typing_replaces_scrolling_ends_and_options_are_chosen(opened: Opened) -> None:
    page = """<form onsubmit="said.textContent='sent ' + f.value; return false">
        <input id=f aria-label=field value=old></form>
      <input type=date aria-label=day><input aria-label=short maxlength=3><input type=checkbox aria-label=box>
      <select aria-label=size onchange="said.textContent='size ' + value"><option value=s>Small<option value=l>Large</select>
      <textarea aria-label=long></textarea><p id=said></p><div style="height:3000px"></div>"""
    async with opened(page) as site:
        assert await site.type(await mark(site, "field"), "né <b> 日本", enter=True) == "typed"
        assert "sent né <b> 日本" in await site.text()
        assert await site.type(await mark(site, "day"), "2031-05-06") == "typed"
        assert await site.type(await mark(site, "short"), "abcdef") == 'typed, but the field holds "abc"'
        assert await site.type(await mark(site, "long"), "a\nb") == "typed"
        assert await site.type(await mark(site, "long"), "") == "typed"
        assert await site.type(await mark(site, "box"), "x") == "it takes no text"
        assert await site.select(await mark(site, "size"), "large") == 'selected "Large"'
        assert "size l" in await site.text()
        assert await site.select(await mark(site, "size"), "huge") == "no such option; it offers 'Small', 'Large'"
        assert await site.select(await mark(site, "field"), "x") == "it is no list of options"
        assert await site.scroll("down") == "scrolled down"
        assert await site.scroll("bottom") == "scrolled bottom"
        assert await site.scroll("down") == "nothing scrolled: it is at its end"
        assert "no direction" in await site.scroll("sideways")
        assert await site.key("Escape") == "pressed Escape"
        assert await site.key("NoSuchKey") == "there is no key 'NoSuchKey'"
        assert await site.back() == "there is nothing to go back to"
        assert await site.wait() == "waited"


async def test_pictures_are_lossless_webp_of_the_view(opened: Opened) -> None:
    async with opened("<body style='margin:0;background:#123456'>x") as site:
        image = Image.open(io.BytesIO(await site.picture()))
        assert image.format == "WEBP" and image.size == (1280, 800)
        assert image.convert("RGB").getpixel((900, 500)) == (0x12, 0x34, 0x56)


async def test_downloads_are_refused_and_noted(opened: Opened) -> None:
    async with opened("<a href='data:text/plain,x' download=evil.txt>get</a>") as site:
        await site.click(await mark(site, "get"))
        await site.wait()
        assert "download refused: evil.txt" in site.drain().notes


async def test_a_browser_that_died_is_launched_anew(browser: Browser, opened: Opened) -> None:
    async with opened("<p>before</p>"):
        await browser._browser.close()  # type: ignore[union-attr]
        assert not await browser.alive()
    async with opened("<p>after</p>") as site:
        assert await site.text() == "after"
    assert browser.version.count(".") == 3


async def test_a_window_shows_one_look_nothing_of_the_look_before(browser: Browser) -> None:
    remembering = """<p id=said></p><script>
        said.textContent = [window.name, document.cookie, localStorage.a, sessionStorage.a, history.length].join()
        window.name = document.cookie = localStorage.a = sessionStorage.a = "kept"; history.pushState(0, "", "#there")
        setInterval(() => fetch("/beat"), 20)</script>"""
    beats: list[str] = []

    async def beat(request: web.Request) -> web.Response:
        beats.append(request.path)
        return web.Response(text="")

    said = []
    async with serving({"/": remembering, "/beat": beat}) as origin, Window(browser, 800, 600) as window:
        for _ in range(2):
            async with window.page(origin) as page:
                assert (await page.open("/")).ok
                said.append(await page.text())
        before = len(beats)
        async with browser.page(origin):  # time passes, and nobody looks
            assert len(beats) == before
        with pytest.raises(ZeroDivisionError):
            async with window.page(origin) as page:
                raise ZeroDivisionError
        async with window.page(origin) as page:
            assert (await page.open("/")).ok
            said.append(await page.text())
    assert beats and said == [said[0]] * 3 and "kept" not in said[0]
