"""JSON files of any size, read as a stream: what is whole is kept, the first fault ends the reading and is told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import ijson
import msgspec

Place = tuple[str | int, ...]
"""Where a value stands: the keys and indexes that lead to it."""

MAX_DEPTH = 100
"""Containers within containers; the official logs have 9."""

MAX_ITEM = 64_000_000
"""Characters of one value that is read whole, such as a message; a longer one is left out."""

_PIECE = 1 << 16
_SCALARS = ("string", "number", "boolean", "null")


class Fault(msgspec.Struct, frozen=True):
    """Something that was not taken. `at`: the byte that was reached, None for the whole file; `key`: where in the JSON."""

    file: str
    text: str
    at: int | None = None
    key: str = ""


class Seen(msgspec.Struct, frozen=True):
    """One event of the parser. `path` is of the value; of a `map_key`, of the map that holds it."""

    path: Place
    event: str
    value: Any


class Walk:
    """One pass over a JSON file. `faults` tells what ended it early or was left out."""

    def __init__(self, path: Path, name: str, faults: list[Fault]) -> None:
        self._path = path
        self._name = name
        self._faults = faults
        self._reached: Place = ()
        self._file: BinaryIO | None = None

    def fault(self, text: str, key: Place | None = None) -> None:
        """Tell of something at the place that has been reached."""
        at = self._file.tell() if self._file else None
        self._faults.append(Fault(self._name, text, at, dotted(self._reached if key is None else key)))

    def __iter__(self) -> Iterator[Seen]:
        with self._path.open("rb") as self._file:
            try:
                yield from self._seen(self._file)
            except (ijson.JSONError, UnicodeDecodeError, OverflowError, RecursionError) as error:
                self.fault(f"no more of it can be read: {str(error).strip().splitlines()[0][:200]}")

    def _seen(self, file: BinaryIO) -> Iterator[Seen]:
        path: list[str | int] = []
        for event, value in ijson.basic_parse(file, use_float=True, buf_size=_PIECE):
            if event == "map_key":
                yield Seen(tuple(path[:-1]), event, value)
                path[-1] = value
                continue
            if event in ("end_map", "end_array"):
                path.pop()
            elif path and isinstance(path[-1], int):
                path[-1] += 1
            self._reached = tuple(path)
            yield Seen(self._reached, event, value)
            if event in ("start_map", "start_array"):
                path.append("" if event == "start_map" else -1)
                if len(path) > MAX_DEPTH:
                    self.fault(f"nested deeper than {MAX_DEPTH}")
                    return

    def whole(self, first: Seen, events: Iterator[Seen]) -> Any:
        """The value that begins with `first`, its events taken from the stream; None, with a fault, when it is too long.

        A stream that ends within it ends the iteration of whoever reads: StopIteration never leaves here, None does.
        """
        if first.event in _SCALARS:
            return first.value
        builder, size = ijson.ObjectBuilder(), 0
        builder.event(first.event, first.value)
        for seen in events:
            size += len(seen.value) if isinstance(seen.value, str) else 8
            if size <= MAX_ITEM:
                builder.event(seen.event, seen.value)
            if seen.path == first.path and seen.event in ("end_map", "end_array"):
                if size > MAX_ITEM:
                    self.fault(f"left out: longer than {MAX_ITEM:,} characters", first.path)
                    return None
                return builder.value
        return None


def dotted(path: Place) -> str:
    """The place of a value, for people: `trajectory[3].content`."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key[:100]}" for key in path).removeprefix(".")
