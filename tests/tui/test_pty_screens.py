"""What the screens send to the terminal, byte for byte, when every text of others is hostile."""

import re
import sys
from pathlib import Path

import pytest

from tests.support.hostile import NOT_TO_BE_SENT, hostile_store
from tests.support.ptys import Terminal, terminal_environment

POINTER = r"\x1b\]22;[a-z-]*\x07"
"""Sent by Textual itself: the shape of the mouse pointer."""


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
def test_no_screen_sends_what_others_wrote(tmp_path: Path, size: tuple[int, int]) -> None:
    hostile_store(tmp_path / "store")
    environ = terminal_environment(tmp_path, IWTUI_STORE=str(tmp_path / "store"), IWTUI_IMAGES="off")
    with Terminal([sys.executable, "-m", "iwtui"], environ, *size, folder=tmp_path) as terminal:
        terminal.until(b"25.0")  # home, its figures
        terminal.press("j\r")
        terminal.until(b"metrics of first")
        terminal.until(b"lowest TCR first")
        for _ in range(2):
            terminal.read(0.3)
            terminal.press("\r")
        terminal.until(b"Timeline")
        terminal.until(b"event ")
        terminal.read(0.4)
        for key in ("\t", "\t", "\t", "G", "/"):
            terminal.press(key)
            terminal.read(0.2)
        terminal.press("Ivory\r")
        terminal.read(0.3)
        terminal.press("\x1b")
        terminal.read(0.3)
        terminal.press("s")
        terminal.read(0.3)
        terminal.press("\r")
        terminal.until(b"Requirement")
        terminal.press("?")
        terminal.until(b"What you can do here")
        terminal.press("\x1b")
        terminal.read(0.3)
        terminal.press("q")
        assert terminal.end() == 0
        sent = re.sub(POINTER, "", terminal.sent.decode("utf-8", "strict"))
    assert not re.search(NOT_TO_BE_SENT, sent)
    assert not re.search(r"\x1b\](?:52|0);", sent), "a clipboard write or a title change"
    assert "\x1bP1$r" not in sent
    assert sent.count("\x1b[?1049h") == 1, "only the console's own switch to the alternate screen"
    assert "␛]52;c" in sent, "what was made visible stands there literally"
