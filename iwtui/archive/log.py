"""Event logs: one writer that never leaves half a line, and readers that nothing in a file can stop."""

import errno
import logging
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self

import msgspec

from iwtui.archive.appending import claim, set_torn_aside
from iwtui.archive.behind import BlobsBehind, NewestBehind, disk
from iwtui.archive.blobs import BlobStore
from iwtui.archive.durable import make_folder, sync_folder
from iwtui.archive.lines import Tail
from iwtui.bench.codec import BadLineError, decode, encode
from iwtui.bench.events import EpisodeForked, Event, Known, ModelCalled, Record, Unknown, Warned
from iwtui.bench.fold import Spent
from iwtui.bench.longtext import shortened
from iwtui.bench.text import storable

logger = logging.getLogger("iwtui.archive")

MAX_LIVE = 2_000
"""Characters of a model's unfinished answer that watchers are shown."""

OnBad = Callable[[int, str], None]
"""Is told of a line that is no event: the offset of its end, and what is wrong with it."""


MAX_DETAIL = 500
"""Characters of what is being done."""

MAX_FILE = 1 << 16
"""Bytes of the file that holds it."""


class Live(msgspec.Struct, frozen=True):
    """What an episode is doing right now. `t` is seconds since the epoch.

    `text` is the end of what a model is writing; empty: none is. `turn` and `spent` are as the log stands.
    """

    t: float
    phase: str
    detail: str = ""
    text: str = ""
    turn: int = 0
    spent: Spent = Spent()


def live_path(log: Path) -> Path:
    """Where the newest progress of a log stands."""
    return log.with_name(log.name + ".live")


def read_live(log: Path) -> Live | None:
    """The newest progress of a log, or None when nobody is writing it."""
    try:
        with live_path(log).open("rb") as file:
            return msgspec.json.decode(file.read(MAX_FILE), type=Live)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def read_log(path: Path, offset: int = 0, on_bad: OnBad | None = None) -> Iterator[tuple[int, Record]]:
    """The events on the whole lines from an offset on, each with the offset of its line's end.

    A line that is no event is passed over and told to `on_bad`, else logged. Raises FileNotFoundError.
    """
    tail = Tail(path, offset)
    while lines := tail.read():
        for end, line in lines:
            try:
                record = decode(line)
            except BadLineError as error:
                _tell(on_bad, path, end, str(error))
            else:
                yield end, record


def _tell(on_bad: OnBad | None, path: Path, end: int, why: str) -> None:
    if on_bad:
        on_bad(end, why)
    else:
        logger.warning("%s: the line that ends at byte %d is passed over: %s", path, end, why)


class LogFollower:
    """Follows a log that grows. `restarted`: the last poll found another file there, so what came before is void."""

    def __init__(self, path: Path, offset: int = 0) -> None:
        self.path = path
        self.bad_lines = 0
        self.restarted = False
        self._tail = Tail(path, offset)

    @property
    def offset(self) -> int:
        """Where the next poll reads on."""
        return self._tail.offset

    def poll(self, chunks: int = 4) -> list[Record]:
        """The events since the last poll, at most about `chunks` MiB of them; [] while there is no such file."""
        self.restarted = False
        records: list[Record] = []
        for _ in range(chunks):
            try:
                lines = self._tail.read()
            except FileNotFoundError:
                break
            if self._tail.restarted:
                self.restarted = True
                self.bad_lines = 0
                records.clear()
            if not lines:
                break
            for end, line in lines:
                try:
                    records.append(decode(line))
                except BadLineError as error:
                    self.bad_lines += 1
                    _tell(None, self.path, end, str(error))
        return records


