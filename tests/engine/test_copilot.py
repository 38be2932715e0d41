"""A Verify with a copilot that says its lines: what it is shown, what it is told, and that it may press any button."""

import base64
import hashlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from iwtui.bench.events import BrowserStepped, EpisodeStarted, TurnStarted, Verified
from iwtui.bench.fold import EpisodeState
from iwtui.bench.settings import Settings
from iwtui.engine import copilot
from iwtui.engine.calls import Caller
from iwtui.engine.journal import Journal
from iwtui.engine.verify import verify
from iwtui.models.call import Call, Listener, Reply
from iwtui.web.browser import Browser
from iwtui.web.chromium import find
from iwtui.web.grounds import Grounds
from iwtui.web.site import Site
from tests.support.replies import said
from tests.support.sittings import MemoryLog

pytestmark = pytest.mark.browser

SITE = """<!doctype html><title>Shop</title><body style="background:#fff"><p id=said>nothing yet</p>
<button onclick="alert('Order taken'); said.textContent = 'taken'">Finish order</button><button>Failed payments</button>
<label>Name <input id=n></label><select aria-label=Size><option>Small<option>Large</select><div style="height:3000px">"""


class Saying:
    """Stands for the gateway: a copilot's lines, in their order."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.asked: list[Sequence[Mapping[str, Any]]] = []
        self.schemas: list[object] = []

    settings = Settings()

    async def ask(self, call: Call, listener: Listener) -> Reply:
        self.asked.append(call.messages)
        self.schemas.append(call.parameters.get("schema"))
        return said(self._lines.pop(0))


async def audited(tmp_path: Path, *lines: str) -> tuple[Verified, MemoryLog, Saying]:
    log, saying = MemoryLog(), Saying(*lines)
    journal = Journal(log, EpisodeState(), lambda *_: None)
    journal.write(
        EpisodeStarted(
            case_id="c", persona="p", builder="b", repeat=1, attempt=1, difficulty="easy", turns=15, failed_verifies=6,
            verify_steps=8, models={}, system="", scripted=False,
        )
    )  # fmt: skip
    journal.write(TurnStarted(message="make it"), turn=1)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(SITE, "utf-8")
    chromium = find()
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    async with Browser.launch(chromium) as browser:
        caller = Caller(saying, journal, {"copilot": "m"})
        async with Site(tmp_path / "site", Grounds(tmp_path / "cache"), lambda _: None) as site:
            return await verify("/", "It takes orders.", site, browser, journal, caller), log, saying


async def test_a_copilot_presses_what_it_likes_and_is_told_what_came_of_it(tmp_path: Path) -> None:
    verified, log, saying = await audited(
        tmp_path,
        '{"thought": "order", "action": "click", "mark": 1}',
        "```json\n{'action': 'click', 'mark': '[2]',}\n```",
        'I type: {"action": "type", "mark": 3, "text": "Ada"}',
        '{"action": "select", "mark": 4, "text": "large"}',
        '{"action": "key", "text": "Tab"} {"action": "scroll", "text": "bottom"}',
        '{"action": "scroll", "text": "bottom"}',
        "Finish it, I would say.",
        '{"action": "finish", "text": "it takes orders"}',
    )
    assert (verified.status, verified.report) == ("success", "it takes orders")
    steps = [record.event for record in log.records if isinstance(record.event, BrowserStepped)]
    assert [(step.action, step.result) for step in steps] == [
        ("click", "clicked"), ("click", "clicked"), ("type", "typed"), ("select", 'selected "Large"'),
        ("key", "pressed Tab"), ("scroll", "scrolled bottom"), ("finish", ""),
    ]  # fmt: skip
    assert [dialog.message for dialog in steps[0].dialogs] == ["Order taken"]

    first, second, last = (saying.asked[number][-1]["content"] for number in (0, 1, -1))
    assert '[1] button "Finish order"' in first[0]["text"]
    assert 'click [1] button "Finish order": clicked; a dialog (alert) said "Order taken"' in second[0]["text"]
    assert "no JSON object with a known action" in last[0]["text"]
    assert first[1]["image_url"]["detail"] == "high"
    raw = log.get(steps[0].picture or "")
    assert raw[8:12] == b"WEBP" and hashlib.sha256(raw).hexdigest() == steps[0].picture
    assert all(schema is copilot.SCHEMA for schema in saying.schemas)


async def test_the_marks_are_drawn_for_the_copilot_and_not_into_what_is_kept(tmp_path: Path) -> None:
    verified, log, saying = await audited(tmp_path, '{"action": "fail", "text": "no basket"}')
    assert (verified.status, verified.report) == ("failed", "no basket")
    shown = saying.asked[0][-1]["content"][1]["image_url"]["url"]
    seen = Image.open(io.BytesIO(base64.b64decode(shown.partition(",")[2]))).convert("RGB")
    kept = Image.open(io.BytesIO(log.get(verified.picture or ""))).convert("RGB")
    assert seen.size == kept.size == (1200, 800)
    assert ImageChops.difference(seen, kept).getbbox() is not None
