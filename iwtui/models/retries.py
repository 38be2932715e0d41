"""Which faults of a call may pass by themselves, and how long to wait before it is made again."""

import random
from collections.abc import Callable

import msgspec

from iwtui.models.errors import ModelFaultError

PASSING = frozenset({"rate limit", "server", "connection", "stalled", "timeout"})
"""Kinds of faults that another attempt may be spared."""

FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
EMPTY_AGAIN = 1
"""An empty answer is paid for, and mostly comes again: one more attempt, no more."""


class Retries(msgspec.Struct, frozen=True):
    """At most `attempts` in all, and none that would begin more than `seconds` after the first began."""

    attempts: int = 8
    seconds: float = 900.0

    def wait(
        self, fault: ModelFaultError, attempt: int, empties: int, since: float, chance: Callable[[], float] = random.random
    ) -> float | None:
        """Seconds to wait after the fault of an attempt (from 1), or None when that was the last.

        `empties` counts the empty answers so far, this one too; `since` is seconds since the first attempt began. What the
        provider asks to wait is waited for, and a tenth more at most; else the wait doubles each time, half of it by chance.
        """
        if fault.kind == "empty":
            again = empties <= EMPTY_AGAIN and fault.finish_reason != "content_filter"
            return 0.0 if again and attempt < self.attempts and since < self.seconds else None
        if fault.kind not in PASSING or attempt >= self.attempts:
            return None
        if fault.retry_after is not None:
            wait = fault.retry_after * (1 + 0.1 * chance())
        else:
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (0.5 + 0.5 * chance())
        return wait if since + wait <= self.seconds else None
