"""Keys that come in one write, as from a quick typist or through tmux: each goes to what the one before it brought up."""

import sys
from pathlib import Path

import pytest

from tests.cli.scribe import Scribe, add_whole
from tests.support.ptys import Terminal, terminal_environment

CONSOLE = [sys.executable, "-m", "iwtui"]


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """The console on a store of two runs with an episode each."""
    scribe = Scribe(tmp_path / "store")
    add_whole(scribe, "first")
    add_whole(scribe, "second")
    environ = terminal_environment(tmp_path, IWTUI_STORE=str(scribe.store.root), IWTUI_IMAGES="off")
    return Terminal(CONSOLE, environ, 120, 40, folder=tmp_path)


def test_keys_of_one_write_go_where_those_before_them_lead(terminal: Terminal) -> None:
    with terminal:
        terminal.until(b"bakery_P-MIN")
        terminal.read(0.3)
        terminal.press("\tj\r")  # to the episodes, down (there is one only), open it: nothing of this is for the runs
        terminal.until(b"Timeline")
        terminal.press("q")
        assert terminal.end() == 0
        assert b"Episodes of first" not in terminal.sent


def test_what_is_typed_behind_a_find_is_what_is_found(terminal: Terminal) -> None:
    with terminal:
        terminal.until(b"bakery_P-MIN")
        terminal.read(0.3)
        terminal.press("/first\r")
        terminal.until(b"Episodes of first")
        terminal.press("\rj\x1b")
        terminal.until(b"metrics of first")
        terminal.read(0.5)  # or the escape and the q are one key to the terminal: alt+q
        terminal.press("q")
        assert terminal.end() == 0
