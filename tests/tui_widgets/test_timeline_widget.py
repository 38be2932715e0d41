"""The timeline: events as lines, told by their seq."""

import pytest
from textual.message import Message

from iwtui.tui.state.shapes import judging_seq
from iwtui.tui.widgets.timeline import Timeline
from tests.tui_widgets.made import row, rows
from tests.tui_widgets.stage import SIZES, shown, staged, wheel_up


@pytest.mark.parametrize("size", SIZES)
async def test_turns_stand_at_their_first_event(size: tuple[int, int]) -> None:
    timeline = Timeline()
    async with staged(timeline, size) as pilot:
        timeline.show_rows(rows(10_000), seq=6)
        await pilot.pause()
        assert shown(pilot)[4:8] == ["     # event 4", "   2 # event 5", "▌    # event 6", "     # event 7"]


async def test_the_reader_moves_by_events_and_opens_them() -> None:
    posted: list[Message] = []
    timeline = Timeline()
    async with staged(timeline, posted=posted) as pilot:
        timeline.show_rows([row(number, seq=number * 3) for number in range(50)], seq=31)
        await pilot.press("j", "enter")
        assert [message.seq for message in posted if isinstance(message, Timeline.RowChosen)] == [33]
        assert [message.seq for message in posted if isinstance(message, Timeline.RowOpened)] == [33]
        assert timeline.copied() == "event 11"


async def test_going_to_an_event_takes_the_last_one_not_after_it() -> None:
    posted: list[Message] = []
    timeline = Timeline()
    async with staged(timeline, posted=posted) as pilot:
        timeline.show_rows([row(number, seq=number * 3) for number in range(50)])
        for seq, index in [(31, 10), (-5, 0), (10_000, 49), (0, 0)]:
            timeline.go(seq)
            assert timeline.index == index
        await pilot.pause()
        assert not [message for message in posted if isinstance(message, Timeline.RowChosen)]


async def test_a_judging_goes_on_behind_the_episode_and_names_its_slots() -> None:
    timeline = Timeline()
    begins = row(0, seq=judging_seq(0), judging=True, opens=True, text="judged by checks", glyph="┌", tone="dim")
    judging = [begins, row(1, seq=judging_seq(4), judging=True, slot=12, opens=True, text="looks", glyph="→")]
    async with staged(timeline) as pilot:
        timeline.show_rows([*rows(3), *judging], seq=judging_seq(4))
        await pilot.pause()
        assert shown(pilot)[2:5] == ["     # event 2", "     ┌ judged by checks", "▌s12 → looks"]


async def test_told_again_of_the_same_cursor_it_does_not_scroll_back() -> None:
    timeline = Timeline()
    async with staged(timeline) as pilot:
        growing = rows(200)
        timeline.show_rows(growing, follow=True)
        await pilot.pause()
        await wheel_up(pilot, timeline)
        await wheel_up(pilot, timeline)
        line = timeline.scroll_offset.y
        timeline.go(199)
        growing.append(row(200))
        timeline.show_rows(growing, seq=199, follow=False)
        await pilot.pause()
        assert timeline.scroll_offset.y == line == 200 - 24 - 6
        assert timeline.new == 1


async def test_a_row_that_a_resume_took_back_is_painted_anew() -> None:
    timeline = Timeline()
    async with staged(timeline) as pilot:
        growing = rows(10)
        timeline.show_rows(growing)
        await pilot.pause()
        before = timeline.render_line(3)
        growing[3] = row(3, discarded=True, text="event 3, discarded")
        timeline.show_rows(growing)
        await pilot.pause()
        assert "event 3, discarded" in shown(pilot)[3]
        assert [segment.style for segment in timeline.render_line(3)] != [segment.style for segment in before]
