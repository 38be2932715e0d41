"""Text of others in every place of every widget: nothing crashes, nothing acts, nothing leaves its column."""

from typing import Any

import pytest
from textual.content import Content
from textual.pilot import Pilot

from iwtui.tui.widgets.code import CodePane
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.slot_strip import SlotStrip
from iwtui.tui.widgets.timeline import Timeline
from tests.tui_widgets.made import HOSTILE, block, entry, row, slot
from tests.tui_widgets.stage import SIZES, shown, staged

TEXTS = [
    HOSTILE,
    "[/",
    "[link='",
    "[00]",
    "图" * 300,
    "👩‍👩‍👧‍👦 ❤️ 🇩🇪 👍🏽" * 20,
    "e\u0301\u0323" * 100,
    "\u200b\u200d\ufeff" * 50,
    "\t\t" * 40,
    "word" * 1_000,
    "\n" * 50,
    "$primary ${x} {0} %s",
]


def check(pilot: Pilot[Any], text: str) -> None:
    width = pilot.app.size.width
    for line in shown(pilot, bar=0):
        assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 or 0x202A <= ord(char) < 0x202F for char in line), text
        assert Content(line).cell_length <= width, text


@pytest.mark.parametrize("size", [(9, 5), *SIZES])
async def test_timeline(size: tuple[int, int]) -> None:
    timeline = Timeline()
    async with staged(timeline, size) as pilot:
        for text in TEXTS:
            timeline.empty = text
            timeline.show_rows([])
            await pilot.pause()
            check(pilot, text)
            timeline.show_rows([row(0, glyph=text, text=text, kind=text, tone=text), row(1, text=text, discarded=True)])
            timeline.find(text[:20])
            timeline.action_cursor_down()
            await pilot.pause()
            check(pilot, text)


@pytest.mark.parametrize("size", [(9, 5), *SIZES])
async def test_dialogue(size: tuple[int, int]) -> None:
    dialogue = Dialogue()
    async with staged(dialogue, size) as pilot:
        dialogue.toggle_reasoning(everywhere=True)
        for number, text in enumerate(TEXTS):
            notes = ((text, text), ("warn", text))
            said = block(number, text, who=text, label=text, glyph=text, tone=text, reasoning=text, notes=notes)
            dialogue.show_blocks([said, block(number + 1, text, discarded=True)])
            dialogue.find(text[:20])
            dialogue.action_first()
            dialogue.action_cursor_down()
            await pilot.pause()
            check(pilot, text)


@pytest.mark.parametrize("size", [(9, 5), (120, 40)])
async def test_code(size: tuple[int, int]) -> None:
    pane = CodePane()
    async with staged(pane, size) as pilot:
        for text in TEXTS:
            path = f"{text}/{text}.js"
            pane.show_files([entry(path, "change", 3, 4), entry("other", text)], path=path)
            pane.show_texts(path, text, f"{text}\n{text}\n", note=text)
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
            check(pilot, text)
            pane.action_tree()
            await pilot.pause()
            check(pilot, text)
            pane.action_tree()


@pytest.mark.parametrize("width", [9, 120])
async def test_slots(width: int) -> None:
    strip = SlotStrip()
    async with staged(strip, (width, 2)) as pilot:
        for text in TEXTS:
            strip.show_slots([slot(0, "failed", glyph=text, component=text, expected=text, reason=text)], note=text)
            await pilot.pause()
            check(pilot, text)


async def test_what_is_empty_says_so_literally() -> None:
    lines = LineList(empty="[bold]not bold[/]")
    async with staged(lines) as pilot:
        await pilot.pause()
        assert shown(pilot)[0] == " [bold]not bold[/]"
