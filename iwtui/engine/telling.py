"""What watchers are told during a model call: the end of what is being written, silences, waits and new attempts."""

import time
from collections.abc import Callable
from typing import Protocol

from iwtui.models.call import Listener
from iwtui.models.errors import ModelFaultError

EVERY = 0.2
"""Seconds between two tellings of a growing text."""

TAIL = 2_000
"""Characters of it that are told."""


class Tell(Protocol):
    def __call__(self, more: str, text: str = "") -> None: ...


class Telling(Listener):
    """Tells of one call; never oftener than watchers can follow, however fast the model writes."""

    def __init__(self, tell: Tell, clock: Callable[[], float] = time.monotonic) -> None:
        self._tell = tell
        self._clock = clock
        self._told = -EVERY
        self._tail = ""
        self._chars = 0
        self._thinking = False

    def wrote(self, text: str) -> None:
        self._grow(text, thinking=False)

    def thought(self, text: str) -> None:
        self._grow(text, thinking=True)

    def silent(self, seconds: float) -> None:
        self._tell(f"stalled {seconds:.0f} s", self._tail)

    def waits(self, why: str, seconds: float) -> None:
        self._tell(f"waiting for {why}, {seconds:.0f} s")

    def failed(self, fault: ModelFaultError, attempt: int, wait: float) -> None:
        self._tail, self._chars = "", 0
        what = f"stalled {fault.seconds:.0f} s" if fault.kind == "stalled" else f"{fault.kind}"
        if fault.kind == "rate limit":
            what = "waiting for the rate limit"
        self._tell(f"{what}, attempt {attempt + 1} in {wait:.0f} s")

    def _grow(self, text: str, thinking: bool) -> None:
        if thinking != self._thinking:
            self._thinking, self._tail, self._chars = thinking, "", 0
        self._chars += len(text)
        self._tail = (self._tail + text)[-TAIL:]
        now = self._clock()
        if now - self._told >= EVERY:
            self._told = now
            self._tell(f"{self._chars:,} characters{' of reasoning' if thinking else ''}", self._tail)
