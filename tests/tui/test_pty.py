"""What reaches the terminal, byte for byte: hostile text does not, and after any end of the console it is usable again."""

import os
import re
import signal
import sys
from pathlib import Path

import psutil
import pytest

from tests.support.ptys import Terminal, terminal_environment

HOSTILE = (
    "\x1b]52;c;UFdORUQ=\x07\x1b]0;PWNED\x07\x1b[2J\x1b[?1049h\x1bP1$r\x1b\\\x9b31m\x9d0;PWNED\x9c\x00\x7f\x08\x0e"
    "\u202e\u2066 [/] [/ [link=' [@click=app.exit] [bold] \u4f60\u597d\U0001f469\u200d\U0001f4bb\u2764\ufe0f\u200e \ud800"
)
"""What an agent, a page or a process might say."""

POINTER = r"\x1b\]22;[a-z-]*\x07"
"""Sent by Textual itself: the shape of the mouse pointer."""

SCREEN = f"""
from pathlib import Path
from rich.text import Text
from textual.content import Content
from textual.screen import Screen
from textual.widgets import DataTable, Input, Label, ListItem, ListView, OptionList, RichLog, Static, TextArea, Tree
from iwtui.archive.store import Store
from iwtui.tui.app import ConsoleApp
from iwtui.tui.text import safe_line, safe_text
from iwtui.tui.widgets.frame import Crumbs, Keys

BAD = {HOSTILE!r}

class Bad(Screen):
    def compose(self):
        self.title, self.sub_title = BAD, BAD
        yield Crumbs()
        boxed = Static(safe_text(BAD), id="safe")
        boxed.border_title = safe_line(BAD)
        boxed.styles.border = ("round", "red")
        yield boxed
        yield Static(Content(BAD))
        yield Static(Text(BAD))
        yield Static(BAD, markup=False)
        yield Label(Content(BAD))
        yield OptionList(Text(BAD))
        yield ListView(ListItem(Label(Content(BAD))))
        yield Input(value=BAD)
        yield TextArea(BAD, language=None)
        yield RichLog(id="log")
        yield Tree(Text(BAD))
        yield DataTable()
        yield Keys()
    def on_mount(self):
        for child in self.query("OptionList, ListView, TextArea, RichLog, Tree, DataTable"):
            child.styles.height = 3
        table = self.query_one(DataTable)
        table.add_column(Text(BAD))
        table.add_row(Text(BAD))
        self.query_one("#log").write(Text(BAD))
        self.app.notify_text(BAD, title=BAD)
        self.set_timer(0.5, lambda: self.query_one("#safe").update(safe_text(BAD + "\\nREADY")))

class Console(ConsoleApp):
    def get_default_screen(self):
        return Bad()

Console(Store(Path("nowhere"))).run()
"""

SUPERVISED = """
import os, signal, sys, termios, time, tty
from iwtui.cli.supervise import supervised

def work():
    tty.setraw(0)
    {before}
    os.write(1, b"\\x1b[?1049h\\x1b[?1003h\\x1b[?2004hpid %d." % os.getpid())
    {work}
    return 7

sys.exit(supervised(work))
"""


@pytest.mark.parametrize("size", [(80, 50), (160, 60)])
def test_no_control_character_of_foreign_text_reaches_the_terminal(tmp_path: Path, size: tuple[int, int]) -> None:
    with Terminal([sys.executable, "-c", SCREEN], terminal_environment(tmp_path), *size, folder=tmp_path) as terminal:
        terminal.until(b"READY")
        terminal.read(0.3)
        terminal.press("q")
        assert terminal.end() == 0
        sent = re.sub(POINTER, "", terminal.sent.decode("utf-8", "strict"))
    assert not re.search(r"\x1b\](?:52|0);", sent), "a clipboard write or a title change"
    assert not re.search("[\x00\x07\x08\x0e\x7f-\x9f]", sent)
    assert "\x1bP1$r" not in sent
    assert sent.count("\x1b[?1049h") == 1, "only the console's own switch to the alternate screen"
    assert "␛]52;c;UFdORUQ=␇" in sent, "what was made visible stands there literally"
    assert "‹9B›31m" in sent
    assert "[link='" in sent
    assert sent.rstrip().endswith("\x1b[?1049l") or "\x1b[?1049l" in sent[-400:]


CAUGHT = "signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b'told to go'), os._exit(9)))"


def supervised(work: str, before: str = "pass") -> str:
    return SUPERVISED.replace("{work}", work).replace("{before}", before)


def supervise(work: str, home: Path, before: str = "pass") -> Terminal:
    return Terminal([sys.executable, "-c", supervised(work, before)], terminal_environment(home), folder=home)


