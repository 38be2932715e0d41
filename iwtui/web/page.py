"""A page of a site: open it, look at it, act on it. Every step is bounded and says in words what came of it."""

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import msgspec
from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from iwtui.bench.text import one_line
from iwtui.web import hands, marks
from iwtui.web.faults import BrowserLostError, PageDeadError
from iwtui.web.marks import Mark, MarkList
from iwtui.web.seen import Seen, Watch
from iwtui.web.tab import Alive, Tab

T = TypeVar("T")

Gone = Callable[[], Awaitable[str]]
"""Tells why the site's server is dead; nothing while it lives."""

MAX_TEXT = 20_000
MAX_TABS = 6

_ANSWER = 9.0
"""Seconds until the server's first bytes."""
_READ = 5.0
"""Seconds from there until the document is read."""
_STILL = (150, 1_500, 3_000)
"""Milliseconds: quiet for so long, at most so long, and so long while there is nothing on the page."""
_STILL_AFTER_ACTION = (100, 1_000, 1_000)
_STILL_WAITING = (700, 2_500, 2_500)
_PICTURE = 5.0
_STORAGE = 3.0
_LOCATORS = 5_000


class Probe(msgspec.Struct, frozen=True):
    """Whether a page of the site is there. `fault`: `site` when it is the site's own, `infra` when nothing answers at
    its address (only who runs the server knows whether the site brought it down)."""

    ok: bool
    title: str
    url: str
    reason: str
    fault: str | None
    seconds: float


