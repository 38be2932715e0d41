"""The blobs that a run names: in its events, and within the manifests and messages that these name."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.archive.run_files import RunFile
from iwtui.bench.codec import BadLineError, decode
from iwtui.bench.events import Blob, Event, FilesChanged, JudgingStarted, LongText, ModelCalled, Unknown
from iwtui.bench.fold import Message
from iwtui.bench.manifest import decode_manifest

_ADDRESS = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_OF_BLOBS = (Blob, Blob | None, tuple[Blob, ...])


class Named(msgspec.Struct, frozen=True):
    """`blobs`: each one that is there, with the place that names it first. `missing`: those that should be and are not."""

    blobs: dict[Blob, str]
    missing: dict[Blob, str]


def named_blobs(files: Sequence[RunFile], blobs: BlobStore) -> Named:
    """All blobs that the logs among the files name, in the order in which they do."""
    found: dict[Blob, str] = {}
    missing: dict[Blob, str] = {}

    def note(blob: Blob, place: str) -> bool:
        """Whether it is there and was not known."""
        if blob in found or blob in missing:
            return False
        there = blobs.path(blob).is_file()
        (found if there else missing)[blob] = place
        return there

    for file in files:
        if not file.is_log:
            continue
        for number, line in enumerate(file.lines(), 1):
            try:
                event = decode(line).event
            except BadLineError:
                continue
            place = f"{file.name} line {number}"
            inner = _inner(event)
            for blob in of_event(event):
                if note(blob, place) and blob in inner:
                    for within in _within(blob, blobs):
                        note(within, place)
    return Named(found, missing)


def of_event(event: Event | Unknown) -> Iterator[Blob]:
    """The blobs that an event itself names; of an event that is not known, whatever looks like an address."""
    if isinstance(event, Unknown):
        yield from _ADDRESS.findall(event.raw)
    else:
        yield from _of_value(event, None)


def _of_value(value: Any, kind: Any) -> Iterator[Blob]:
    match value:
        case LongText():
            yield value.blob
        case msgspec.Struct():
            for name, inner in _fields(type(value)):
                yield from _of_value(getattr(value, name), inner)
        case str() if kind in _OF_BLOBS:
            yield value
        case tuple():
            for item in value:
                yield from _of_value(item, kind)


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.type) for field in msgspec.structs.fields(kind))


def _inner(event: Event | Unknown) -> frozenset[Blob]:
    """The blobs of an event that name others."""
    match event:
        case FilesChanged() | JudgingStarted():
            return frozenset({event.manifest})
        case ModelCalled():
            return frozenset(event.request)
        case Unknown():
            return frozenset(of_event(event))
    return frozenset()


def _within(blob: Blob, blobs: BlobStore) -> Iterator[Blob]:
    """What a manifest or a message names. Raises LookupError for a blob that is damaged."""
    content = blobs.get(blob)
    if content[:1] != b"{":
        return
    try:
        message = msgspec.json.decode(content, type=Message)
        yield from _of_value(message, None)
        return
    except msgspec.MsgspecError:
        pass  # no message
    try:
        yield from (address for address, _ in decode_manifest(content).values())
    except msgspec.MsgspecError:
        yield from _ADDRESS.findall(content.decode("utf-8", "replace"))
