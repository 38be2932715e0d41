"""What an episode does right now, by its newest progress: never history. Pure."""

import re

import msgspec

from iwtui.archive.log import Live
from iwtui.bench.events import PAUSED, QUEUED
from iwtui.tui.written import seconds

QUIET = 3.0
"""Seconds without a change after which they are told."""

_WAITS = re.compile(r"(?:^|, )((?:stalled|waiting for) .*)$")
"""How the runner tells that a model keeps it waiting, with the seconds of it."""


class Doing(msgspec.Struct, frozen=True):
    """`phase` and `detail` are the runner's words. `writing` is the end of what a model writes, empty when none does.

    `since`: seconds since the epoch at which the log or what is written changed last.
    """

    phase: str = ""
    detail: str = ""
    writing: str = ""
    since: float = 0.0

    @property
    def paused(self) -> bool:
        """It is held before its next model call."""
        return self.phase == PAUSED

    @property
    def waits(self) -> str:
        """How a model keeps it waiting, for its next token or by a rate limit; empty when none does."""
        found = _WAITS.search(self.detail)
        return found[1] if found else ""

    def after(self, log: float) -> "Doing":
        """The same, when the log grew at `log` (seconds since the epoch)."""
        return msgspec.structs.replace(self, since=log) if self.phase and log > self.since else self

    def words(self, now: float) -> str:
        """`generating · builder is writing`, `idle 12 s · implement running commands`; `now`: seconds since the epoch."""
        state = "" if self.paused or self.waits else self.state(now)
        return f"{state} · {self.what}" if state else self.what

    def state(self, now: float) -> str:
        """The state in a word or two: generating, idle for how long, queued, waiting, stalled; empty: none of these."""
        if self.paused:
            return PAUSED
        if self.waits:
            return self.waits.partition(" ")[0]
        if QUEUED in self.detail:
            return "queued"
        quiet = int(now - self.since) if self.since else 0
        if quiet >= QUIET:
            return f"idle {seconds(quiet)}"
        return "generating" if self.writing else ""

    @property
    def what(self) -> str:
        """What it does: `implement running commands`, `waiting for the rate limit, 9 s · builder`."""
        if self.paused:
            return self.detail or PAUSED
        return f"{self.waits} · {self.phase}" if self.waits else f"{self.phase} {self.detail}".strip()


NOTHING = Doing()


def doing(live: Live | None, before: Doing) -> Doing:
    """What it does by its newest progress. `before`: what it did by the one before."""
    if live is None:
        return NOTHING
    same = (live.phase, live.text) == (before.phase, before.writing)
    return Doing(live.phase, live.detail, live.text, before.since if same else live.t)
