"""A list lays out what is seen, keeps its place, and follows its end until the reader moves."""

from collections.abc import Hashable

import pytest
from textual.content import Content
from textual.message import Message

from iwtui.tui.widgets.line_view import wrapped
from iwtui.tui.widgets.lines import LineList
from tests.tui_widgets.stage import SIZES, shown, staged, wheel_up


class Texts:
    """Texts as items; counts how often one is laid out."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.laid_out = 0

    def __len__(self) -> int:
        return len(self.texts)

    def key(self, index: int) -> Hashable:
        return index, self.texts[index]

    def lines(self, index: int, width: int) -> list[Content]:
        self.laid_out += 1
        return wrapped(Content(self.texts[index]), width)

    def chars(self, index: int) -> int:
        return 1


def numbered(count: int) -> list[str]:
    return [f"item {number}" for number in range(count)]


def tall(number: int, lines: int) -> str:
    return "\n".join(f"item {number} line {line}" for line in range(lines))


@pytest.mark.parametrize("size", SIZES)
async def test_ten_thousand_items_and_only_what_is_seen_is_laid_out(size: tuple[int, int]) -> None:
    source = Texts(numbered(10_000))
    lines = LineList()
    async with staged(lines, size) as pilot:
        lines.show(source)
        await pilot.pause()
        assert shown(pilot)[:2] == ["▌item 0", " item 1"]
        await pilot.press("G")
        await pilot.pause()
        assert shown(pilot)[-1] == "▌item 9999"
        assert source.laid_out < 6 * size[1]


@pytest.mark.parametrize("wrap", [True, False])
async def test_the_cursor_moves_and_says_so(wrap: bool) -> None:
    posted: list[Message] = []
    lines = LineList(wrap=wrap)
    async with staged(lines, posted=posted) as pilot:
        lines.show(Texts(numbered(100)), index=3)
        await pilot.press("j", "down", "k", "pagedown", "pageup", "g", "k", "enter")
        moves = [message.index for message in posted if isinstance(message, LineList.Moved)]
        assert moves == [4, 5, 4, 27, 4, 0]
        assert [message.index for message in posted if isinstance(message, LineList.Opened)] == [0]


async def test_what_the_program_does_is_not_posted() -> None:
    posted: list[Message] = []
    lines = LineList()
    async with staged(lines, posted=posted) as pilot:
        lines.show(Texts(numbered(100)), index=50, follow=False)
        lines.move_to(70)
        lines.show(Texts(numbered(200)), follow=True)
        await pilot.pause()
        assert lines.index == 199
        assert not [message for message in posted if isinstance(message, LineList.Moved | LineList.FollowChanged)]


async def test_it_follows_until_the_reader_moves_and_counts_what_is_new() -> None:
    posted: list[Message] = []
    lines = LineList()
    async with staged(lines, posted=posted) as pilot:
        source = Texts(numbered(100))
        lines.show(source, follow=True)
        source.texts += ["more"] * 3
        lines.show(source)
        await pilot.pause()
        assert (lines.index, lines.new, shown(pilot)[-1]) == (102, 0, "▌more")
        await pilot.press("k")
        source.texts += ["yet more"] * 5
        lines.show(source)
        assert (lines.index, lines.following, lines.new) == (101, False, 5)
        await pilot.press("end")
        assert (lines.index, lines.following, lines.new) == (107, True, 0)
        told = [message for message in posted if isinstance(message, LineList.Moved | LineList.FollowChanged)]
        assert [type(message).__name__ for message in told] == ["Moved", "FollowChanged"] * 2


async def test_the_wheel_leaves_the_cursor_and_stops_following() -> None:
    lines = LineList()
    async with staged(lines) as pilot:
        lines.show(Texts(numbered(100)), follow=True)
        await pilot.pause()
        await wheel_up(pilot, lines)
        assert (lines.following, lines.index, lines.scroll_offset.y) == (False, 99, 73)
        lines.show(Texts(numbered(120)), index=99)
        assert lines.scroll_offset.y == 73


async def test_an_item_higher_than_the_window_is_scrolled_through() -> None:
    lines = LineList()
    async with staged(lines, (40, 10)) as pilot:
        lines.show(Texts([tall(0, 2), tall(1, 25), tall(2, 2)]))
        seen: set[str] = set()
        for _ in range(9):
            await pilot.press("j")
            await pilot.pause()
            seen.update(line[1:] for line in shown(pilot))
        assert {f"item 1 line {line}" for line in range(25)} <= seen
        assert lines.index == 2
        await pilot.press("k")
        await pilot.pause()
        assert shown(pilot)[-1] == "▌item 1 line 24"
        for _ in range(6):
            await pilot.press("k")
        assert lines.index == 0


async def test_scrolling_up_over_unseen_items_is_steady() -> None:
    """Heights that were underestimated do not make the window jump: each step shows the lines just above."""
    lines = LineList()
    async with staged(lines, (40, 10)) as pilot:
        lines.show(Texts([tall(number, 4) for number in range(60)]), follow=True)
        await pilot.pause()
        told = [f"item {number} line {line}" for number in range(60) for line in range(4)]
        place = len(told)
        for _ in range(15):
            await wheel_up(pilot, lines)
            screen = [line[1:] for line in shown(pilot)]
            first = told.index(screen[0])
            assert screen == told[first : first + 10]
            assert 0 < place - first <= 13
            place = first


@pytest.mark.parametrize("size", SIZES)
async def test_a_resize_keeps_the_cursor_in_sight_and_wraps_anew(size: tuple[int, int]) -> None:
    words = " ".join(["word"] * 60)
    lines = LineList()
    async with staged(lines, size) as pilot:
        lines.show(Texts([f"{number} {words}" for number in range(500)]), index=250)
        await pilot.pause()
        for width, height in [(40, 10), (200, 60), (20, 30), (80, 24), (1, 1), (2, 3), (100, 30)]:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert all(len(line) <= width for line in shown(pilot))
        assert any(line.startswith("▌250 word") for line in shown(pilot))
        assert lines.index == 250


async def test_a_storm_of_resizes_while_it_grows() -> None:
    source = Texts(numbered(10))
    lines = LineList()
    async with staged(lines) as pilot:
        lines.show(source, follow=True)
        for step in range(12):
            source.texts.append(tall(10 + step, step % 7 + 1))
            lines.show(source)
            await pilot.resize_terminal(20 + step * 7 % 150, 5 + step * 5 % 50)
        await pilot.pause()
        assert lines.index == 21
        assert shown(pilot)[-1].startswith("▌item 21")


async def test_a_source_that_grew_in_place_is_harmless_before_it_is_shown() -> None:
    source = Texts(numbered(10))
    lines = LineList()
    async with staged(lines) as pilot:
        lines.show(source)
        source.texts += numbered(50)
        await pilot.press("G", "j", "pagedown", "k")
        lines.refresh()
        await pilot.pause()
        assert lines.index == 8
        lines.show(source)
        await pilot.press("G")
        assert lines.index == 59


async def test_fewer_items_are_another_list() -> None:
    lines = LineList(empty="Nothing here yet: press r for a run.")
    async with staged(lines) as pilot:
        lines.show(Texts(numbered(1_000)), index=900)
        await pilot.pause()
        lines.show(Texts(numbered(3)))
        await pilot.pause()
        assert [line for line in shown(pilot) if line] == [" item 0", " item 1", "▌item 2"]
        lines.show(Texts([]))
        await pilot.press("j", "k", "g", "G", "pagedown", "enter")
        await pilot.pause()
        assert lines.index == -1
        assert shown(pilot)[0] == " Nothing here yet: press r for a run."


async def test_an_item_that_changes_is_shown_anew_and_what_stays_is_not_painted_again() -> None:
    source = Texts(numbered(100))
    lines = LineList()
    async with staged(lines) as pilot:
        lines.show(source, index=5)
        await pilot.pause()
        source.texts[7] = "changed\nand higher"
        lines.show(source)
        await pilot.pause()
        assert shown(pilot)[6:10] == [" item 6", " changed", " and higher", " item 8"]
        laid_out = source.laid_out
        source.texts += numbered(50)
        lines.show(source)
        lines.refresh()
        await pilot.pause()
        assert source.laid_out == laid_out


async def test_a_click_moves_and_two_clicks_open() -> None:
    posted: list[Message] = []
    lines = LineList()
    async with staged(lines, posted=posted) as pilot:
        lines.show(Texts([tall(0, 3), tall(1, 2), "last"]))
        await pilot.pause()
        await pilot.click(lines, offset=(5, 4))
        assert lines.index == 1
        await pilot.click(lines, offset=(5, 20))
        assert lines.index == 1
        await pilot.click(lines, offset=(5, 5), times=2)
        assert lines.index == 2
        assert [message.index for message in posted if isinstance(message, LineList.Opened)] == [2]


async def test_found_text_is_marked_whatever_its_case_and_is_no_pattern() -> None:
    lines = LineList()
    async with staged(lines) as pilot:
        lines.show(Texts(["one Two three", "a (b", "İx tWO"]), index=1)
        lines.find("two")
        await pilot.pause()
        assert _marked(lines, 0) == ["Two"]
        assert _marked(lines, 2) == ["tWO"]
        lines.find("(B")
        await pilot.pause()
        assert _marked(lines, 1) == ["(b"]
        lines.find("")
        await pilot.pause()
        assert _marked(lines, 0) == []


def _marked(lines: LineList, y: int) -> list[str]:
    return [segment.text for segment in lines.render_line(y) if segment.style and segment.style.underline]


async def test_it_may_be_shown_before_it_has_a_size() -> None:
    lines = LineList()
    lines.show(Texts(numbered(50)), index=40)
    async with staged(lines, (30, 10)) as pilot:
        await pilot.pause()
        assert "▌item 40" in shown(pilot)


async def test_wide_characters_stay_within_the_width() -> None:
    lines = LineList()
    async with staged(lines, (21, 12)) as pilot:
        lines.show(Texts(["请做一个显示犯罪和工作的地图" * 3, "한국어 " * 10, "é" * 40, "a" * 19 + "图"]))
        await pilot.pause()
        for y in range(12):
            assert lines.render_line(y).cell_length == 20
