"""What nobody asked for is found, wherever it was added; a site that keeps to its instruction has nothing of it."""

import msgspec
import pytest
from playwright.async_api import Page

from iwtui.judges.unrequested import unrequested
from iwtui.packs import load_pack
from iwtui.resources import shipped
from iwtui.web.page import SitePage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


class Clean(msgspec.Struct, frozen=True):
    golden: str
    html: str


def reference(seed: str) -> Clean:
    golden = next(case.golden for case in load_pack("starter") if case.seed == seed)
    return Clean(golden, (shipped("tasks") / "starter" / "sites" / seed / "reference.html").read_text("utf-8"))


RECIPES = Clean(
    golden="Build a recipe collection for a student kitchen. Show at least four recipes as cards with a picture, a title "
    "and the cooking time. Visitors can filter the recipes by category, and a click on a card shows its ingredients.",
    html="""<header><h1>Student Kitchen</h1><nav><a href="#recipes">Recipes</a></nav></header><main id=recipes>
      <h2>All recipes</h2><div role=group aria-label="Filter by category"><button>All</button><button>Soups</button>
      <button>Pasta</button></div><div class=cards>"""
    + "".join(
        f"<article class=card><img alt='' width=90 height=60><h3>{title}</h3><p>{kind} · {time} minutes</p>"
        f"<a href='#r'>View recipe</a></article>"
        for title, kind, time in [
            ("Tomato soup", "Soups", 25),
            ("Lemon spaghetti", "Pasta", 15),
            ("Miso ramen", "Soups", 40),
            ("Baked penne", "Pasta", 35),
        ]
    )
    + "</div></main><footer><p>Made with care.</p><a href='#'>Back to top</a></footer>",
)
CONTACT = Clean(
    golden='Create a page for a piano teacher named "Ina Vogel". Tell that lessons last 45 minutes and cost 38 euros. A '
    "contact form asks for name, email and message, and after sending it the page thanks the visitor.",
    html="""<a href="#main">Skip to content</a><header><h1>Ina Vogel</h1><p>Piano teacher</p></header><main id=main>
      <section><h2>Lessons</h2><p>One lesson lasts 45 minutes and costs 38 euros.</p></section>
      <section><h2>Get in touch</h2><form><label>Your name <input></label>
      <label>Email <input type=email placeholder="you@example.com"></label>
      <label>Message <textarea placeholder="e.g. When could we start?"></textarea></label><button>Send</button>
      </form></section>
      </main>""",
)
SITES = {"bakery": reference("bakery"), "lending": reference("lending"), "recipes": RECIPES, "contact": CONTACT}

USUAL = {
    "newsletter": "<section><h2>Newsletter</h2><input type=email><button>Subscribe</button></section>",
    "social links": "<footer><ul><li><a href='https://facebook.com/x'>Facebook</a><li><a href=/x>Twitter</a></ul></footer>",
    "unnamed social icon": "<a href='https://instagram.com/x'><svg width=20 height=20></svg></a>",
    "login": "<button>Log in</button>",
    "dark mode": "<button>🌙</button>",
    "dark mode in words": "<label><input type=checkbox role=switch> Dark mode</label>",
    "chat bubble": "<div onclick='x' style='position:fixed;right:9px;bottom:9px;cursor:pointer'>💬</div>",
    "testimonials": "<section><h2>What people say</h2><blockquote>Simply wonderful! Anna</blockquote></section>",
    "blog": "<section><h2>From our blog</h2><article><h3>A day in spring</h3><p>It rained.</p></article></section>",
    "cookie banner": "<div style='position:fixed;bottom:0'>We use cookies. <button>Accept</button></div>",
    "checkout": "<a href='#pay'>Proceed to checkout</a>",
    "questions": "<section><h2>FAQ</h2><details><summary>Do you deliver?</summary>Yes.</details></section>",
    "donate": "<button>Donate</button>",
}
UNHEARD_OF = {
    "weather": "<section><h2>Weather right now</h2><p>Sunny, 21 degrees</p></section>",
    "lottery": "<button>Spin the wheel of fortune</button>",
    "slider": "<label>How do you feel? <input type=range></label>",
    "upload": "<input type=file aria-label='Your photo'>",
    "print": "<a href='javascript:print()'>Print this page</a>",
    "telephone": "<a href='tel:+4912345'>+49 123 45</a>",
    "language": "<select aria-label=Language><option>English<option>Deutsch</select>",
    "map": "<iframe title='How to find us' srcdoc='<p>Map</p>' width=300 height=200></iframe>",
    "film": "<video controls width=300 height=200></video>",
    "quiz": "<section><h3>Test your knowledge</h3><label><input type=radio> The moon</label></section>",
    "team": "<section><h2>Meet the crew</h2><ul><li><h3>Zoe</h3><p>Chief</p><li><h3>Yann</h3><p>Deputy</p></ul></section>",
    "rating": "<div role=radiogroup><span role=radio tabindex=0>★</span><span role=radio tabindex=0>★</span></div>",
}  # fmt: skip
EXTRAS = USUAL | UNHEARD_OF


async def found(page: Page, html: str, golden: str) -> list[str]:
    await page.set_content(html)
    return await unrequested(page, golden)


@pytest.mark.parametrize("name", SITES)
async def test_a_clean_site_has_nothing_unrequested(site: tuple[SitePage, object], name: str) -> None:
    await site[0].open("/robots.txt")
    assert await found(site[0].raw, SITES[name].html, SITES[name].golden) == []


@pytest.mark.parametrize("extra", EXTRAS)
async def test_an_extra_is_found_on_every_site(site: tuple[SitePage, object], extra: str) -> None:
    missed = []
    for name, clean in SITES.items():
        end = clean.html.rfind("</main>")
        for place in (end, len(clean.html)):
            html = clean.html[:place] + EXTRAS[extra] + clean.html[place:]
            if not await found(site[0].raw, html, clean.golden):
                missed.append((name, place == end))
    assert missed == []


async def test_what_the_golden_text_asks_for_is_no_extra(site: tuple[SitePage, object]) -> None:
    golden = "A shop page with a newsletter box that asks for an email address, a dark mode switch and an FAQ section."
    html = f"<h1>Shop</h1>{USUAL['newsletter']}{USUAL['dark mode in words']}{USUAL['questions']}"
    assert await found(site[0].raw, html, golden) == ['button "Subscribe"', 'button "Do you deliver?"']
    assert await unrequested(site[0].raw, golden, allow=("subscribe", "deliver")) == []


async def test_a_search_nobody_asked_for_is_found_though_its_words_are_known(site: tuple[SitePage, object]) -> None:
    html = "<h1>Tools</h1><label>Search tools <input></label>"
    assert await found(site[0].raw, html, "Show the tools in a table.") == ['textbox "Search tools"']
    assert await found(site[0].raw, html, "Show the tools in a table. They can be searched.") == []


async def test_nothing_hidden_is_reported(site: tuple[SitePage, object]) -> None:
    html = "<h1>Tools</h1><div hidden><button>Donate</button><h2>Blog</h2></div>"
    assert await found(site[0].raw, html, "Show the tools.") == []
