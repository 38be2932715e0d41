"""Progress of a run on stderr: counts, time to go, and what each episode does."""

import sys
import time
from collections import Counter

from iwtui.bench.text import one_line
from iwtui.engine.pool import Outcome, Standing

QUIET_EVERY = 10.0
"""Seconds between two progress lines where stderr is no terminal."""


class Progress:
    """Writes to stderr; goes silent when nobody reads it any more (a hang-up must not stop a run)."""

    def __init__(self, total: int, done: int) -> None:
        self._total = total
        self._before = done
        self._counts: Counter[str] = Counter()
        self._began = time.monotonic()
        self._last_line = self._began
        self._tty = sys.stderr.isatty()
        self._drawn = 0
        self._silent = False

    def ended(self, outcome: Outcome) -> None:
        """One line for an episode that is over."""
        self._counts[outcome.status] += 1
        actions = " ".join(turn.action.action[0].upper() if turn.action else "·" for turn in outcome.episode.turns)
        self.say(f"{outcome.status:<9} {outcome.assignment.name}  {actions}")

    def say(self, text: str) -> None:
        """A line that stays."""
        self._erase()
        self._write(text.rstrip("\n") + "\n")

    def draw(self, board: list[Standing], paused: str = "", spent: str = "") -> None:
        """Show the state of things: in place on a terminal, now and then as a line elsewhere.

        `paused` says why the run is paused, if it is; `spent` what it cost so far, if that is worth saying.
        """
        now = time.monotonic()
        if not self._tty:
            if now - self._last_line >= QUIET_EVERY:
                self._last_line = now
                state = f"paused, {one_line(paused, 100)}" if paused else self._doing(board)
                self._write(f"{self._summary(now, spent)}; {state}\n")
            return
        lines = [self._summary(now, spent)]
        lines += [f"paused: {one_line(paused, 100)}"] if paused else []
        lines += [
            f"  turn {standing.turn:>2}  {one_line(standing.phase, 12):<10} {now - standing.since:4.0f} s  "
            f"{one_line(standing.name.partition('/')[2], 50)}  {one_line(standing.detail, 40)}"
            for standing in board
        ]
        self._erase()
        self._write("\n".join(line[:118] for line in lines) + "\n")
        self._drawn = len(lines)

    def close(self) -> None:
        self._erase()

    def _summary(self, now: float, spent: str) -> str:
        done = sum(self._counts.values())
        left = self._total - done
        counts = ", ".join(f"{count} {status}" for status, count in sorted(self._counts.items())) or "none ended yet"
        eta = f", about {(now - self._began) / done * left:.0f} s to go" if done and left else ""
        earlier = f" ({self._before} before)" if self._before else ""
        return "; ".join(filter(None, (f"{done}/{self._total} episodes{earlier}: {counts}{eta}", spent)))

    def _doing(self, board: list[Standing]) -> str:
        return "; ".join(f"{s.name.partition('/')[2]} turn {s.turn} {s.phase}" for s in board)

    def _erase(self) -> None:
        if self._drawn:
            self._write(f"\x1b[{self._drawn}F\x1b[J")
            self._drawn = 0

    def _write(self, text: str) -> None:
        if self._silent:
            return
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:
            self._silent = True
