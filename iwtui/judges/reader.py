"""Reading a page through `reader.js`: every look is bounded, and a page that does not answer is dead."""

import asyncio
from collections.abc import Awaitable
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from iwtui.web.faults import BrowserLostError, PageDeadError

T = TypeVar("T")

ANSWER = 5.0
"""Seconds that a page may take to answer one look at it."""


@cache
def script(name: str) -> str:
    """The text of a script that stands beside this module."""
    return files("iwtui.judges").joinpath(name).read_text("utf-8")


def calling(function: str, *libraries: str) -> str:
    """An expression for `Page.evaluate`: `function` is JavaScript that may use `reader` and what `libraries` define."""
    rest = "\n".join(script(name) for name in libraries)
    return f"async (arg) => {{ const reader = {script('reader.js')};\n{rest}\nreturn await ({function})(arg); }}"


async def bounded(page: Page, wait: Awaitable[T], seconds: float = ANSWER) -> T:
    """The answer to one look at the page. Raises PageDeadError, BrowserLostError, or PlaywrightError for the rest."""
    try:
        async with asyncio.timeout(seconds):
            return await wait
    except TimeoutError as error:
        raise PageDeadError(f"the page did not answer within {seconds:g} s") from error
    except PlaywrightError as error:
        _raise_if_gone(page, error)
        raise


def _raise_if_gone(page: Page, error: PlaywrightError) -> None:
    browser = page.context.browser
    if browser is None or not browser.is_connected():
        raise BrowserLostError("the browser is gone") from error
    if page.is_closed() or "crashed" in error.message or "has been closed" in error.message:
        raise PageDeadError("the page crashed") from error


async def look(page: Page, function: str, arg: object = None, *libraries: str) -> Any:
    """What `function` returns in the page. A page that navigates meanwhile is looked at once more."""
    expression = calling(function, *libraries)
    try:
        return await bounded(page, page.evaluate(expression, arg))
    except PlaywrightError as error:
        if not _left(error):
            raise
    await bounded(page, page.wait_for_load_state("domcontentloaded"))
    return await bounded(page, page.evaluate(expression, arg))


async def change(page: Page) -> None:
    """Wait for the page's next change, or 0.1 s when nothing changes."""
    await look(page, "() => reader.change()")


def _left(error: PlaywrightError) -> bool:
    return "Execution context was destroyed" in error.message or "navigation" in error.message
