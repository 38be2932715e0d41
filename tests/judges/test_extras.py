"""What nobody asked for is told apart: what does something, or calls what is not there, from what only stands there."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from iwtui.bench.case import Assertion, Case, SlotKind
from iwtui.bench.checks import NothingUnrequested, See
from iwtui.judges.acting import Patience
from iwtui.judges.checks import ChecksJudge
from iwtui.judges.extras import MOST, Extra, Sort, measured, sorted_extras, told_extras
from iwtui.judges.voyager import VoyagerJudge
from iwtui.web.page import SitePage
from tests.support.sittings import Lines, MemoryLog, sitting

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

GOLDEN = "Create a page for a piano teacher. Tell that lessons cost 38 euros."
HEAD = "<h1>Piano teacher</h1><p>Lessons cost 38 euros.</p>"

FUNCTIONAL = {
    "changes the page": ("<button onclick=\"more.textContent='x'\">Subscribe</button><p id=more></p>", "the page changes"),
    "calls an outside service": (
        "<button onclick=\"fetch('https://api.example.org/join').catch(() => 0)\">Subscribe</button>",
        "https://api.example.org/join, which is not there (blocked)",
    ),
    "calls a path that is not there": (
        "<button onclick=\"fetch('/api/join')\">Subscribe</button>",
        "/api/join",
    ),
    "sends a form once it is filled": (
        "<form onsubmit=\"event.preventDefault(); done.textContent='thanks'\"><input type=email required aria-label=News>"
        "<button>Subscribe</button></form><p id=done></p>",
        "the page changes",
    ),
    "opens a dialog": ("<button onclick=\"alert('Welcome')\">Subscribe</button>", 'a dialog: "Welcome"'),
    "leads elsewhere": ("<a href='/blog.html'>Blog</a>", "/blog.html"),
    "leads outside": ("<a href='https://facebook.com/x'>Facebook</a>", "facebook.com"),
    "opens the mail program": ("<a href='mailto:x@example.org'>Newsletter</a>", "mailto:x@example.org"),
    "stores something": ('<button onclick="localStorage.dark = 1">Dark mode</button>', "stores something"),
    "breaks off": ('<button onclick="subscribe()">Subscribe</button>', "breaks off"),
    "opens a tab": ("<button onclick=\"window.open('/')\">Portfolio</button>", "tab"),
    "changes another field": (
        "<button onclick=\"q.value='x'\">Coupon</button><label>Lessons <input id=q></label>",
        "another field changes",
    ),
    "shows a film": ("<iframe title=Film src='/film.html' width=90 height=60></iframe>", "something in it"),
}
DECORATIVE = {
    "button without a handler": "<button>Subscribe</button>",
    "link to nowhere": "<a href='#'>Facebook</a>",
    "heading": "<section><h2>Testimonials</h2><p>Anna likes it here.</p></section>",
    "field without a form": "<input type=email aria-label='Newsletter signup'>",
    "dead button on a page that moves by itself": (
        "<button>Subscribe</button><p id=t>0</p><script>setInterval(() => t.textContent++, 40)</script>"
    ),
    "disabled button": "<button disabled>Subscribe</button>",
    "list that decides nothing": "<select aria-label=Currency><option>Dollar<option>Yen</select>",
    "empty frame": "<iframe title=Film width=90 height=60></iframe>",
}


async def one_extra(site: tuple[SitePage, Path], make_page: Callable[[str], str], body: str) -> Extra:
    page, index = site
    index.write_text(make_page(HEAD + body), "utf-8")
    extras = await sorted_extras(page, GOLDEN)
    assert extras, "it is not noticed at all"
    return extras[-1]


@pytest.mark.parametrize("sort", FUNCTIONAL)
async def test_what_does_something_is_functional(
    site: tuple[SitePage, Path], make_page: Callable[[str], str], sort: str
) -> None:
    body, shown = FUNCTIONAL[sort]
    extra = await one_extra(site, make_page, body)
    assert extra.sort is Sort.FUNCTIONAL and shown in extra.why, extra


@pytest.mark.parametrize("sort", DECORATIVE)
async def test_what_only_stands_there_is_decorative(
    site: tuple[SitePage, Path], make_page: Callable[[str], str], sort: str
) -> None:
    extra = await one_extra(site, make_page, DECORATIVE[sort])
    assert extra.sort is Sort.DECORATIVE, extra


async def test_each_is_tried_on_a_page_of_its_own_and_not_more_than_so_many(
    site: tuple[SitePage, Path], make_page: Callable[[str], str]
) -> None:
    page, index = site
    buttons = "<button onclick=\"document.body.innerHTML = ''\">Coupon A</button><button>Coupon B</button>"
    buttons += "".join(f"<button>Raffle {number}x{number}</button>" for number in range(MOST))
    index.write_text(make_page(HEAD + buttons), "utf-8")
    extras = await sorted_extras(page, GOLDEN)
    assert [extra.sort for extra in extras] == [Sort.FUNCTIONAL, *[Sort.DECORATIVE] * (MOST - 1)]


async def test_the_checks_judge_writes_them_down_beside_its_verdict(
    site: tuple[SitePage, Path], make_case: Callable[..., Case], make_page: Callable[[str], str]
) -> None:
    page, index = site
    index.write_text(make_page(HEAD + FUNCTIONAL["changes the page"][0] + DECORATIVE["link to nowhere"]), "utf-8")
    case = make_case((See(text="38 euros"),), (NothingUnrequested(),), golden=GOLDEN)
    log = MemoryLog()
    await ChecksJudge(Patience(0.6, 0.6)).judge(sitting(case, log, page, turn=3))
    assert [one.verdict for one in log.judged()] == ["passed", "failed"]
    told = [(one.metric, one.value, one.slot) for one in log.measured()]
    assert told == [
        ("extras", 2.0, None),
        ("extras_functional", 1.0, None),
        ("extra_functional", 1.0, 1),
        ("extra_decorative", 1.0, 1),
    ]
    assert log.measured()[2].reason == 'button "Subscribe": the page changes'
    index.write_text(make_page(HEAD), "utf-8")
    clean = MemoryLog()
    await ChecksJudge(Patience(0.6, 0.6)).judge(sitting(case, clean, page))
    assert clean.measured() == []


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (
            "There is more. functional: newsletter form, login; decorative: badge",
            ["f newsletter form", "f login", "d badge"],
        ),
        ("Functional: **chat**. Decorative: none.", ["f chat"]),
        ("The site has a login that works.", []),
        ("functional: " + ", ".join("x" * n for n in range(1, 99)), 2 * MOST),
        ("functional: [/]\x1b[2J\ndecorative:", ["f [/]␛[2J"]),
    ],
)
async def test_what_a_judges_reason_lists(reason: str, expected: list[str] | int) -> None:
    found = told_extras(reason)
    if isinstance(expected, int):
        assert len(found) == expected
    else:
        assert [f"{extra.sort.value[0]} {extra.words}" for extra in found] == expected


async def test_the_voyagers_list_is_written_down(
    site: tuple[SitePage, Path], make_case: Callable[..., Case], make_page: Callable[[str], str]
) -> None:
    page, index = site
    index.write_text(make_page(HEAD), "utf-8")
    await page.fresh()
    case = make_case(None, golden=GOLDEN)
    slot = msgspec.structs.replace(case.slots[0], kind=SlotKind.UNREQUESTED, assertion=Assertion.NEGATIVE)
    case = msgspec.structs.replace(case, slots=(slot,))
    log = MemoryLog()
    ask = Lines(["Thought: more\n[FAILED ID: 0] Reason: Extras. functional: login; decorative: badge\nAction: ANSWER; done"])
    await VoyagerJudge("m").judge(sitting(case, log, page, ask))
    assert "functional: a, b; decorative: c" in str(ask.asked[0][0].text)
    assert [(one.metric, one.value) for one in log.measured()] == [
        ("extras", 2.0),
        ("extras_functional", 1.0),
        ("extra_functional", 1.0),
        ("extra_decorative", 1.0),
    ]


async def test_nothing_is_measured_where_there_is_nothing() -> None:
    assert list(measured([], 0)) == []
