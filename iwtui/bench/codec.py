"""Log lines to events and back: the envelope, the versions and the upcasters."""

from collections.abc import Callable
from typing import Any

import msgspec

from iwtui.bench.events import MAX_LINE, VERSION, Known, Record, Unknown

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTERS: dict[int, Upcaster] = {}
"""`UPCASTERS[n]` turns the fields of a line of version n into those of version n + 1."""


class BadLineError(ValueError):
    """A line that is no event: not JSON, or without an envelope."""


class _Envelope(msgspec.Struct, frozen=True):
    v: int
    seq: int
    t: float
    turn: int
    kind: str


_envelopes = msgspec.json.Decoder(_Envelope)
_events: msgspec.json.Decoder[Known] = msgspec.json.Decoder(Known)
_encoder = msgspec.json.Encoder()


def encode(record: Record) -> bytes:
    """One line with its newline.

    Raises ValueError when it would be longer than MAX_LINE bytes; UnicodeEncodeError, which is one, for half a character.
    """
    if isinstance(record.event, Unknown):
        return record.event.raw.encode() + b"\n"
    body = _encoder.encode(record.event)
    line = b'{"v":%d,"seq":%d,"t":%.3f,"turn":%d,%s\n' % (VERSION, record.seq, record.t, record.turn, body[1:])
    if len(line) > MAX_LINE:
        raise ValueError(f"{record.kind} takes {len(line)} bytes, over the limit of {MAX_LINE}")
    return line


def decode(line: bytes, upcasters: dict[int, Upcaster] = UPCASTERS, version: int = VERSION) -> Record:
    """The event on a line. An unknown kind, a newer version or an unexpected shape is kept as `Unknown`.

    Raises BadLineError.
    """
    try:
        envelope = _envelopes.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadLineError(f"not an event: {error}") from error
    try:
        event = _decode_event(line, envelope, upcasters, version)
    except msgspec.DecodeError as error:
        raise BadLineError(f"damaged: {error}") from error
    return Record(envelope.seq, envelope.t, envelope.turn, event)


def _decode_event(line: bytes, envelope: _Envelope, upcasters: dict[int, Upcaster], version: int) -> Known | Unknown:
    try:
        if envelope.v == version:
            return _events.decode(line)
        if envelope.v < version:
            fields = msgspec.json.decode(line)
            for step in range(envelope.v, version):
                fields = upcasters[step](fields)
            known: Known = msgspec.convert(fields, Known)
            return known
    except (msgspec.ValidationError, KeyError, RecursionError):
        pass  # kept as it is, below
    return Unknown(envelope.kind, line.decode("utf-8", "replace").rstrip("\n"))
