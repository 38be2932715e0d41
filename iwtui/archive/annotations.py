"""What people add to the logs: verdicts on slots, the choice of the primary judging, notes and bookmarks.

Append-only files of one JSON line each, `annotations/<author>-<host>-<ulid>.jsonl`, one writer a file. Nothing is changed
or removed: to take something back is an annotation, too. An annotation is named by its file and its number in it.
"""

from typing import Annotated

import msgspec

from iwtui.bench.events import MAX_LINE
from iwtui.bench.votes import Word

FOLDER = "annotations"
VERSION = 1
LONGEST_NOTE = 4_000
"""Characters of a note."""

Author = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
_Episode = Annotated[str, msgspec.Meta(min_length=1, max_length=700)]
_Judging = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
_Slot = Annotated[int, msgspec.Meta(ge=0, lt=1_000)]
_Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 40)]
_Note = Annotated[str, msgspec.Meta(max_length=LONGEST_NOTE)]


class _Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag=True, tag_field="kind"):
    pass


class SlotDecided(_Said, frozen=True, kw_only=True):
    """A person's verdict on a slot (0-based). It overrules the judging that it names, and no later one.

    `blind`: given without a look at the judge's verdict and reason.
    """

    episode: _Episode
    judging: _Judging
    slot: _Slot
    verdict: Word
    note: _Note = ""
    blind: bool = False


class PrimaryChosen(_Said, frozen=True, kw_only=True):
    """The judging whose score is the episode's from now on."""

    episode: _Episode
    judging: _Judging


class Noted(_Said, frozen=True, kw_only=True):
    """A note on an episode, or on one `event` of its log (`judging`: of that judging's log). Without text: a bookmark."""

    episode: _Episode
    text: _Note = ""
    event: _Number | None = None
    judging: _Judging | None = None


class Undone(_Said, frozen=True, kw_only=True):
    """The author takes back an annotation of their own, by its id."""

    annotation: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


Said = SlotDecided | PrimaryChosen | Noted | Undone


class Annotation(msgspec.Struct, frozen=True):
    """What was said, by whom and when (`t`: seconds since the epoch)."""

    id: str
    t: float
    author: str
    host: str
    said: Said


class Envelope(msgspec.Struct, frozen=True):
    """What stands on each line, whatever is said there."""

    v: int
    seq: int
    t: float
    author: Author
    host: Annotated[str, msgspec.Meta(max_length=255)]


envelopes = msgspec.json.Decoder(Envelope)
_saids: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)
_encoder = msgspec.json.Encoder()


def encode(seq: int, annotation: Annotation) -> bytes:
    """One line with its newline. Raises ValueError for what no reader could take."""
    envelope = _encoder.encode(Envelope(VERSION, seq, annotation.t, annotation.author, annotation.host))
    line = envelope[:-1] + b"," + _encoder.encode(annotation.said)[1:] + b"\n"
    if len(line) > MAX_LINE:
        raise ValueError(f"the annotation takes {len(line)} bytes, over the limit of {MAX_LINE}")
    decode(annotation.id.rpartition(".")[0], line)
    return line


def decode(stem: str, line: bytes) -> Annotation:
    """The annotation on a line of the file `stem`. Raises ValueError for what is none, or of a kind unknown here."""
    try:
        envelope, said = envelopes.decode(line), _saids.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error
    return Annotation(f"{stem}.{envelope.seq}", envelope.t, envelope.author, envelope.host, said)
