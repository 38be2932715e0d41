"""Proving a task pack: its texts by reading them, its checks by running them in a real browser on sites of known outcome.

Beside a seed `bakery.toml` stand `sites/bakery/reference.html`, a site that fulfils every fact, each fact's parts delimited
so that they can be left out; `sites/bakery/second/index.html`, a site that somebody wrote from the golden text alone; and
`sites/bakery/reading.toml`, what a person found in that second site.
"""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import msgspec

from iwtui.bench.case import Case
from iwtui.judges.acting import Patience
from iwtui.judges.checks import Load, Outcome, run_check
from iwtui.judges.tellings import telling_faults
from iwtui.packs import PackError, Seed, load_pack, load_seeds
from iwtui.web.browser import Browser
from iwtui.web.faults import BrowserLostError
from iwtui.web.page import SitePage
from iwtui.web.static import StaticSite

AGREEMENT = 0.9
"""Least share of slots on which the checks and a person must agree about the second site."""

_PATIENCE = Patience(find=1.0, hold=0.8)
"""Sites in one local file need no more."""

_AT_ONCE = 2
_MAX_SITE = 2_000_000

Report = Callable[[str], None]


class Finding(msgspec.Struct, frozen=True):
    """Something wrong with a pack. An error must be mended; a warning should be looked at."""

    severity: Literal["error", "warning"]
    seed: str
    text: str


class _ReadSlot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    component: str
    passed: bool
    why: str = ""


class _Disagreement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    slot: int
    why: str


