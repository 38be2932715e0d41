"""How fast models may be called: limits by role and by model, and what a provider asks, shared by all workers of a run."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from iwtui.bench.settings import CallSettings, Settings
from iwtui.models.budget import Budget

MINUTE = 60.0
CHARS_A_TOKEN = 4
PICTURE_TOKENS = 800
"""A guess, for the tokens of a request that is not answered yet."""

Clock = Callable[[], float]
Waiting = Callable[[str, float], None]
"""Is told what a call waits for, and for how many seconds."""


class Lane:
    """The limits of one role or one model. `name` is for people."""

    def __init__(self, name: str, settings: CallSettings, clock: Clock = time.monotonic) -> None:
        self.name = name
        self.budget = Budget(settings.max_cost, what=name)
        self._requests = settings.requests_per_minute
        self._tokens = settings.tokens_per_minute
        self._room = asyncio.Semaphore(settings.concurrency) if settings.concurrency else None
        self._clock = clock
        self._not_before = 0.0
        self._made: deque[list[float]] = deque()
        """[when, tokens] of the calls of the last minute."""

    def hold(self, seconds: float) -> None:
        """No call of anybody before so many seconds have gone by: the provider asked for it."""
        self._not_before = max(self._not_before, self._clock() + seconds)

    def wait_for(self, tokens: int) -> tuple[float, str]:
        """Seconds until a call of so many tokens may be made, and what for; 0 when it may be made now."""
        now = self._clock()
        while self._made and self._made[0][0] <= now - MINUTE:
            self._made.popleft()
        waits = [(self._not_before - now, f"the rate limit of {self.name}")]
        if self._requests and len(self._made) >= self._requests:
            freed = self._made[len(self._made) - self._requests]
            waits.append((freed[0] + MINUTE - now, f"{self._requests:,} requests a minute of {self.name}"))
        if self._tokens:
            waits.append((self._until_room(tokens, now), f"{self._tokens:,} tokens a minute of {self.name}"))
        return max((max(0.0, seconds), why) for seconds, why in waits)

    def take(self, tokens: int) -> list[float]:
        """Count a call that begins now; give what came to `correct` when it is over."""
        entry = [self._clock(), float(tokens)]
        self._made.append(entry)
        return entry

    @asynccontextmanager
    async def room(self) -> AsyncIterator[None]:
        """One of the calls that may be under way at a time."""
        if self._room is None:
            yield
            return
        async with self._room:
            yield

    def _until_room(self, tokens: int, now: float) -> float:
        """A call that is more than a whole minute's tokens by itself waits until nothing else counts."""
        assert self._tokens is not None
        used = sum(entry[1] for entry in self._made)
        for entry in self._made:
            if used + tokens <= self._tokens:
                break
            used -= entry[1]
            until = entry[0] + MINUTE - now
            if used + tokens <= self._tokens or entry is self._made[-1]:
                return until
        return 0.0


class Pace:
    """All lanes of a run. Every model has one, for what its provider asks; roles have one where they have limits."""

    def __init__(self, settings: Settings, clock: Clock = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._lanes: dict[tuple[str, str], Lane] = {}

    def model(self, model: str) -> Lane:
        """The lane of a model, whoever calls it."""
        return self._lane("model", model, self._settings.models)

    def lanes(self, role: str, model: str) -> tuple[Lane, Lane]:
        """The lanes that a call of a role's model goes through."""
        return self._lane("role", role, self._settings.roles), self.model(model)

    @asynccontextmanager
    async def turn(self, role: str, model: str, tokens: int, waiting: Waiting) -> AsyncIterator["Passage"]:
        """Wait until the call may be made. Raises BudgetSpentError when a lane's money is spent."""
        lanes = self.lanes(role, model)
        async with AsyncExitStack() as rooms:
            for lane in lanes:
                await rooms.enter_async_context(lane.room())
            while True:
                for lane in lanes:
                    lane.budget.check()
                seconds, why = max(lane.wait_for(tokens) for lane in lanes)
                if seconds <= 0:
                    break
                waiting(why, seconds)
                await asyncio.sleep(seconds)
            yield Passage(lanes, tokens)

    def _lane(self, kind: str, name: str, sections: Mapping[str, CallSettings]) -> Lane:
        if (kind, name) not in self._lanes:
            self._lanes[kind, name] = Lane(name, sections.get(name, CallSettings()), self._clock)
        return self._lanes[kind, name]


class Passage:
    """A call under way in its lanes."""

    def __init__(self, lanes: Sequence[Lane], tokens: int) -> None:
        self._lanes = lanes
        self._entries = [lane.take(tokens) for lane in lanes]

    def ended(self, tokens: int | None, cost: float | None) -> None:
        """What it really took, where that is known."""
        for lane, entry in zip(self._lanes, self._entries, strict=True):
            lane.budget.count(cost)
            if tokens is not None:
                entry[1] = tokens


def tokens_of(messages: Sequence[Mapping[str, Any]]) -> int:
    """About how many tokens a request is."""
    chars = pictures = 0
    for message in messages:
        content = message.get("content") or ""
        if isinstance(content, str):
            chars += len(content)
            continue
        for part in content:
            if part.get("type") == "text":
                chars += len(part.get("text", ""))
            else:
                pictures += 1
    return chars // CHARS_A_TOKEN + pictures * PICTURE_TOKENS
