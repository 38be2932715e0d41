"""Which episode of one side is compared with which of the other, and which stand apart."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import polars as pl

from iwtui.analysis.compare_sides import ComparisonError
from iwtui.bench.status import Status

MISSING = "missing"
"""Said of a side that has no episode of a case."""

Key = tuple[str, int, str]
"""Case, repeat, and the builder where the sides are paired by builder, else nothing."""

PLAYED = (Status.SCORED.value, Status.CRASHED.value)
"""Statuses of an episode whose slots are known."""


class EpisodeOf(msgspec.Struct, frozen=True):
    """One episode of a side with what it brings to the means under the policy (None: nothing, or unknown).

    tcr, tcr_clean, sr and hr lie between 0 and 1; `asked` is 1 when it asked the client; `cost` is in US dollars, None when
    a call had no known price. `judge`: the primary judge, with its model where it has one.
    """

    episode: str
    run: str
    builder: str
    status: str
    counts: bool
    judge: str | None
    scripted: bool
    tcr: float | None
    tcr_clean: float | None
    sr: float | None
    hr: float | None
    asked: float | None
    turns: float | None
    cost: float | None


class Pair(msgspec.Struct, frozen=True):
    """Two episodes of one case and repeat; `group` holds what figures can be grouped by."""

    case_id: str
    repeat: int
    seed: str
    group: Mapping[str, object]
    a: EpisodeOf
    b: EpisodeOf


class Apart(msgspec.Struct, frozen=True):
    """A case whose slots are not compared. `status_a`, `status_b`: `missing`, or how that side's episode ended.

    `why`: the statuses that keep it apart, as `infra in B`, and whether the policy counts it in the differences.
    """

    case_id: str
    repeat: int
    builder: str
    persona: str
    difficulty: str
    status_a: str
    status_b: str
    episode_a: str | None
    episode_b: str | None
    why: str


class Paired(msgspec.Struct, frozen=True):
    """The pairs in the order of their cases, and what stands apart. `by_builder`: builders were paired by their names."""

    pairs: tuple[Pair, ...]
    apart: tuple[Apart, ...]
    by_builder: bool


CASE_GROUPS = "persona difficulty seed case_id pack language application_type category repeat builder".split()
"""What a pair can be grouped by; `builder` only where the sides are paired by builder."""


def pair_up(a: pl.DataFrame, b: pl.DataFrame) -> Paired:
    """Pairs of two sides that went through `policy.under`, by case and repeat.

    Where each side has one builder, these are compared; where one has several, equal names are. An episode without a partner
    stands apart, and so does one that does not count under the policy. One that counts though it was not played to its
    end, as 0 under a strict policy, makes a pair and stands apart too. Raises ComparisonError.
    """
    by_builder = _by_builder(a, b)
    rows_a, rows_b = _rows(a, by_builder, "A"), _rows(b, by_builder, "B")
    pairs, apart = [], []
    for key in sorted(rows_a.keys() | rows_b.keys()):
        row_a, row_b = rows_a.get(key), rows_b.get(key)
        counts = bool(row_a and row_b and row_a["counts"] and row_b["counts"])
        if row_a and row_b and counts:
            pairs.append(_pair(key, row_a, row_b))
        if not counts or not all(row and row["status"] in PLAYED for row in (row_a, row_b)):
            apart.append(_apart(key, row_a, row_b, counts))
    return Paired(tuple(pairs), tuple(apart), by_builder)


def _by_builder(a: pl.DataFrame, b: pl.DataFrame) -> bool:
    names_a, names_b = set(a["builder"].drop_nulls()), set(b["builder"].drop_nulls())
    if len(names_a) <= 1 and len(names_b) <= 1:
        return False
    if names_a and names_b and not names_a & names_b:
        raise ComparisonError(
            f"A has the builders {_listed(names_a)}, B has {_listed(names_b)}: none is on both sides. "
            "Give one of each: 'run:NAME builder:NAME'."
        )
    return True


def _listed(names: set[str]) -> str:
    shown = sorted(names)
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")


def _rows(side: pl.DataFrame, by_builder: bool, name: str) -> dict[Key, dict[str, Any]]:
    rows: dict[Key, dict[str, Any]] = {}
    for row in side.iter_rows(named=True):
        key = (row["case_id"] or "", row["repeat"] or 0, (row["builder"] or "") if by_builder else "")
        if key in rows:
            raise ComparisonError(
                f"{name} has several episodes of case {key[0]}, repeat {key[1]}: "
                f"{rows[key]['episode']} and {row['episode']}. "
                "Name one run with `run:`."
            )
        rows[key] = row
    return rows


def _pair(key: Key, a: dict[str, Any], b: dict[str, Any]) -> Pair:
    group = {name: a[name] if a[name] is not None else b[name] for name in CASE_GROUPS}
    return Pair(key[0], key[1], group["seed"] or key[0], group, _episode(a), _episode(b))


def _episode(row: dict[str, Any]) -> EpisodeOf:
    model = row["judge_model"]
    return EpisodeOf(
        episode=row["episode"],
        run=row["run"],
        builder=row["builder"] or "",
        status=row["status"],
        counts=row["counts"],
        judge=f"{row['judge']} ({model})" if row["judge"] and model else row["judge"],
        scripted=bool(row["scripted"]),
        tcr=row["tcr"],
        tcr_clean=row["tcr_clean"],
        sr=row["sr"],
        hr=row["hr"],
        asked=None if row["clarifies"] is None else float(row["clarifies"] > 0),
        turns=row["turns"],
        cost=None if row["unpriced_calls"] else row["cost"],
    )


def _apart(key: Key, a: dict[str, Any] | None, b: dict[str, Any] | None, counts: bool) -> Apart:
    one = a or b
    assert one
    statuses = (_status(a), _status(b))
    kept = [
        f"{status} in {name}"
        for status, row, name in zip(statuses, (a, b), ("A", "B"), strict=True)
        if row is None or not row["counts"] or status not in PLAYED
    ]
    return Apart(
        case_id=key[0],
        repeat=key[1],
        builder=key[2],
        persona=one["persona"] or "",
        difficulty=one["difficulty"] or "",
        status_a=statuses[0],
        status_b=statuses[1],
        episode_a=a["episode"] if a else None,
        episode_b=b["episode"] if b else None,
        why=", ".join(kept) + (" (counts as 0)" if counts else ""),
    )


def _status(row: dict[str, Any] | None) -> str:
    return MISSING if row is None else str(row["status"])


def judges(pairs: Sequence[Pair], side: str) -> tuple[str, ...]:
    """The judges of a side (`a` or `b`)."""
    return tuple(sorted({judge for pair in pairs if (judge := getattr(pair, side).judge)}))
