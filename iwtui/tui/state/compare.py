"""A comparison as rows: the lists of slots and cases, and the differences by group. Pure; all text in it is data."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iwtui.analysis.compare import Comparison, Difference, Group, SideOf

APART = "apart"
LISTS = {
    "newly_failing": "newly failing",
    "newly_fixed": "newly fixed",
    "still_failing": "still failing",
    "not_seen": "not seen",
    "changed": "changed slots",
    APART: "apart",
}
"""The lists in their order, with their titles. Slots that pass still are counted only."""

ALWAYS = ("newly_failing", "newly_fixed", "still_failing", APART)
"""Lists that are there also when nothing is in them."""


@dataclass(frozen=True, slots=True)
class CompareLine:
    """A slot of a pair, or a case apart (`slot` is None). `a`, `b`: the verdicts, or how the episodes stand."""

    case: str
    slot: int | None
    what: str
    kind: str
    weight: float | None
    a: str
    b: str
    why: str
    episode_a: str | None
    episode_b: str | None


@dataclass(frozen=True, slots=True)
class Spread:
    """B − A with its interval, as far as they are known."""

    n: int
    a: float | None
    b: float | None
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """The differences of a group of pairs. Shares between -1 and 1."""

    group: str
    pairs: int
    tcr: Spread
    sr: Spread
    hr: Spread
    asked: Spread
    turns: Spread
    cost: Spread


def lists(found: "Comparison") -> dict[str, tuple[CompareLine, ...]]:
    """The lists that are shown, by their names."""
    filled: dict[str, list[CompareLine]] = {name: [] for name in LISTS}
    for slot in found.slots:
        if slot.change.value in filled:
            filled[slot.change.value].append(
                CompareLine(
                    case=_case(slot.case_id, slot.repeat, slot.builder if found.by_builder else ""),
                    slot=slot.slot,
                    what=f"{slot.component}: {slot.expected}",
                    kind=slot.kind,
                    weight=slot.weight,
                    a=slot.verdict_a or "",
                    b=slot.verdict_b or "",
                    why=slot.why or slot.reason_b,
                    episode_a=slot.episode_a,
                    episode_b=slot.episode_b,
                )
            )
    for apart in found.apart:
        case = _case(apart.case_id, apart.repeat, apart.builder)
        line = CompareLine(
            case, None, "", "", None, apart.status_a, apart.status_b, apart.why, apart.episode_a, apart.episode_b
        )
        filled[APART].append(line)
    return {name: tuple(lines) for name, lines in filled.items() if lines or name in ALWAYS}


def differences(found: "Comparison") -> tuple[DifferenceLine, ...]:
    """All pairs first, then each group."""
    return tuple(_line(group) for group in found.groups)


def side(name: str, of: "SideOf") -> str:
    """Who a side is, on one line."""
    played = "" if not of.scripted else " · scripted" if of.scripted == of.episodes else " · partly scripted"
    judged = f" · judged by {', '.join(of.judges)}" if of.judges else ""
    return f"{name}  {of.asked} · {', '.join(of.builders)}{played}{judged}"


def still_passing(found: "Comparison") -> int:
    """Slots that passed on both sides."""
    return sum(slot.change.value == "still_passing" for slot in found.slots)


def _case(case_id: str, repeat: int, builder: str) -> str:
    return " ".join(filter(None, (case_id, f"r{repeat}" if repeat > 1 else "", builder)))


def _line(group: "Group") -> DifferenceLine:
    named = " ".join("unknown" if value is None else str(value) for value in group.group.values())
    found = group.differences
    shown = (_spread(found[measure]) for measure in ("tcr", "sr", "hr", "asked", "turns", "cost"))
    return DifferenceLine(named or "all pairs", group.pairs, *shown)


def _spread(found: "Difference") -> Spread:
    return Spread(found.n, found.a, found.b, found.difference, found.low, found.high)
