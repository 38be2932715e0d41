"""Foreign text is literal, and what slips by is deleted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from iwtui.tui.text import ControlFilter, safe_line, safe_text

BLACK = Color.parse("#000000")


@pytest.mark.parametrize(
    "markup", ["[/]", "[/", "[link='", "[b +", "[true, false]", "[0]", "[@click=app.exit]x[/]", "[bold]x"]
)
def test_markup_stays_what_it_is(markup: str) -> None:
    assert safe_text(markup).plain == markup
    assert safe_line(markup).plain == markup


def test_control_and_bidi_characters_become_signs_that_have_a_width() -> None:
    shown = safe_text("a\x1b[2Jb\x9bc\x00d\u202ee\u2066f")
    assert shown.plain == "a␛[2Jb‹9B›c␀d‹202E›e‹2066›f"
    assert shown.cell_length == len(shown.plain)


def test_tabs_become_spaces_and_lines_stay() -> None:
    assert safe_text("a\tb\nc").plain == "a   b\nc"


def test_a_line_is_one_line_of_bounded_length() -> None:
    line = safe_line("a\nb " * 1000, 50)
    assert "\n" not in line.plain
    assert len(line.plain) == 50
    assert line.plain.endswith("…")


def test_a_style_covers_the_whole_text() -> None:
    styled = safe_text("two words", "$dim")
    assert [(span.start, span.end, span.style) for span in styled.spans] == [(0, 9, "$dim")]


@given(st.text())
def test_nothing_that_acts_on_a_terminal_is_left(text: str) -> None:
    plain = safe_text(text).plain
    assert not [char for char in plain if char != "\n" and (ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0)]
    plain.encode()


@given(st.lists(st.text()))
def test_the_filter_deletes_control_characters_and_nothing_else(texts: list[str]) -> None:
    style = Style(bold=True)
    cleaned = ControlFilter().apply([Segment(text, style) for text in texts], BLACK)
    for before, after in zip(texts, cleaned, strict=True):
        assert after.text == "".join(c for c in before if not (ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0))
        assert after.style == style


def test_the_filter_leaves_our_own_control_codes_alone() -> None:
    home = Control.home().segment
    assert ControlFilter().apply([home, Segment("a\x1bb")], BLACK) == [home, Segment("ab")]


def test_the_filter_hands_back_what_is_clean() -> None:
    clean = [Segment("plain"), Segment("你好 👩‍💻")]
    assert ControlFilter().apply(clean, BLACK) is clean


@pytest.mark.parametrize(("text", "shown"), [("❤️ 1️⃣", "❤ 1⃣"), ("👩‍💻", "👩💻"), ("🏴‍☠️", "🏴☠"), ("क्‍ष", "क्‍ष")])
def test_no_width_hangs_on_what_joins_emoji(text: str, shown: str) -> None:
    assert safe_text(text).plain == safe_line(text).plain == shown
