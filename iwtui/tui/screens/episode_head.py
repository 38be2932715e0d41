"""The line over an episode's panes: who, what, where the cursor stands, how it went. Parts that do not fit are left out."""

from dataclasses import dataclass

from textual.content import Content

from iwtui.bench.status import Status
from iwtui.tui.look import STATUSES
from iwtui.tui.state.shapes import Header
from iwtui.tui.text import safe_line

LONGEST_NAME, MOST_DOING = 48, 44
"""Characters."""


@dataclass(frozen=True)
class Watching:
    """What is not in the events. `playing`: events a second, 0 at rest. `broken`: the runner is gone.

    `doing`: what the episode does right now, in words of others; `waits`: a model keeps it waiting. `found`: which match of
    how many. `note`: said until the cursor moves.
    """

    following: bool = False
    new: int = 0
    playing: float = 0.0
    found: str = ""
    broken: bool = False
    doing: str = ""
    waits: bool = False
    note: str = ""


def head_line(header: Header, watching: Watching, width: int) -> Content:
    """The line, `width` cells wide."""
    right = _result(header, watching)
    left: list[tuple[int, Content]] = [
        (0, safe_line(header.case_id, LONGEST_NAME, "bold")),
        (4, safe_line(header.builder, LONGEST_NAME)),
        (5, safe_line(header.difficulty, 20, "$dim")),
        (7, Content.styled("scripted" if header.scripted else "", "$dim")),
        (6, _attempt(header)),
        (2, _turn(header)),
        (3, _place("event", header.event, header.events)),
        (1, _going(watching)),
    ]
    parts = [(rank, part) for rank, part in left if part.plain]
    while len(parts) > 1 and _joined(parts).cell_length + right.cell_length + 2 > width:
        parts.remove(max(parts, key=lambda ranked: ranked[0]))
    joined = _joined(parts)
    gap = width - joined.cell_length - right.cell_length
    if gap < 1:
        return Content.assemble(joined.truncate(max(0, width - right.cell_length - 1), ellipsis=True), " ", right)
    return Content.assemble(joined, " " * gap, right)


def _joined(parts: list[tuple[int, Content]]) -> Content:
    return Content.styled(" · ", "$dim").join([part for _, part in parts])


def _place(word: str, at: int, of: int) -> Content:
    return Content.assemble((f"{word} ", "$dim"), f"{at}/{of}")


def _turn(header: Header) -> Content:
    if header.in_judging:
        return Content.styled("judging", "$who-judge")
    return _place("turn", header.turn, header.limit or header.turns)


def _attempt(header: Header) -> Content:
    said = [f"repeat {header.repeat}"] if header.repeat > 1 else []
    said += [f"attempt {header.attempt}"] if header.attempt > 1 else []
    return Content.styled(", ".join(said), "$dim")


def _going(watching: Watching) -> Content:
    if watching.found:
        return safe_line(watching.found, 40, "$accent")
    if watching.playing:
        return Content.styled(f"▶ {watching.playing:g}/s", "$accent")
    if watching.new:
        return Content.styled(f"{watching.new} new ↓", "$accent")
    if watching.note:
        return safe_line(watching.note, 40, "$dim")
    return Content.styled("following" if watching.following else "", "$accent")


def _result(header: Header, watching: Watching) -> Content:
    look = STATUSES[header.status.value]
    if header.status is Status.RUNNING:
        if watching.broken:
            return Content.styled("! broken off", STATUSES["infra"].style)
        return Content.assemble(
            look.worded(),
            "  " if watching.doing else "",
            safe_line(watching.doing, 44, "$warning" if watching.waits else "$dim"),
        )
    tcr = "—" if header.score.tcr is None else f"{100 * header.score.tcr:.1f} %"
    return Content.assemble(look.worded(), ("  TCR ", "$dim"), (tcr, "bold"), (f"  {header.curve}".rstrip(), "$accent"))
