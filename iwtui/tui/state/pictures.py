"""The pictures of an episode and of a judging, in the groups that the console pages through."""

from bisect import bisect_right

from iwtui.bench.events import Blob, BrowserStepped, Record, SiteProbed, TurnStarted, Verified
from iwtui.bench.text import one_line
from iwtui.tui.state.shapes import Picture, judging_seq

_Pictured = TurnStarted | SiteProbed | BrowserStepped | Verified


class Pictures:
    """Pictures in their order, described when asked for. A group is a turn, in a judging a slot.

    What a resume took back is a group apart from what was played anew.
    """

    def __init__(self, *, judging: bool) -> None:
        self._judging = judging
        self._records: list[Record] = []
        self._seqs: list[int] = []
        self._groups: list[tuple[int, int | None]] = []
        self._last: Blob | None = None

    def add(self, record: Record, resumes: int) -> None:
        """Take the picture of an event, if it has one of its own."""
        event = record.event
        if not isinstance(event, _Pictured) or event.picture is None:
            return
        if isinstance(event, TurnStarted | Verified) and event.picture == self._last:
            return  # shown once more to the builder, or as the audit's last
        self._last = event.picture
        self._records.append(record)
        self._seqs.append(judging_seq(record.seq) if self._judging else record.seq)
        slot = event.slot if isinstance(event, BrowserStepped) else None
        self._groups.append((resumes, slot if self._judging else record.turn))

    def newest(self, seq: int) -> int:
        """The index of the newest picture not after an event, -1 if there is none."""
        return bisect_right(self._seqs, seq) - 1

    def at(self, index: int) -> Picture:
        """The picture at an index."""
        return _picture(self._records[index], self._seqs[index], judging=self._judging)

    def group(self, index: int) -> list[Picture]:
        """The pictures that stand together with one."""
        first, end = self.span(index)
        return [self.at(place) for place in range(first, end)]

    def span(self, index: int) -> tuple[int, int]:
        """The indexes of that group, from the first to the one after the last; quick, unlike describing them all."""
        first, end = index, index + 1
        while first > 0 and self._groups[first - 1] == self._groups[index]:
            first -= 1
        while end < len(self._groups) and self._groups[end] == self._groups[index]:
            end += 1
        return first, end


def _picture(record: Record, seq: int, *, judging: bool) -> Picture:
    event = record.event
    assert isinstance(event, _Pictured) and event.picture is not None
    where = "judging" if judging else f"turn {record.turn}"
    match event:
        case BrowserStepped():
            slot = event.slot if judging else None
            did = f"{event.action} {event.target}".strip()
            part = f"slot {slot}, step {event.step}" if slot is not None else f"{event.phase} step {event.step}"
            caption = one_line(f"{where}, {part}: {did}", 120)
            url = one_line(event.url)
            return Picture(seq, record.turn, event.picture, caption, event.marks, event.marks_count, url, slot)
        case SiteProbed():
            caption = one_line(f"{where}, {event.phase}: “{event.title}”", 120)
            return Picture(seq, record.turn, event.picture, caption, url=one_line(event.url))
        case Verified():
            return Picture(seq, record.turn, event.picture, one_line(f"{where}, audit: {event.status}", 120))
        case TurnStarted():
            return Picture(seq, record.turn, event.picture, f"{where}, shown to the builder")
