"""A page for one look after another at one site: emptied in between, which takes a fraction of what a new context takes."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Self

from iwtui.web.browser import Browser
from iwtui.web.page import Gone, SitePage


class Window:
    """Holds a context between looks, with nothing of the site in it; a seat only during a look.

    Where a page died or would not be emptied, and where the site has moved to another address, the next look gets a new one.
    """

    def __init__(self, browser: Browser, width: int, height: int) -> None:
        self._browser = browser
        self._size = width, height
        self._held = AsyncExitStack()
        self._page: SitePage | None = None
        self._origin = ""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    @asynccontextmanager
    async def page(self, origin: str, gone: Gone | None = None) -> AsyncIterator[SitePage]:
        """A blank page that knows nothing of looks before. Raises as `Browser.page`."""
        async with self._browser.seats.seat():
            page = await self._blank(origin, gone)
            try:
                yield page
            except BaseException:
                await self._close()
                raise
            if self._browser.stuck or not await page.emptied():
                await self._close()

    async def _blank(self, origin: str, gone: Gone | None) -> SitePage:
        if self._page is None or not self._page.usable or origin != self._origin:
            await self._close()
            self._page = await self._held.enter_async_context(self._browser.context(origin, *self._size, gone))
            self._origin = origin
        self._page.drain()  # what happened while nobody looked
        return self._page

    async def _close(self) -> None:
        self._page = None
        await self._held.aclose()