class Hand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reading by hand of the second site, in the order of the slots; known disagreements name a slot, from 1."""

    slots: tuple[_ReadSlot, ...]
    disagreements: tuple[_Disagreement, ...] = ()


async def validate(folder: Path, browser: Browser, report: Report) -> list[Finding]:
    """Everything that is wrong with a pack. `report` is told what is being done. Raises BrowserLostError."""
    try:
        seeds = load_seeds(folder)
        cases = load_pack(str(folder))
    except PackError as error:
        return [Finding("error", "", str(error))]
    findings: list[Finding] = []
    for _, seed in seeds:
        told = [case for case in cases if case.seed == seed.id]
        findings += [Finding("error", seed.id, fault) for case in told for fault in telling_faults(case)]
        if not told:
            findings.append(Finding("error", seed.id, "no persona tells it"))
            continue
        sites = folder / "sites" / seed.id
        findings += [finding async for finding in _reference(sites, seed, told[0], browser, report)]
        findings += [finding async for finding in _second(sites, seed, told[0], browser, report)]
    return findings


def without_fact(html: str, fact: str) -> str:
    """A reference site without the parts of one fact."""
    name = re.escape(fact)
    html = re.sub(rf"<!--\s*fact\s+{name}\s*-->.*?<!--\s*/fact\s+{name}\s*-->", "", html, flags=re.DOTALL)
    return re.sub(rf"/\*\s*fact\s+{name}\s*\*/.*?/\*\s*/fact\s+{name}\s*\*/", "", html, flags=re.DOTALL)


async def _reference(sites: Path, seed: Seed, case: Case, browser: Browser, report: Report) -> AsyncIterator[Finding]:
    """The whole reference passes every check, and without any one fact exactly the checks that need it fail."""
    html = _text(sites / "reference.html")
    if html is None:
        yield Finding("error", seed.id, f"no readable reference site at sites/{seed.id}/reference.html")
        return
    versions: list[tuple[int | None, str]] = [(None, html)]
    for number, fact in enumerate(seed.facts):
        without = without_fact(html, fact.id)
        if without == html:
            yield Finding("error", seed.id, f"the reference site has no part marked as fact {fact.id!r}")
            continue
        versions.append((number, without))
    gate = asyncio.Semaphore(_AT_ONCE)

    async def judged(place: int | None, page: str) -> list[Outcome]:
        async with gate:
            report(
                f"{seed.id}: the reference site {f'without {seed.facts[place].id}' if place is not None else ''}".rstrip()
            )
            with tempfile.TemporaryDirectory(prefix="iwtui-site-") as folder:
                await asyncio.to_thread((Path(folder) / "index.html").write_text, page, "utf-8")
                return await _judge(Path(folder), case, browser)

    all_outcomes = await _together([judged(place, page) for place, page in versions])
    for (place, _), outcomes in zip(versions, all_outcomes, strict=True):
        for finding in _reference_faults(seed, case, place, outcomes):
            yield finding


async def _together(work: Sequence[Coroutine[None, None, list[Outcome]]]) -> list[list[Outcome]]:
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in work]
    except* BrowserLostError as lost:
        raise lost.exceptions[0] from None
    return [task.result() for task in tasks]


def _reference_faults(seed: Seed, case: Case, place: int | None, outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    for number, (slot, outcome) in enumerate(zip(case.slots, outcomes, strict=True)):
        needed = place in slot.facts
        if outcome.passed != needed:
            continue
        which = f"slot {number + 1} ({slot.component})"
        if place is None:
            yield Finding("error", seed.id, f"the reference site fails {which}: {outcome.reason}")
        elif needed:
            yield Finding(
                "error", seed.id, f"without the fact {seed.facts[place].id!r}, {which} still passes: {outcome.reason}"
            )
        else:
            text = f"without the fact {seed.facts[place].id!r}, {which} fails though it does not name it: {outcome.reason}"
            yield Finding("error", seed.id, text)


async def _second(sites: Path, seed: Seed, case: Case, browser: Browser, report: Report) -> AsyncIterator[Finding]:
    """The checks agree with a person about a site that was written without sight of them."""
    second, reading = sites / "second", sites / "reading.toml"
    if not (second / "index.html").is_file():
        yield Finding("error", seed.id, f"no second site at sites/{seed.id}/second/index.html")
        return
    try:
        hand = msgspec.toml.decode(reading.read_bytes(), type=Hand)
    except (OSError, msgspec.MsgspecError) as error:
        yield Finding("error", seed.id, f"no reading by hand of the second site: {error}")
        return
    if [slot.component for slot in hand.slots] != [slot.component for slot in case.slots]:
        yield Finding("error", seed.id, "the reading by hand does not list the seed's slots in their order")
        return
    report(f"{seed.id}: the second site")
    outcomes = await _judge(second, case, browser)
    apart = {
        number: f"slot {number} ({slot.component}): the check says {_passed(outcome.passed)} ({outcome.reason}), "
        f"the reader {_passed(read.passed)} ({read.why})"
        for number, (slot, outcome, read) in enumerate(zip(case.slots, outcomes, hand.slots, strict=True), 1)
        if outcome.passed != read.passed
    }
    listed = {disagreement.slot for disagreement in hand.disagreements}
    for number in sorted(apart.keys() - listed):
        yield Finding("error", seed.id, f"a disagreement that reading.toml does not list: {apart[number]}")
    for number in sorted(listed - apart.keys()):
        yield Finding("error", seed.id, f"reading.toml lists a disagreement about slot {number}, but there is none")
    agreed = 1 - len(apart) / len(case.slots)
    if agreed < AGREEMENT:
        yield Finding("error", seed.id, f"checks and reader agree on {agreed:.0%} of the slots, less than {AGREEMENT:.0%}")


def _passed(passed: bool) -> str:
    return "passed" if passed else "failed"


def _text(file: Path) -> str | None:
    try:
        content = file.read_bytes()
        return content.decode() if len(content) <= _MAX_SITE else None
    except (OSError, UnicodeDecodeError):
        return None


async def _judge(root: Path, case: Case, browser: Browser) -> list[Outcome]:
    async with _opened(root, browser) as page:
        load = Load(page)
        return [await run_check(case, number, load, _PATIENCE) for number in range(len(case.slots))]


@asynccontextmanager
async def _opened(root: Path, browser: Browser) -> AsyncIterator[SitePage]:
    async with StaticSite(root) as site, browser.page(site.url.rstrip("/")) as page:
        yield page
