"""What goes on in a store right now: which runs are played, and how far their episodes are. Watched in a thread.

Runs that are played here have a heartbeat; the episodes of those are followed in their logs and folded, all but those that
are known to be over.
"""

import contextlib
import socket
import time
from collections.abc import Iterable, Set
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Protocol

import msgspec
import psutil
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widget import Widget

from iwtui.archive.errors import StoreError
from iwtui.archive.following import Growth, Logs
from iwtui.archive.log import Live
from iwtui.archive.registry import LiveRun, Runner, live_runs
from iwtui.archive.run_folder import Holder
from iwtui.archive.state_rows import LETTERS
from iwtui.archive.store import Store
from iwtui.bench.fold import EpisodeState, JudgingState, Spent, step, step_judging
from iwtui.bench.names import EpisodeName
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status, status
from iwtui.tui.live import LIST, POLL, Background, FollowingFailed, Wait
from iwtui.tui.state.doing import NOTHING, Doing, doing

POST = 0.9
"""Seconds at least between two messages to the screen. A list of runs needs no more, and each message repaints the rows that
changed: with eight episodes going on that is what an idle console sends."""


class Playing(Enum):
    """Whether a run is being played. `silent`: its process is there, but has not given a sign of life for a while.

    `elsewhere`: another machine holds it. `idle`: nobody plays it.
    """

    LIVE = "live"
    SILENT = "silent"
    ELSEWHERE = "elsewhere"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Going:
    """How a run is played, by which process of this machine, and the seconds since it gave a sign of life."""

    playing: Playing
    runner: Runner | None = None
    silence: int = 0
    host: str = ""


