"""The texts of events: long ones whose whole came in later, and where something stands in any of them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import NamedTuple

import msgspec

from iwtui.bench.events import Blob, FileChange, LongText, Record, Text, Unknown
from iwtui.bench.text import visible

KEPT = 200_000
"""Characters of one text that are kept at most."""

BUDGET = 16_000_000
"""Characters of all texts together that are kept at most."""

FILES = BUDGET // 2
"""Characters up to which contents of files are asked for; the rest is for what was said."""

_ADDRESSES = frozenset({"blob", "manifest", "marks", "picture", "request"})


class Named(NamedTuple):
    """A blob that an event names: the text of a file, or of something said, and about how long it is."""

    blob: Blob
    chars: int
    in_file: bool


class Texts:
    """Whole texts by their blobs. An empty one stands for a text that cannot be read."""

    def __init__(self) -> None:
        self._whole: dict[Blob, str] = {}
        self._size = 0

    def wanted(self, named: Iterable[Named]) -> list[Blob]:
        """Those that are not here yet and that there is room for: first what was said, then files."""
        missing = {one.blob: one for one in named if one.blob not in self._whole}
        found = []
        size = self._size
        for one in sorted(missing.values(), key=lambda one: one.in_file):
            size += min(one.chars, KEPT)
            if size > (FILES if one.in_file else BUDGET):
                break
            found.append(one.blob)
        return found

    def supply(self, texts: Mapping[Blob, str]) -> None:
        """Keep whole texts, as many as the budget allows."""
        for blob, text in texts.items():
            if blob not in self._whole and self._size < BUDGET:
                self._whole[blob] = visible(text[:KEPT])
                self._size += len(self._whole[blob])

    def show(self, text: Text) -> tuple[str, int, Blob | None]:
        """A text to be shown, its length if it were whole, and the blob of it while only its beginning is known."""
        if isinstance(text, str):
            shown = visible(text)
            return shown, len(shown), None
        if whole := self._whole.get(text.blob):
            return whole, max(len(whole), text.chars) if text.chars > KEPT else len(whole), None
        return visible(text.head), text.chars, text.blob

    def holding(self, needle: str) -> set[Blob]:
        """The blobs in whose texts it stands; `needle` is in folded case."""
        return {blob for blob, text in self._whole.items() if needle in text.casefold()}


class Words:
    """The words of the events of one log, for finding; read from the events when they are first asked for, by any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._of_events: list[tuple[str, tuple[Named, ...]]] = []

    def named(self, records: Sequence[Record]) -> list[Named]:
        """The blobs of texts and files that the events name, in order."""
        return [one for _, named in self._read(records) for one in named]

    def find(self, records: Sequence[Record], needle: str, holding: set[Blob]) -> list[int]:
        """The indexes of the events in whose texts `needle` (in folded case) stands, or whose blobs hold it."""
        read = enumerate(self._read(records))
        return [i for i, (words, named) in read if needle in words or any(one.blob in holding for one in named)]

    def _read(self, records: Sequence[Record]) -> list[tuple[str, tuple[Named, ...]]]:
        with self._lock:
            self._of_events += [_words(record) for record in records[len(self._of_events) :]]
            return self._of_events[:]


def _words(record: Record) -> tuple[str, tuple[Named, ...]]:
    words: list[str] = [record.kind]
    named: list[Named] = []
    _gather(record.event, words, named)
    return visible("\n".join(words)).casefold(), tuple(named)


def _gather(value: object, words: list[str], named: list[Named]) -> None:
    """Called for every part of thousands of events: the commonest kinds of them come first."""
    if isinstance(value, str):
        words.append(value)
    elif isinstance(value, LongText):
        words.append(value.head)
        named.append(Named(value.blob, value.chars, in_file=False))
    elif isinstance(value, FileChange):
        words.append(value.path)
        if value.blob and value.size <= KEPT:
            named.append(Named(value.blob, value.size, in_file=True))
    elif isinstance(value, Unknown):
        words.append(value.raw)
    elif isinstance(value, msgspec.Struct):
        for name in _spoken(type(value)):
            part = getattr(value, name)
            if part:
                _gather(part, words, named)
    elif isinstance(value, tuple):
        for part in value:
            _gather(part, words, named)
    elif isinstance(value, dict):
        for part in value.values():
            _gather(part, words, named)


@cache
def _spoken(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields of an event that may hold words: addresses of blobs are none."""
    return tuple(name for name in kind.__struct_fields__ if name not in _ADDRESSES)
