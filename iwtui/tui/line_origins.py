"""Which turn wrote a line: the file's states followed back from the newest, each compared with the one before. Pure."""

from collections.abc import Sequence

from iwtui.bench.events import Blob
from iwtui.bench.fold import EpisodeState
from iwtui.tui.widgets.diffing import diff


def states_of(state: EpisodeState, path: str) -> list[tuple[int, Blob]]:
    """The turns that wrote a file since it was created last, oldest first, and what it was then."""
    found: list[tuple[int, Blob]] = []
    for turn in state.turns:
        for change in turn.files.changes if turn.files else ():
            if change.path == path:
                found = [*found, (turn.number, change.blob)] if change.blob else []
    return found


def written_by(states: Sequence[tuple[int, list[str]]], line: int) -> int | None:
    """The turn that wrote a line (0-based) of the last state; None when there is no such line.

    `states`: a turn and the file's lines after it, oldest first. A line that was moved counts as written where it stands.
    """
    if not states or not 0 <= line < len(states[-1][1]):
        return None
    for at in range(len(states) - 1, 0, -1):
        rows = diff(states[at - 1][1], states[at][1])
        before = next(row.old for row in rows if row.new == line)
        if before is None:
            return states[at][0]
        line = before
    return states[0][0]
