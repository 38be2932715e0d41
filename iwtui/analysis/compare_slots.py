"""What became of each slot, and of each episode, from one side to the other."""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import duckdb
import msgspec

from iwtui.analysis.compare_pairs import PLAYED, EpisodeOf, Pair
from iwtui.archive.index import Index
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status

_SLOTS = """
SELECT attempts.episode, slots.slot, slots.component, slots.expected, slots.assertion, slots.kind, slots.weight,
       verdicts.verdict, verdicts.reason
FROM attempts
JOIN case_slots AS slots USING (run, case_id)
LEFT JOIN verdicts ON verdicts.episode = attempts.episode AND verdicts.slot = slots.slot AND verdicts.is_primary
WHERE attempts.episode IN (SELECT unnest($episodes))
ORDER BY attempts.episode, slots.slot
"""

CRASHED = "the site crashed"
_SAME = ("component", "expected", "assertion", "kind", "weight")


class Change(StrEnum):
    """From A to B. `not_seen`: on one side at least nobody saw it; `changed`: it is another slot on the other side."""

    NEWLY_FAILING = "newly_failing"
    NEWLY_FIXED = "newly_fixed"
    STILL_FAILING = "still_failing"
    STILL_PASSING = "still_passing"
    NOT_SEEN = "not_seen"
    CHANGED = "changed"


class SlotChange(msgspec.Struct, frozen=True):
    """A slot (from 0) of a pair, with the two verdicts and their reasons; `weight` is the paper's W.

    A verdict is None where that side has no such slot. `why` says what differs of a changed slot, and on which side a slot
    was not seen.
    """

    change: Change
    case_id: str
    repeat: int
    builder: str
    slot: int
    component: str
    expected: str
    kind: str
    assertion: str
    weight: float
    verdict_a: str | None
    verdict_b: str | None
    reason_a: str
    reason_b: str
    episode_a: str
    episode_b: str
    why: str = ""


class EpisodeChange(msgspec.Struct, frozen=True):
    """A pair as a whole: it passes when every slot does, fails when one failed or the site crashed, else was not seen."""

    change: Change
    case_id: str
    repeat: int
    builder: str
    persona: str
    difficulty: str
    tcr_a: float | None
    tcr_b: float | None
    status_a: str
    status_b: str
    judge_a: str | None
    judge_b: str | None
    episode_a: str
    episode_b: str


class KindCount(msgspec.Struct, frozen=True):
    """Slots of one kind and one change, with their total weight."""

    kind: str
    change: Change
    slots: int
    weight: float


Slots = Mapping[str, Mapping[int, Mapping[str, Any]]]
"""By episode and number of the slot: a row of `_SLOTS`."""


