"""One model call as it was made: each message as it was filled in, then the answer."""

from collections.abc import Sequence

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.bench.events import Blob, LongText, ModelCalled, Text
from iwtui.bench.fold import Message
from iwtui.bench.text import one_line, visible
from iwtui.tui.state.shapes import Block

MOST = 500_000
"""Characters of one text that are shown."""


class Sent(msgspec.Struct, frozen=True):
    """A message of a request; `lost` says why it cannot be read."""

    message: Message = Message("?", "")
    text: str = ""
    lost: str = ""


def read_call(blobs: BlobStore, call: ModelCalled, turn: int) -> list[Block]:
    """The call as blocks of a dialogue, numbered from 0. Reads blobs: call it in a thread."""
    sent = [_sent(blobs, blob) for blob in call.request]
    blocks = [_asked(number, len(sent), one, turn, blobs) for number, one in enumerate(sent)]
    return [*blocks, _answer(len(blocks), call, turn, blobs)]


def _sent(blobs: BlobStore, blob: Blob) -> Sent:
    try:
        message = msgspec.json.decode(blobs.get(blob), type=Message)
    except (LookupError, msgspec.MsgspecError) as error:
        return Sent(lost=f"this message cannot be read: {error}")
    return Sent(message, *_read(blobs, message.text))


def _read(blobs: BlobStore, text: Text) -> tuple[str, str]:
    """A text, and what is to be said of what is missing of it."""
    whole, lost = text if isinstance(text, str) else text.head, ""
    if isinstance(text, LongText):
        try:
            whole = blobs.get(text.blob).decode("utf-8", "replace")
        except LookupError as error:
            lost = f"only its beginning is left: {error}"
    if len(whole) > MOST:
        lost = f"the first {MOST:,} of {len(whole):,} characters"
    return visible(whole[:MOST]), lost


def _asked(number: int, of: int, sent: Sent, turn: int, blobs: BlobStore) -> Block:
    message = sent.message
    notes = [("warn", visible(sent.lost))] if sent.lost else []
    if message.picture:
        drawn = ", with its marks drawn on it" if message.marks else ""
        notes.append(("dim", f"with the picture {visible(str(blobs.path(message.picture)))}{drawn}"))
    return Block(
        seq=number,
        turn=turn,
        who=one_line(message.role, 40),
        text=sent.text,
        label=f"message {number + 1} of {of}, {len(sent.text):,} characters",
        notes=tuple(notes),
    )


def _answer(number: int, call: ModelCalled, turn: int, blobs: BlobStore) -> Block:
    text, lost = _read(blobs, call.reply)
    reasoning, lost_reasoning = _read(blobs, call.reasoning)
    notes = [("warn", visible(one)) for one in (lost, lost_reasoning) if one]
    if call.fault is not None:
        kind = f" ({call.fault_kind})" if call.fault_kind else ""
        notes.append(("warn" if call.retried else "bad", visible(f"failed{kind}: {call.fault}")))
        notes += [("dim", "it was asked again")] if call.retried else []
    elif not text:
        notes.append(("warn", "the answer is empty"))
    return Block(
        seq=number,
        turn=turn,
        who=one_line(call.role, 40),
        text=text,
        label="answers" if call.fault is None else "did not answer",
        glyph="✗" if call.fault is not None else "",
        tone="bad" if call.fault is not None else "",
        reasoning=reasoning,
        notes=tuple(notes),
    )


def facts(call: ModelCalled) -> Sequence[tuple[str, str]]:
    """What is known of the call, as (name, value); what is unknown says so."""
    answered = call.answered_by if call.answered_by not in (None, call.model) else None
    rows = [
        ("model", call.model + (f", answered by {answered}" if answered else "")),
        ("tokens", f"{_count(call.tokens_in)} in, {_count(call.tokens_out)} out"),
        ("cost", "unknown" if call.cost is None else f"${call.cost:.6f}"),
        ("took", f"{call.seconds:.1f} s"),
        ("finish", call.finish_reason or "unknown"),
        ("attempt", f"{call.attempt}" + (", another followed" if call.retried else "")),
    ]
    if call.replayed:
        rows.append(("from", "the record of an earlier call"))
    return [(name, one_line(value, 200)) for name, value in rows]


def _count(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"
