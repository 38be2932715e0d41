"""The code pane: which file, and what the turn changed in it."""

from typing import Any

import pytest
from textual.message import Message
from textual.pilot import Pilot

from iwtui.tui.widgets.code import CodePane
from iwtui.tui.widgets.code_lines import Listing
from iwtui.tui.widgets.file_tree import FileTree
from tests.tui_widgets.made import entry
from tests.tui_widgets.stage import SIZES, shown, staged

FILES = [entry("index.html"), entry("src/main.js", "change", 1, 1), entry("src/old.js", "delete", 0, 4)]
BEFORE = "".join(f"line {number}\n" for number in range(1, 41))
AFTER = BEFORE.replace("line 20\n", "changed\n")


async def settled(pilot: Pilot[Any]) -> list[str]:
    """The screen once the thread is done."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    await pilot.pause()
    return shown(pilot)


async def test_the_file_that_changed_most_is_asked_for_and_its_change_shown() -> None:
    posted: list[Message] = []
    pane = CodePane()
    async with staged(pane, posted=posted) as pilot:
        pane.show_files(FILES)
        await pilot.pause()
        assert [message.entry for message in posted if isinstance(message, CodePane.FileChosen)] == [FILES[2]]
        pane.show_files(FILES, path="src/main.js")
        pane.show_texts("src/main.js", BEFORE, AFTER)
        screen = await settled(pilot)
        assert screen[0].startswith(" ~ src/main.js  +1 −1")
        assert screen[0].endswith("2 of 3")
        assert screen[1:11] == [
            "   ⋯   16 unchanged lines",
            "  17   line 17",
            "  18   line 18",
            "  19   line 19",
            "▌ 20 - line 20",
            "  20 + changed",
            "  21   line 21",
            "  22   line 22",
            "  23   line 23",
            "   ⋯   17 unchanged lines",
        ]
        assert pane.copied() == AFTER.rstrip("\n")


async def test_what_was_left_out_unfolds_and_the_whole_file_is_a_key_away() -> None:
    pane = CodePane()
    async with staged(pane, (60, 30)) as pilot:
        pane.show_files(FILES, path="src/main.js")
        pane.show_texts("src/main.js", BEFORE, AFTER)
        await settled(pilot)
        pane.lines.focus()
        await pilot.press("g", "enter")
        await pilot.pause()
        assert shown(pilot)[1:3] == ["▌  1   line 1", "   2   line 2"]
        pane.toggle_diff()
        await pilot.pause()
        screen = shown(pilot)
        assert "▌ 20 + changed" in screen
        assert not any("line 20" in line for line in screen)
        assert len(pane.lines._rows) == 40


async def test_two_columns_where_there_is_room_or_at_a_key() -> None:
    pane = CodePane()
    async with staged(pane, (120, 30)) as pilot:
        pane.show_files(FILES, path="src/main.js")
        pane.show_texts("src/main.js", BEFORE, AFTER)
        screen = await settled(pilot)
        assert screen[5].split("│") == ["▌ 20 - line 20".ljust(59), " 20 + changed"]
        await pilot.resize_terminal(80, 30)
        await pilot.pause()
        assert shown(pilot)[5:7] == ["▌ 20 - line 20", "  20 + changed"]
        pane.lines.focus()
        await pilot.press("|")
        await pilot.pause()
        assert shown(pilot)[5].split("│") == ["▌ 20 - line 20".ljust(39), " 20 + changed"]


@pytest.mark.parametrize(
    ("before", "after", "first"),
    [
        (None, "one\ntwo\n", "▌  1 + one"),
        ("one\ntwo\n", None, "▌  1 - one"),
        ("one\n", "one\n", "▌  1   one"),
        ("", "", None),
    ],
)
async def test_a_new_a_deleted_an_untouched_and_an_empty_file(
    before: str | None, after: str | None, first: str | None
) -> None:
    pane = CodePane()
    async with staged(pane) as pilot:
        pane.show_files(FILES, path="src/main.js")
        pane.show_texts("src/main.js", before, after)
        screen = await settled(pilot)
        assert screen[1] == (first or " The file is empty.")


async def test_files_one_after_the_other_and_the_readers_choice_is_kept() -> None:
    posted: list[Message] = []
    pane = CodePane()
    async with staged(pane, posted=posted) as pilot:
        pane.show_files(FILES)
        pane.next_file()
        pane.next_file(-1)
        pane.next_file(-1)
        later = [*FILES[:1], entry("src/main.js", "change", 90, 0), entry("z.css", "add", 500, 0)]
        pane.show_files(later)
        pane.show_files([*later])
        await pilot.pause()
        chosen = [message.entry for message in posted if isinstance(message, CodePane.FileChosen)]
        assert chosen == [FILES[2], FILES[0], FILES[2], FILES[1], later[1]]


async def test_the_tree_chooses_a_file() -> None:
    posted: list[Message] = []
    pane = CodePane()
    async with staged(pane, (50, 12), posted) as pilot:
        pane.show_files(FILES, path="index.html")
        pane.lines.focus()
        await pilot.press("e")
        await pilot.pause()
        assert shown(pilot)[1:5] == [
            f"▌  index.html{'1,000 bytes':>36}",
            "   src/",
            f" ~   main.js{'+1 −1':>37}",
            f" −   old.js{'+0 −4':>38}",
        ]
        await pilot.press("j", "enter", "j", "enter")
        await pilot.pause()
        chosen = [message.entry for message in posted if isinstance(message, CodePane.FileChosen)]
        assert chosen == [FILES[0], FILES[1]]
        assert pilot.app.focused is pane.lines
        assert not pane.query_one(FileTree).display


async def test_texts_that_come_too_late_are_not_shown() -> None:
    pane = CodePane()
    async with staged(pane) as pilot:
        pane.show_files(FILES, path="src/main.js")
        pane.show_texts("src/main.js", "old", "old")
        pane.show_files(FILES, path="index.html")
        pane.show_texts("src/main.js", "old", "old")
        assert not any("old" in line for line in await settled(pilot))
        pane.show_texts("index.html", None, None, "its text is missing: blobs/aa/aaaa")
        assert (await settled(pilot))[1] == " its text is missing: blobs/aa/aaaa"


async def test_no_files_yet() -> None:
    pane = CodePane()
    async with staged(pane) as pilot:
        pane.show_files([])
        pane.next_file()
        pane.toggle_diff()
        pane.action_tree()
        pane.action_tree()
        await pilot.pause()
        assert shown(pilot)[0] == " no file"
        assert shown(pilot)[1].startswith(" No files yet.")


async def test_a_fault_while_laying_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("[/] out of ink")

    monkeypatch.setattr(Listing, "of", broken)
    pane = CodePane()
    async with staged(pane) as pilot:
        pane.show_files(FILES, path="index.html")
        pane.show_texts("index.html", "a", "b")
        assert (await settled_with_fault(pilot))[1] == " The file cannot be laid out: [/] out of ink"


async def settled_with_fault(pilot: Pilot[Any]) -> list[str]:
    from textual.worker import WorkerFailed

    with pytest.raises(WorkerFailed):
        await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    return shown(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_a_large_file_opens_and_answers(size: tuple[int, int]) -> None:
    before = "".join(
        f"const name{number} = {number} // a remark that is long enough to be wrapped\n" for number in range(20_000)
    )
    pane = CodePane()
    async with staged(pane, size) as pilot:
        pane.show_files(FILES, path="src/main.js")
        pane.show_texts("src/main.js", before, before.replace("name19000 ", "changed "))
        assert any("changed" in line for line in await settled(pilot))
        pane.lines.focus()
        pane.toggle_diff()
        await pilot.press("G")
        await pilot.pause()
        assert any("name19999" in line for line in shown(pilot))
