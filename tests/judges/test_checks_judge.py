"""What the judge writes into its log."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Error as PlaywrightError

from iwtui.bench.case import Case
from iwtui.bench.checks import Click, Fill, Gone, Matches, See
from iwtui.judges.acting import Patience
from iwtui.judges.base import Judge
from iwtui.judges.checks import ChecksJudge
from iwtui.web.browser import Browser
from iwtui.web.faults import BrowserLostError
from iwtui.web.page import SitePage
from tests.support.sittings import MemoryLog, sitting

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

BRISK = Patience(find=0.6, hold=0.6)


async def test_each_step_is_recorded_and_each_slot_judged(
    site: tuple[SitePage, Path], make_case: Callable[..., Case], make_page: Callable[[str], str]
) -> None:
    page, index = site
    body = """<label>Tool <input id=t></label><button onclick="alert('Added ' + t.value); console.error('oh')">Add</button>
      <script>fetch("https://example.org/api").catch(() => 0)</script>"""
    index.write_text(make_page(body), "utf-8")
    case = make_case(
        (Fill(role="textbox", label="tool", value="Saw"), Click(role="button", name="add"), See(text="Added Saw")),
        (Matches(pattern="Saw"), Matches(pattern="never reached")),
        None,
        (Click(role="button", name="Borrow"), See(text="x")),
    )
    log = MemoryLog()
    judge: Judge = ChecksJudge(BRISK)
    await judge.judge(sitting(case, log, page, turn=7))

    assert [judged.verdict for judged in log.judged()] == ["passed", "failed", "unjudged", "failed"]
    assert {record.turn for record in log.records} == {7}
    first = [event for _, event in log.steps(0)]
    assert [(step.action, step.target) for step in first] == [
        ("open", "/"),
        ("fill", 'textbox "tool" ← "Saw"'),
        ("click", 'button "add"'),
        ("see", 'element "Added Saw"'),
    ]
    assert [step.step for step in first] == [1, 2, 3, 4]
    assert [dialog.message for dialog in first[2].dialogs] == ["Added Saw"]
    assert any("oh" in line for line in first[2].console)
    assert any("https://example.org/api" in line for line in first[0].blocked)

    for slot in (0, 1, 3):
        places = log.steps(slot)
        judged = next(event for event in log.judged() if event.slot == slot)
        assert judged.evidence == places[-1][0], "the last step is the one that decided"
        pictures = [seq for seq, step in places if step.picture]
        assert pictures == [judged.evidence]
        assert log.get(places[-1][1].picture or "")[8:12] == b"WEBP"
    assert len(log.steps(1)) == 2
    assert log.judged()[3].reason == 'click button "Borrow": no button "Borrow" is to be seen; there is "Add"'
    assert "no executable check" in str(log.judged()[2].reason)
    assert log.judged()[2].evidence is None


async def test_checks_that_only_look_share_a_load_and_one_that_acts_leaves_nothing_to_the_next(
    site: tuple[SitePage, Path], make_case: Callable[..., Case], make_page: Callable[[str], str]
) -> None:
    page, index = site
    body = """<p id=count>0</p><script>localStorage.loads = 1 + Number(localStorage.loads || 0)</script>
      <p id=loads></p><script>loads.textContent = 'load ' + localStorage.loads</script>
      <button onclick="count.textContent = 'added'">Add</button>"""
    index.write_text(make_page(body), "utf-8")
    case = make_case(
        (See(text="load 1"),),
        (See(text="load 1"), See(text="never")),
        (Click(role="button", name="add"), See(text="added")),
        (See(text="load 1"), Gone(text="added")),
        (See(text="load 1"),),
    )
    log = MemoryLog()
    await ChecksJudge(Patience(find=0.6, hold=0.2)).judge(sitting(case, log, page))
    assert [judged.verdict for judged in log.judged()] == ["passed", "failed", "passed", "passed", "passed"]
    opened = [log.steps(slot)[0][1].result for slot in range(5)]
    again, anew = "still as it was opened with empty storage", "opened with empty storage"
    assert opened == [anew, again, again, anew, again]
    pictures = [log.steps(slot)[-1][1].picture for slot in range(5)]
    assert pictures[0] == pictures[1] and pictures[2] != pictures[1]


async def test_a_site_that_dies_fails_its_slot_and_the_next_starts_afresh(
    site: tuple[SitePage, Path], make_case: Callable[..., Case], make_page: Callable[[str], str]
) -> None:
    page, index = site
    index.write_text(make_page("<p>Here</p><button onclick='for (;;) ;'>Add</button>"), "utf-8")
    log = MemoryLog()
    case = make_case((Click(role="button", name="add"), See(text="done")), (See(text="Here"),))
    await ChecksJudge(BRISK).judge(sitting(case, log, page))
    dead, alive = log.judged()
    assert (dead.verdict, alive.verdict) == ("failed", "passed")
    assert "site died" in str(dead.reason)
    assert dead.evidence is not None


async def test_a_lost_browser_is_no_verdict(
    site: tuple[SitePage, Path], browser: Browser, make_case: Callable[..., Case]
) -> None:
    page, index = site
    index.write_text("<p>Here", "utf-8")
    lost = page.raw.context.browser
    assert lost is not None
    session = await lost.new_browser_cdp_session()
    log = MemoryLog()
    with pytest.raises(PlaywrightError):
        await session.send("Browser.crash")
    with pytest.raises(BrowserLostError):
        await ChecksJudge(BRISK).judge(sitting(make_case((See(text="Here"),)), log, page))
    assert log.judged() == []
