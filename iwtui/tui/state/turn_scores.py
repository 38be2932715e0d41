"""The score turn by turn in few characters: marks along the timeline, a curve, and how a slot came and went."""

from collections.abc import Sequence

from iwtui.bench.by_turn import TurnScore

BARS = "▁▂▃▄▅▆▇█"
MOST_BARS = 12
"""Turns in a curve, the last ones."""

NAMED = 3
"""Slots that are named; more are counted."""


def marks(scores: Sequence[TurnScore]) -> dict[int, str]:
    """What stands beside a turn that changed the site: `41 % +s2,s3 −s5`. Nothing while only one turn was judged."""
    if len(scores) < 2:
        return {}
    return {one.turn: _mark(one) for one in scores}


def curve(scores: Sequence[TurnScore]) -> str:
    """A bar for each turn that was judged; a gap where its score is unknown. Nothing while it is only one."""
    if len(scores) < 2:
        return ""
    return "".join(" " if one.tcr is None else BARS[round(one.tcr * (len(BARS) - 1))] for one in scores[-MOST_BARS:])


def history(scores: Sequence[TurnScore], slot: int) -> str:
    """`passes from turn 3, lost in turn 5`, or that it never passed; nothing while only one turn was judged."""
    if len(scores) < 2:
        return ""
    said = []
    for one in scores:
        said += [f"passes from turn {one.turn}"] if slot in one.gained else []
        said += [f"lost in turn {one.turn}"] if slot in one.lost else []
    return ", ".join(said) or "passed after no turn"


def _mark(one: TurnScore) -> str:
    return " ".join(filter(None, (_percent(one), _slots("+", one.gained), _slots("−", one.lost))))


def _percent(one: TurnScore) -> str:
    return "– %" if one.tcr is None else f"{100 * one.tcr:.0f} %"


def _slots(sign: str, slots: Sequence[int]) -> str:
    if not slots:
        return ""
    return f"{sign}{','.join(f's{slot}' for slot in slots)}" if len(slots) <= NAMED else f"{sign}{len(slots)} slots"
