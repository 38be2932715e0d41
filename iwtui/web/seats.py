"""How many browser contexts may work at once: beyond about two a core each further one only makes all of them slower.

A context that waits for a model has no need of its seat, and lends it to others meanwhile.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

A_CORE = 2
"""Busy contexts a core."""


class _Sitting:
    """The seat of one task; `seated` is False while it is lent."""

    def __init__(self, seats: "Seats") -> None:
        self.seats = seats
        self.seated = False

    async def sit(self) -> None:
        await self.seats.wait()
        self.seated = True

    def stand_up(self) -> None:
        if self.seated:
            self.seated = False
            self.seats.free()


_sitting: ContextVar[_Sitting | None] = ContextVar("sitting", default=None)
queueing: ContextVar[Callable[[bool], None] | None] = ContextVar("queueing", default=None)
"""Set in a task that wants to hear of it: called with True when it has to wait for a seat, with False when it has one."""


class Seats:
    """The seats of one browser."""

    def __init__(self, number: int | None = None) -> None:
        self._free = asyncio.Semaphore(number or A_CORE * _cores())

    async def wait(self) -> None:
        """Until there is a seat, in the order of asking."""
        if not self._free.locked():
            await self._free.acquire()
            return
        tell = queueing.get()
        if tell:
            tell(True)
        await self._free.acquire()
        if tell:
            tell(False)

    def free(self) -> None:
        """Give a seat back."""
        self._free.release()

    @asynccontextmanager
    async def seat(self) -> AsyncIterator[None]:
        """A seat for this task, and those it starts, as long as the context lasts; one within another takes none."""
        if _sitting.get() is not None:
            yield
            return
        mine = _Sitting(self)
        await mine.sit()
        before = _sitting.set(mine)
        try:
            yield
        finally:
            _sitting.reset(before)
            mine.stand_up()


@asynccontextmanager
async def lent() -> AsyncIterator[None]:
    """While this task waits for something else, others may have its seat, if it has one."""
    mine = _sitting.get()
    if mine is None:
        yield
        return
    mine.stand_up()
    yield
    await mine.sit()  # not after a fault: then the context is left, and closing it is little work


def _cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
