"""kill -9 of a runner at random moments: what was written is there, a resume plays no turn twice and loses none, and of
all that the runner started nothing is left, be it a browser, a site's server or a daemon of one."""

import json
import os
import random
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest

from iwtui.web.sandbox import why_no_bubblewrap
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
BUILDERS = ("openai/vite", "openai/builder", "scripted/blind")
"""Of projects that vite serves, of projects with a server in plain Node, and of sites of plain files."""

SPAWN = "spawn('sleep', ['4000'], {detached: true, stdio: 'ignore'}).unref();\n"
DAEMON = f"require('child_process').{SPAWN}"
VITE_CONFIG = f"import {{ spawn }} from 'node:child_process';\n{SPAWN}export default {{}};\n"
CASES = [f"{seed}_{persona}" for seed in ("bakery", "lending") for persona in ("P-BASE", "P-CON", "P-INT", "P-MIN", "P-RAM")]
STARTED = f"run starter --jobs 4 --headless --json --no-preflight {' '.join(f'--builder {one}' for one in BUILDERS)}".split()
STARTED += ["--copilot", "openai/copilot", "--client", "openai/client", "--judge", "openai/judge"]
STARTED += [f"--case={case}" for case in CASES]
EPISODES = len(CASES) * len(BUILDERS)


def builder(asked: Asked) -> str:
    """A project whose server starts a daemon."""
    if asked.model != "vite":
        return mason.builder(asked).replace("const http", f"{DAEMON}const http")
    config = f'<boltAction type="file" filePath="vite.config.mjs">{VITE_CONFIG}</boltAction>'
    return mason.builder(asked, vite=True).replace("</boltArtifact>", f"{config}</boltArtifact>")


def kind(process: psutil.Process) -> str:
    """What runs there: `vite`, `esbuild`, `node`, `chromium`, or the name of any other program."""
    words = [Path(word).name for word in process.cmdline()[:2]] or [process.name()]
    if words == ["node", "vite"]:
        return "vite"
    return "chromium" if words[0].startswith(("chrom", "headless_shell")) else words[0]


@pytest.fixture(params=["bubblewrap", "reaper"])
def home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user's folder whose settings lead to models that answer at once, and to one of the sandboxes."""
    if request.param == "bubblewrap" and (why := why_no_bubblewrap()):
        pytest.skip(f"bubblewrap does not run here: {why}")
    monkeypatch.setenv("KEY_OF_THE_TRIAL", "none-at-all")
    made = {**mason.MODELS, "builder": builder}
    openai_server.MAKERS.update(made)
    with OpenAIServer() as server:
        sections = (SECTION.format(role=role, url=server.url) for role in ROLES)
        (tmp_path / "iwtui.toml").write_text(f'sandbox = "{request.param}"\n{"".join(sections)}')
        yield tmp_path
    for role in made:
        del openai_server.MAKERS[role]


def written(store: Path) -> dict[Path, list[bytes]]:
    return {log: whole_lines(log) for log in logs(store)}


def wait_until(process: "subprocess.Popen[str]", moment: Callable[[], bool]) -> bool:
    """Until the moment has come (True) or the process is over (False)."""
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        if moment():
            return True
        if process.poll() is not None:
            return False
        time.sleep(0.01)
    raise AssertionError("nothing came of the run for four minutes")


def kinds_below(process: "subprocess.Popen[str]") -> set[str]:
    """What the process has started up to now and runs."""
    found = set()
    with suppress(psutil.NoSuchProcess):
        for below in psutil.Process(process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # it has ended by itself
                found.add(kind(below))
    return found


def serves_by_vite(process: "subprocess.Popen[str]") -> bool:
    return {"vite", "esbuild"} <= kinds_below(process)


def has_lines(store: Path, wanted: int) -> bool:
    return count_lines(store) >= wanted


def check_prefix(before: dict[Path, list[bytes]], store: Path) -> None:
    """Every whole line that was there before still stands, at the same place."""
    now = written(store)
    for log, lines in before.items():
        assert now[log][: len(lines)] == lines, log


class Started:
    """All that a runner has started up to now, and the ports that are taken by it."""

    def __init__(self, runner: "subprocess.Popen[str]", home: Path) -> None:
        private = "bubblewrap" in (home / "iwtui.toml").read_text()  # ports of a network of its own are nobody else's
        me = psutil.Process(runner.pid)
        self._below = me.children(recursive=True)
        self._mark = f"m{runner.pid}t"
        self._home = home
        self.kinds = kinds_below(runner)
        self.ports = _ports(me)
        for process in [] if private else self._below:
            with suppress(psutil.NoSuchProcess):
                self.ports |= _ports(process)

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
        left = [one for one in self._below if _runs(one)]
        for process in psutil.process_iter():
            try:
                env = process.environ()
            except psutil.Error:
                continue
            ours = env.get("XDG_RUNTIME_DIR") == str(self._home / "runtime") or self._mark in env.get(MARK, "")
            if ours and _runs(process):
                left.append(process)
        return left


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:  # it went between the two questions
        return False


def _ports(process: psutil.Process) -> set[int]:
    return {one.laddr.port for one in process.net_connections("tcp") if one.status == psutil.CONN_LISTEN}


@pytest.mark.soak
@pytest.mark.browser
def test_twenty_kills(home: Path) -> None:
    chance = random.Random(SEED)
    store = home / "store"
    kills = finished = 0
    slowest, met = 0.0, Counter[str]()
    command = STARTED
    began = time.monotonic()
    while kills < KILLS:
        before = written(store)
        process = start([*command, "--store", str(store)], home)
        lines = count_lines(store) + chance.randint(1, 60)
        moment = partial(serves_by_vite, process) if kills % 2 else partial(has_lines, store, lines)
        if wait_until(process, moment):
            time.sleep(chance.random() * 0.3)
            started = Started(process, home)
            process.kill()
            kills += 1
            slowest = max(slowest, started.seconds_until_gone())
            met.update(started.kinds)
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
    print(f"gone after {slowest:.2f} s at most; {time.monotonic() - began:.0f} s in all; kills that met each kind:")
    print(", ".join(f"{kind} {number}" for kind, number in met.most_common()))
    assert {"chromium", "node", "vite", "esbuild", "sleep"} <= set(met), "servers and daemons of each kind were among them"


@pytest.mark.soak
@pytest.mark.browser
def test_two_interrupts_stop_four_episodes_and_a_resume_goes_on_from_their_last_whole_turns(home: Path) -> None:
    store = home / "store"
    process = start([*STARTED, "--store", str(store)], home)
    assert process.stderr is not None
    assert wait_until(process, partial(has_lines, store, 60))
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
