"""Which elements get a mark, and that a click on a mark hits its element."""

import io
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image, ImageChops

from iwtui.web.browser import Browser
from iwtui.web.marks import Mark, MarkList, describe
from iwtui.web.page import SitePage
from tests.web.conftest import serving

if TYPE_CHECKING:
    from tests.web.conftest import Opened
else:
    Opened = Any

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


def named(marks: MarkList, name: str) -> Mark:
    found = [mark for mark in marks.marks if mark.name == name]
    assert len(found) == 1, describe(marks)
    return found[0]


async def test_light_and_shadow_elements_are_marked_and_clicks_hit_the_right_one(opened: Opened) -> None:
    page = """<x-host><button onclick="said.textContent='light'">light</button></x-host><p id=said>none</p><script>
      customElements.define('x-host', class extends HTMLElement { constructor() { super();
        const root = this.attachShadow({mode: 'open'});
        root.innerHTML = '<button>one</button><slot></slot><x-inner></x-inner>';
        root.querySelector('button').onclick = () => said.textContent = 'one'; } });
      customElements.define('x-inner', class extends HTMLElement { constructor() { super();
        const root = this.attachShadow({mode: 'open'}); root.innerHTML = '<button>two</button>';
        root.querySelector('button').onclick = () => said.textContent = 'two'; } });</script>"""
    async with opened(page) as site:
        marks = await site.marks()
        assert sorted(mark.name for mark in marks.marks) == ["light", "one", "two"]
        for mark in marks.marks:
            assert await site.click(mark) == "clicked"
            assert mark.name in await site.text()


async def test_points_lie_beside_a_sticky_header_and_inside_frames(opened: Opened) -> None:
    frame = "<button style='margin:20px' onclick='parent.said.textContent=\"framed\"'>framed</button>"
    page = f"""<style>body{{margin:0}}</style>
      <header style="position:fixed;top:0;left:0;width:100%;height:60px;background:#ccc;z-index:9">head</header>
      <button style="position:absolute;top:30px;left:20px;width:120px;height:50px"
        onclick="said.textContent='half'">half</button>
      <button style="position:absolute;top:10px;left:300px;height:30px">buried</button>
      <iframe style="position:absolute;left:200px;top:300px;border:7px solid;padding:11px"
        srcdoc="{frame.replace('"', "&quot;")}">
      </iframe>
      <p id=said style="position:absolute;top:200px">none</p>
      <button style="position:absolute;top:5000px" onclick="said.textContent='deep';scrollTo(0,0)">deep</button>"""
    async with opened(page) as site:
        marks = await site.marks()
        assert {mark.name for mark in marks.marks} == {"half", "framed"}
        assert named(marks, "half").cy > 60
        framed = named(marks, "framed")
        assert framed.x > 200 + 7 + 11 and framed.y > 300 + 7 + 11 and framed.frame
        for name in ("half", "framed"):
            assert await site.click(named(marks, name)) == "clicked"
            assert name in await site.text()
        assert await site.scroll("bottom") == "scrolled bottom"
        below = await site.marks()
        assert "deep" in {mark.name for mark in below.marks}
        assert await site.click(named(below, "deep")) == "clicked"
        assert "deep" in await site.text()


async def test_every_kind_of_control_is_marked_with_its_role_and_state(opened: Opened) -> None:
    page = """<a href="/x">more</a><a>no link</a><div onclick="1">bare</div>
      <span role=tab tabindex=0 aria-selected=true>Tab</span>
      <div style="cursor:pointer" id=card>card <b>bold</b></div><p contenteditable>edit me</p>
      <label>Mail <input placeholder="a@b" value="x@y"></label><input type=hidden name=h>
      <input type=checkbox checked aria-label=agree>
      <select aria-label=size><option>S<option selected>M</select><button disabled>Send</button>
      <button><img alt="cart" width=9 height=9></button><details><summary>more details</summary>text</details>
      <div style="position:fixed;bottom:5px" role=button>fixed</div>
      <button style="display:none">hidden</button><button style="visibility:hidden">invisible</button>
      <form><input name=tagName aria-label=clobber><input name=getBoundingClientRect aria-label=clobber2></form>
      <form name=title></form><form name=elementFromPoint></form>
      <script>document.body.getBoundingClientRect = null; Element.prototype.getClientRects = () => [];
        JSON.stringify = null</script>"""
    async with opened(page) as site:
        marks = await site.marks()
        found = {(mark.role, mark.name, mark.state) for mark in marks.marks}
        assert found == {
            ("link", "more", ""),
            ("clickable", "bare", ""),
            ("tab", "Tab", "selected"),
            ("clickable", "card bold", ""),
            ("textbox", "edit me", ""),
            ("textbox", "Mail", "value: x@y"),
            ("checkbox", "agree", "checked"),
            ("combobox", "size", "value: M"),
            ("button", "Send", "disabled"),
            ("button", "cart", ""),
            ("button", "more details", ""),
            ("button", "fixed", ""),
            ("textbox", "clobber", ""),
            ("textbox", "clobber2", ""),
        }
        assert (await site.open("/")).title == "a site"
        send = named(await site.marks(), "Send")
        assert await site.click(send) == "no event reached it: it is disabled"


