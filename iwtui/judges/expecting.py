"""The steps of a check that expect something: each polled until it holds, or until patience is over."""

import re

from iwtui.bench.case import Case
from iwtui.bench.checks import Colour, Count, Gone, Matches, NothingUnrequested, Number, See, Target
from iwtui.bench.text import one_line
from iwtui.judges import colours
from iwtui.judges.acting import Patience, missing, until
from iwtui.judges.locate import FLAGS, locate, plain, shown, words
from iwtui.judges.reading import Reading
from iwtui.judges.unrequested import unrequested
from iwtui.web.page import SitePage

Expectation = See | Gone | Count | Matches | Number | Colour | NothingUnrequested


class Expecting:
    """Judges the expectations of one check on one page."""

    def __init__(self, case: Case, page: SitePage, reading: Reading, patience: Patience) -> None:
        self._case = case
        self._page = page
        self._reading = reading
        self._patience = patience
        self._said = ""

    async def expect(self, step: Expectation) -> str:
        """What was seen. Raises StepFailedError when the expectation does not hold."""
        self._said = ""
        await until(self._page, lambda: self._fault(step), self._patience.hold)
        return self._said

    async def _fault(self, step: Expectation) -> str | None:
        match step:
            case See() | Gone() if not (step.roles or step.name or step.label or step.within):
                return await self._text_only(step)
            case See():
                return await self._see(step)
            case Gone():
                return await self._gone(step)
            case Count():
                return await self._count(step)
            case Matches():
                return await self._matches(step)
            case Number():
                return await self._number(step)
            case Colour():
                return await self._colour(step)
            case NothingUnrequested(allow=allow):
                return await self._nothing_unrequested(allow)

    async def _text_only(self, step: See | Gone) -> str | None:
        there = self._reading.found(step.text, await self._reading.text())
        self._said = f'"{plain(step.text)}" is {"" if there else "not "}to be seen'
        return None if there == isinstance(step, See) else self._said

    async def _see(self, step: See) -> str | None:
        found = await locate(self._page.raw, step)
        place = found.pick(step.nth)
        if place is None:
            return missing(step, found)
        self._said = f"{words(step)} is there: {shown(found.elements[place : place + 1])}"
        return None

    async def _gone(self, step: Gone) -> str | None:
        found = await locate(self._page.raw, step)
        self._said = f"no {words(step)} is to be seen"
        return f"{words(step)} is to be seen: {shown(found.elements)}" if found.elements else None

    async def _count(self, step: Count) -> str | None:
        found = await locate(self._page.raw, step)
        count = len(found.elements)
        self._said = f"{count} × {words(step)}"
        if _within(count, step.least, step.most):
            return None
        there = shown(found.elements or found.others)
        return f"{self._said}, not {_span(step.least, step.most)}{f'; there: {there}' if there else ''}"

    async def _matches(self, step: Matches) -> str | None:
        text = await self._reading.text()
        matches = [match.group(0) for match in re.finditer(step.pattern, text, FLAGS)]
        first = f': "{one_line(matches[0], 80)}"' if matches else ""
        self._said = f'"{plain(step.pattern)}" stands there {_times(len(matches))}{first}'
        if _within(len(matches), step.least, step.most):
            return None
        if not matches:
            return f'the text "{plain(step.pattern)}" is not to be seen'
        return f"{self._said}; expected {_span(step.least, step.most)}"

    async def _number(self, step: Number) -> str | None:
        value = await self._reading.number(step.number)
        if value is None:
            return "no such number is to be seen"
        wanted = step.exactly if step.exactly is not None else self._reading.last(step.number) + (step.change or 0)
        self._said = f"the number is {value:g}"
        return None if value == wanted else f"the number is {value:g}, not {wanted:g}"

    async def _colour(self, step: Colour) -> str | None:
        values = (step.value,) if isinstance(step.value, str) else step.value
        wanted = await colours.resolve(self._page.raw, values)
        if _is_page(step):
            colour = await colours.page_background(self._page.raw)
            self._said = f"the page background is {colours.named(colour)}"
            return None if _near(colour, wanted, step.tolerance) else f"{self._said}, not {values[0]}"
        found = await locate(self._page.raw, step)
        if not found.elements:
            return missing(step, found)
        seen = [
            await colours.element_colour(self._page.raw, await found.handle(place), step.property)
            for place in range(len(found.elements))
        ]
        right = sum(colour is not None and _near(colour, wanted, step.tolerance) for colour in seen)
        said = ", ".join(dict.fromkeys("none" if colour is None else colours.named(colour) for colour in seen))
        self._said = f"the {step.property} of the {words(step)} is {said}"
        return None if right >= step.share * len(seen) else f"{self._said}, not {values[0]}"

    async def _nothing_unrequested(self, allow: tuple[str, ...]) -> str | None:
        extras = await unrequested(self._page.raw, self._case.golden, allow)
        self._said = "every control and heading is accounted for"
        return f"nobody asked for {', '.join(extras[:8])}" if extras else None


def _is_page(target: Target) -> bool:
    return not (target.roles or target.name or target.label or target.text)


def _near(colour: colours.RGB, wanted: list[colours.RGB], tolerance: float) -> bool:
    return any(colours.distance(colour, one) <= tolerance for one in wanted)


def _within(count: int, least: int, most: int | None) -> bool:
    return least <= count and (most is None or count <= most)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _span(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least}"
    return str(least) if least == most else f"{least} to {most}"
