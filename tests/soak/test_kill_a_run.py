"""kill -9 of a runner at random moments: what was written is there, a resume plays no turn twice and loses none, and of
all that the runner started nothing is left, be it a browser, a site's server or a daemon of one."""

import json
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from iwtui.web.sweep import MARK
from tests.support import mason, openai_server
from tests.support.openai_server import Asked, OpenAIServer
from tests.support.runner import count_lines, kept_turns, logs, run, start, whole_lines

KILLS = int(os.environ.get("IWTUI_SOAK_KILLS", "20"))
GONE = 5.0
"""Seconds after which nothing that the runner started is left."""

SEED = 20261129
SECTION = '[roles.{role}]\napi_base = "{url}"\napi_key = "env:KEY_OF_THE_TRIAL"\nvision = "assume"\n'
ROLES = ("builder", "copilot", "client", "judge")
BUILDERS = ("scripted/blind", "openai/builder")
"""Of sites of plain files, and of projects with a server."""

DAEMON = "require('child_process').spawn('sleep', ['4000'], {detached: true, stdio: 'ignore'}).unref();\n"
STARTED = f"run starter --jobs 4 --headless --json --no-preflight {' '.join(f'--builder {one}' for one in BUILDERS)}".split()
STARTED += ["--copilot", "openai/copilot", "--client", "openai/client", "--judge", "openai/judge"]
EPISODES = 20


def builder(asked: Asked) -> str:
    """A project whose server starts a daemon."""
    return mason.builder(asked).replace("const http", f"{DAEMON}const http")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user's folder whose settings lead to models that answer at once."""
    monkeypatch.setenv("KEY_OF_THE_TRIAL", "none-at-all")
    made = {**mason.MODELS, "builder": builder}
    openai_server.MAKERS.update(made)
    with OpenAIServer() as server:
        (tmp_path / "iwtui.toml").write_text("".join(SECTION.format(role=role, url=server.url) for role in ROLES))
        yield tmp_path
    for role in made:
        del openai_server.MAKERS[role]


def written(store: Path) -> dict[Path, list[bytes]]:
    return {log: whole_lines(log) for log in logs(store)}


def wait_for_lines(process: "subprocess.Popen[str]", store: Path, wanted: int) -> bool:
    """Until the logs hold that many lines (True) or the process is over (False)."""
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        if count_lines(store) >= wanted:
            return True
        if process.poll() is not None:
            return False
        time.sleep(0.01)
    raise AssertionError("the run wrote nothing for four minutes")


def check_prefix(before: dict[Path, list[bytes]], store: Path) -> None:
    """Every whole line that was there before still stands, at the same place."""
    now = written(store)
    for log, lines in before.items():
        assert now[log][: len(lines)] == lines, log


class Started:
    """All that a runner has started up to now, and the ports that are taken by it."""

    def __init__(self, runner: "subprocess.Popen[str]", home: Path) -> None:
        me = psutil.Process(runner.pid)
        self._below = me.children(recursive=True)
        self._mark = f"m{runner.pid}t"
        self._home = home
        self.kinds = {process.name() for process in self._below if process.is_running()}
        self.ports = {one.laddr.port for one in me.net_connections("tcp") if one.status == psutil.CONN_LISTEN}

    def seconds_until_gone(self) -> float:
        """Fails when something is left after the time that it has, or a port cannot be taken."""
        began = time.monotonic()
        while left := self._left():
            assert time.monotonic() - began < GONE, left
            time.sleep(0.02)
        for port in self.ports:
            with socket.socket() as taking:
                taking.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                taking.bind(("127.0.0.1", port))
        return time.monotonic() - began

    def _left(self) -> list[psutil.Process]:
        """Those that were seen, and any that bear the runner's mark or its user's folders."""
        left = [one for one in self._below if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
        for process in psutil.process_iter():
            try:
                env = process.environ()
            except psutil.Error:
                continue
            ours = env.get("XDG_RUNTIME_DIR") == str(self._home / "runtime") or self._mark in env.get(MARK, "")
            if ours and process.status() != psutil.STATUS_ZOMBIE:
                left.append(process)
        return left


@pytest.mark.soak
@pytest.mark.browser
def test_twenty_kills(home: Path) -> None:
    chance = random.Random(SEED)
    store = home / "store"
    kills = finished = 0
    slowest, kinds = 0.0, set[str]()
    command = STARTED
    began = time.monotonic()
    while kills < KILLS:
        before = written(store)
        process = start([*command, "--store", str(store)], home)
        if wait_for_lines(process, store, count_lines(store) + chance.randint(1, 60)):
            time.sleep(chance.random() * 0.2)
            started = Started(process, home)
            process.kill()
            kills += 1
            slowest = max(slowest, started.seconds_until_gone())
            kinds |= started.kinds
        else:
            finished += 1
        process.communicate()
        check_prefix(before, store)
        command = ["resume", "last", "--json", "--no-preflight"] if process.returncode else STARTED
    runs = sorted(folder.name for folder in (store / "runs").iterdir())
    for name in runs:
        done = run(["resume", name, "--json", "--no-preflight", "--store", str(store)], home, timeout=900)
        assert done.returncode == 0, done.stderr
        episodes = json.loads(done.stdout)["episodes"]
        assert [episode["status"] for episode in episodes] == ["scored"] * EPISODES
        assert {episode["attempt"] for episode in episodes} == {1}
    for log in logs(store):
        assert [json.loads(line)["seq"] for line in whole_lines(log)] == list(range(len(whole_lines(log)))), log
        if log.parent.name == "episodes":
            turns = kept_turns(log)
            assert turns == list(range(1, len(turns) + 1)), log
    counted = run(["sql", "select count(*) as n from events", "--format", "json", "--store", str(store)], home)
    assert json.loads(counted.stdout) == [{"n": count_lines(store)}]
    print(f"\n{kills} kills over {len(runs)} runs ({finished} came to their end before the kill)")
    print(f"gone after {slowest:.2f} s at most: {', '.join(sorted(kinds))}; {time.monotonic() - began:.0f} s in all")
    assert {"node", "sleep"} <= kinds, "sites with servers and daemons were among them"


@pytest.mark.soak
@pytest.mark.browser
def test_two_interrupts_stop_four_episodes_and_a_resume_goes_on_from_their_last_whole_turns(home: Path) -> None:
    store = home / "store"
    process = start([*STARTED, "--store", str(store)], home)
    assert process.stderr is not None
    assert wait_for_lines(process, store, 60)
    process.send_signal(signal.SIGINT)
    while "press Ctrl-C again" not in process.stderr.readline():
        assert process.poll() is None
    started = Started(process, home)
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.wait(60)
    over = time.monotonic() - began
    process.communicate(timeout=60)
    print(f"\nover after {over:.2f} s, its last child silent after {time.monotonic() - began:.2f} s", end="")
    assert process.returncode == 130
    print(f", all gone {started.seconds_until_gone():.2f} s later")
    assert time.monotonic() - began < 10
    before = written(store)
    whole = {log: kept_turns(log)[:-1] for log in before if log.parent.name == "episodes"}
    assert any(whole.values())
    assert run(["sql", "select count(*) from episodes", "--store", str(store)], home).returncode == 0
    done = run(["resume", "last", "--json", "--no-preflight", "--store", str(store)], home, timeout=900)
    assert done.returncode == 0, done.stderr
    check_prefix(before, store)
    for log, turns in whole.items():
        after = [json.loads(line) for line in whole_lines(log)[len(before[log]) :]]
        again = {event["turn"] for event in after if event["kind"] == "TurnStarted"}
        assert not again & set(turns), "a whole turn is not played again"
