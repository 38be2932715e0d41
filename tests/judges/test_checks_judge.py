"""What the judge writes into its log."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Error as PlaywrightError

from iwtui.bench.case import Case
from iwtui.bench.checks import Click, Fill, Matches, See
from iwtui.bench.codec import decode, encode
from iwtui.bench.events import BrowserStepped, Event, Record, SlotJudged
from iwtui.judges.acting import Patience
from iwtui.judges.base import Judge
from iwtui.judges.checks import ChecksJudge
from iwtui.web.browser import Browser
from iwtui.web.faults import BrowserLostError
from iwtui.web.page import SitePage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

BRISK = Patience(find=0.6, hold=0.6)


class Log:
    """A recorder in memory that takes only what a real log could hold."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.kept: dict[str, bytes] = {}

    @property
    def blobs(self) -> "Log":
        return self

    def put(self, content: bytes) -> str:
        blob = hashlib.sha256(content).hexdigest()
        self.kept[blob] = content
        return blob

    def get(self, blob: str) -> bytes:
        return self.kept[blob]

    def append(self, event: Event, turn: int) -> Record:
        record = decode(encode(Record(len(self.records), 0.0, turn, event)))  # type: ignore[arg-type]
        self.records.append(record)
        return record

    def sync(self) -> None:
        pass

    def progress(self, phase: str, detail: str = "", text: str = "") -> None:
        pass

    def judged(self) -> list[SlotJudged]:
        return [record.event for record in self.records if isinstance(record.event, SlotJudged)]

    def steps(self, slot: int) -> list[tuple[int, BrowserStepped]]:
        return [
            (record.seq, record.event)
            for record in self.records
            if isinstance(record.event, BrowserStepped) and record.event.slot == slot
        ]


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
    log = Log()
    judge: Judge = ChecksJudge(BRISK)
    await judge.judge(case, page, log, 7)

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


async def test_a_site_that_dies_fails_its_slot_and_the_next_starts_afresh(
    site: tuple[SitePage, Path], make_case: Callable[..., Case], make_page: Callable[[str], str]
) -> None:
    page, index = site
    index.write_text(make_page("<p>Here</p><button onclick='for (;;) ;'>Add</button>"), "utf-8")
    log = Log()
    case = make_case((Click(role="button", name="add"), See(text="done")), (See(text="Here"),))
    await ChecksJudge(BRISK).judge(case, page, log, 1)
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
    log = Log()
    with pytest.raises(PlaywrightError):
        await session.send("Browser.crash")
    with pytest.raises(BrowserLostError):
        await ChecksJudge(BRISK).judge(make_case((See(text="Here"),)), page, log, 1)
    assert log.judged() == []