def load_slots(index: Index, pairs: Sequence[Pair]) -> Slots:
    """The slots of the pairs' episodes, by the primary judging. Raises IndexBusyError, IndexFaultError."""
    names = [episode.episode for pair in pairs for episode in (pair.a, pair.b)]
    found: dict[str, dict[int, dict[str, Any]]] = {}

    def rows(con: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        return con.execute(_SLOTS, {"episodes": names}).fetchall()

    for episode, slot, *rest in index.read(rows) if names else ():
        found.setdefault(episode, {})[slot] = dict(zip((*_SAME, "verdict", "reason"), rest, strict=True))
    return found


def slot_changes(pairs: Sequence[Pair], slots: Slots) -> list[SlotChange]:
    """All slots of the pairs whose episodes were both judged or crashed, in the order of cases and slots."""
    return [change for pair in pairs if _played(pair) for change in _of_pair(pair, slots)]


def episode_changes(pairs: Sequence[Pair], slots: Slots) -> list[EpisodeChange]:
    """The same pairs as wholes."""
    return [
        EpisodeChange(
            change=_change(_outcome(pair.a, slots), _outcome(pair.b, slots)),
            case_id=pair.case_id,
            repeat=pair.repeat,
            builder=pair.b.builder,
            persona=str(pair.group["persona"] or ""),
            difficulty=str(pair.group["difficulty"] or ""),
            tcr_a=pair.a.tcr,
            tcr_b=pair.b.tcr,
            status_a=pair.a.status,
            status_b=pair.b.status,
            judge_a=pair.a.judge,
            judge_b=pair.b.judge,
            episode_a=pair.a.episode,
            episode_b=pair.b.episode,
        )
        for pair in pairs
        if _played(pair)
    ]


def by_kind(changes: Sequence[SlotChange]) -> list[KindCount]:
    """How many slots of each kind changed how, by kind."""
    counts = Counter((change.kind, change.change) for change in changes)
    weights: Counter[tuple[str, Change]] = Counter()
    for change in changes:
        weights[change.kind, change.change] += change.weight  # type: ignore[assignment]
    order = list(Change)
    return [
        KindCount(kind, change, counts[kind, change], float(weights[kind, change]))
        for kind, change in sorted(counts, key=lambda key: (key[0], order.index(key[1])))
    ]


def _played(pair: Pair) -> bool:
    return pair.a.status in PLAYED and pair.b.status in PLAYED


def _of_pair(pair: Pair, slots: Slots) -> list[SlotChange]:
    a, b = slots.get(pair.a.episode, {}), slots.get(pair.b.episode, {})
    changes = []
    for slot in sorted(a.keys() | b.keys()):
        one, two = a.get(slot), b.get(slot)
        known = one or two
        assert known
        verdict_a, verdict_b = _verdict(pair.a, one), _verdict(pair.b, two)
        differs = _differs(one, two)
        changes.append(
            SlotChange(
                change=Change.CHANGED if differs else _change(verdict_a, verdict_b),
                case_id=pair.case_id,
                repeat=pair.repeat,
                builder=pair.b.builder,
                slot=slot,
                component=known["component"] or "",
                expected=known["expected"] or "",
                kind=known["kind"] or "",
                assertion=known["assertion"] or "",
                weight=known["weight"] or 0.0,
                verdict_a=verdict_a,
                verdict_b=verdict_b,
                reason_a=_reason(pair.a, one),
                reason_b=_reason(pair.b, two),
                episode_a=pair.a.episode,
                episode_b=pair.b.episode,
                why=differs or _unseen(verdict_a, verdict_b),
            )
        )
    return changes


def _differs(one: Mapping[str, Any] | None, two: Mapping[str, Any] | None) -> str:
    if one is None or two is None:
        return f"only in {'B' if one is None else 'A'}"
    return ", ".join(name for name in _SAME if one[name] != two[name])


def _verdict(episode: EpisodeOf, row: Mapping[str, Any] | None) -> str | None:
    """A crashed site fails all its slots."""
    if row is None:
        return None
    if episode.status == Status.CRASHED.value:
        return Verdict.FAILED.value
    return row["verdict"] or Verdict.UNOBSERVED.value


def _reason(episode: EpisodeOf, row: Mapping[str, Any] | None) -> str:
    if row is None:
        return ""
    return CRASHED if episode.status == Status.CRASHED.value else row["reason"] or ""


def _change(a: str | None, b: str | None) -> Change:
    match a, b:
        case Verdict.PASSED.value, Verdict.FAILED.value:
            return Change.NEWLY_FAILING
        case Verdict.FAILED.value, Verdict.PASSED.value:
            return Change.NEWLY_FIXED
        case Verdict.FAILED.value, Verdict.FAILED.value:
            return Change.STILL_FAILING
        case Verdict.PASSED.value, Verdict.PASSED.value:
            return Change.STILL_PASSING
    return Change.NOT_SEEN


def _unseen(a: str | None, b: str | None) -> str:
    seen = (Verdict.PASSED.value, Verdict.FAILED.value)
    said = [f"{verdict} in {name}" for verdict, name in ((a, "A"), (b, "B")) if verdict not in seen]
    return ", ".join(said)


def _outcome(episode: EpisodeOf, slots: Slots) -> str:
    rows = slots.get(episode.episode, {}).values()
    verdicts = {_verdict(episode, row) for row in rows}
    if Verdict.FAILED.value in verdicts or episode.status == Status.CRASHED.value:
        return Verdict.FAILED.value
    return Verdict.PASSED.value if verdicts == {Verdict.PASSED.value} else Verdict.UNOBSERVED.value
