"""One batch of the index: what the logs say that the tables do not, and how far they have been read, in one transaction.

The tables are a pure function of the logs: an index that grew batch by batch, whatever broke in between, equals one
that is made anew.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import duckdb
import msgspec

from iwtui.archive.annotations_rows import ANNOTATED, People, indexed_files
from iwtui.archive.errors import RunBrokenError, RunMissingError
from iwtui.archive.event_rows import write_discards
from iwtui.archive.lines import Tail
from iwtui.archive.reading import Reading, Readings, advance
from iwtui.archive.rows import Row, Rows
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.scan import LogKey, Scan, Stamp
from iwtui.archive.schema import tables
from iwtui.archive.state_rows import case_row, run_row, slot_rows, turn_row
from iwtui.archive.store import Store
from iwtui.archive.summary import add_summary, mark_counting
from iwtui.bench.names import EpisodeName, parse_stem

EVENTS = 5_000
BYTES = 16 << 20
"""A batch ends after so many events or bytes, at the end of a chunk of a log."""

UNREAD = Stamp(-1, -1)

OF_NO_LOG = ("published", *ANNOTATED)
"""Tables whose rows do not come and go with a run's logs."""


class Batch(msgspec.Struct, frozen=True):
    """`more`: the logs hold more than this batch took."""

    events: int
    logs: int
    more: bool


class Cursor(NamedTuple):
    """How far a log has been read, what stood right before that, and the stamp of the file that was read to its end."""

    offset: int
    mark: bytes
    stamp: Stamp


class Indexed(NamedTuple):
    """What the index has read. `problems`: why a run cannot be indexed, by run."""

    runs: dict[str, str]
    problems: dict[str, str]
    logs: dict[LogKey, Cursor]
    annotations: dict[str, Stamp]

    def is_up_to(self, found: Scan) -> bool:
        """Whether there is nothing new."""
        stamps = {key: stamp for key, stamp in found.logs.items() if key.episode.run not in self.problems}
        logs = {key: cursor.stamp for key, cursor in self.logs.items()}
        return (self.runs, logs, self.annotations) == (found.runs, stamps, found.annotations)


def indexed(con: duckdb.DuckDBPyConnection) -> Indexed:
    """How far the index is."""
    runs = con.execute("SELECT run, digest, problem FROM internal.runs").fetchall()
    logs: dict[LogKey, Cursor] = {}
    for run, stem, judging, *cursor in con.execute("FROM internal.logs").fetchall():
        if name := parse_stem(run, stem):
            offset, mark, size, changed = cursor
            logs[LogKey(name, judging)] = Cursor(offset, mark, Stamp(size, changed))
    problems = {run: why for run, _, why in runs if why}
    return Indexed({run: digest for run, digest, _ in runs}, problems, logs, indexed_files(con))


def ingest(con: duckdb.DuckDBPyConnection, store: Store, readings: Readings, found: Scan) -> Batch:
    """Write one batch. On any error nothing of it is written; close the connection then."""
    con.execute("BEGIN")
    try:
        batch = _Batch(con, store, readings, found)
        done = batch.run()
        con.execute("COMMIT")
    except BaseException:
        readings.forget()
        raise
    readings.keep(batch.fresh)
    return done


class _Replaced(Exception):  # noqa: N818 - not an error: the log is read anew
    """A log is not the file any more that was read before."""


