"""One tab: every question to it has a limit, and is asked in a world that the page's own scripts cannot reach."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from iwtui.web import marks
from iwtui.web.faults import BrowserLostError, PageDeadError

T = TypeVar("T")
Alive = Callable[[], Awaitable[bool]]
"""Tells whether the browser still answers."""

_WORLD = "iwtui"
_NEW = 987_654_321
"""What a document answers that our scripts are not in yet."""
_ROUNDS = 3
"""How often a page that answers may take the whole limit."""
_INTERRUPTING = 2.0
_LOADING = 5.0
_MOVED_ON = ("Cannot find context", "context was destroyed", "navigated or closed", "Cannot find default", "No frame")


@cache
def _scripts() -> str:
    return marks.script() + files("iwtui.web").joinpath("world.js").read_text(encoding="utf-8")


class Tab:
    """A page of the browser with its own line to the renderer.

    `dead` says that it will not answer any more, `troubled` that it once did not answer in time.
    """

    def __init__(self, page: Page, cdp: CDPSession, alive: Alive) -> None:
        self.page = page
        self.dead = False
        self.troubled = False
        self._cdp = cdp
        self._alive = alive
        self._frame: str | None = None
        self._crash: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        page.on("crash", self._crashed)

    @classmethod
    async def of(cls, page: Page, alive: Alive) -> "Tab":
        """The tab of a page that is open."""
        async with asyncio.timeout(_LOADING):
            return cls(page, await page.context.new_cdp_session(page), alive)

    async def bounded(self, what: str, work: Awaitable[T], seconds: float) -> T:
        """The outcome of the work.

        Raises PageDeadError when the page is dead or does not answer in time (then its script has been stopped),
        BrowserLostError when the browser is gone, playwright's Error for anything else.
        """
        task = asyncio.ensure_future(work)
        try:
            waiting: set[asyncio.Future[Any]] = {task, self._crash}
            for _ in range(_ROUNDS):
                await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
                if task.done():
                    return task.result()
                if self._crash.done():
                    raise PageDeadError(f"the page crashed ({what})")
                if not await self._answers():
                    self.troubled = True
                    await self._interrupt(what)
                    raise PageDeadError(f"the page gave no answer within {seconds:g} s ({what}); its script was stopped")
            raise PageDeadError(f"the page answers, but this came to no end within {seconds * _ROUNDS:g} s: {what}")
        except PlaywrightError as error:
            if "crash" in error.message.lower():
                self.dead = True
                raise PageDeadError(f"the page crashed ({what})") from error
            if not await self._alive():
                raise BrowserLostError(f"the browser is gone ({what})") from error
            raise
        finally:
            if not task.done():
                task.cancel()

    async def send(self, method: str, params: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One command of the DevTools protocol. Raises as `bounded`."""
        answer: dict[str, Any] = await self.bounded(method, self._cdp.send(method, params), seconds)
        return answer

    async def call(self, function: str, *arguments: object, seconds: float = 3.0) -> Any:
        """Call one of the functions of marks.js and world.js; where the page moves on meanwhile, ask the new one.

        Raises as `bounded`, and PageDeadError when the page makes the function fail.
        """
        try:
            return await self._evaluate(function, arguments, seconds)
        except PlaywrightError as error:
            if not any(words in error.message for words in _MOVED_ON):
                raise
        await self.loaded()
        return await self._evaluate(function, arguments, seconds)

    async def loaded(self, seconds: float = _LOADING) -> bool:
        """Wait for the document to be read; False when it is not in time."""
        try:
            state = self.page.wait_for_load_state("domcontentloaded", timeout=seconds * 1000)
            await self.bounded("loading", state, seconds + 1)
        except PlaywrightError:
            return False
        return True

    async def _evaluate(self, function: str, arguments: tuple[object, ...], seconds: float) -> Any:
        asked = f"iwtui.{function}({', '.join(json.dumps(argument) for argument in arguments)})"
        how = {"contextId": await self._world(seconds), "awaitPromise": True, "returnByValue": True}
        answer = await self.send("Runtime.evaluate", {**how, "expression": f"globalThis.iwtui ? {asked} : {_NEW}"}, seconds)
        if answer["result"].get("value") == _NEW:
            answer = await self.send("Runtime.evaluate", {**how, "expression": f"{_scripts()}\n{asked}"}, seconds)
        if failure := answer.get("exceptionDetails"):
            said = failure.get("exception", {}).get("description") or failure.get("text", "")
            raise PageDeadError(f"the page cannot be read ({function}): {said[:300]}")
        return answer["result"].get("value")

    async def _world(self, seconds: float) -> int:
        """The number of our world in the document that stands there now; a known world is found again."""
        if self._frame is None:
            tree = await self.send("Page.getFrameTree", {}, seconds)
            self._frame = tree["frameTree"]["frame"]["id"]
        try:
            made = await self.send("Page.createIsolatedWorld", {"frameId": self._frame, "worldName": _WORLD}, seconds)
        except PlaywrightError:
            self._frame = None  # the page moved to another frame
            raise
        return int(made["executionContextId"])

    async def _answers(self) -> bool:
        """Whether the page is only slow, as on a busy machine: it answers a question that costs nothing."""
        try:
            async with asyncio.timeout(_INTERRUPTING):
                await self._cdp.send("Runtime.evaluate", {"expression": "1"})
        except (TimeoutError, PlaywrightError):
            return False
        return True

    async def _interrupt(self, what: str) -> None:
        """Stop the script that runs. Raises BrowserLostError when it is the browser that is silent."""
        try:
            async with asyncio.timeout(_INTERRUPTING):
                await self._cdp.send("Runtime.terminateExecution")
                await self._cdp.send("Runtime.evaluate", {"expression": "1"})
        except (TimeoutError, PlaywrightError) as error:
            self.dead = True
            if not await self._alive():
                raise BrowserLostError(f"the browser is gone ({what})") from error

    def _crashed(self, _: Page) -> None:
        self.dead = True
        if not self._crash.done():
            self._crash.set_result(None)
