"""Following logs that another process writes: read in a thread, posted in batches a few times a second."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from textual.message import Message
from textual.message_pump import MessagePump
from textual.widget import Widget
from textual.worker import get_current_worker

from iwtui.archive.log import Live, LogFollower, read_live
from iwtui.archive.run_folder import JUDGING_NAME, RunFolder
from iwtui.bench.events import Record
from iwtui.bench.names import EpisodeName

POLL = 0.1
"""Seconds between two looks at the files."""

POST = 0.22
"""Seconds between two messages to the screen."""

LIST = 1.0
"""Seconds between two looks for new files."""

AT_ONCE = 4_000
"""Events after which a message is posted without waiting for more."""

Wait = Callable[[float], bool]
"""Waits for some seconds; True when it is over."""


@dataclass(frozen=True, slots=True)
class Growth:
    """New events of a log: an episode's own (`judging` is empty) or one of its judgings.

    `restarted`: another file stands there now, so that what came before is void.
    """

    episode: EpisodeName
    judging: str
    records: tuple[Record, ...]
    restarted: bool = False


@dataclass
class LogsGrew(Message):
    """What the followed logs hold that was not posted before, in their order. `whole`: as of now, that is all."""

    growths: tuple[Growth, ...]
    live: dict[EpisodeName, Live | None]
    """What the episodes are doing right now, where that changed."""
    whole: bool


@dataclass
class FollowingFailed(Message):
    """The logs cannot be followed any more; `why` is text of others."""

    why: str


@dataclass(frozen=True, slots=True)
class Polled:
    """What one look at the files brought. `more`: there is more at once."""

    growths: tuple[Growth, ...] = ()
    live: tuple[tuple[EpisodeName, Live | None], ...] = ()
    more: bool = False


class Logs:
    """Follows the logs of some episodes of a run, and of their judgings.

    `wanted` says which, asked anew each second; a log that is not wanted any more is let go of.
    """

    def __init__(self, folder: RunFolder, wanted: Callable[[], Iterable[EpisodeName]]) -> None:
        self._folder = folder
        self._wanted = wanted
        self._followers: dict[tuple[EpisodeName, str], LogFollower] = {}
        self._live: dict[EpisodeName, Live | None] = {}

    @classmethod
    def of(cls, folder: RunFolder, episode: EpisodeName) -> "Logs":
        """One episode with all its judgings."""
        return cls(folder, lambda: (episode,))

    def look(self) -> None:
        """Look for logs that are new. Raises OSError."""
        wanted = set(self._wanted())
        for key in [key for key in self._followers if key[0] not in wanted]:
            del self._followers[key]
        for episode in sorted(wanted):
            self._followers.setdefault((episode, ""), LogFollower(self._folder.episode_log(episode)))
            for judging in self._folder.judgings(episode):
                key = (episode, judging)
                if key not in self._followers and JUDGING_NAME.fullmatch(judging):
                    self._followers[key] = LogFollower(self._folder.judging_log(episode, judging))

    def poll(self) -> Polled:
        """What is new in the logs, at most about a MiB of each. Raises OSError."""
        growths: list[Growth] = []
        doing: list[tuple[EpisodeName, Live | None]] = []
        more = False
        for (episode, judging), follower in self._followers.items():
            before = follower.offset
            records = follower.poll(chunks=1)
            more = more or follower.offset != before
            if records or follower.restarted:
                growths.append(Growth(episode, judging, tuple(records), follower.restarted))
            if not judging:
                now = self._now(episode, follower)
                if now != self._live.get(episode):
                    self._live[episode] = now
                    doing.append((episode, now))
        return Polled(tuple(growths), tuple(doing), more)

    def _now(self, episode: EpisodeName, follower: LogFollower) -> Live | None:
        """What is being done: by the judge if there is one at work, else by the runner."""
        judged = [each for (name, judging), each in self._followers.items() if name == episode and judging]
        found = (read_live(each.path) for each in (*judged, follower))
        return next((live for live in found if live is not None), None)


class Background:
    """A loop in a thread, for a widget. Stop it when the widget goes; it then ends within a moment.

    The loop is given a function that waits for some seconds and tells whether the loop is to end.
    """

    def __init__(self, owner: Widget, name: str, loop: Callable[[Wait], None]) -> None:
        self._owner = owner
        self._name = name
        self._loop = loop
        self._over = threading.Event()
        self.started = False

    def start(self) -> None:
        """Begin; the loop that the owner began before under this name ends."""
        self.started = True
        self._owner.run_worker(
            self._run, name=self._name, group=self._name, thread=True, exclusive=True, exit_on_error=False
        )

    def stop(self) -> None:
        """End."""
        self._over.set()

    def _run(self) -> None:
        worker = get_current_worker()
        self._loop(lambda seconds: self._over.wait(0 if worker.is_cancelled else seconds) or worker.is_cancelled)


class Follower(Background):
    """Follows logs in a thread for a widget, which gets LogsGrew."""

    def __init__(self, owner: Widget, logs: Logs) -> None:
        super().__init__(owner, "following", partial(follow, logs, owner))


def follow(logs: Logs, target: MessagePump, wait: Wait) -> None:
    """Follow until the wait says that it is over. Posts LogsGrew to the target, or FollowingFailed, which ends it."""
    batch = _Batch()
    posted = looked = float("-inf")
    begun = False
    over = wait(0)
    try:
        while not over:
            now = time.monotonic()
            if now - looked >= LIST:
                logs.look()
                looked = now
            polled = logs.poll()
            batch.add(polled)
            due = batch.events >= AT_ONCE if polled.more else not begun or now - posted >= POST
            if due and (batch or not begun):
                target.post_message(batch.taken(whole=not polled.more))
                posted, begun = now, begun or not polled.more
            over = wait(0 if polled.more else POLL)
    except OSError as error:
        target.post_message(FollowingFailed(str(error)))


class _Batch:
    def __init__(self) -> None:
        self.events = 0
        self._growths: list[Growth] = []
        self._live: dict[EpisodeName, Live | None] = {}

    def __bool__(self) -> bool:
        return bool(self._growths or self._live)

    def add(self, polled: Polled) -> None:
        self.events += sum(len(growth.records) for growth in polled.growths)
        self._growths += polled.growths
        self._live |= dict(polled.live)

    def taken(self, whole: bool) -> LogsGrew:
        message = LogsGrew(merged(self._growths), self._live, whole)
        self.events, self._growths, self._live = 0, [], {}
        return message


def merged(growths: Sequence[Growth]) -> tuple[Growth, ...]:
    """The growths of each log as one, in the order in which the logs first grew."""
    found: dict[tuple[EpisodeName, str], Growth] = {}
    for growth in growths:
        key = (growth.episode, growth.judging)
        before = found.get(key)
        if before is None or growth.restarted:
            found[key] = growth
        else:
            found[key] = Growth(*key, before.records + growth.records, before.restarted)
    return tuple(found.values())
