"""Forks: what of an episode is kept when it goes on in another way, and how the two compare."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from iwtui.bench.events import (
    ActionChosen,
    Blob,
    Controlled,
    EpisodeEnded,
    EpisodeForked,
    EpisodeResumed,
    Record,
    Text,
    TurnStarted,
    Unknown,
)
from iwtui.bench.score import Verdict


class Way(StrEnum):
    """How a fork goes on at a turn N.

    `again`: N is played anew. `ask`: a person asks the client in N. `answer`: a person answers the question of N for the
    client. `builder`: another model plays on from N. `prompt`: it is told other rules from N on. `edit`: a person changes
    files after N.
    """

    AGAIN = "again"
    ASK = "ask"
    ANSWER = "answer"
    BUILDER = "builder"
    PROMPT = "prompt"
    EDIT = "edit"


PUT_IN = (Way.ASK, Way.EDIT)
"""Ways in which the first turn of the fork's own is a person's; it costs a turn."""


class ForkError(ValueError):
    """An episode cannot be forked so; the message says why."""


class Prefix(msgspec.Struct, frozen=True):
    """What a fork inherits: the parent's events as they count, `kept` turns; and what the builder is told next."""

    records: tuple[Record, ...]
    kept: int
    message: Text = ""
    picture: Blob | None = None


def prefix(records: Iterable[Record], turn: int, way: Way) -> Prefix:
    """The part of an episode that a fork at `turn` keeps. Raises ForkError.

    Turns before it, where it is played anew; also its question, where that is answered anew; all of it, where files are
    changed after it. What a resume discarded, and orders to the parent's run, are no part of it.
    """
    counting = _counting(records)
    begun = {record.turn: record.event for record in counting if isinstance(record.event, TurnStarted)}
    if turn not in begun:
        raise ForkError(f"there is no turn {turn}; the episode has {len(begun)}")
    if way is Way.ANSWER:
        return _up_to_question(counting, turn)
    first = turn + 1 if way is Way.EDIT else turn
    if first not in begun:
        raise ForkError(f"turn {turn} is the last; nothing follows it that could go on with changed files")
    told = begun[first]
    return Prefix(tuple(record for record in counting if record.turn < first), first - 1, told.message, told.picture)


def _up_to_question(counting: Sequence[Record], turn: int) -> Prefix:
    chosen = next((r for r in counting if r.turn == turn and isinstance(r.event, ActionChosen)), None)
    if chosen is None or not isinstance(chosen.event, ActionChosen) or chosen.event.action != "clarify":
        raise ForkError(f"turn {turn} asks no question that could be answered")
    return Prefix(tuple(record for record in counting if record.seq <= chosen.seq), turn)


def _counting(records: Iterable[Record]) -> list[Record]:
    """The events that count, but for those that are about the run and not about what was played."""
    kept: list[Record] = []
    for record in records:
        match record.event:
            case EpisodeResumed(discards_from=first):
                kept = [one for one in kept if one.seq < first]
            case Controlled() | EpisodeEnded() | EpisodeForked() | Unknown():
                pass
            case _:
                kept.append(record)
    return kept


class Compared(msgspec.Struct, frozen=True):
    """Slots (0-based) of a fork against its parent: `passed` and `failed` anew, else the `same`; `unknown`: one has no
    verdict on it."""

    passed: tuple[int, ...]
    failed: tuple[int, ...]
    same: tuple[int, ...]
    unknown: tuple[int, ...]


def compared(parent: Sequence[Verdict], fork: Sequence[Verdict]) -> Compared:
    """The verdicts of the two, slot by slot; what was not observed is not passed, what was not judged is unknown."""
    found: dict[str, list[int]] = {name: [] for name in Compared.__struct_fields__}
    for slot, (before, after) in enumerate(zip(parent, fork, strict=True)):
        if Verdict.UNJUDGED in (before, after):
            found["unknown"].append(slot)
        elif (before is Verdict.PASSED) is (after is Verdict.PASSED):
            found["same"].append(slot)
        else:
            found["passed" if after is Verdict.PASSED else "failed"].append(slot)
    return Compared(**{name: tuple(slots) for name, slots in found.items()})
