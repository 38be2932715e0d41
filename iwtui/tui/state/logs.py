"""One log as the console keeps it: events, fold, rows and pictures."""

from collections.abc import Callable
from typing import Generic

import msgspec

from iwtui.bench.events import EpisodeResumed, Record, SlotJudged
from iwtui.tui.state.pictures import Pictures
from iwtui.tui.state.shapes import JUDGING_FROM, Row
from iwtui.tui.state.texts import Words
from iwtui.tui.state.track import State, Track
from iwtui.tui.state.words import row_of


class Log(Generic[State]):
    """`failures` and `stops` (where a turn or the look at a slot begins) are indexes of rows, in order.

    `decided`: for each slot the number of its verdict's event. `resumes`: how often the log was gone on with.
    """

    def __init__(self, before: State, step: Callable[[State, Record], State], *, judging: bool = False) -> None:
        self.track = Track(before, step)
        self.words = Words()
        self.judging = judging
        self.rows: list[Row] = []
        self.seqs: list[int] = []
        self.failures: list[int] = []
        self.stops: list[int] = []
        self.pictures = Pictures(judging=judging)
        self.decided: dict[int, int] = {}
        self.resumes = 0
        self._slot: int | None = None

    def append(self, record: Record) -> bool:
        """Add the next event; False when its number is not a later one: an event that is here already."""
        last = self.track.records[-1].seq if self.track.records else -1
        if not last < record.seq < JUDGING_FROM:
            return False
        event = record.event
        row = row_of(record, judging=self.judging, slot_before=self._slot)
        if row.slot is not None:
            self._slot = row.slot
        if isinstance(event, SlotJudged):
            self.decided[event.slot] = record.seq
        if isinstance(event, EpisodeResumed):
            self.resumes += 1
        if row.failed:
            self.failures.append(len(self.rows))
        if row.opens:
            self.stops.append(len(self.rows))
        self.track.append(record)
        self.rows.append(row)
        self.seqs.append(row.seq)
        self.pictures.add(record, self.resumes)
        return True

    def discard(self, first: int) -> None:
        """Mark the events from a number on, up to the newest, as taken back by it."""
        for index in range(len(self.rows) - 2, -1, -1):
            row = self.rows[index]
            if row.number < first:
                break
            self.rows[index] = msgspec.structs.replace(row, discarded=True, failed=False)
        self.failures = [index for index in self.failures if self.rows[index].failed]
