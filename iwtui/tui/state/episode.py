"""An episode as the console shows it: one state object for live, watched and stored ones, fed with events.

The timeline is the episode's events and then those of the shown judging; the cursor stands on one of them, and everything
else is told as it was after that event. While it follows, the cursor keeps to the end; it stops when the reader moves away.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import msgspec

from iwtui.bench.case import Case
from iwtui.bench.events import FileChange, Record
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.tui.state.episode_logs import EpisodeLogs
from iwtui.tui.state.files import Workspace, workspace
from iwtui.tui.state.header import header
from iwtui.tui.state.joined import Joined
from iwtui.tui.state.logs import Log
from iwtui.tui.state.shapes import JUDGING_FROM, FileEntry, Header, Picture, Row
from iwtui.tui.state.turn_scores import curve, marks


class EpisodeView(EpisodeLogs):
    """Feed it, move it, read it. `seq` is the view's own name of an event (see `shapes`)."""

    def __init__(self, case: Case | None, primary_judge: str = "checks", primary_model: str | None = None) -> None:
        self.following = True
        super().__init__(case, primary_judge, primary_model)

    def clear(self) -> None:
        """Forget all events: another log stands where they came from."""
        self._at = -1
        self._seen = 0
        super().clear()

    def _fed(self) -> None:
        super()._fed()
        if self.following:
            self.end()
        elif self._at < 0 and len(self.rows):
            self._at = self.rows[0].seq
            self._seen = len(self.rows)
        self._seen = min(self._seen, len(self.rows))

    # Moving.

    @property
    def cursor(self) -> int:
        """The seq of the event under the cursor, -1 before the first."""
        return self._at

    @property
    def index(self) -> int:
        """The place of the cursor among the rows, -1 before the first."""
        return self._index_of(self._at)

    @property
    def new(self) -> int:
        """How many events came in since it stopped following, and were not reached yet."""
        return 0 if self.following else len(self.rows) - self._seen

    def follow(self, on: bool) -> bool:
        """Keep to the end from now on, or stay. Whether the cursor moved."""
        if on:
            return self.end()
        if self.following:
            self._stay()
        return False

    def end(self) -> bool:
        """To the newest event, and follow. Whether the cursor moved."""
        before = self._at
        self.following = True
        self._at = self.rows[-1].seq if len(self.rows) else -1
        return self._at != before

    def go(self, seq: int) -> bool:
        """To an event, or the last one before it. Whether the cursor moved."""
        return self._to(self._index_of(seq))

    def move(self, delta: int) -> bool:
        """So many events on or back; onto the last one it follows again. Whether the cursor moved."""
        moved = self._to(self.index + delta)
        if delta > 0 and self.index == len(self.rows) - 1:
            self.end()
        return moved

    def move_turn(self, delta: int) -> bool:
        """So many beginnings of turns on or back, in a judging of slots; past the last of them to the end."""
        stops = self._joined_indexes(self._episode.stops, self._shown.stops)
        place = bisect_right(stops, self.index) - 1 + delta if delta > 0 else bisect_left(stops, self.index) + delta
        if place >= len(stops):
            return self.move(len(self.rows))
        return self._to(stops[place] if place >= 0 else 0)

    def next_failure(self, delta: int = 1) -> int | None:
        """To the next failure (-1: the one before), if there is one: its seq, else None."""
        return self.seek(
            [self.rows[i].seq for i in self._joined_indexes(self._episode.failures, self._shown.failures)], delta
        )

    def seek(self, seqs: Sequence[int], delta: int = 1) -> int | None:
        """To the next of some events in order (-1: the one before), if there is one: its seq, else None."""
        place = bisect_right(seqs, self._at) - 1 + delta if delta > 0 else bisect_left(seqs, self._at) + delta
        if not 0 <= place < len(seqs):
            return None
        self.go(seqs[place])
        return seqs[place]

    def _to(self, index: int) -> bool:
        rows = self.rows
        if not len(rows):
            return False
        at = rows[min(max(index, 0), len(rows) - 1)].seq
        if at == self._at:
            return False
        if self.following:
            self._stay()
        self._at = at
        self._seen = max(self._seen, self.index + 1)
        return True

    def _stay(self) -> None:
        self.following = False
        self._seen = len(self.rows)

    def _index_of(self, seq: int) -> int:
        if seq >= JUDGING_FROM:
            return len(self._episode.rows) + bisect_right(self._shown.seqs, seq) - 1
        return bisect_right(self._episode.seqs, seq) - 1

    # Reading, all of it as of the cursor unless it says otherwise.

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        index = self.index
        return self.rows[index] if index >= 0 else None

    @property
    def record(self) -> Record | None:
        """The event under the cursor."""
        index = self.index
        return Joined(self._episode.track.records, self._shown.track.records)[index] if index >= 0 else None

    @property
    def state(self) -> EpisodeState:
        """The episode."""
        return self._episode.track.at(min(self.index, len(self._episode.rows) - 1))

    @property
    def block_index(self) -> int:
        """The place of the last thing said, -1 before the first."""
        return bisect_right(self._blocks, self._at, key=lambda block: block.seq) - 1

    @property
    def workspace(self) -> Workspace:
        """The files, and where each was before the last change."""
        return workspace(self.state)

    @property
    def files(self) -> Sequence[FileEntry]:
        """The files by path; those deleted by the last change are among them."""
        return self.workspace.files

    @property
    def changes(self) -> Sequence[FileChange]:
        """What the turn changed, () unless it did."""
        turn = self.state.turns[-1] if self.state.turns else None
        return turn.files.changes if turn and turn.files else ()

    @property
    def picture(self) -> Picture | None:
        """The newest picture."""
        log, newest = self._newest_picture()
        return log.pictures.at(newest) if newest >= 0 else None

    @property
    def pictures(self) -> Sequence[Picture]:
        """All pictures of that picture's turn, in a judging of its slot, later ones too."""
        log, newest = self._newest_picture()
        return log.pictures.group(newest) if newest >= 0 else ()

    @property
    def picture_place(self) -> tuple[int, int]:
        """Which of those pictures (from 1) of how many it is; (0, 0) when there is none."""
        log, newest = self._newest_picture()
        if newest < 0:
            return 0, 0
        first, end = log.pictures.span(newest)
        return newest - first + 1, end - first

    @property
    def header(self) -> Header:
        """Who and what, and where the cursor stands; the score is the shown judging's."""
        row = self.row
        where = (row.turn if row else 0, self.index + 1, len(self.rows))
        told = header(self.case, self.latest, self.judging, self._shown_name, where, in_judging=bool(row and row.judging))
        return msgspec.structs.replace(told, curve=curve(self.by_turn))

    @property
    def turn_marks(self) -> dict[int, str]:
        """What is to be said beside the turns that changed the site, of all by now."""
        return marks(self.by_turn)

    def _newest_picture(self) -> tuple[Log[EpisodeState] | Log[JudgingState], int]:
        newest = self._shown.pictures.newest(self._at)
        return (self._shown, newest) if newest >= 0 else (self._episode, self._episode.pictures.newest(self._at))
