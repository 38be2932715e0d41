"""What the screens send to the terminal, byte for byte, when every text of others is hostile."""

import re
import signal
import sys
from pathlib import Path

import pytest

from tests.support.hostile import HOSTILE, NOT_TO_BE_SENT, hostile_store
from tests.support.ptys import Terminal, terminal_environment

POINTER = r"\x1b\]22;[a-z-]*\x07"
"""Sent by Textual itself: the shape of the mouse pointer."""

QUIET = 0.15
"""Seconds without a byte after which a screen is taken to be painted."""

CONSOLE = f"""
from pathlib import Path
from iwtui.archive.store import Store
from iwtui.tui.app import ConsoleApp
from iwtui.tui.screens.leave import LeaveScreen

class Console(ConsoleApp):
    def action_leave(self):
        self.push_screen(LeaveScreen([{HOSTILE!r}]))

Console(Store(Path("store")), images="off").run()
"""
"""The console, which always asks whether to leave a run with a hostile name."""

PACK = HOSTILE.replace("/", "\u2215").replace("\x00", "")
"""A folder may be called like that."""


class Visit:
    """Keys for the console, and what has to come of them."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    def __call__(self, keys: str, *wanted: str) -> None:
        """Press them, wait for the words to be sent, then for quiet; a key at once after escape would be a part of it."""
        begun = len(self._terminal.sent)
        for some in re.findall(r"\x1b(?:\[\w)?|[^\x1b]+", keys):
            self._terminal.press(some)
            if some == "\x1b":
                self._terminal.read(QUIET)
        for words in wanted:
            self._terminal.until(lambda sent, words=words: words.encode() in sent[begun:])  # type: ignore[misc]
        self._terminal.read(QUIET)


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
def test_no_screen_sends_what_others_wrote(tmp_path: Path, size: tuple[int, int]) -> None:
    hostile_store(tmp_path / "store")
    pack = tmp_path / "config" / "iwtui" / "tasks" / PACK
    pack.mkdir(parents=True)
    (pack / "seed.toml").write_text(f"{HOSTILE!r} = 1")
    with Terminal([sys.executable, "-c", CONSOLE], terminal_environment(tmp_path), *size, folder=tmp_path) as terminal:
        visit = Visit(terminal)
        visit("", "25.0")  # home, its figures
        visit("/", "keep the runs")
        visit("cut\x1b")
        visit("?", "What you can do here")
        visit("\x1b:", "Search for commands")
        visit("help\x1b")
        visit("r", "New run")
        visit("\r", "starter")  # the packs, one of them by its foul name
        visit("\x1b[A\x1b[A\r")
        visit("\x1b\x1b")
        visit("q", "Leave the console?")
        visit("\x1b\x1b[B\r", "metrics of first", "lowest TCR first")
        visit("/persona:x\x1b")
        visit("\r\r", "Timeline")
        for _ in range(4):
            visit("zz\t")  # each pane alone
        visit("\t\t\te", "files")  # the tree of files
        visit("e|dd")
        visit("/Ivory\r", "Ivory")
        visit("\x1bgnNtmoy")
        visit("s")
        visit("\r", "Requirement")
        visit("lm?", "What you can do here")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 0
        sent = re.sub(POINTER, "", terminal.sent.decode("utf-8", "strict"))
    copied = r"\x1b\]52;c;[A-Za-z0-9+/=]*\x07"
    assert len(re.findall(copied, sent)) <= 2, "what the reader copied himself"
    sent = re.sub(copied, "", sent)
    assert not re.search(NOT_TO_BE_SENT, sent)
    assert not re.search(r"\x1b\](?:52|0);", sent), "a clipboard write or a title change"
    assert "\x1bP1$r" not in sent
    assert sent.count("\x1b[?1049h") == 1, "only the console's own switch to the alternate screen"
    assert "␛]52;c" in sent, "what was made visible stands there literally"
