"""A browser for the tests of the judges, and pages made of a string."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from iwtui.bench.case import Assertion, Case, Persona, Slot, SlotKind
from iwtui.bench.checks import EXPECTATIONS, Step
from iwtui.judges.acting import Acting, Patience, StepFailedError
from iwtui.judges.checks import Load, Outcome, run_check
from iwtui.judges.expecting import Expecting
from iwtui.judges.reading import Reading
from iwtui.web import chromium
from iwtui.web.browser import Browser
from iwtui.web.page import SitePage
from iwtui.web.static import StaticSite

BRISK = Patience(find=0.6, hold=0.6)


def case_of(*checks: tuple[Step, ...] | None, golden: str = "Build a page.") -> Case:
    """A case whose slots have these checks."""
    slots = tuple(
        Slot(
            component=f"Part {place}",
            expected="",
            assertion=Assertion.POSITIVE,
            kind=SlotKind.CONTENT,
            c_tech=1,
            check=check,
        )
        for place, check in enumerate(checks)
    )
    persona = Persona(id="P-BASE", name="Plain", rules="")
    return Case("x_P-BASE", "x", persona, golden, golden, (golden,), slots, "easy")


def document(body: str) -> str:
    return f"<!doctype html><html lang=en><title>x</title>{body}"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    found = chromium.find(None)
    if found is None:
        pytest.skip("no Chromium here")
    async with Browser.launch(found) as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def site(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> AsyncIterator[tuple[SitePage, Path]]:
    """A page, and the index.html of its site."""
    root = tmp_path_factory.mktemp("site")
    async with StaticSite(root) as server, browser.page(server.url.rstrip("/")) as page:
        yield page, root / "index.html"


@pytest.fixture
def make_case() -> Callable[..., Case]:
    return case_of


@pytest.fixture
def make_page() -> Callable[[str], str]:
    return document


@pytest.fixture
def check(site: tuple[SitePage, Path]) -> Callable[..., Awaitable[Outcome]]:
    """Loads a page whose body is the given HTML, as a judging does, and runs steps on it."""
    page, index = site

    async def run(body: str, *steps: Step) -> Outcome:
        index.write_text(document(body), "utf-8")
        return await run_check(case_of(steps), 0, Load(page), BRISK)

    return run


@pytest.fixture
def look(site: tuple[SitePage, Path]) -> Callable[..., Awaitable[str]]:
    """Writes the body into the page that is there (much quicker) and runs steps on it: the reason of a failure, or ""."""
    page, _ = site

    async def run(body: str, *steps: Step) -> str:
        await page.raw.set_content(document(body))
        reading = Reading(page)
        acting, expecting = Acting(page, reading, BRISK), Expecting(case_of(steps), page, reading, BRISK)
        try:
            for step in steps:
                await (expecting.expect(step) if isinstance(step, EXPECTATIONS) else acting.do(step))
        except StepFailedError as error:
            return str(error)
        return ""

    return run
