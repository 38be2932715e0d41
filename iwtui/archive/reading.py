"""Logs as the index reads them: the fold and the counts of what has been read, going on where the last reading ended."""

from collections import OrderedDict
from pathlib import Path

import msgspec

from iwtui.archive.annotations_rows import KeptAnnotations
from iwtui.archive.event_rows import add_event_rows, discard
from iwtui.archive.lines import Tail
from iwtui.archive.rows import Rows
from iwtui.archive.scan import LogKey
from iwtui.archive.state_rows import Counts
from iwtui.bench.codec import BadLineError, decode
from iwtui.bench.events import PAUSED, Controlled, EpisodeResumed, Record, Warned
from iwtui.bench.fold import EpisodeState, JudgingState, step, step_judging

KEPT = 64
"""States that are kept, so that a live log is not folded anew from its top for each batch."""


class Reading(msgspec.Struct, frozen=True):
    """How far a log has been read, and what it comes to.

    `worked` is the time of the last event but the log's own; `halted`: the episode is paused since then.
    """

    offset: int = 0
    episode: EpisodeState = EpisodeState()
    judging: JudgingState = JudgingState()
    counts: Counts = Counts()
    worked: float = 0.0
    halted: bool = False


class Readings:
    """The newest readings of the logs that were read last, and the annotations as they were read."""

    def __init__(self) -> None:
        self.annotations = KeptAnnotations()
        self._kept: OrderedDict[LogKey, Reading] = OrderedDict()

    def at(self, key: LogKey, path: Path, offset: int) -> Reading:
        """The reading of a log up to an offset: the kept one, else made anew from the log."""
        kept = self._kept.get(key)
        if kept and kept.offset == offset:
            return kept
        reading = Reading()
        tail = Tail(path)
        while reading.offset < offset and (lines := tail.read()):
            reading = advance(key, reading, [(end, line) for end, line in lines if end <= offset], None)
        return reading

    def keep(self, readings: dict[LogKey, Reading]) -> None:
        """Keep these, and forget those that were used longest ago."""
        for key, reading in readings.items():
            self._kept[key] = reading
            self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def forget(self) -> None:
        """Keep none: what was to be written was not."""
        self._kept.clear()


def advance(key: LogKey, before: Reading, lines: list[tuple[int, bytes]], rows: Rows | None) -> Reading:
    """The reading after some more lines; their rows go to `rows`."""
    episode, judging, worked, halted = before.episode, before.judging, before.worked, before.halted
    events, bad, idle = before.counts.events, before.counts.bad_lines, before.counts.idle
    for _, line in lines:
        try:
            record = decode(line)
        except BadLineError:
            bad += 1
            continue
        events += 1
        if key.judging:
            judging = step_judging(judging, record)
        else:
            episode = step(episode, record)
            if isinstance(record.event, EpisodeResumed) and rows is not None:
                discard(rows, str(key.episode), record.event.discards_from)
        if (halted or isinstance(record.event, EpisodeResumed)) and not episode.inherits(record.seq):
            idle += max(0.0, record.t - worked)
        if isinstance(record.event, Controlled):
            halted = record.event.what == PAUSED or (halted and record.event.what != "go on")
        elif not _of_the_log_itself(record):
            halted = False
        if not _of_the_log_itself(record):
            worked = record.t
        if rows is not None:
            inherited = not key.judging and episode.inherits(record.seq) and record.seq > 0
            add_event_rows(rows, str(key.episode), key.judging or None, key.episode.run, record, line, inherited)
    return Reading(
        offset=lines[-1][0] if lines else before.offset,
        episode=episode,
        judging=judging,
        counts=Counts(events, bad, idle),
        worked=worked,
        halted=halted,
    )


def _of_the_log_itself(record: Record) -> bool:
    return isinstance(record.event, Warned) and record.event.where == "log"