class _Batch:
    def __init__(self, con: duckdb.DuckDBPyConnection, store: Store, readings: Readings, found: Scan) -> None:
        self._con = con
        self._store = store
        self._readings = readings
        self._found = found
        self._indexed = indexed(con)
        self._cursors = self._indexed.logs
        self._folders: dict[str, RunFolder] = {}
        self._rows = Rows()
        self._moved: dict[LogKey, Cursor] = {}
        self._recount: set[str] = set()
        self._people = People(con, store.root, found.annotations, self._indexed.annotations, readings.annotations)
        self._events = self._bytes = 0
        self.fresh: dict[LogKey, Reading] = {}

    def run(self) -> Batch:
        self._drop_runs()
        self._add_runs()
        self._drop_logs()
        more = False
        for name, group in groupby(self._found.logs, key=lambda key: key.episode):
            keys = list(group)
            if name.run not in self._indexed.runs or name.run in self._indexed.problems:
                continue
            if self._people.is_behind(str(name)) or any(self._is_behind(key) for key in keys):
                more = self._is_full
                if more:
                    break
                self._read_episode(name, keys)
        self._write()
        self._people.write(whole=not more)
        unfinished = any(cursor.stamp == UNREAD for cursor in self._moved.values())
        return Batch(self._events, len(self._moved), more or unfinished)

    @property
    def _is_full(self) -> bool:
        return self._events >= EVENTS or self._bytes >= BYTES

    def _is_behind(self, key: LogKey) -> bool:
        cursor = self._cursors.get(key)
        return cursor is None or cursor.stamp != self._found.logs[key]

    def _folder(self, run: str) -> RunFolder:
        if run not in self._folders:
            self._folders[run] = self._store.run(run)
        return self._folders[run]

    def _log(self, key: LogKey) -> Path:
        folder = self._folder(key.episode.run)
        return folder.judging_log(key.episode, key.judging) if key.judging else folder.episode_log(key.episode)

    def _drop_runs(self) -> None:
        for run, digest in list(self._indexed.runs.items()):
            if self._found.runs.get(run) != digest:
                for table in tables():
                    if table not in OF_NO_LOG:
                        self._con.execute(f"DELETE FROM {table} WHERE run = ?", [run])
                self._con.execute("DELETE FROM internal.logs WHERE run = ?", [run])
                self._con.execute("DELETE FROM internal.runs WHERE run = ?", [run])
                del self._indexed.runs[run]
                self._indexed.problems.pop(run, None)
                for key in [key for key in self._cursors if key.episode.run == run]:
                    del self._cursors[key]

    def _add_runs(self) -> None:
        for run, digest in self._found.runs.items():
            if run in self._indexed.runs:
                continue
            problem = None
            try:
                folder = self._folder(run)
                self._rows.add("runs", run_row(folder.plan, folder.cases) | {"run": run})
                for case in folder.cases.values():
                    self._rows.add("cases", case_row(run, case))
                    self._rows.extend("case_slots", slot_rows(run, case))
            except RunBrokenError as error:
                problem = self._indexed.problems[run] = str(error)
            except RunMissingError:
                continue  # removed since the scan
            self._indexed.runs[run] = digest
            self._con.execute("INSERT INTO internal.runs VALUES (?, ?, ?)", [run, digest, problem])

    def _drop_logs(self) -> None:
        for key in [key for key in self._cursors if key not in self._found.logs]:
            self._forget(key.episode)

    def _forget(self, name: EpisodeName) -> None:
        """Take an episode out of the index, to be read anew as far as it is there."""
        for table in tables():
            if table not in ("runs", "cases", "case_slots", *OF_NO_LOG):
                self._con.execute(f"DELETE FROM {table} WHERE episode = ?", [str(name)])
        self._con.execute("DELETE FROM internal.logs WHERE run = ? AND episode = ?", [name.run, name.stem])
        self._rows.forget(str(name))
        self._recount.add(name.run)
        for known in (self._cursors, self._moved, self.fresh):
            for key in [key for key in known if key.episode == name]:
                del known[key]

    def _read_episode(self, name: EpisodeName, keys: list[LogKey]) -> None:
        try:
            try:
                self._read_logs(name, keys)
            except _Replaced:
                self._forget(name)
                self._read_logs(name, keys)
        except (FileNotFoundError, RunMissingError, _Replaced):
            self._forget(name)  # removed, or replaced again, since the scan: the next one shows what there is

    def _read_logs(self, name: EpisodeName, keys: list[LogKey]) -> None:
        for key in filter(self._is_behind, keys):
            self._read(key)
        if any(key in self._cursors for key in keys):
            for table in ("attempts", "judgings", "verdicts"):
                self._con.execute(f"DELETE FROM {table} WHERE episode = ?", [str(name)])
        people = self._people.of(str(name))
        add_summary(self._rows, self._folder(name.run), name, dict(self._readings_of(keys)), people)
        self._recount.add(name.run)

    def _read(self, key: LogKey) -> None:
        path = self._log(key)
        cursor = self._cursors.get(key)
        before = self._readings.at(key, path, cursor.offset) if cursor else Reading()
        tail = Tail(path, cursor.offset, cursor.mark) if cursor else Tail(path)
        reading, whole = before, False
        while not (whole or self._is_full):
            lines = tail.read()
            if tail.restarted:
                raise _Replaced
            whole = not lines
            self._events += len(lines)
            self._bytes += tail.offset - reading.offset
            reading = advance(key, reading, lines, self._rows)
        self._turns(key, before, reading)
        self.fresh[key] = reading
        self._moved[key] = Cursor(tail.offset, tail.mark, self._found.logs[key] if whole else UNREAD)

    def _turns(self, key: LogKey, before: Reading, now: Reading) -> None:
        """Write the turns anew from the first that is another than before."""
        old, new = before.episode.turns, now.episode.turns
        same = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a is not b), min(len(old), len(new)))
        if same < len(old):
            self._con.execute("DELETE FROM turns WHERE episode = ? AND event >= ?", [str(key.episode), old[same].seq])
        self._rows.extend("turns", self._turn_rows(key, now, same))

    def _turn_rows(self, key: LogKey, now: Reading, first: int) -> list[Row]:
        return [
            turn_row(key.episode, turn, self._store.blobs) | {"inherited": now.episode.inherits(turn.seq)}
            for turn in now.episode.turns[first:]
        ]

    def _readings_of(self, keys: list[LogKey]) -> Iterator[tuple[LogKey, Reading]]:
        for key in keys:
            if key in self.fresh:
                yield key, self.fresh[key]
            elif key in self._cursors:
                yield key, self._readings.at(key, self._log(key), self._cursors[key].offset)

    def _write(self) -> None:
        write_discards(self._con, self._rows)
        self._rows.write(self._con)
        for run in self._recount:
            mark_counting(self._con, run)
        for key, cursor in self._moved.items():
            where = [key.episode.run, key.episode.stem, key.judging]
            if key in self._cursors:
                self._con.execute("DELETE FROM internal.logs WHERE run = ? AND episode = ? AND judging = ?", where)
            self._con.execute(
                "INSERT INTO internal.logs VALUES (?, ?, ?, ?, ?, ?, ?)", [*where, cursor.offset, cursor.mark, *cursor.stamp]
            )