class LogWriter:
    """The one writer of one log (a `bench.protocols.Recorder`). Opening goes on with a log that is there.

    A torn last line is first set aside to `<log>.torn-<n>`, and a Warned event says so. Raises LogBusyError while
    another writer has it open. `close` runs `on_close`.
    """

    def __init__(
        self,
        path: Path,
        blobs: BlobStore,
        clock: Callable[[], float] = time.time,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self.path = path
        self._blobs = BlobsBehind(blobs)
        self._live = NewestBehind(live_path(path))
        self._syncing: Future[None] | None = None
        self._clock = clock
        self._on_close = on_close
        make_folder(path.parent)
        self._fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            claim(self._fd, path)
            sync_folder(path.parent)
            self._end, self._seq, self._turn, self._spent, self._inherits = _whole(path)
            torn = set_torn_aside(self._fd, path, self._end)
        except BaseException:
            os.close(self._fd)
            raise
        if torn:
            self.append(Warned(where="log", text=f"a torn last line was set aside to {torn}"), self._turn)

    @property
    def blobs(self) -> BlobsBehind:
        """What is put here is durable before the next event."""
        return self._blobs

    @property
    def next_seq(self) -> int:
        """The `seq` of the event that is written next."""
        return self._seq

    def append(self, event: Event, turn: int) -> Record:
        """Write the event as the log's next line, in one write.

        Texts that are too much for a line together go to blobs; lone surrogates become U+FFFD, with a Warned event after.
        Raises OSError when there is no room, the log being whole then as before; ValueError for an event that no reader
        could take.
        """
        try:
            record, line = self._encode(event, turn)
        except UnicodeEncodeError:
            record, line = self._encode(_storable(event), turn)
            self._write(line, record)
            self.append(Warned(where=record.kind, text="lone surrogates were replaced by U+FFFD"), turn)
            return record
        self._write(line, record)
        return record

    def _encode(self, event: Event, turn: int) -> tuple[Record, bytes]:
        t = round(self._clock(), 3)
        try:
            line = encode(Record(self._seq, t, turn, event))  # type: ignore[arg-type]
        except UnicodeEncodeError:
            raise
        except ValueError:
            line = encode(Record(self._seq, t, turn, shortened(self._blobs, event)))  # type: ignore[arg-type]
        record = decode(line)
        if isinstance(record.event, Unknown):
            raise ValueError(f"{record.kind} has a field that the log does not allow: {record.event.raw[:500]}")
        return record, line

    def _write(self, line: bytes, record: Record) -> None:
        self._blobs.settle()
        try:
            written = os.write(self._fd, line)
            if written < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        except OSError:
            os.ftruncate(self._fd, self._end)
            raise
        self._end += len(line)
        self._seq += 1
        self._turn = record.turn
        self._spent = _spent(self._spent, record, self._inherits)
        if isinstance(record.event, EpisodeForked):
            self._inherits = record.event.inherits

    def sync(self) -> None:
        """Have the disk take all that was written. Raises OSError when that failed the last time."""
        self._blobs.settle()
        if self._syncing:
            self._syncing.result()
        self._syncing = disk().submit(os.fsync, self._fd)

    def progress(self, phase: str, detail: str = "", text: str = "") -> None:
        """Tell watchers what is going on right now."""
        live = Live(
            self._clock(),
            storable(phase)[0],
            storable(detail[:MAX_DETAIL])[0],
            storable(text[-MAX_LIVE:])[0],
            self._turn,
            self._spent,
        )
        self._live.put(msgspec.json.encode(live))

    def close(self) -> None:
        """Make the log durable and let go of it; closing again does nothing."""
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        try:
            if self._syncing:
                self._syncing.result()
            self._blobs.settle()
            os.fsync(fd)
        finally:
            self._live.remove()
            os.close(fd)
            if self._on_close:
                self._on_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _spent(before: Spent, record: Record, inherits: int) -> Spent:
    """What the calls took after one more event; those that a fork inherits were paid for by its parent."""
    return before.plus(record.event) if isinstance(record.event, ModelCalled) and record.seq > inherits else before


def _whole(path: Path) -> tuple[int, int, int, Spent, int]:
    """The end of the last whole line, the next seq, the turn of the last event, what the calls took, and the seq of the last
    event that a fork inherits (-1: none)."""
    end = lines = turn = 0
    last = inherits = -1
    spent = Spent()
    tail = Tail(path)
    while chunk := tail.read():
        lines += len(chunk)
        end = tail.offset
        for _, line in chunk:
            try:
                record = decode(line)
            except BadLineError:
                continue  # the readers report it; here only the numbering matters
            last, turn = max(last, record.seq), record.turn
            if isinstance(record.event, EpisodeForked):
                inherits = record.event.inherits
            spent = _spent(spent, record, inherits)
    return end, max(last + 1, lines), turn, spent, inherits


def _storable(event: Event) -> Event:
    """The event with the lone surrogates of all its texts replaced."""
    clean: Event = msgspec.convert(_cleaned(msgspec.to_builtins(event)), Known)
    return clean


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)[0]
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value
