"""A log kept together with its fold, so that the state after any of its events is at hand."""

from collections.abc import Callable
from typing import Generic, TypeVar

from iwtui.bench.events import Record

State = TypeVar("State")

EVERY = 64
"""Events between two kept states; a step back folds fewer than that."""


class Track(Generic[State]):
    """Records in their order. `before` is the state before the first."""

    def __init__(self, before: State, step: Callable[[State, Record], State]) -> None:
        self.records: list[Record] = []
        self.latest = before
        self._step = step
        self._kept = [before]
        self._near: tuple[int, list[State]] = (0, [])

    def __len__(self) -> int:
        return len(self.records)

    def append(self, record: Record) -> None:
        """Add the next event."""
        self.records.append(record)
        self.latest = self._step(self.latest, record)
        if len(self.records) % EVERY == 0:
            self._kept.append(self.latest)

    def at(self, index: int) -> State:
        """The state after the event at an index; before the first for -1. Raises IndexError."""
        if index == len(self.records) - 1:
            return self.latest
        if not -1 <= index < len(self.records):
            raise IndexError(index)
        if index < 0:
            return self._kept[0]
        block, within = divmod(index, EVERY)
        if self._near[0] != block:
            self._near = (block, [])
        states = self._near[1]
        while len(states) <= within:
            record = self.records[block * EVERY + len(states)]
            states.append(self._step(states[-1] if states else self._kept[block], record))
        return states[within]
