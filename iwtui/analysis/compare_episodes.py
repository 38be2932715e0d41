"""Two episodes of a case: where they part, how their files differ, and which pictures belong side by side. Pure.

What an episode did is compared, not how long it took: times, ports and the bytes of pictures say nothing.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

import msgspec

from iwtui.bench.events import (
    ActionChosen,
    Blob,
    ClientReplied,
    EpisodeEnded,
    EpisodeResumed,
    FilesChanged,
    Record,
    SlotJudged,
    Text,
    Verified,
)
from iwtui.bench.fold import EpisodeState, JudgingState, Turn
from iwtui.bench.manifest import Manifest

Reader = Callable[[Text], str]
"""A text whole; what cannot be read, as far as it is known."""

_VARYING = (
    (re.compile(r"(?<!\w)(localhost|127\.0\.0\.1|\[::1\]):\d+"), r"\1:PORT"),
    (re.compile(r"\b\d+(\.\d+)? ?(ms|s|seconds?)\b"), "TIME"),
    (re.compile(r"\s+"), " "),
)
_SHORT = 300


class Moment(msgspec.Struct, frozen=True):
    """Something that an episode did. `parts`: what of it is compared, by name; `told` is one line of it for people.

    `seq` is the event's number in its log; `judging` says that this is the judging's log.
    """

    seq: int
    turn: int
    kind: str
    parts: tuple[tuple[str, str], ...]
    told: str
    judging: bool = False


class Divergence(msgspec.Struct, frozen=True):
    """The first moments that are not equal; one is None where that episode was over. `equal` moments stand before them.

    `differs` names the parts that differ.
    """

    equal: int
    a: Moment | None
    b: Moment | None
    differs: tuple[str, ...]


class FileDifference(msgspec.Struct, frozen=True):
    """A file that is not the same in both. `op`, from A to B: add, change or delete."""

    path: str
    op: str
    blob_a: Blob | None
    blob_b: Blob | None
    size_a: int
    size_b: int


class PicturePair(msgspec.Struct, frozen=True):
    """Two pictures of the same sort, None where there is none, and their turns (0: none). `label`: `turn 3`, `verify 1`."""

    label: str
    a: Blob | None
    b: Blob | None
    turn_a: int
    turn_b: int


class Said(msgspec.Struct, frozen=True):
    """What a turn said: the action, what the builder asked or wanted, and what came of it."""

    action: str
    asked: str
    answer: str


def moments(records: Iterable[Record], read: Reader) -> list[Moment]:
    """What an episode did, without what a resume took back."""
    found: list[Moment] = []
    for record in records:
        if isinstance(record.event, EpisodeResumed):
            first = record.event.discards_from
            found = [moment for moment in found if moment.seq < first]
        elif (moment := _moment(record, read)) is not None:
            found.append(moment)
    return found


def verdict_moments(judging: JudgingState | None, records: Iterable[Record]) -> list[Moment]:
    """The last word on each slot, in the order of the slots."""
    if judging is None:
        return []
    last = {record.event.slot: record for record in records if isinstance(record.event, SlotJudged)}
    return [_verdict(record, record.event) for _, record in sorted(last.items()) if isinstance(record.event, SlotJudged)]


def first_divergence(a: Sequence[Moment], b: Sequence[Moment]) -> Divergence | None:
    """Where the two part; None when they did the same from beginning to end."""
    for place, (one, two) in enumerate(zip_longest(a, b)):
        if one is None or two is None:
            return Divergence(place, one, two, ("the end",))
        if (one.kind, one.parts) != (two.kind, two.parts):
            differs = ("kind",) if one.kind != two.kind else _differing(one, two)
            return Divergence(place, one, two, differs)
    return None


def file_differences(a: Manifest, b: Manifest) -> tuple[FileDifference, ...]:
    """The files that are not the same, by path."""
    found = []
    for path in sorted(a.keys() | b.keys()):
        one, two = a.get(path), b.get(path)
        if one is not None and two is not None and one[0] == two[0]:
            continue
        op = "add" if one is None else "delete" if two is None else "change"
        (blob_a, size_a), (blob_b, size_b) = one or (None, 0), two or (None, 0)
        found.append(FileDifference(path, op, blob_a, blob_b, size_a, size_b))
    return tuple(found)


def picture_pairs(a: EpisodeState, b: EpisodeState) -> tuple[PicturePair, ...]:
    """The last picture of each turn's site, and of each Verify by its number, beside the other's."""
    shots_a, shots_b = _shots(a), _shots(b)
    labels = sorted(shots_a.keys() | shots_b.keys(), key=lambda label: _first_turn(label, shots_a, shots_b))
    nothing = (None, 0)
    pairs = []
    for label in labels:
        (one, turn_a), (two, turn_b) = shots_a.get(label, nothing), shots_b.get(label, nothing)
        pairs.append(PicturePair(label, one, two, turn_a, turn_b))
    return tuple(pairs)


def dialogues(a: EpisodeState, b: EpisodeState, read: Reader) -> list[tuple[int, Said | None, Said | None]]:
    """What was said in each turn, side by side: (turn, A, B); None where an episode has no such turn."""
    one, two = ({turn.number: _said(turn, read) for turn in state.turns} for state in (a, b))
    return [(number, one.get(number), two.get(number)) for number in sorted(one.keys() | two.keys())]


def normal(text: str) -> str:
    """A text without what varies from one playing to the next: ports of this machine, durations, white space."""
    for pattern, instead in _VARYING:
        text = pattern.sub(instead, text)
    return text.strip()


def _moment(record: Record, read: Reader) -> Moment | None:
    event = record.event
    match event:
        case ActionChosen():
            question, criteria = normal(read(event.question)), normal(read(event.criteria))
            parts = {
                "action": event.action,
                "stood": " ".join(event.stood),
                "question": question,
                "files": "\n".join(event.files),
                "commands": "\n".join(event.commands),
                "path": event.path,
                "criteria": criteria,
            }
            rest = question or criteria or ", ".join(event.files)
            told = f"{event.action}: {rest}" if rest else event.action
        case ClientReplied():
            reply = normal(read(event.reply))
            parts = {"question": normal(read(event.question)), "reply": reply, "disclosed": _numbers(event.disclosed)}
            told = f"the client: {reply}"
        case FilesChanged():
            parts = {"manifest": event.manifest}
            paths = ", ".join(change.path for change in event.changes)
            told = f"{event.files} files, {event.lines} lines; changed: {paths or 'nothing'}"
        case Verified():
            parts = {"status": event.status, "path": event.path}
            told = f"audit: {event.status}"
        case EpisodeEnded():
            parts = {"status": event.status, "stop reason": event.stop_reason}
            told = f"the end: {event.status}, {event.stop_reason}"
        case _:
            return None
    return Moment(record.seq, record.turn, record.kind, tuple(parts.items()), told[:_SHORT])


def _verdict(record: Record, event: SlotJudged) -> Moment:
    parts = (("slot", str(event.slot)), ("verdict", event.verdict))
    return Moment(record.seq, record.turn, record.kind, parts, f"slot {event.slot}: {event.verdict}", judging=True)


def _differing(a: Moment, b: Moment) -> tuple[str, ...]:
    """All parts that differ; of two actions of different kinds it says enough that they are."""
    names = tuple(name for (name, one), (_, two) in zip(a.parts, b.parts, strict=True) if one != two)
    return ("action",) if "action" in names else names


def _numbers(facts: Iterable[int]) -> str:
    return " ".join(str(fact) for fact in sorted(facts))


_Shots = dict[str, tuple[Blob | None, int]]


def _shots(state: EpisodeState) -> _Shots:
    shots: _Shots = {}
    verifies = 0
    for turn in state.turns:
        probed = [probe.picture for probe in turn.probes if probe.picture]
        if probed:
            shots[f"turn {turn.number}"] = probed[-1], turn.number
        stepped = [step.picture for step in turn.steps if step.picture]
        if turn.verified or stepped:
            verifies += 1
            last = (turn.verified.picture if turn.verified else None) or (stepped[-1] if stepped else None)
            if last:
                shots[f"verify {verifies}"] = last, turn.number
    return shots


def _first_turn(label: str, *sides: _Shots) -> tuple[int, str]:
    return min(side[label][1] for side in sides if label in side), label


def _said(turn: Turn, read: Reader) -> Said:
    action = turn.action
    asked = (read(action.question) or read(action.criteria) or ", ".join(action.files)) if action else ""
    if turn.reply:
        answer = read(turn.reply.reply)
    elif turn.verified:
        answer = f"{turn.verified.status}: {read(turn.verified.report)}"
    else:
        answer = f"{turn.files.files} files, {turn.files.lines} lines" if turn.files else ""
    return Said(action.action if action else "", asked, answer)
