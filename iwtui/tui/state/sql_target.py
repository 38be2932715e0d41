"""What a row of a result leads to: a run, an episode, an event of it, a slot. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from iwtui.bench.names import EpisodeName, parse_name
from iwtui.tui.state.shapes import judging_seq

READ = ("episode", "run", "case_id", "builder", "repeat", "attempt", "judging", "slot", "event", "seq", "evidence_event")
"""The columns that tell it."""

EVENTS = ("event", "seq", "evidence_event")


class Target(NamedTuple):
    """An episode, and what to show of it: the slot, or the event `seq` of its view. Without one: the metrics of the run."""

    run: str
    episode: EpisodeName | None = None
    judging: str = ""
    slot: int | None = None
    seq: int | None = None


class Sought(NamedTuple):
    """Columns of `attempts` and the values that the episode has in them."""

    where: tuple[tuple[str, str | int], ...]
    judging: str = ""
    slot: int | None = None
    seq: int | None = None


def target(row: Mapping[str, object]) -> Target | Sought | None:
    """What the row leads to. Sought: its episode has to be looked for by these. None: it names nothing.

    `row` holds those of READ that the result has, the first of each name.
    """
    slot, judging, run = _number(row.get("slot")), _text(row.get("judging")), _text(row.get("run"))
    number = next((number for name in EVENTS if (number := _number(row.get(name))) is not None), None)
    in_judging = bool(judging) or (_number(row.get("event")) is None and _number(row.get("evidence_event")) is not None)
    seq = None if number is None or slot is not None else judging_seq(number) if in_judging else number
    named = parse_name(_text(row.get("episode")))
    if named is not None:
        return Target(named.run, named, judging, slot, seq)
    if _text(row.get("case_id")):
        names = [name for name in ("run", "case_id", "builder", "repeat", "attempt") if row.get(name) is not None]
        return Sought(tuple((name, _plain(row[name])) for name in names), judging, slot, seq)
    return Target(run) if run else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _plain(value: object) -> str | int:
    return value if isinstance(value, int) else str(value)
