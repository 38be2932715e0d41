"""A Verify: the copilot looks at the site in a browser, acts on it, and reports whether the criteria hold."""

from dataclasses import dataclass, field

from iwtui.bench.events import Blob, Verified
from iwtui.bench.text import one_line
from iwtui.engine import copilot
from iwtui.engine.calls import Caller
from iwtui.engine.journal import Journal
from iwtui.engine.prompts import filled
from iwtui.engine.site import AGENT_VIEW, SiteDownError, down, opened, probed
from iwtui.web import steps
from iwtui.web.browser import Browser
from iwtui.web.faults import PageDeadError
from iwtui.web.page import SitePage
from iwtui.web.site import Site

MAX_DONE = 800
"""Characters of an action and what came of it, as the copilot is told of them later."""

WHOLE_INSTRUCTION = "The site does what the client asked for:\n"


@dataclass
class _Audit:
    """What came of one Verify so far."""

    status: str = "failed"
    report: str = ""
    earlier: list[str] = field(default_factory=list)
    picture: Blob | None = None


async def verify(path: str, criteria: str, site: Site, browser: Browser, journal: Journal, caller: Caller) -> Verified:
    """Look at the site and record every step. A page that dies under the copilot's hands is a failed Verify."""
    audit = _Audit()
    journal.progress("verify", "opening the site")
    try:
        async with opened(site, browser, AGENT_VIEW) as page:
            found = await page.open(path)
            journal.write(probed("verify", found, page, None))
            if found.ok:
                await _look(criteria, page, journal, caller, audit)
            else:
                audit.report = f"The page does not run: {found.reason}."
    except SiteDownError as error:
        journal.write(down("verify", error))
        audit.report = f"The site does not run: {error.reason}."
    except PageDeadError as error:
        audit.report = f"The page died: {error}."
    event = Verified(
        path=path,
        criteria=journal.keep(criteria),
        status=audit.status,
        report=journal.keep(audit.report),
        steps=len(audit.earlier),
        streak=_streak(audit.status, journal.state.failed_verifies),
        picture=audit.picture,
    )
    journal.write(event)
    return event


def _streak(status: str, before: int) -> int:
    """Failed Verifies in a row; one that came to nothing by a fault of ours neither lengthens nor ends the row."""
    return {"success": 0, "failed": before + 1}.get(status, before)


async def _look(criteria: str, page: SitePage, journal: Journal, caller: Caller, audit: _Audit) -> None:
    started = journal.state.started
    limit = started.verify_steps if started else 0
    system = filled("copilot", steps=limit)
    for number in range(1, limit + 1):
        journal.progress("verify", f"browser step {number} of {limit}")
        view = await steps.look(page, journal.recorder.blobs)
        audit.picture = view.picture
        message = copilot.shown(criteria, page.raw.url, view, await page.text(), audit.earlier)
        reply = await caller.call("copilot", system, [message], schema=copilot.SCHEMA)
        move = copilot.read_move(reply.text)
        if move is None:
            audit.earlier.append("your answer was no JSON object with a known action")
            continue
        thought = journal.keep(move.thought)
        if move.action in copilot.ENDS:
            audit.status = "success" if move.action == "finish" else "failed"
            audit.report = move.text or move.thought
            journal.write(steps.stepped("verify", number, move, thought, "", view, page, page.drain()))
            return
        try:
            result = await steps.act(move, view, page)
        except PageDeadError as error:
            result = f"the page died: {error}"
            journal.write(steps.stepped("verify", number, move, thought, result, view, page, page.drain()))
            raise
        seen = page.drain()
        journal.write(steps.stepped("verify", number, move, thought, result, view, page, seen))
        done = f"{move.action} {steps.aim(move, view)}".rstrip()
        audit.earlier.append(one_line("; ".join((f"{done}: {result}", *steps.happened(seen))), MAX_DONE))
    audit.picture = journal.keep_bytes(await page.picture())
    audit.status = "error" if not any(step for step in journal.state.turns[-1].steps) else "failed"
    audit.report = f"No result after {limit} browser steps."


def feedback(event: Verified, journal: Journal) -> str:
    """What the builder reads after a Verify."""
    return f"Visual audit: {event.status}\n{journal.read(event.report)}"


def criteria_or_instruction(criteria: str, instruction: str) -> str:
    """What a Verify without criteria looks for."""
    return criteria.strip() or WHOLE_INSTRUCTION + instruction
