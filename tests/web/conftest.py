"""One Chromium a test module, and sites made of literal pages."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
import pytest_asyncio
from aiohttp import web

from iwtui.web.browser import Browser
from iwtui.web.chromium import find
from iwtui.web.page import SitePage

Handler = Callable[[web.Request], object]
Opened = Callable[..., AbstractAsyncContextManager[SitePage]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    chromium = find()
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    async with Browser.launch(chromium) as launched:
        yield launched


@asynccontextmanager
async def serving(pages: Mapping[str, str | Handler]) -> AsyncIterator[str]:
    """The address of a server whose paths answer with HTML or by a handler."""

    async def answer(request: web.Request) -> web.StreamResponse:
        page = pages.get(request.path)
        if page is None:
            raise web.HTTPNotFound
        if isinstance(page, str):
            return web.Response(text=f"<!doctype html><title>a site</title>{page}", content_type="text/html")
        response = await page(request)  # type: ignore[misc]
        assert isinstance(response, web.StreamResponse)
        return response

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.fixture
def opened(browser: Browser) -> Opened:
    """A page of a site with the given HTML (or paths), opened at `/` and fit to be looked at."""

    @asynccontextmanager
    async def opened(pages: str | Mapping[str, str | Handler]) -> AsyncIterator[SitePage]:
        async with (
            serving({"/": pages} if isinstance(pages, str) else pages) as origin,
            browser.page(origin) as page,
        ):
            probe = await page.open("/")
            assert probe.ok, probe
            yield page

    return opened
