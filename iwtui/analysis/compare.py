"""Is B better than A? Slots and episodes that changed, the paired difference with its interval, and what stands apart."""

from collections.abc import Sequence

import msgspec
import numpy as np
import polars as pl

from iwtui.analysis.compare_pairs import CASE_GROUPS, Apart, EpisodeOf, Pair, judges, pair_up
from iwtui.analysis.compare_sides import Asked, ComparisonError, load_side
from iwtui.analysis.compare_slots import (
    Change,
    EpisodeChange,
    KindCount,
    SlotChange,
    by_kind,
    episode_changes,
    load_slots,
    slot_changes,
)
from iwtui.analysis.means import intervals
from iwtui.analysis.policy import Policy
from iwtui.archive.index import Index
from iwtui.archive.store import Store

MEASURES = ("tcr", "tcr_clean", "sr", "hr", "asked", "turns", "cost")
"""What is subtracted. Shares lie between 0 and 1; turns a turn, cost in US dollars an episode."""

DEFAULT_BY = ("persona", "difficulty")


class Difference(msgspec.Struct, frozen=True):
    """The mean of B − A over the `n` pairs of which both values are known; `low` to `high` is its 95 % interval.

    The interval is a bootstrap that draws whole seeds; None with fewer than two. `a`, `b`: the means of these same pairs.
    """

    n: int
    a: float | None
    b: float | None
    difference: float | None
    low: float | None
    high: float | None


class Group(msgspec.Struct, frozen=True):
    """The differences of one group of pairs, by measure; `group` is empty for all pairs."""

    group: dict[str, object]
    pairs: int
    differences: dict[str, Difference]


class SideOf(msgspec.Struct, frozen=True):
    """A side: as asked for, its runs, builders and judges, and its episodes, of which so many were played by scripts."""

    asked: str
    runs: tuple[str, ...]
    builders: tuple[str, ...]
    judges: tuple[str, ...]
    episodes: int
    scripted: int


class Comparison(msgspec.Struct, frozen=True):
    """Two sides. `groups`: all pairs first. `warnings`: what makes them hard to compare, in words."""

    a: SideOf
    b: SideOf
    policy: str
    by: tuple[str, ...]
    by_builder: bool
    pairs: int
    groups: tuple[Group, ...]
    slots: tuple[SlotChange, ...]
    episodes: tuple[EpisodeChange, ...]
    kinds: tuple[KindCount, ...]
    apart: tuple[Apart, ...]
    warnings: tuple[str, ...]

    def of(self, change: Change) -> tuple[SlotChange, ...]:
        """The slots with this change."""
        return tuple(slot for slot in self.slots if slot.change is change)


def compare(
    index: Index,
    store: Store,
    a: Asked,
    b: Asked,
    by: Sequence[str] = DEFAULT_BY,
    policy: Policy = Policy.DEFAULT,
) -> Comparison:
    """Compare two sides under a policy. Raises ComparisonError, IndexBusyError, IndexFaultError."""
    frame_a, frame_b = (load_side(index, store, side, policy) for side in (a, b))
    for name, side, frame in (("A", a, frame_a), ("B", b, frame_b)):
        if frame.is_empty():
            raise ComparisonError(f"{name} has no episode: {side.text!r} fits none")
    paired = pair_up(frame_a, frame_b)
    allowed = [name for name in CASE_GROUPS if paired.by_builder or name != "builder"]
    for name in by:
        if name not in allowed:
            raise ComparisonError(f"pairs cannot be grouped by {name!r}; choose among {', '.join(allowed)}")
    slots = load_slots(index, paired.pairs)
    changes = slot_changes(paired.pairs, slots)
    side_a, side_b = _side(a, frame_a, judges(paired.pairs, "a")), _side(b, frame_b, judges(paired.pairs, "b"))
    return Comparison(
        a=side_a,
        b=side_b,
        policy=policy.value,
        by=tuple(by),
        by_builder=paired.by_builder,
        pairs=len(paired.pairs),
        groups=tuple(differences(paired.pairs, by)),
        slots=tuple(changes),
        episodes=tuple(episode_changes(paired.pairs, slots)),
        kinds=tuple(by_kind(changes)),
        apart=paired.apart,
        warnings=tuple(_warnings(side_a, side_b, paired.pairs, changes)),
    )


