"""One Chromium for the whole process, launched anew when it died; each page gets a context of its own."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import BrowserContext, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from iwtui.web.chromium import Chromium, is_root, launch_args
from iwtui.web.faults import BrowserLostError
from iwtui.web.page import Gone, SitePage
from iwtui.web.seats import Seats

_LAUNCHING = 30.0
_CLOSING = 5.0
_ANSWERING = 10.0
"""Seconds until a browser that does not answer is given up: a page that floods its console holds the answer up."""


class Browser:
    """A headless Chromium. A page reaches its own origin and nothing else, whatever it tries."""

    def __init__(self, chromium: Chromium) -> None:
        self._chromium = chromium
        self._playwright: Playwright | None = None
        self._browser: PlaywrightBrowser | None = None
        self._launching = asyncio.Lock()
        self.seats = Seats()
        self._open = 0
        self._stuck = False
        # Bound, never listening: a proxy that refuses every connection, and a port that nobody else can take.
        self._wall = socket.socket()
        self._wall.bind(("127.0.0.1", 0))

    @classmethod
    @asynccontextmanager
    async def launch(cls, chromium: Chromium) -> AsyncIterator["Browser"]:
        """A browser as long as the context lasts. Raises BrowserLostError when it does not start."""
        browser = cls(chromium)
        try:
            await browser.ensure()
            yield browser
        finally:
            await browser._stop()
            browser._wall.close()

    @property
    def version(self) -> str:
        """What it calls itself, `156.0.8078.108`."""
        return self._browser.version if self._browser else self._chromium.version

    @property
    def stuck(self) -> bool:
        """Whether it holds a page that would not close, and is to be launched anew once nobody needs it."""
        return self._stuck

    async def ensure(self) -> None:
        """Launch it anew when it died, or when it holds a page that would not close. Raises BrowserLostError."""
        async with self._launching:
            if self._browser and self._browser.is_connected() and not (self._stuck and not self._open):
                return
            await self._stop()
            try:
                async with asyncio.timeout(_LAUNCHING):
                    self._playwright = await async_playwright().start()
                    self._browser = await self._launch(self._playwright)
            except (TimeoutError, PlaywrightError, OSError) as error:
                await self._stop()
                raise BrowserLostError(f"{self._chromium.executable} does not start: {str(error)[:600]}") from error

    async def alive(self) -> bool:
        """Whether it still answers."""
        if not (self._browser and self._browser.is_connected()):
            return False
        try:
            async with asyncio.timeout(_ANSWERING):
                session = await self._browser.new_browser_cdp_session()
                await session.send("Browser.getVersion")
                await session.detach()
        except (TimeoutError, PlaywrightError):
            return False
        return True

    @asynccontextmanager
    async def page(
        self, origin: str, width: int = 1280, height: int = 800, gone: Gone | None = None
    ) -> AsyncIterator[SitePage]:
        """A page in a fresh context for the site at `origin` (`http://127.0.0.1:PORT`), once there is a seat for it.

        `gone` is asked why the site's server is dead when nothing answers any more. Raises BrowserLostError.
        """
        async with self.seats.seat(), self.context(origin, width, height, gone) as page:
            yield page

    @asynccontextmanager
    async def context(self, origin: str, width: int, height: int, gone: Gone | None = None) -> AsyncIterator[SitePage]:
        """As `page`, for who has a seat whenever the page is in use."""
        parts = urlsplit(origin)
        context = await self._context(parts.netloc, width, height)
        self._open += 1
        try:
            yield await SitePage.start(context, f"{parts.scheme}://{parts.netloc}", self.alive, gone)
        finally:
            self._open -= 1
            await self._close(context)

    async def _context(self, host: str, width: int, height: int) -> BrowserContext:
        for last in (False, True):
            await self.ensure()
            assert self._browser
            try:
                async with asyncio.timeout(_LAUNCHING):
                    return await self._browser.new_context(
                        viewport={"width": width, "height": height},
                        service_workers="block",
                        accept_downloads=False,
                        locale="en-US",
                        # The order matters: the later rule wins.
                        proxy={"server": f"http://127.0.0.1:{self._wall.getsockname()[1]}", "bypass": f"<-loopback>,{host}"},
                    )
            except (TimeoutError, PlaywrightError) as error:
                if last or await self.alive():
                    raise BrowserLostError(f"the browser opens no page: {str(error)[:300]}") from error
        raise AssertionError("unreachable")

    async def _launch(self, playwright: Playwright) -> PlaywrightBrowser:
        sandboxes = (False,) if is_root() else (True, False)  # some containers have no user namespaces for it
        for sandbox in sandboxes:
            try:
                return await playwright.chromium.launch(
                    executable_path=self._chromium.executable,
                    headless=True,
                    args=launch_args(),
                    chromium_sandbox=sandbox,
                    timeout=_LAUNCHING / 3 * 1000,
                    # We end it ourselves: an interrupt first lets the steps under way finish.
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
            except PlaywrightError:
                if sandbox is sandboxes[-1]:
                    raise
        raise AssertionError("unreachable")

    async def _close(self, context: BrowserContext) -> None:
        try:
            async with asyncio.timeout(_CLOSING):
                await context.close()
        except (TimeoutError, PlaywrightError):
            self._stuck = True  # the browser goes when its last page does

    async def _stop(self) -> None:
        browser, playwright = self._browser, self._playwright
        self._browser = self._playwright = None
        self._stuck = False
        for end in (browser and browser.close, playwright and playwright.stop):
            if end:
                try:
                    async with asyncio.timeout(_CLOSING):
                        await end()
                except (TimeoutError, PlaywrightError):
                    continue  # it is gone, or goes with its driver
