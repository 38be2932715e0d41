"""A thinned frame shows what the whole one shows, cell by cell."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from iwtui.tui.wire import thinned

Cells = dict[tuple[int, int], tuple[str, frozenset[str]]]


def shown(frame: str) -> tuple[Cells, frozenset[str]]:
    """A small terminal: what stands where in which styles, and the styles that are left on."""
    cells: Cells = {}
    row = column = 1
    pen: dict[str, str] = {}
    for sgr, place, text in re.findall(r"\x1b\[([\d;]*)m|\x1b\[(\d+;\d+)H|([^\x1b]|\x1b(?!\[))", frame):
        if place:
            row, column = map(int, place.split(";"))
        elif text == "\r":
            column = 1
        elif text == "\n":
            row += 1
        elif text:
            cells[row, column] = text, frozenset(pen.values())
            column += 1
        else:
            codes = sgr.split(";") if sgr else ["0"]
            while codes:
                code = codes.pop(0)
                if code == "0":
                    pen = {}
                elif code in ("38", "48"):
                    kind = codes.pop(0)
                    count = 3 if kind == "2" else 1
                    pen[code] = ";".join([code, kind, *codes[:count]])
                    del codes[:count]
                else:
                    slot = (
                        "38" if code[0] in "39" and len(code) == 2 else "48" if code[0] in "41" and len(code) > 1 else code
                    )
                    pen[slot] = code
    return cells, frozenset(pen.values())


RGB = ("1;38;2;1;2;3;48;2;4;5;6", "38;2;1;2;3;48;2;4;5;6", "38;2;9;9;9;48;2;4;5;6", "48;2;4;5;6")
STYLES = (*RGB, "1", "2;3;31", "38;5;7;44", "97;100", "4;38;5;1")
pieces = st.one_of(
    st.builds("\x1b[{}m{}\x1b[0m".format, st.sampled_from(STYLES), st.text("ab ", min_size=1, max_size=3)),
    st.builds("\x1b[{};{}H".format, st.integers(1, 9), st.integers(1, 9)),
    st.sampled_from(("\n", "\r\n", "plain", "\x1b[m", "\x1b[0m")),
)


@given(st.lists(pieces, max_size=12).map("".join))
def test_the_same_is_seen_in_fewer_bytes(frame: str) -> None:
    assert shown(thinned(frame)) == shown(frame)
    assert len(thinned(frame)) <= len(frame)


@pytest.mark.parametrize("frame", ["\x1b[1mbold\x1b[31mred\x1b[0m", "\x1b[31m\x1b[1mx\x1b[32my", "\x1b[1mx"])
def test_styles_upon_styles_are_left_as_they_are(frame: str) -> None:
    assert shown(thinned(frame))[0] == shown(frame)[0]


@pytest.mark.parametrize(
    "other", ["\x1b[?2026h", "\x1b_Ga=d,i=7\x1b\\", "\x1bPq#0;2;0;0;0\x1b\\", "\x1b]8;;http://x\x1b\\", "\x1b[2J"]
)
def test_other_sequences_pass_with_the_styles_reset(other: str) -> None:
    assert thinned(f"\x1b[31ma\x1b[0m{other}\x1b[31mb\x1b[0m") == f"\x1b[31ma\x1b[0m{other}\x1b[31mb\x1b[0m"
    assert thinned(other) == other


def test_what_rich_says_of_neighbours_of_one_colour_is_said_once() -> None:
    style = Style.parse("bold #d5dbe5 on #0f1217")
    line = style.render("one") + style.render("two") + Style.parse("bold #ff0000 on #0f1217").render("three")
    assert thinned(line) == "\x1b[1;38;2;213;219;229;48;2;15;18;23monetwo\x1b[38;2;255;0;0mthree\x1b[0m"
