"""Colours as pages show them, however they were painted."""

from collections.abc import Awaitable, Callable

import pytest

from iwtui.bench.checks import Colour

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

Look = Callable[..., Awaitable[str]]

BAR = "<header style='background:maroon;height:90px'>Bar</header>"
CARDS = "<main style='background:white;width:70%;height:1200px;margin:auto'>Cards</main>"


@pytest.mark.parametrize(
    ("body", "ivory"),
    [
        (f"<style>body {{ background: ivory }}</style>{BAR}{CARDS}", True),
        ("<style>html { background: rgb(255 255 240) }</style><p>x", True),
        (f"<style>html {{ background: ivory }} body {{ background: white; height: 3000px }}</style>{BAR}", False),
        ("<style>body { margin: 0 } #app { background: ivory; min-height: 100vh }</style><div id=app>x</div>", True),
        (f"<style>body {{ background: ivory }} div {{ background: white; height: 2000px }}</style><div>{BAR}</div>", False),
        ("<style>body { background: ivory } .hero { background: maroon; height: 100vh }</style>"
         "<div class=hero>x</div><div style='height:2000px'>y</div>", True),
        ("<style>body { background: linear-gradient(#fffff0, #fffef1) }</style><p>x", True),
        ("<style>body { background: #fffff0aa }</style><p>x", True),
        ("<style>body { background: white }</style><p>x", False),
        ("<p>x", False),
        ("<style>body { background: ivory; color-scheme: dark }</style><p>x", True),
        ("<style>:root { --paper: oklch(0.995 0.02 107) } body { background: var(--paper) }</style><p>x", True),
    ],
)  # fmt: skip
async def test_the_background_of_the_page_is_what_lies_behind_everything(look: Look, body: str, ivory: bool) -> None:
    fault = await look(body, Colour(value="ivory"))
    assert (fault == "") == ivory, fault


@pytest.mark.parametrize(
    "body",
    [
        "<header style='background:maroon;height:90px'>Bar</header>",
        "<header style='height:90px'><div style='background:maroon;height:90px'>Bar</div></header>",
        "<div style='background:maroon'><header style='height:90px'>Bar</header></div>",
        "<div role=banner style='background:#800000;height:90px'>Bar</div>",
        "<style>body { margin: 0 }</style><div style='background:maroon;height:70px'><b>Bar</b></div><p>More</p>",
        "<header style='background:maroon;height:90px'><h1 style='background:white;width:30%'>Bar</h1></header>",
    ],
)
async def test_a_bar_at_the_top_has_the_colour_that_most_of_it_shows(look: Look, body: str) -> None:
    assert await look(body, Colour(role="banner", value="maroon")) == ""
    assert "not ivory" in await look(body, Colour(role="banner", value="ivory"))


async def test_text_has_the_colour_of_most_of_its_letters(look: Look) -> None:
    body = "<h1 style='color:red'><span style='color:darkgreen'>Borrow Lane</span> !</h1>"
    assert await look(body, Colour(role="heading", property="text", value="darkgreen")) == ""
    fault = await look(body, Colour(role="heading", property="text", value="red"))
    assert fault == "the text of the heading is #006400 (darkgreen), not red"


async def test_any_of_several_colours_within_the_tolerance(look: Look) -> None:
    body = "<h1 style='color:#0b6b0b'>Borrow Lane</h1>"
    assert await look(body, Colour(role="heading", property="text", value=("navy", "darkgreen"), tolerance=10)) == ""
    assert await look(body, Colour(role="heading", property="text", value=("navy", "darkgreen"), tolerance=1)) != ""


async def test_a_share_of_the_elements_may_be_enough(look: Look) -> None:
    body = "".join(f"<button style='background:{colour}'>Go</button>" for colour in ("teal", "teal", "teal", "gray"))
    assert await look(body, Colour(role="button", value="teal", share=0.75)) == ""
    assert "gray" in await look(body, Colour(role="button", value="teal"))


async def test_a_border(look: Look) -> None:
    body = "<button style='border:0;border-bottom:2px solid teal'>Go</button><a href=#>None</a>"
    assert await look(body, Colour(role="button", property="border", value="teal")) == ""
    assert "none, not teal" in await look(body, Colour(role="link", property="border", value="teal"))
