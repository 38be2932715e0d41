"""Code in colours says what the file says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iwtui.bench.text import visible
from iwtui.tui.widgets.highlighting import COLOURED, LONGEST_LINE, code_lines
from tests.tui_widgets.made import HOSTILE


@pytest.mark.parametrize(
    "path", ["a.js", "a.mjs", "a.html", "a.css", "a.json", "a.svg", "a.tsx", "a.svelte", "Makefile", "x.zzz"]
)
@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_character_is_lost(path: str, text: str) -> None:
    plain, coloured = code_lines(text, path)
    assert [line.plain for line in coloured] == plain
    expected = [line.expandtabs(4) for line in visible(text).split("\n")]
    assert plain == (expected[:-1] if expected[-1] == "" else expected)


def test_code_is_coloured_by_the_name_of_its_file() -> None:
    _, coloured = code_lines("const a = 1 // one\n", "src/main.js")
    assert coloured[0].spans
    _, plain = code_lines("const a = 1 // one\n", "notes.unknown")
    assert not plain[0].spans


def test_what_is_too_long_is_cut_or_left_without_colours() -> None:
    plain, _ = code_lines("x" * 5_000_000, "a.js")
    assert plain == ["x" * LONGEST_LINE + f" … {5_000_000 - LONGEST_LINE:,} more characters"]
    _, coloured = code_lines("const a = 1\n" * (COLOURED // 12 + 1), "a.js")
    assert not any(line.spans for line in coloured)


def test_control_characters_become_visible() -> None:
    plain, _ = code_lines(HOSTILE, "a.js")
    assert "".join(plain).isprintable()
    assert "[@click=app.quit]" in plain[0]