class SitePage:
    """What one sees of a site: the newest tab of a fresh context.

    Reading and acting raise PageDeadError and BrowserLostError and nothing else.
    """

    def __init__(self, context: BrowserContext, origin: str, alive: Alive, gone: Gone | None = None) -> None:
        self._context = context
        self._origin = origin
        self._alive = alive
        self._gone = gone
        self._watch = Watch(context, origin)
        self._tabs: list[Tab] = []
        self._arrived: list[Page] = []
        self._closing: set[asyncio.Task[None]] = set()
        context.on("page", self._on_page)

    @classmethod
    async def start(cls, context: BrowserContext, origin: str, alive: Alive, gone: Gone | None = None) -> "SitePage":
        """A page that is still blank."""
        page = cls(context, origin, alive, gone)
        await page._new_tab()
        return page

    @property
    def raw(self) -> Page:
        """Playwright's page of the tab that is looked at."""
        return self._tab.page

    async def open(self, path: str = "/") -> Probe:
        """Go to a path of the site and wait until it stands still, or long enough. An error in the console is no failure."""
        begun = time.monotonic()
        url = urljoin(f"{self._origin}/", path)
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" != self._origin:
            return Probe(False, "", url, "the path leads outside the site", "site", 0.0)
        if self._tab.dead:
            await self._replace_tab()
        title, reason, fault = "", "", None
        try:
            reason, fault = await self._go(url)
            if not reason:
                look = await self._tab.call("settle", *_STILL, seconds=_STILL[2] / 1000 + 2)
                title = look["title"]
                if not look["fonts"]:
                    self._watch.note("fonts not ready")
                if look["empty"]:
                    reason, fault = "the page is empty: no text, no picture, no control", "site"
        except PageDeadError as error:
            reason, fault = str(error), "site"
        except PlaywrightError as error:
            reason, fault = one_line(error.message, 300), "site"
        if fault == "infra" and self._gone and (death := await self._gone()):
            reason, fault = death, "site"
        return Probe(not reason, title, self.raw.url, reason, fault, time.monotonic() - begun)

    async def fresh(self) -> Probe:
        """Forget all that the site stored (cookies, storage, databases, caches) and open it anew in a blank tab."""
        if not await self._blanked():
            await self._replace_tab()
        await self._forget()
        return await self.open("/")

    async def emptied(self) -> bool:
        """Leave the site and forget all that it stored; False when the page is in no state for that."""
        try:
            if not await self._blanked():
                return False
            await self._forget()
        except (PageDeadError, BrowserLostError):
            return False
        return True

    @property
    def usable(self) -> bool:
        """Whether the tab is there and lives."""
        return not (self._tab.dead or self.raw.is_closed())

    async def stands(self) -> bool:
        """Whether the page still is as it was when it last stood still: nothing in it changed, and it is the only one."""
        if len(self._tabs) > 1 or self._arrived:
            return False
        return bool(await self._read(lambda tab: tab.call("stands")))

    async def picture(self) -> bytes:
        """The view as lossless WebP, without waiting for fonts."""
        return await self._read(self._taken)

    async def marks(self) -> MarkList:
        """What one can act on in view."""
        return marks.decode(await self._read(lambda tab: tab.call("marks", marks.MAX_MARKS, marks.BUDGET_MS)))

    async def text(self) -> str:
        """The visible text, frames and shadow roots included, at most MAX_TEXT characters."""
        return str(await self._read(lambda tab: tab.call("text", MAX_TEXT)))

    async def click(self, mark: Mark) -> str:
        """Click the marked element where it is now: `clicked`, or why no event reached it."""
        return await self._act(lambda tab: hands.click(tab, mark))

    async def click_at(self, x: float, y: float) -> str:
        """Click a point of the view, in CSS pixels."""
        return await self._act(lambda tab: hands.click_at(tab, x, y))

    async def type(self, mark: Mark, text: str, enter: bool = False) -> str:
        """Replace the field's text, key by key, and press Enter when asked to."""
        return await self._act(lambda tab: hands.type_text(tab, mark, text, enter))

    async def key(self, name: str) -> str:
        """Press a key, by its name in the DOM: `Enter`, `Escape`, `Control+a`."""
        return await self._act(lambda tab: hands.key(tab, name))

    async def scroll(self, direction: str) -> str:
        """Scroll up, down, left or right by most of a view, or to the top or bottom."""
        return await self._act(lambda tab: hands.scroll(tab, direction))

    async def select(self, mark: Mark, option: str) -> str:
        """Choose an option of a select, by its label or value."""
        return await self._act(lambda tab: hands.select(tab, mark, option))

    async def wait(self) -> str:
        """Let the page work for a moment."""
        return await self._act(lambda tab: hands.wait(tab, *_STILL_WAITING))

    async def back(self) -> str:
        """One page back; in a tab that was opened by another and has no history, back to that one."""
        if len(self._tabs) > 1 and not await self._read(hands.has_past):
            await self._close_page(self._tabs.pop().page)
            await self._read(lambda tab: tab.bounded("showing the tab", tab.page.bring_to_front(), _STORAGE))
            return "went back to the tab before"
        return await self._act(hands.back)

    def drain(self) -> Seen:
        """What happened since the last drain."""
        return self._watch.drain()

    @property
    def _tab(self) -> Tab:
        while len(self._tabs) > 1 and self._tabs[-1].page.is_closed():
            self._tabs.pop()
        return self._tabs[-1]

    async def _read(self, question: Callable[[Tab], Awaitable[T]]) -> T:
        await self._follow()
        try:
            return await question(self._tab)
        except PlaywrightError as error:
            raise PageDeadError(f"the page cannot be read: {one_line(error.message, 200)}") from error

    @staticmethod
    async def _taken(tab: Tab) -> bytes:
        how = {"format": "webp", "quality": 100}
        try:
            taken = await tab.send("Page.captureScreenshot", how, _PICTURE)
        except PageDeadError:
            if tab.dead:
                raise
            taken = await tab.send("Page.captureScreenshot", how, _PICTURE)  # the script that held it up was stopped
        return base64.b64decode(taken["data"])

    async def _act(self, action: Callable[[Tab], Awaitable[str]]) -> str:
        await self._follow()
        tab = self._tab
        try:
            said = await action(tab)
            await self._settle()
        except PlaywrightError as error:
            if not tab.page.is_closed():
                return f"it could not be done: {one_line(error.message, 200)}"
            said = "the tab closed itself"
        await self._follow()
        return said

    async def _settle(self) -> None:
        if await self._tab.loaded():
            await self._tab.call("settle", *_STILL_AFTER_ACTION)

    async def _go(self, url: str) -> tuple[str, str | None]:
        """Load the document; why it is not there and whose fault that is."""
        page = self.raw
        try:
            going = page.goto(url, wait_until="commit", timeout=_ANSWER * 1000)
            response = await self._tab.bounded("opening", going, _ANSWER + 1)
        except PlaywrightTimeout:
            await self._tab.call("text", 1, seconds=2.0)  # a page that hangs is told from a server that does
            return f"no answer from {url} within {_ANSWER:g} s", "infra"
        except PlaywrightError as error:
            reason = one_line(error.message.split("\n")[0].removeprefix("Page.goto: "), 300)
            lost = any(word in error.message for word in ("ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_SOCKET"))
            return reason, "infra" if lost else "site"
        if response and response.status >= 400:
            return f"HTTP {response.status} {response.status_text}".strip(), "site"
        if not await self._tab.loaded(_READ):
            self._watch.note(f"the document was still loading after {_READ:g} s")
            await self._tab.call("text", 1, seconds=2.0)  # a page that hangs need not be waited for any longer
        return "", None

    def _on_page(self, page: Page) -> None:
        self._watch.attach(page)
        page.set_default_timeout(_LOCATORS)
        if len(self._arrived) + len(self._tabs) < MAX_TABS:
            self._arrived.append(page)
            return
        self._watch.note(f"a tab beyond the {MAX_TABS} allowed was closed")
        closing = asyncio.ensure_future(page.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def _follow(self) -> None:
        """Look at the tab that was opened last."""
        while self._arrived:
            page = self._arrived.pop(0)
            if page.is_closed():
                continue
            try:
                tab = await Tab.of(page, self._alive)
                await tab.bounded("showing the tab", page.bring_to_front(), _STORAGE)
            except (TimeoutError, PlaywrightError):
                self._watch.note("a new tab was gone before it could be seen")
                continue
            self._tabs.append(tab)
            await tab.loaded()
            self._watch.note(f"a new tab opened: {page.url}")

    async def _new_tab(self) -> None:
        try:
            async with asyncio.timeout(_ANSWER):
                page = await self._context.new_page()
                self._arrived = [other for other in self._arrived if other is not page]
                self._tabs.append(await Tab.of(page, self._alive))
        except (TimeoutError, PlaywrightError) as error:
            raise BrowserLostError(f"the browser opens no page: {str(error)[:300]}") from error

    async def _blanked(self) -> bool:
        """Empty the tab that is there, much quicker than a new one; False when it is not in a state for that."""
        tab = self._tab
        if tab.dead or tab.troubled or len(self._tabs) > 1 or self._arrived:
            return False
        try:
            await tab.bounded("leaving", tab.page.goto("about:blank", wait_until="commit"), _STORAGE)
            # What a tab itself remembers: its name and its history. Session storage goes with the rest.
            await tab.send("Runtime.evaluate", {"expression": "window.name = ''"}, _STORAGE)
            await tab.send("Page.resetNavigationHistory", {}, _STORAGE)
            # A pointer that stays would hover over the next document.
            await tab.bounded("pointer", tab.page.mouse.move(-10, -10), _STORAGE)
        except (PageDeadError, PlaywrightError):
            return False
        return not (tab.page.is_closed() or self._arrived)

    async def _forget(self) -> None:
        everything = {"origin": self._origin, "storageTypes": "all"}
        await self._read(lambda tab: tab.bounded("clearing cookies", self._context.clear_cookies(), _STORAGE))
        await self._read(lambda tab: tab.send("Storage.clearDataForOrigin", everything, _STORAGE))
        await self._read(lambda tab: tab.send("Network.clearBrowserCache", {}, _STORAGE))

    async def _replace_tab(self) -> None:
        """A new tab in place of all others: a dead page, its history and its session storage go with it."""
        await self._new_tab()
        others = [*(tab.page for tab in self._tabs[:-1]), *self._arrived]
        del self._tabs[:-1]
        self._arrived.clear()
        for page in others:
            await self._close_page(page)

    async def _close_page(self, page: Page) -> None:
        try:
            async with asyncio.timeout(_STORAGE):
                await page.close()
        except (TimeoutError, PlaywrightError):
            self._watch.note("a tab did not close; it goes with its context")