def pid_of(terminal: Terminal) -> int:
    found = re.search(rb"pid (\d+)\.", terminal.until(lambda sent: re.search(rb"pid \d+\.", sent) is not None))
    assert found
    return int(found[1])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_violent_end_leaves_the_terminal_as_it_was(number: signal.Signals, tmp_path: Path) -> None:
    with supervise(f"os.kill(os.getpid(), {int(number)})", tmp_path) as terminal:
        assert terminal.end() == 128 + number
        after = terminal.sent.partition(b".")[2]
        assert {b"\x1b[?1049l", b"\x1b[?1003l", b"\x1b[?2004l"} <= set(re.findall(rb"\x1b\[\?\d+l", after))
        assert b"\x1b[?25h" in after
        assert number.name.encode() in after
        assert terminal.now() == terminal.modes


def test_an_orderly_end_is_left_alone(tmp_path: Path) -> None:
    with supervise("pass", tmp_path) as terminal:
        assert terminal.end() == 7
        assert terminal.sent.endswith(b".")


def test_the_console_goes_when_its_parent_is_killed(tmp_path: Path) -> None:
    program = supervised("time.sleep(60)", CAUGHT).replace("os.getpid()", "os.getppid()")
    shell = ["sh", "-c", '"$0" -c "$1"; sleep 60', sys.executable, program]
    with Terminal(shell, terminal_environment(tmp_path), folder=tmp_path) as terminal:
        os.kill(pid_of(terminal), signal.SIGKILL)
        terminal.until(b"told to go")


def test_a_signal_to_the_parent_reaches_the_console(tmp_path: Path) -> None:
    with supervise("time.sleep(60)", tmp_path, CAUGHT) as terminal:
        pid_of(terminal)
        terminal.process.terminate()
        assert terminal.end() == 9
        assert b"told to go" in terminal.sent


def test_stopping_the_console_stops_its_parent_and_both_go_on(tmp_path: Path) -> None:
    stopped = "os.kill(os.getpid(), signal.SIGSTOP); os.write(1, b'went on')"
    with supervise(stopped, tmp_path) as terminal:
        child = pid_of(terminal)
        _, status = os.waitpid(terminal.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        assert b"went on" not in terminal.sent
        os.kill(terminal.process.pid, signal.SIGCONT)
        terminal.until(b"went on")
        assert child != terminal.process.pid
        assert terminal.end() == 7


def test_reset_undoes_what_a_crash_left_on(tmp_path: Path) -> None:
    left = "import os,sys,tty; tty.setraw(0); os.execv(sys.executable, [sys.executable, '-m', 'iwtui', 'reset'])"
    with Terminal([sys.executable, "-c", left], terminal_environment(tmp_path), folder=tmp_path) as terminal:
        assert terminal.end() == 0
        assert b"\x1b[?1003l" in terminal.sent
        assert b"\x1b[?1049l" in terminal.sent
        local = terminal.now()[3]
        assert isinstance(local, int)
        assert local & 0o12 == 0o12, "lines and echo are on again"


def test_without_a_terminal_there_is_nothing_to_reset(tmp_path: Path) -> None:
    import subprocess

    done = subprocess.run(
        [sys.executable, "-m", "iwtui", "reset"],
        env=terminal_environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=30,
    )
    assert done.returncode == 2
    assert "no terminal to reset" in done.stderr


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_show_the_console_gets_the_help(term: str, tmp_path: Path) -> None:
    with Terminal([sys.executable, "-m", "iwtui"], terminal_environment(tmp_path, TERM=term), folder=tmp_path) as terminal:
        assert terminal.end() == 0
        assert b"Usage: iwtui" in terminal.sent
        assert b"\x1b[?1049h" not in terminal.sent


IWTUI = [sys.executable, "-m", "iwtui"]


def test_the_console_opens_on_an_empty_store_and_leaves_no_trace_on_the_terminal(tmp_path: Path) -> None:
    with Terminal(IWTUI, terminal_environment(tmp_path), folder=tmp_path) as terminal:
        terminal.until(b"help")
        assert terminal.now() != terminal.modes
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.now() == terminal.modes
        assert b"\x1b[?1049l" in terminal.sent
        assert not list(tmp_path.glob("**/iwtui.duckdb")), "looking at nothing writes nothing"


def test_the_console_ends_when_its_terminal_hangs_up(tmp_path: Path) -> None:
    with Terminal(IWTUI, terminal_environment(tmp_path), folder=tmp_path) as terminal:
        terminal.until(b"help")
        processes = [psutil.Process(terminal.process.pid), *psutil.Process(terminal.process.pid).children(recursive=True)]
        assert len(processes) == 2
        terminal.hang_up()
        _, alive = psutil.wait_procs(processes, timeout=10)
        assert alive == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('theme = "drak"', "there is no theme 'drak'; there are dark, light, contrast"),
        ('images = "ascii"', "images"),
        ('[keys]\n"episode.mark" = "n"', "the nearest is 'episode.marks'"),
        ('[keys]\n"episode.marks" = "strg+n"', "no key 'strg+n'"),
    ],
)
def test_a_wrong_setting_is_said_before_the_screen_is_taken(settings: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "iwtui.toml").write_text(settings)
    with Terminal(IWTUI, terminal_environment(tmp_path), columns=200, folder=tmp_path) as terminal:
        assert terminal.end() == 2
        assert said in terminal.sent.decode()
        assert b"\x1b[?1049h" not in terminal.sent
