"""What is kept of a process's output is bounded, and says what it leaves out."""

from iwtui.web.output import HEAD, TAIL, Output, last_lines, plain


def test_the_beginning_and_the_end_are_kept() -> None:
    output = Output()
    output.add(b"first\n")
    for number in range(100_000):
        output.add(b"line %d\n" % number)
    output.add(b"last")
    text = output.text()
    assert text.startswith("first\nline 0\n") and text.endswith("line 99999\nlast")
    assert f"{output.total - HEAD - TAIL:,} bytes left out" in text
    assert len(text) < HEAD + TAIL + 100


def test_what_is_short_is_whole() -> None:
    output = Output()
    for chunk in (b"a" * (HEAD - 1), b"bc", "é".encode()):
        output.add(chunk)
    assert output.text() == "a" * (HEAD - 1) + "bcé"


def test_colours_titles_and_progress_are_taken_off_and_nothing_else() -> None:
    seen = plain(
        "\x1b[32m➜\x1b[39m http://localhost:\x1b[1m5173\x1b[22m/ [0]\x1b]0;title\x07\n10%\r50%\r100%\r\nend\x1b[?25l"
    )
    assert seen == "➜ http://localhost:5173/ [0]\n100%\nend"


def test_last_lines_skip_blank_ones() -> None:
    assert last_lines("a\nb  \n\n  \nc\n\n", 2) == "b\nc"
