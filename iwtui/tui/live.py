"""Following logs that another process writes: read in a thread, posted in batches a few times a second."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from textual.message import Message
from textual.message_pump import MessagePump
from textual.widget import Widget
from textual.worker import get_current_worker

from iwtui.archive.following import Growth, Logs, Polled, merged
from iwtui.archive.log import Live
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
