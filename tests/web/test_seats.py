"""Seats in the browser: no more at work than there are, lent while a model thinks, and told of when there is a queue."""

import asyncio

import pytest

from iwtui.web.seats import Seats, lent, queueing


class Counter:
    def __init__(self) -> None:
        self.now = self.most = 0

    def __enter__(self) -> None:
        self.now += 1
        self.most = max(self.most, self.now)

    def __exit__(self, *exc: object) -> None:
        self.now -= 1


async def test_no_more_work_at_once_than_there_are_seats() -> None:
    seats, counter = Seats(2), Counter()

    async def work() -> None:
        async with seats.seat(), seats.seat():  # one within another takes none
            with counter:
                await asyncio.sleep(0)

    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        for _ in range(10):
            group.create_task(work())
    assert counter.most == 2


async def test_a_seat_is_lent_while_its_owner_waits_for_a_model() -> None:
    seats = Seats(1)
    told: list[bool] = []
    answered, looked = asyncio.Event(), asyncio.Event()

    async def asks() -> None:
        async with seats.seat():
            async with lent():
                await looked.wait()
            answered.set()

    async def looks() -> None:
        queueing.set(told.append)
        async with seats.seat():
            looked.set()
            await asyncio.sleep(0.01)
            assert not answered.is_set(), "the other waits until the seat is free again"

    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        group.create_task(asks())
        await asyncio.sleep(0)
        group.create_task(looks())
    assert told == []
    await seats.wait()
    answered.clear()
    waiting = asyncio.create_task(looks())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert told == [True]
    seats.free()
    await waiting
    assert told == [True, False]


async def test_a_fault_while_a_seat_is_lent_leaves_it_free() -> None:
    seats = Seats(1)
    for fault in (ValueError, asyncio.CancelledError):
        with pytest.raises(fault):
            async with seats.seat(), lent():
                raise fault
    async with asyncio.timeout(1), seats.seat():
        pass
