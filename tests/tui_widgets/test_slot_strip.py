"""The slot strip: verdicts on one line."""

import pytest
from textual.message import Message

from iwtui.tui.widgets.slot_strip import SlotStrip
from tests.tui_widgets.made import slot
from tests.tui_widgets.stage import shown, staged

VERDICTS = ["passed", "failed", "unobserved", "unjudged", ""]


async def test_all_verdicts_with_what_did_not_pass_by_name() -> None:
    strip = SlotStrip()
    async with staged(strip, (100, 3)) as pilot:
        strip.show_slots([slot(number, verdict) for number, verdict in enumerate(VERDICTS)], note="being judged")
        await pilot.pause()
        first, second, _ = shown(pilot)
        assert first == "Slots 1/5  [✓0]  ✗1 part 1  ?2 part 2  –3 part 3  ·4 part 4  being judged"
        assert second == "✓ passed part 0 · weight 0.25 — expected 0"


async def test_the_reader_chooses_and_opens() -> None:
    posted: list[Message] = []
    strip = SlotStrip()
    async with staged(strip, (100, 3), posted) as pilot:
        strip.show_slots([slot(number) for number in range(5)])
        await pilot.press("right", "l", "left", "h", "h", "right", "enter")
        await pilot.pause()
        assert [message.slot for message in posted if isinstance(message, SlotStrip.SlotChosen)] == [1, 2, 1, 0, 1]
        assert [message.slot for message in posted if isinstance(message, SlotStrip.SlotOpened)] == [1]
        column = shown(pilot)[0].index("✓3")
        await pilot.click(strip, offset=(column, 0))
        assert [message.slot for message in posted if isinstance(message, SlotStrip.SlotOpened)] == [1, 3]


@pytest.mark.parametrize("width", [10, 20, 40, 80])
async def test_the_chosen_one_is_in_sight_however_many_there_are(width: int) -> None:
    strip = SlotStrip()
    async with staged(strip, (width, 2)) as pilot:
        strip.show_slots([slot(number, "failed") for number in range(100)])
        for number in [0, 3, 42, 99, 7]:
            strip.choose(number)
            await pilot.pause()
            assert f"✗{number}" in shown(pilot, bar=0)[0] or width < 20
            assert all(len(line) <= width for line in shown(pilot, bar=0))


async def test_before_there_are_slots() -> None:
    strip = SlotStrip()
    async with staged(strip, (60, 2)) as pilot:
        strip.show_slots([], note="not judged yet")
        await pilot.press("right", "enter")
        await pilot.pause()
        assert shown(pilot) == ["Slots not judged yet", ""]
