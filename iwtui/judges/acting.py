"""The steps of a check that do something, as a visitor would: with the mouse and key by key."""

import time
from collections.abc import Awaitable, Callable

import msgspec
from playwright.async_api import ElementHandle
from playwright.async_api import Error as PlaywrightError

from iwtui.bench.checks import Choose, Click, Fill, Open, Press, Read, Reload, Target
from iwtui.judges.locate import Located, locate, plain, shown, words
from iwtui.judges.reader import bounded, calling, change
from iwtui.judges.reading import Reading
from iwtui.web.page import SitePage

_OPTIONS = ("button", "tab", "radio", "link", "option", "menuitem", "checkbox")
_LISTS = ("combobox", "listbox")


class StepFailedError(Exception):
    """A step that could not be done, or an expectation that does not hold; the message tells a person why."""


class Patience(msgspec.Struct, frozen=True):
    """Seconds to go on looking: for an element to act on, and for an expectation to hold."""

    find: float = 3.0
    hold: float = 2.0


Finding = Callable[[], Awaitable[str | None]]


async def until(page: SitePage, holds: Finding, seconds: float) -> None:
    """Wait until `holds` finds nothing wrong, looking again whenever the page changes. Raises StepFailedError."""
    end = time.monotonic() + seconds
    while True:
        try:
            fault = await holds()
        except PlaywrightError as error:
            fault = f"the page could not be read: {error.message.splitlines()[0]}"
        if fault is None:
            return
        if time.monotonic() >= end:
            raise StepFailedError(fault)
        await change(page.raw)


def missing(target: Target, found: Located) -> str:
    """What was looked for, and what was there instead."""
    there = shown(found.others)
    instead = f"; there {'are' if ', ' in there else 'is'} {there}" if there and target.roles else ""
    count = len(found.elements)
    return f"no {words(target)} is to be seen{f' (only {count} such)' if count else ''}{instead}"


class Acting:
    """Does the steps of one check on one page."""

    def __init__(self, page: SitePage, reading: Reading, patience: Patience) -> None:
        self._page = page
        self._reading = reading
        self._patience = patience

    async def do(self, step: Open | Reload | Click | Fill | Choose | Press | Read) -> str:
        """Do it and say what happened. Raises StepFailedError."""
        self._reading.forget_dialogs()
        match step:
            case Open(path=path):
                probe = await self._page.open(path)
                if not probe.ok:
                    raise StepFailedError(f"{path} did not open: {probe.reason}")
                return f"opened {path}"
            case Reload():
                await self._reload()
                return "loaded the page again"
            case Click():
                return await self._on(step, self._click)
            case Fill(value=value):
                return await self._on(step, lambda element: self._fill(element, value))
            case Choose():
                return await self._choose(step)
            case Press(key=key):
                if step.roles or step.name or step.label or step.text:
                    await self._on(step, self._focus)
                return await self._page.key(key)
            case Read(number=pattern):
                await until(self._page, lambda: self._reading.remember(pattern), self._patience.hold)
                return f"read {self._reading.last(pattern):g}"

    async def _on(self, target: Target, act: Callable[[ElementHandle], Awaitable[str | None]]) -> str:
        """Find the element and act on it; `act` returns what stands in its way, and is then tried again for a while."""
        done = ""

        async def attempt() -> str | None:
            nonlocal done
            found = await locate(self._page.raw, target)
            place = found.pick(target.nth)
            if place is None:
                return missing(target, found)
            done = shown(found.elements[place : place + 1])
            return await act(await found.handle(place))

        await until(self._page, attempt, self._patience.find)
        return f"done on {done}" if done else "done"

    async def _click(self, element: ElementHandle) -> str | None:
        raw = self._page.raw
        spot = await bounded(raw, raw.evaluate(calling("(el) => reader.spot(el)"), element))
        if spot.get("gone"):
            return "it went away before it could be clicked"
        if spot.get("over"):
            return f'"{spot["over"]}" lies over it and would take the click'
        if spot.get("disabled"):
            return "it is there, but disabled"
        said = await self._page.click_at(spot["x"], spot["y"])
        return None if said == "clicked" else said

    async def _focus(self, element: ElementHandle) -> str | None:
        await bounded(self._page.raw, element.focus())
        return None

    async def _fill(self, element: ElementHandle, value: str) -> str | None:
        raw = self._page.raw
        able = await bounded(raw, element.evaluate("(el) => !el.disabled && !el.readOnly"))
        if not able:
            return "it is there, but cannot be typed into"
        await bounded(raw, element.focus())
        await bounded(raw, raw.keyboard.press("ControlOrMeta+a"))
        await bounded(raw, raw.keyboard.press("Delete"))
        await bounded(raw, raw.keyboard.type(value))
        return None

    async def _choose(self, step: Choose) -> str:
        place = Target(role=step.role, name=step.name, label=step.label, text=step.text, within=step.within, nth=step.nth)
        if not place.roles or set(place.roles) & set(_LISTS):
            chosen = await self._choose_in_list(msgspec.structs.replace(place, role=place.roles or _LISTS), step.option)
            if chosen is not None:
                return chosen
        roles = tuple(role for role in place.roles if role not in _LISTS) or _OPTIONS
        return await self._on(Target(role=roles, name=step.option, within=step.within), self._click)

    async def _choose_in_list(self, target: Target, option: str) -> str | None:
        """Choose in a select element; None when there is none."""
        raw = self._page.raw
        found = await locate(raw, target)
        for place in range(len(found.elements)):
            handle = await found.handle(place)
            labels = await bounded(raw, handle.evaluate("(el) => [...(el.options ?? [])].map((one) => one.label)"))
            fitting = [number for number, label in enumerate(labels) if self._reading.found(option, label)]
            if fitting:
                await bounded(raw, handle.select_option(index=fitting[0]))
                return f'chose "{labels[fitting[0]]}"'
        if found.elements and all(element.field for element in found.elements):
            raise StepFailedError(f'no option "{plain(option)}" in {shown(found.elements)}')
        return None

    async def _reload(self) -> None:
        raw = self._page.raw
        try:
            await bounded(raw, raw.reload(wait_until="domcontentloaded"), 10.0)
        except PlaywrightError as error:
            raise StepFailedError(f"the page did not load again: {error.message.splitlines()[0]}") from error
