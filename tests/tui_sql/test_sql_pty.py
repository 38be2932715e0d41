"""The SQL console in a terminal, byte for byte, and beside a run that goes on."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from iwtui.archive.log import LogWriter
from iwtui.archive.registry import Registration
from iwtui.bench.events import BrowserStepped, TurnStarted
from iwtui.tui.sql_history import Asked, History
from tests.support.hostile import HOSTILE, NOT_TO_BE_SENT, hostile_store
from tests.support.ptys import Terminal, terminal_environment
from tests.support.stores import make_case, make_run, make_store, play
from tests.tui.test_pty_screens import POINTER, Visit

CELLS = """select e.persona, chr(27) || '[2J' || chr(7) || chr(155) || '31m' || chr(8238) as c, t.answer, t.message,
e.difficulty, [t.answer] as l, {'k': t.answer} as s, encode(t.answer) as b from episodes e join turns t using (episode)"""


def console(root: Path) -> list[str]:
    return [sys.executable, "-m", "iwtui", "--store", str(root), "--images", "off"]


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
def test_no_cell_query_or_error_sends_what_others_wrote(tmp_path: Path, size: tuple[int, int]) -> None:
    hostile_store(tmp_path / "store")
    queries = tmp_path / "config" / "iwtui" / "storage" / "queries"
    queries.mkdir(parents=True)
    (queries / "01foul.sql").write_text(f'-- {HOSTILE.replace(chr(13), "")}\nselect $${HOSTILE}$$ as "{HOSTILE}"')
    (queries / "00cells.sql").write_text(CELLS)
    History(tmp_path / "state" / "iwtui" / "queries.jsonl").add(Asked(HOSTILE, 0.0, fault=HOSTILE))
    with Terminal(console(tmp_path / "store"), terminal_environment(tmp_path), *size, folder=tmp_path) as terminal:
        visit = Visit(terminal)
        visit("", "first")
        visit("S", "The rows come here")
        visit("\x1b[13~", "Saved", "00cells")
        visit("\r")
        visit("\x12", " s old")
        visit("\x1b[17~\x1b[C\x1b[C\r", "characters")
        for _ in range(5):
            visit("\x1b")
            visit("\x1b[C\r")
        visit("\x1b")
        visit("\x1b[15~\x1b[14~", "01 Jan")
        visit("\x1b[B")
        visit("\x1b[F\r")  # the first that was asked: the foul one
        visit("\x12", "Error")
        visit("\x1b[13~\x1b[F")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 0
        sent = re.sub(POINTER, "", terminal.sent.decode("utf-8", "strict"))
    assert not re.search(NOT_TO_BE_SENT, sent)
    assert not re.search(r"\x1b\](?:52|0);", sent), "a clipboard write or a title change"
    assert sent.count("\x1b[?1049h") == 1, "only the console's own switch to the alternate screen"
    assert "␛]52;c" in sent, "what was made visible stands there literally"


def test_a_run_goes_on_while_a_console_and_queries_ask(tmp_path: Path) -> None:
    """The writer of the logs never waits for those who look; what they show is at most two seconds old."""
    store = make_store(tmp_path / "store")
    case = make_case("live")
    folder = make_run(store, "live", [case])
    name = play(folder, case, actions="C", end=None)
    over, slowest, written = threading.Event(), [0.0], [1]

    def write() -> None:
        with LogWriter(folder.episode_log(name), store.blobs) as log:
            while not over.wait(0.05):
                began = time.monotonic()
                log.append(TurnStarted(message="Go on."), written[0] + 1)
                log.append(BrowserStepped(phase="verify", step=0, action="click", target="Add", url="/"), written[0] + 1)
                written[0] += 1
                slowest[0] = max(slowest[0], time.monotonic() - began)

    environ = terminal_environment(tmp_path)
    ask = [sys.executable, "-m", "iwtui", "--store", str(store.root), "sql", "--format", "json"]
    question = "select count(*) as n from events where run = 'live' and kind = 'TurnStarted'"
    writer = threading.Thread(target=write)
    with Registration(store.root, "live", tmp_path / "runtime" / "iwtui" / "live"):
        writer.start()
        try:
            with Terminal(console(store.root), environ, 120, 40, folder=tmp_path) as terminal:
                visit = Visit(terminal)
                visit("", "live")
                visit("S", "The rows come here")
                visit(question)
                for _ in range(3):
                    before = written[0]
                    beside = [subprocess.Popen([*ask, question], env=environ, stdout=subprocess.PIPE) for _ in range(2)]
                    visit("\x1b[15~", " s old")
                    told = [json.loads(one.communicate(timeout=60)[0])[0]["n"] for one in beside]
                    assert all(before <= number <= written[0] + 1 for number in told), (before, told)
                assert "set lock" not in terminal.sent.decode("utf-8", "replace")
        finally:
            over.set()
            writer.join()
    assert slowest[0] < 1.0
