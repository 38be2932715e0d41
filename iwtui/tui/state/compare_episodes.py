"""Two episodes side by side, in lines of text. Pure; the text is data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from iwtui.tui.state.compare import CompareLine
from iwtui.tui.state.shapes import FileEntry
from iwtui.tui.state.words import counted

if TYPE_CHECKING:
    from iwtui.analysis.compare_episodes import Divergence, FileDifference, Moment


def slot_lines(line: CompareLine | None) -> list[str]:
    """The slot that led here, with its two verdicts."""
    if line is None or line.slot is None:
        return []
    return [f"slot {line.slot} {line.what}: {line.a or 'none'} in A, {line.b or 'none'} in B"]


def parting(found: "Divergence | None") -> list[str]:
    """Where the two part."""
    if found is None:
        return ["The two did the same from beginning to end."]
    head = f"They part after {counted(found.equal, 'step')} in common, by {', '.join(found.differs)}:"
    return [head, f"  A {_moment(found.a)}", f"  B {_moment(found.b)}"]


def file_entries(files: "Sequence[FileDifference]", counts: dict[str, tuple[int, int]]) -> tuple[FileEntry, ...]:
    """The files that differ, as a pane of code takes them. `counts`: lines added and removed, by path."""
    return tuple(FileEntry(file.path, file.blob_b, file.size_b, file.op, *counts.get(file.path, (0, 0))) for file in files)


def _moment(moment: "Moment | None") -> str:
    if moment is None:
        return "was over"
    where = "judging event" if moment.judging else "event"
    return f"turn {moment.turn}, {where} {moment.seq}: {moment.told}"