IDLE = Going(Playing.IDLE)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an episode is by its own log, and what its model calls took.

    `limit`: turns it may take. `began`: seconds since the epoch.
    """

    name: EpisodeName
    case_id: str
    persona: str
    difficulty: str
    builder: str
    status: Status
    actions: str
    turns: int
    limit: int
    doing: Doing
    passed: int
    judged: int
    spent: Spent
    began: float


@dataclass
class BoardChanged(Message):
    """`runs`: how each run that is not idle is played. `episodes`: those that are followed, or were until they were over."""

    runs: dict[str, Going]
    episodes: dict[EpisodeName, Progress]
    elsewhere: int
    """Live runs of other stores on this machine."""


class Board:
    """Watches a store. `over` names the episodes that need not be read; another thread may replace it."""

    def __init__(self, store: Store, registry: Path | None = None) -> None:
        self.over: Set[EpisodeName] = frozenset()
        self._store = store
        self._registry = registry
        self._root = str(store.root.resolve())
        self._runs: dict[str, Going] = {}
        self._others = 0
        self._logs: dict[str, Logs] = {}
        self._folds: dict[EpisodeName, _Fold] = {}

    def look(self) -> bool:
        """Which runs are played now, and which episodes they have; whether anything changed. Raises OSError."""
        before = (self._runs, self._others)
        found = live_runs(self._registry)
        mine = {live.runner.run: live for live in found if live.runner.store == self._root and live.alive is not False}
        self._runs = {run: _going(live) for run, live in mine.items()}
        self._runs |= {run: going for run in self._store.runs() if run not in mine and (going := self._held(run))}
        self._others = sum(live.alive is True and live.runner.store != self._root for live in found)
        for run in self._runs.keys() - self._logs.keys():
            self._follow(run)
        for run in self._logs.keys() - self._runs.keys():
            del self._logs[run]
        for logs in self._logs.values():
            logs.look()
        return (self._runs, self._others) != before

    def poll(self) -> bool:
        """Read what is new in the logs; whether anything was. Raises OSError."""
        changed = False
        for logs in self._logs.values():
            polled = logs.poll()
            for growth in polled.growths:
                self._folds.setdefault(growth.episode, _Fold(growth.episode)).grow(growth)
            for episode, live in polled.live:
                self._folds.setdefault(episode, _Fold(episode)).does(live)
            changed = changed or bool(polled.growths or polled.live)
        for name in [name for name in self._folds if name in self.over]:
            del self._folds[name]
        return changed

    def changed(self) -> BoardChanged:
        """What the board shows now."""
        episodes = {name: fold.progress() for name, fold in self._folds.items() if fold.begun}
        return BoardChanged(dict(self._runs), episodes, self._others)

    def _follow(self, run: str) -> None:
        with contextlib.suppress(StoreError):  # removed this very moment: the next look does not find it any more
            folder = self._store.run(run)

            def wanted() -> Iterable[EpisodeName]:
                done = {name for name, fold in self._folds.items() if fold.is_over}
                return [name for name in folder.episodes() if name not in self.over and name not in done]

            # Its logs are read from their beginnings: what was folded before, when it was played before, is void.
            for name in [name for name in self._folds if name.run == run]:
                del self._folds[name]
            self._logs[run] = Logs(folder, wanted)

    def _held(self, run: str) -> Going | None:
        """A run that another machine holds, as far as its note tells."""
        try:
            note = self._store.root / "runs" / run / ".holder.json"
            holder = msgspec.json.decode(note.read_bytes(), type=Holder)
        except (OSError, msgspec.MsgspecError):
            return None
        return Going(Playing.ELSEWHERE, host=holder.host) if holder.host != socket.gethostname() else None


def _going(live: LiveRun) -> Going:
    if live.alive is None:
        return Going(Playing.SILENT, live.runner, round(live.silence), live.runner.host)
    return Going(Playing.LIVE, live.runner)


class _Fold:
    """One episode with its judgings, folded as far as they were read."""

    def __init__(self, name: EpisodeName) -> None:
        self._doing = NOTHING
        self._name = name
        self._episode = EpisodeState()
        self._judgings: dict[str, JudgingState] = {}

    def grow(self, growth: Growth) -> None:
        if growth.judging:
            judging = JudgingState() if growth.restarted else self._judgings.get(growth.judging, JudgingState())
            for record in growth.records:
                judging = step_judging(judging, record)
            self._judgings[growth.judging] = judging
        else:
            if growth.restarted:
                self._episode = EpisodeState()
            for record in growth.records:
                self._episode = step(self._episode, record)

    def does(self, live: Live | None) -> None:
        self._doing = doing(live, self._doing)

    @property
    def begun(self) -> bool:
        return self._episode.started is not None

    @property
    def is_over(self) -> bool:
        return self._status is not Status.RUNNING

    @property
    def _status(self) -> Status:
        return status(self._episode, self._judging)

    @property
    def _judging(self) -> JudgingState | None:
        """The judging that was begun last."""
        return max(self._judgings.values(), key=lambda judging: judging.began, default=None)

    def progress(self) -> Progress:
        state, judging = self._episode, self._judging
        started = state.started
        assert started is not None
        verdicts = {verdict.slot: verdict.verdict for verdict in judging.verdicts} if judging else {}
        actions = (turn.action.action for turn in state.turns if turn.action)
        return Progress(
            name=self._name,
            case_id=started.case_id,
            persona=started.persona,
            difficulty=started.difficulty,
            builder=started.builder,
            status=self._status,
            actions=" ".join(LETTERS.get(action, "M") for action in actions),
            turns=state.turn,
            limit=started.turns,
            doing=self._doing.after(max(state.t, judging.t if judging else 0.0)),
            passed=sum(verdict == Verdict.PASSED for verdict in verdicts.values()),
            judged=len(verdicts),
            spent=state.spent,
            began=state.began,
        )


class Watched(Protocol):
    """A board, or several of them."""

    def look(self) -> bool:
        """Look for what has come and gone; whether anything has. Raises OSError."""

    def poll(self) -> bool:
        """Read what is new in the logs; whether anything was. Raises OSError."""

    def changed(self) -> Message:
        """What it shows now."""


class Watcher(Background):
    """Watches a board in a thread for a widget, which gets what the board shows whenever that changed."""

    def __init__(self, owner: Widget, board: Watched) -> None:
        super().__init__(owner, "board", partial(watch, board, owner))


def watch(board: Watched, target: MessagePump, wait: Wait) -> None:
    """Watch until the wait says that it is over. Posts what the board shows, or FollowingFailed, which ends it."""
    posted = looked = float("-inf")
    changed = True
    over = wait(0)
    try:
        while not over:
            now = time.monotonic()
            if now - looked >= LIST:
                changed = board.look() or changed
                looked = now
            changed = board.poll() or changed
            if changed and now - posted >= POST:
                target.post_message(board.changed())
                posted, changed = now, False
            over = wait(POLL)
    except OSError as error:
        target.post_message(FollowingFailed(str(error)))


def ask_to_stop(runner: Runner) -> bool:
    """Ask a runner of this machine to finish its turns and stop; False when that very process is not there any more."""
    try:
        process = psutil.Process(runner.pid)
        if abs(process.create_time() - runner.born) >= 1.0:
            return False
        process.terminate()
    except psutil.NoSuchProcess:
        return False
    return True