def differences(pairs: Sequence[Pair], by: Sequence[str]) -> list[Group]:
    """The paired differences of all pairs, then of each group in the order of its values."""
    grouped: dict[tuple[object, ...], list[Pair]] = {}
    for pair in pairs:
        grouped.setdefault(tuple(pair.group[name] for name in by), []).append(pair)
    groups = [_group({}, pairs)]
    if by:
        keys = sorted(grouped, key=lambda key: [_place(value) for value in key])
        groups += [_group(dict(zip(by, key, strict=True)), grouped[key]) for key in keys]
    return groups


def _group(group: dict[str, object], pairs: Sequence[Pair]) -> Group:
    return Group(group, len(pairs), {measure: _difference(pairs, measure) for measure in MEASURES})


def _difference(pairs: Sequence[Pair], measure: str) -> Difference:
    known = [
        (pair.seed, float(a), float(b))
        for pair in pairs
        if (a := getattr(pair.a, measure)) is not None and (b := getattr(pair.b, measure)) is not None
    ]
    frame = pl.DataFrame(known, schema={"seed": pl.String, "a": pl.Float64, "b": pl.Float64}, orient="row")
    change = frame["b"] - frame["a"]
    return Difference(len(frame), _mean(frame["a"]), _mean(frame["b"]), _mean(change), *_interval(change, frame["seed"]))


def _interval(values: pl.Series, seeds: pl.Series) -> tuple[float | None, float | None]:
    """The 95 % interval of the mean, by a bootstrap that draws whole seeds."""
    totals = values.to_numpy().reshape(-1, 1)
    alike = np.zeros(len(values), dtype=np.int64)
    clusters = seeds.rank("dense").to_numpy().astype(np.int64)
    return intervals(alike, clusters, totals, np.ones_like(totals)).get((0, 0), (None, None))


def _mean(values: pl.Series) -> float | None:
    mean = values.mean()
    return mean if isinstance(mean, float) else None


def _place(value: object) -> tuple[int, float, str]:
    if value is None:
        return (2, 0, "")
    if isinstance(value, int | float):
        return (0, float(value), "")
    return (1, {"easy": 0, "middle": 1, "hard": 2}.get(str(value), 0), str(value))


def _side(asked: Asked, frame: pl.DataFrame, by: tuple[str, ...]) -> SideOf:
    return SideOf(
        asked=asked.text,
        runs=tuple(sorted(set(frame["run"]))),
        builders=tuple(sorted(set(frame["builder"].drop_nulls()))),
        judges=by,
        episodes=len(frame),
        scripted=int(frame["scripted"].sum()),
    )


def _warnings(a: SideOf, b: SideOf, pairs: Sequence[Pair], changes: Sequence[SlotChange]) -> list[str]:
    said = []
    other = sum(_judged_otherwise(pair.a, pair.b) for pair in pairs)
    if other:
        names = f"A by {', '.join(a.judges) or 'none'}; B by {', '.join(b.judges) or 'none'}"
        said.append(f"THE JUDGES DIFFER in {other} of {len(pairs)} pairs ({names}): a flipped slot may be the judge's doing")
    changed = sum(change.change is Change.CHANGED for change in changes)
    if changed:
        said.append(f"{changed} slots are not the same on both sides, and stand apart; TCR is over each side's own slots")
    said += scripted([(name, side.scripted, side.episodes) for name, side in (("A", a), ("B", b))])
    if not pairs:
        said.append("no pair: no case was played to its end on both sides")
    return said


def scripted(sides: Sequence[tuple[str, int, int]]) -> list[str]:
    """Which sides were played by scripts, on one line if any was: (name, scripted episodes, all of them) each."""
    parts = [name if some == whole else f"{some} of {whole} episodes of {name}" for name, some, whole in sides if some]
    return [f"played by scripts, not by models: {' and '.join(parts)}"] if parts else []


def _judged_otherwise(a: EpisodeOf, b: EpisodeOf) -> bool:
    return a.judge is not None and b.judge is not None and a.judge != b.judge