async def test_marks_leave_no_trace_in_document_or_picture(opened: Opened) -> None:
    async with opened("<button>one</button><p style='cursor:pointer'>two</p>") as site:
        document = await site.raw.evaluate("document.documentElement.outerHTML")
        globals_before = await site.raw.evaluate("Object.getOwnPropertyNames(window).length")
        before = await site.picture()
        await site.marks()
        after = await site.picture()
        assert await site.raw.evaluate("document.documentElement.outerHTML") == document
        assert await site.raw.evaluate("Object.getOwnPropertyNames(window).length") == globals_before
        one, two = (Image.open(io.BytesIO(picture)).convert("RGB") for picture in (before, after))
        assert ImageChops.difference(one, two).getbbox() is None


async def test_more_than_the_allowed_marks_are_cut_and_it_is_said(opened: Opened) -> None:
    buttons = "".join(f"<button style='width:24px;height:16px;padding:0;font-size:8px'>{n}</button>" for n in range(700))
    async with opened(buttons) as site:
        marks = await site.marks()
        assert len(marks.marks) == 400 and marks.cut
        assert "more elements" in describe(marks)


async def test_a_page_of_canvas_has_no_marks_and_takes_clicks_at_a_point(opened: Opened) -> None:
    page = """<canvas width=400 height=300></canvas><script>
      document.querySelector('canvas').onclick = (event) => { document.title = `hit ${event.clientX}`; }</script>"""
    async with opened(page) as site:
        assert (await site.marks()).marks == ()
        assert await site.click_at(123, 77) == "clicked"
        assert await site.raw.title() == "hit 123"
        assert (await site.click_at(5000, 10)).startswith("outside the view")


async def test_an_element_that_went_is_said_to_be_gone_and_a_covered_one_to_be_covered(opened: Opened) -> None:
    page = """<button id=one onclick="two.remove()">one</button><button id=two>two</button><button id=three>three</button>"""
    async with opened(page) as site:
        marks = await site.marks()
        await site.click(named(marks, "one"))
        assert await site.click(named(marks, "two")) == "not there any more"
        await site.raw.evaluate("""() => { const sheet = document.createElement('div');
            sheet.style = 'position:fixed;inset:0;background:#0008'; sheet.textContent = 'sheet';
            document.body.append(sheet) }""")
        assert (await site.click(named(marks, "three"))).startswith("no event reached it: clickable")
        await site.open("/")
        assert await site.click(named(marks, "three")) == "not there any more"


async def test_on_a_screen_of_double_density_marks_and_picture_agree_in_css_pixels(browser: Browser) -> None:
    page = """<style>body{margin:0} button{position:absolute;width:60px;height:30px;border:0;color:#0000}</style>
      <button style="left:30.5px;top:40px;background:#a01020">near</button>
      <button style="left:1210px;top:765px;background:#10a020">far</button>
      <iframe style="position:absolute;left:600px;top:300px;border:7px solid" srcdoc="<button onclick='parent.tell(event)'
        style='background:#1020a0;color:#0000;border:0;width:60px;height:30px'>framed</button>"></iframe><p id=said>none</p>
      <script>function tell(event) { said.textContent = event.target.textContent }
        for (const one of document.querySelectorAll('button')) one.onclick = tell</script>"""
    colours = {"near": (0xA0, 0x10, 0x20), "far": (0x10, 0xA0, 0x20), "framed": (0x10, 0x20, 0xA0)}
    async with serving({"/": page}) as origin:
        assert browser._browser is not None
        context = await browser._browser.new_context(viewport={"width": 1280, "height": 800}, device_scale_factor=2)
        try:
            site = await SitePage.start(context, origin, browser.alive)
            assert (await site.open("/")).ok
            assert await site.raw.evaluate("devicePixelRatio") == 2
            marks = await site.marks()
            assert {mark.name for mark in marks.marks} == set(colours)
            picture = Image.open(io.BytesIO(await site.picture())).convert("RGB")
            assert picture.size == (marks.width, marks.height) == (1280, 800)
            for mark in marks.marks:
                assert (mark.width, mark.height) == (60, 30)
                assert picture.getpixel((round(mark.cx), round(mark.cy))) == colours[mark.name]
                assert await site.click(mark) == "clicked"
                assert mark.name in await site.text()
        finally:
            await context.close()
