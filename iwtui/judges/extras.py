"""What sort of things a site holds that nobody asked for: functional ones do something, decorative ones only stand there.

The rule tries each on a page that is opened anew. It is functional when something comes of it: the page or another field
changes, it leads elsewhere, scrolls or stores, opens a dialog or a tab, asks a server for something, or its script breaks
off. A request that leads outside is blocked, and so is evidence of its own: the site calls what is not there. A heading does
nothing; a frame, film or sound is functional when there is anything in it.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from urllib.parse import urldefrag

import msgspec
from playwright.async_api import ElementHandle, Page, Request
from playwright.async_api import Error as PlaywrightError

from iwtui.bench.events import EpisodeMeasured
from iwtui.bench.text import one_line
from iwtui.judges.reader import bounded, calling
from iwtui.judges.unrequested import Unasked, unasked
from iwtui.web.faults import PageDeadError
from iwtui.web.page import SitePage
from iwtui.web.seen import Seen

MOST = 8
"""Things that are tried on one site; the judge's reason names no more either."""

_FAR = ("mailto:", "tel:", "sms:")
_MEDIA = ("frame", "video", "audio")
_REASON = 300
_SAMPLES = {"email": "anna@example.org", "number": "3", "tel": "030123456"}
"""What is typed into fields that take no other text."""


class Sort(StrEnum):
    """`unknown`: it could not be tried."""

    FUNCTIONAL = "functional"
    DECORATIVE = "decorative"
    UNKNOWN = "unknown"


class Extra(msgspec.Struct, frozen=True):
    """Something that nobody asked for, in words (`button "Subscribe"`); what sort it is, and what shows it."""

    words: str
    sort: Sort
    why: str


class _State(msgspec.Struct, frozen=True):
    page: str
    fields: str
    url: str
    place: str
    stored: str


_CHANGES = {
    "url": "it leads to another address",
    "page": "the page changes",
    "fields": "another field changes",
    "place": "the page scrolls",
    "stored": "it stores something",
}


async def sorted_extras(page: SitePage, golden: str, allow: Iterable[str] = ()) -> list[Extra]:
    """What nobody asked for on the site, each tried on a page opened anew; at most MOST.

    Raises BrowserLostError. A site that does not open any more, or dies of being looked at, gives none.
    """
    allow = tuple(allow)
    try:
        if not (await page.fresh()).ok:
            return []
        found = await unasked(page.raw, golden, allow)
    except (PageDeadError, PlaywrightError):
        return []
    return [await _sorted(page, one, golden, allow) for one in found[:MOST]]


async def _sorted(page: SitePage, one: Unasked, golden: str, allow: tuple[str, ...]) -> Extra:
    if one.control is None:
        return Extra(one.words, Sort.DECORATIVE, "a heading does nothing")
    try:
        if not (await page.fresh()).ok:
            return Extra(one.words, Sort.UNKNOWN, "the site did not open again")
        here = next((again for again in await unasked(page.raw, golden, allow) if again.words == one.words), None)
        element = None if here is None or here.control is None else await _element(page.raw, here.control)
        if element is None:
            return Extra(one.words, Sort.UNKNOWN, "it was not there again")
        why = await (_media(page.raw, element) if one.role in _MEDIA else _tried(page, element, one))
    except PageDeadError as error:
        return Extra(one.words, Sort.FUNCTIONAL, one_line(f"the site dies of it: {error}", _REASON))
    except PlaywrightError as error:
        return Extra(one.words, Sort.UNKNOWN, one_line(f"it could not be tried: {error.message}", _REASON))
    sort = Sort.FUNCTIONAL if why else Sort.DECORATIVE
    return Extra(one.words, sort, one_line(why, _REASON) or "nothing comes of it")


async def _element(page: Page, place: int) -> ElementHandle | None:
    handle = await bounded(page, page.evaluate_handle(calling("(place) => controlAt(place)", "unrequested.js"), place))
    return handle.as_element()


async def _media(page: Page, element: ElementHandle) -> str:
    there = await bounded(page, page.evaluate(calling("(el) => holds(el)", "extras.js"), element))
    return "there is something in it" if there else ""


