"""No control character of a model, a page or a file reaches a screen."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.text import one_line, storable, visible

BIDI = {"\u061c", "\u200e", "\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
HOSTILE = st.one_of(
    st.characters(), st.sampled_from([*BIDI, *map(chr, range(0xA1)), "\u2028", "\u2029", "\ud83d", "\ude00"])
)
hostile_text = st.lists(HOSTILE).map("".join)


def dangerous(text: str) -> set[str]:
    return {char for char in text if char in BIDI or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")}


@given(hostile_text)
def test_nothing_dangerous_is_left(text: str) -> None:
    shown = visible(text)
    assert dangerous(shown) <= {"\n", "\t"}
    assert visible(shown) == shown
    shown.encode()


@given(hostile_text, st.integers(1, 50))
def test_one_line_is_one_short_line(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert dangerous(line) == set()
    assert len(line) <= limit


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb\tc", "a\nb\tc"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x1b[2J\x9b2J\x00", "␛[2J‹9B›2J␀"),
        ("user\u202etxt.exe", "user‹202E›txt.exe"),
        ("\x7f\r\u2028", "␡␍\n"),
        ("[/] [bold]", "[/] [bold]"),
        ("é日本😀", "é日本😀"),
    ],
)
def test_what_is_shown_instead(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_long_line_is_cut_with_a_mark() -> None:
    assert one_line("a  b\n c", 10) == "a b c"
    assert one_line("abcdefgh", 5) == "abcd…"


@given(hostile_text)
def test_storable_text_can_be_written(text: str) -> None:
    kept, replaced = storable(text)
    kept.encode()
    assert replaced == (kept.count("\ufffd") > text.count("\ufffd"))
    assert storable(kept) == (kept, False)


def test_two_halves_make_a_character_and_one_half_does_not() -> None:
    assert storable("\ud83d\ude00") == ("😀", False)
    assert storable("a\ud83db") == ("a\ufffdb", True)
    assert storable("\ufffd") == ("\ufffd", False)
