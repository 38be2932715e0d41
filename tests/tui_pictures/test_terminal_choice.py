"""Which way pictures take to the terminal: by the environment, and by one question in a real pseudo-terminal."""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from iwtui.tui.terminal import LIMIT, Mode, choose, keys, settled

KITTY = {"TERM": "xterm-kitty", "COLORTERM": "truecolor"}
XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("wish", "environ", "mode"),
    [
        ("auto", KITTY, "kitty"),
        ("auto", {**KITTY, "SSH_TTY": "/dev/pts/1"}, "kitty"),
        ("auto", {"TERM": "xterm-ghostty", "COLORTERM": "24bit"}, "kitty"),
        ("auto", {"TERM": "xterm-kitty"}, "halfcell"),
        ("auto", {**KITTY, "NO_COLOR": "1"}, "halfcell"),
        ("auto", {**KITTY, "TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"}, "halfcell"),
        ("auto", {**XTERM, "TMUX": "/tmp/x,1,0"}, "halfcell"),
        ("auto", {"TERM": "screen-256color", "STY": "1.x"}, "halfcell"),
        ("auto", {**XTERM, "SSH_CONNECTION": "1 2 3 4"}, "halfcell"),
        ("auto", {"TERM": "linux"}, "halfcell"),
        ("auto", {"TERM": "dumb"}, "off"),
        ("auto", XTERM, None),
        ("sixel", XTERM, "sixel"),
        ("sixel", {**XTERM, "TMUX": "/tmp/x,1,0"}, "sixel"),
        ("sixel", KITTY, "halfcell"),
        ("kitty", {**XTERM, "COLORTERM": "truecolor"}, "kitty"),
        ("kitty", {**KITTY, "TMUX": "/tmp/x,1,0"}, "halfcell"),
        ("halfcell", KITTY, "halfcell"),
        ("off", KITTY, "off"),
    ],
)
def test_the_environment_decides_where_it_can(wish: str, environ: dict[str, str], mode: Mode | None) -> None:
    choice = settled(wish, environ)

    assert (choice.mode if choice else None) == mode
    assert choice is None or choice.why


def test_an_unknown_wish_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="auto, kitty, sixel, halfcell, off"):
        settled("png", XTERM)


def test_without_a_terminal_nothing_is_asked() -> None:
    read, write = os.pipe()
    with os.fdopen(read) as nothing, os.fdopen(write, "w"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "__stdin__", nothing)
        assert choose("auto", XTERM).mode == "halfcell"


CHILD = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
before = termios.tcgetattr(0)
from iwtui.tui.terminal import cell_size, choose, keys
choice = choose("auto", {"TERM": "xterm-256color"}, limit=LIMIT)
assert termios.tcgetattr(0) == before
print(choice.mode, *cell_size(), *keys(choice.typed))
"""


@contextmanager
def asking(limit: float) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A process that asks the terminal whose other end is given; what it found out is on its stdout."""
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(
            [sys.executable, "-c", CHILD.replace("LIMIT", str(limit))],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            start_new_session=True,
            text=True,
        ) as child:
            os.close(theirs)
            yield ours, child
    finally:
        os.close(ours)


def read(terminal: int, until: bytes = b"", limit: float = 10.0) -> bytes:
    """What the process wrote to the terminal, up to those bytes or its end."""
    heard = b""
    while (not until or until not in heard) and select.select([terminal], [], [], limit)[0]:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        heard += part
    return heard


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (b"\x1b[6;20;10t\x1b[?62;4;22c", "sixel 10 20"),
        (b"\x1b[?64;4c", "sixel 8 16"),
        (b"\x1b[?62;22c", "halfcell 8 16"),
        (b"\x1b[?6c", "halfcell 8 16"),
        (b"\x1b[?1;44c", "halfcell 8 16"),
        (b"q\x1b[6;30;15tj\x1b[?62;4c", "sixel 15 30 q j"),
        (b"\x1b[A\x1b[?62;4c", "sixel 8 16 up"),
        (b"\x1b[6;0;0t\x1b[?4c", "sixel 8 16"),
    ],
)
def test_the_answer_decides_and_keys_are_kept(answer: bytes, found: str) -> None:
    with asking(limit=10) as (terminal, child):
        read(terminal, until=b"\x1b[c")
        os.write(terminal, answer)
        out, _ = child.communicate(timeout=10)
        shown = read(terminal)

    assert out.strip() == found
    assert shown == b""  # neither the answer nor the keys were echoed


def test_an_answer_in_pieces_is_one_answer() -> None:
    with asking(limit=10) as (terminal, child):
        read(terminal, until=b"\x1b[c")
        for byte in b"x\x1b[6;20;10t\x1b[?62;4c":
            os.write(terminal, bytes([byte]))
        out, _ = child.communicate(timeout=10)

    assert out.strip() == "sixel 10 20 x"


def test_an_answer_may_take_a_third_of_a_second() -> None:
    with asking(limit=LIMIT) as (terminal, child):
        read(terminal, until=b"\x1b[c")
        select.select([terminal], [], [], 0.3)
        os.write(terminal, b"\x1b[?62;4c")
        out, _ = child.communicate(timeout=10)

    assert out.strip() == "sixel 8 16"


def test_a_silent_terminal_holds_nobody_up() -> None:
    with asking(limit=0.1) as (terminal, child):
        asked = read(terminal, until=b"\x1b[c")
        os.write(terminal, b"?")
        out, _ = child.communicate(timeout=5)

    assert out.strip() == "halfcell 8 16 question_mark"
    assert asked == b"\x1b[16t\x1b[c"


def test_typed_bytes_become_keys() -> None:
    assert keys(b"q\x1b[B\r\x1b") == ["q", "down", "enter", "escape"]
    assert keys(b"") == []


def test_the_encoders_ask_the_terminal_nothing() -> None:
    ours, theirs = pty.openpty()
    code = "from iwtui.tui import graphics; graphics.largest(); import textual_image._sixel"
    try:
        child = subprocess.run([sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=theirs, timeout=20)
        os.close(theirs)
        assert child.returncode == 0
        assert read(ours, limit=0.2) == b""
    finally:
        os.close(ours)