async def _tried(page: SitePage, element: ElementHandle, one: Unasked) -> str:
    """What comes of acting on it; empty when nothing does."""
    raw = page.raw
    href = await bounded(raw, element.evaluate("(el) => el.getAttribute('href') ?? ''"))
    if href.startswith(_FAR):
        return f"it leads to {href}"
    await bounded(raw, raw.evaluate(calling("(el) => fillForm(el)", "extras.js"), element))
    restless = await _state(raw, element) != await _later(page, element)
    before = await _state(raw, element)
    page.drain()
    requests: list[str] = []

    def asked(request: Request) -> None:
        if len(requests) < MOST and not request.url.startswith(("data:", "blob:")):
            requests.append(f"{request.method} {request.url}")

    raw.on("request", asked)
    try:
        said = await _act(page, element, one)
        if said:
            return ""  # nobody can act on it
        seen = page.drain()
        if page.raw is not raw:
            return "it opens a tab"
        if happened := next(_happened(requests, seen), ""):
            return happened
        if urldefrag(raw.url).url != before.url:
            return f"it leads to {raw.url}"
        after = await _state(raw, element)
    finally:
        raw.remove_listener("request", asked)
    changed = [name for name in _CHANGES if getattr(before, name) != getattr(after, name)]
    if restless and "page" in changed:
        changed.remove("page")  # it changes by itself
    return ", ".join(_CHANGES[name] for name in changed)


async def _act(page: SitePage, element: ElementHandle, one: Unasked) -> str:
    """Do what a visitor would; why that cannot be done, or nothing."""
    raw = page.raw
    if await bounded(raw, element.evaluate("(el) => el.tagName === 'SELECT'")):
        options = await bounded(raw, element.evaluate("(el) => el.options.length"))
        if not options:
            return "there is nothing to choose"
        await bounded(raw, element.select_option(index=options - 1))
        await page.wait()
        return ""
    if one.field:
        await bounded(raw, element.focus())
        kind = await bounded(raw, element.evaluate("(el) => el.type"))
        await bounded(raw, raw.keyboard.type(_SAMPLES.get(kind, "Anna")))
        await page.key("Enter")
        return ""
    spot = await bounded(raw, raw.evaluate(calling("(el) => reader.spot(el)"), element))
    if spot.get("gone") or spot.get("over") or spot.get("disabled"):
        return "it cannot be clicked"
    said = await page.click_at(spot["x"], spot["y"])
    return "" if said == "clicked" else said


async def _later(page: SitePage, element: ElementHandle) -> _State:
    await page.wait()
    return await _state(page.raw, element)


async def _state(page: Page, element: ElementHandle) -> _State:
    return msgspec.convert(await bounded(page, page.evaluate(calling("(el) => state(el)", "extras.js"), element)), _State)


def _happened(requests: list[str], seen: Seen) -> Iterator[str]:
    """What else there is to show that it does something."""
    if seen.blocked:
        yield f"it calls {seen.blocked[0]}, which is not there (blocked)"
    if requests:
        yield f"it calls {requests[0]}"
    if seen.dialogs:
        yield f'it opens a dialog: "{seen.dialogs[0].message}"'
    if seen.notes:
        yield seen.notes[0]
    if seen.console:
        yield f"its script breaks off: {seen.console[0]}"


_LISTS = re.compile(r"\b(functional|decorative)\s*:\s*([^.;\n]*)", re.IGNORECASE)


def told_extras(reason: str) -> list[Extra]:
    """What a judge's reason lists as functional and decorative: `functional: a, b; decorative: c`."""
    found = []
    for sort, listed in _LISTS.findall(reason):
        for words in listed.split(","):
            if (named := one_line(words.strip(" *_`"), 100)) and named.casefold() not in ("none", "nothing", "-", "–"):
                found.append(Extra(named, Sort(sort.lower()), "the judge says so"))
    return found[: 2 * MOST]


def measured(extras: list[Extra], slot: int) -> Iterator[EpisodeMeasured]:
    """How many there are and how many of them do something, then each of them. Nothing where there are none."""
    if not extras:
        return
    functional = sum(extra.sort is Sort.FUNCTIONAL for extra in extras)
    yield EpisodeMeasured(metric="extras", value=len(extras), reason="things that nobody asked for")
    yield EpisodeMeasured(metric="extras_functional", value=functional, reason="of them such as do something")
    for extra in extras:
        metric, reason = f"extra_{extra.sort.value}", f"{extra.words}: {extra.why}"
        yield EpisodeMeasured(metric=metric, value=1.0, reason=reason, slot=slot)
