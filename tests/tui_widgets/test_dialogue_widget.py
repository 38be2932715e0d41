"""The dialogue: what was said, wrapped, with folded reasoning."""

import pytest
from textual.message import Message

from iwtui.tui.state.shapes import Block
from iwtui.tui.widgets.dialogue import Dialogue
from tests.tui_widgets.made import block
from tests.tui_widgets.stage import SIZES, shown, staged

THOUGHT = "I wonder whether crime is meant by place."


def talk() -> list[Block]:
    return [
        block(0, "Make me a map.", label="instruction"),
        block(1, "Which data?", who="agent", label="clarify", glyph="?", tone="clarify", reasoning=THOUGHT),
        block(2, "Crime and jobs.", notes=(("warn", "leaked without being asked: fact 3"),)),
    ]


async def test_who_says_what_with_what_it_brought() -> None:
    dialogue = Dialogue()
    async with staged(dialogue) as pilot:
        dialogue.show_blocks(talk(), seq=25)
        await pilot.pause()
        assert shown(pilot)[:11] == [
            " client instruction  turn 1",
            "   Make me a map.",
            "",
            " ? agent clarify  turn 2",
            "   ▸ thought, 41 characters",
            "   Which data?",
            "",
            "▌client  turn 3",
            "▌  Crime and jobs.",
            "▌  leaked without being asked: fact 3",
            "",
        ]


async def test_reasoning_unfolds_where_the_cursor_is_and_everywhere() -> None:
    dialogue = Dialogue()
    async with staged(dialogue) as pilot:
        dialogue.show_blocks(talk(), seq=10)
        await pilot.press("enter")
        await pilot.pause()
        assert [line[1:].strip() for line in shown(pilot)[4:6]] == ["▾ thought", THOUGHT]
        assert dialogue.block == talk()[1]
        dialogue.toggle_reasoning()
        await pilot.pause()
        assert not any(THOUGHT in line for line in shown(pilot))
        dialogue.toggle_reasoning(everywhere=True)
        await pilot.pause()
        assert any(THOUGHT in line for line in shown(pilot))


async def test_it_grows_and_follows_and_the_reader_moves_by_blocks() -> None:
    posted: list[Message] = []
    dialogue = Dialogue()
    async with staged(dialogue, posted=posted) as pilot:
        said = [block(number) for number in range(100)]
        dialogue.show_blocks(said, follow=True)
        said += [block(100)]
        dialogue.show_blocks(said)
        await pilot.pause()
        assert shown(pilot)[-2] == "▌  said as number 100"
        await pilot.press("k")
        assert [message.seq for message in posted if isinstance(message, Dialogue.BlockChosen)] == [990]
        assert dialogue.copied() == "said as number 99"


@pytest.mark.parametrize("size", SIZES)
async def test_a_long_text_is_in_pieces_and_nothing_of_it_is_lost(size: tuple[int, int]) -> None:
    words = [f"word{number}" for number in range(3_000)]
    dialogue = Dialogue()
    async with staged(dialogue, size) as pilot:
        dialogue.show_blocks([block(0, " ".join(words)), block(1, "x" * 20_000), block(2, "the end")], seq=5)
        await pilot.pause()
        seen: list[str] = []
        while dialogue.block and dialogue.block.seq == 0:
            lines = dialogue._source.lines(dialogue.index, dialogue._text_width)
            seen += " ".join(line.plain for line in lines).split()
            dialogue.move_to(dialogue.index + 1)
        assert [word for word in seen if word.startswith("word")] == words
        await pilot.press("G")
        await pilot.pause()
        assert shown(pilot)[-2] == "▌  the end"


async def test_within_a_long_text_the_cursor_stays_when_the_block_is_told_again() -> None:
    said = [block(0, "word " * 3_000), block(1)]
    dialogue = Dialogue()
    async with staged(dialogue) as pilot:
        dialogue.show_blocks(said, seq=0)
        dialogue.move_to(4)
        dialogue.show_blocks([*said, block(2)], seq=0)
        dialogue.go(3)
        await pilot.pause()
        assert (dialogue.index, dialogue.block) == (4, said[0])


async def test_a_text_known_only_in_part_is_asked_for_and_then_whole() -> None:
    posted: list[Message] = []
    dialogue = Dialogue()
    part = block(0, "The beginning", chars=9_000, blob="b" * 64)
    async with staged(dialogue, posted=posted) as pilot:
        dialogue.show_blocks([part])
        await pilot.press("enter")
        await pilot.pause()
        assert shown(pilot)[2] == "▌  … the beginning of 9,000 characters; enter reads on"
        assert [message.block for message in posted if isinstance(message, Dialogue.WholeWanted)] == [part]
        dialogue.show_blocks([block(0, "The beginning and the rest", chars=26)])
        await pilot.pause()
        assert shown(pilot)[1:3] == ["▌  The beginning and the rest", ""]


async def test_nobody_has_spoken() -> None:
    dialogue = Dialogue()
    async with staged(dialogue) as pilot:
        dialogue.show_blocks([])
        dialogue.go(5)
        dialogue.toggle_reasoning()
        await pilot.pause()
        assert shown(pilot)[0] == " Nobody has spoken yet."
        assert dialogue.block is None
