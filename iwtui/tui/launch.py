"""Starting runs as processes of their own sessions: they outlive the console. To be called in a thread."""

import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from iwtui.archive.registry import live_runs
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store

LIMIT = 180.0
"""Seconds that a run may take to be created; its models are asked for a sign of life meanwhile."""

BEGINNING = 20.0
"""Seconds after which a process that is still there is taken to play, though it gave no sign of life."""

LOOK = 0.1
"""Seconds between two looks for it."""


SOME_INFRA = 1
"""Exit code of a run that is over, with faults of ours."""

COMPLAINT = "iwtui: "


class LaunchError(Exception):
    """A run could not be started; the message is what the command said."""


class Launched(msgspec.Struct, frozen=True):
    """A run that is played by the process `pid`; its output goes to `log`."""

    run: str
    pid: int
    log: str


@dataclass(frozen=True, slots=True)
class Order:
    """What a new run is to play; what is empty or None is left to the settings. `roles`: models by the role, and `judge`."""

    pack: str
    personas: tuple[str, ...] = ()
    builders: tuple[str, ...] = ()
    difficulty: str = ""
    repeats: int = 1
    jobs: int | None = None
    roles: tuple[tuple[str, str], ...] = ()
    max_cost: float | None = None
    questions: int | None = None
    preflight: bool = True

    @property
    def arguments(self) -> list[str]:
        """Of `iwtui run`."""
        arguments = ["run", "--headless", "--detach", "--json", f"--repeat={self.repeats}"]
        arguments += [f"--persona={persona}" for persona in self.personas]
        arguments += [f"--builder={builder}" for builder in self.builders]
        arguments += [f"--difficulty={self.difficulty}"] if self.difficulty else []
        arguments += [f"--jobs={self.jobs}"] if self.jobs else []
        arguments += [f"--{role}={model}" for role, model in self.roles if model]
        arguments += [] if self.max_cost is None else [f"--max-cost={self.max_cost:g}"]
        arguments += [] if self.questions is None else [f"--questions={self.questions}"]
        arguments += [] if self.preflight else ["--no-preflight"]
        return [*arguments, "--", self.pack]


@dataclass(frozen=True, slots=True)
class ForkOrder:
    """A fork of an episode at a turn. `way`: an option of `iwtui fork`, with its `value`; empty: the turn is played anew."""

    episode: str
    turn: int
    way: str = ""
    value: str = ""

    @property
    def arguments(self) -> list[str]:
        """Of `iwtui fork`."""
        way = [f"--{self.way}={self.value}"] if self.way else []
        return ["fork", "--detach", "--json", f"--turn={self.turn}", *way, "--", self.episode]


def start(store: Store, order: Order | ForkOrder) -> Launched:
    """Create a run and start the process that plays it. Raises LaunchError."""
    name = order.arguments[0]
    command = _iwtui(store, order.arguments)
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, start_new_session=True, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LaunchError(str(error)) from error
    if done.returncode != 0:
        raise LaunchError(last_words(done.stderr) or f"`iwtui {name}` ended with exit code {done.returncode}")
    try:
        return msgspec.json.decode(done.stdout, type=Launched)
    except msgspec.MsgspecError as error:
        raise LaunchError(f"`iwtui {name}` answered {done.stdout[:200]!r}") from error


def go_on(store: Store, folder: RunFolder, retry: bool = False) -> Launched:
    """Start a process that goes on with a run, or plays again what ended by a fault of ours. Raises LaunchError."""
    log = folder.path / "runner.log"
    command = _iwtui(store, ["retry" if retry else "resume", folder.name])
    try:
        with log.open("ab") as appended:
            begins = appended.tell()
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=appended, stderr=appended, start_new_session=True
            )
    except OSError as error:
        raise LaunchError(str(error)) from error
    code = _code_unless_playing(process)
    if code is None:
        # Whoever ends is to be waited for; until then nothing of this process depends on it.
        threading.Thread(target=process.wait, name="reaper", daemon=True).start()
        return Launched(folder.name, process.pid, str(log))
    with log.open("rb") as output:
        output.seek(begins)
        said = output.read(50_000)
    if code not in (0, SOME_INFRA) or b"Traceback" in said:
        raise LaunchError(last_words(said) or f"it ended with exit code {code}; its output is in {log}")
    return Launched(folder.name, process.pid, str(log))


def _code_unless_playing(process: "subprocess.Popen[bytes]") -> int | None:
    """The exit code of a process that ended before it gave a sign of life; None when it plays."""
    ends = time.monotonic() + BEGINNING
    while time.monotonic() < ends:
        try:
            return process.wait(LOOK)
        except subprocess.TimeoutExpired:
            if any(live.runner.pid == process.pid and live.alive for live in live_runs()):
                break
    return process.poll()


def _iwtui(store: Store, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "iwtui", "--store", str(store.root), *arguments]


def last_words(said: bytes) -> str:
    """What a command that failed said at its end: from its own complaint on, or else the last line."""
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    complaint = next((place for place in reversed(range(len(lines))) if lines[place].startswith(COMPLAINT)), len(lines) - 1)
    return "\n".join(lines[complaint:] if complaint >= 0 else lines).removeprefix(COMPLAINT)[:1_000]
