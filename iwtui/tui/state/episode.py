"""An episode as the console shows it: one state object for live, watched and stored ones, fed with events.

The timeline is the episode's events and then those of the shown judging; the cursor stands on one of them, and everything
else is told as it was after that event. While it follows, the cursor keeps to the end; it stops when the reader moves away.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from iwtui.archive.choosing import primary_judging
from iwtui.archive.run_folder import as_pass
from iwtui.bench.case import Case
from iwtui.bench.events import Blob, EpisodeResumed, FileChange, Record
from iwtui.bench.fold import EpisodeState, JudgingState, step, step_judging
from iwtui.tui.state.dialogue import block_of, filled_in
from iwtui.tui.state.files import Workspace, workspace
from iwtui.tui.state.header import header
from iwtui.tui.state.joined import Joined
from iwtui.tui.state.logs import Log
from iwtui.tui.state.shapes import JUDGING_FROM, Block, FileEntry, Header, Picture, Row, SlotView
from iwtui.tui.state.slots import slot_views
from iwtui.tui.state.texts import Texts


class EpisodeView:
    """Feed it, move it, read it. `seq` is the view's own name of an event (see `shapes`).

    `case` is None when the run's own copy of it is lost. `primary_judge`: the judge whose latest judging is shown.
    `generation` grows when something else than the end of a sequence changed: what was kept of rows and blocks is void.
    """

    def __init__(self, case: Case | None, primary_judge: str = "checks") -> None:
        self.case = case
        self.generation = 0
        self.following = True
        self._primary_judge = primary_judge
        self._chosen: str | None = None
        self.clear()

    # Feeding.

    def clear(self) -> None:
        """Forget all events: another log stands where they came from."""
        self._texts = Texts()
        self._episode: Log[EpisodeState] = Log(EpisodeState(), step)
        self._judgings: dict[str, Log[JudgingState]] = {}
        self._blocks: list[Block] = []
        self._shown_name = ""
        self._shown = self._no_judging()
        self._at = -1
        self._seen = 0
        self._slots: tuple[SlotView, ...] | None = None
        self.generation += 1

    def feed(self, records: Iterable[Record]) -> None:
        """The next events of the episode's log. Those that are here already are passed over."""
        for record in records:
            before = self._episode.track.latest
            if not self._episode.append(record):
                continue
            if isinstance(record.event, EpisodeResumed):
                self._discard(record.event.discards_from)
            block = block_of(record, before, self._texts)
            if block:
                self._blocks.append(block)
        self._fed()

    def feed_judging(self, judging: str, records: Iterable[Record]) -> None:
        """The next events of a judging's log, by the judging's name."""
        log = self._judgings.get(judging)
        if log is None:
            log = self._judgings[judging] = self._no_judging()
        for record in records:
            log.append(record)
        self._choose()

    def clear_judging(self, judging: str) -> None:
        """Forget the events of a judging: another log stands where they came from."""
        if self._judgings.pop(judging, None) is self._shown:
            self._shown_name = ""
            self._shown = self._no_judging()
            self.generation += 1
        self._choose()

    def show_judging(self, judging: str | None) -> None:
        """Show this judging from now on; None: the primary one."""
        self._chosen = judging
        self._choose()

    def wanted(self, limit: int = 200) -> list[Blob]:
        """Blobs of texts and files to be read and given to `supply`, so many at a time; none when no more are kept."""
        named = self._episode.words.named(self._episode.track.records)
        named += self._shown.words.named(self._shown.track.records)
        return self._texts.wanted(named)[:limit]

    def supply(self, texts: Mapping[Blob, str]) -> None:
        """Whole texts by their blobs, for the dialogue and for `find`; an empty one for what cannot be read."""
        self._texts.supply(texts)
        for position, block in enumerate(self._blocks):
            if block.blob in texts or block.reasoning_blob in texts:
                index = bisect_left(self._episode.seqs, block.seq)
                record, before = self._episode.track.records[index], self._episode.track.at(index - 1)
                self._blocks[position] = filled_in(block, record, before, self._texts)
                self.generation += 1
        self._slots = None

    def _no_judging(self) -> Log[JudgingState]:
        return Log(JudgingState(), step_judging, judging=True)

    def _choose(self) -> None:
        name = self._chosen if self._chosen in self._judgings else self._primary()
        if name is not None and name != self._shown_name:
            self._shown_name = name
            self._shown = self._judgings[name]
            self.generation += 1
        self._fed()

    def _primary(self) -> str | None:
        passes = [as_pass(name, log.track.latest) for name, log in self._judgings.items()]
        return primary_judging(passes, self._primary_judge)

    def _discard(self, first: int) -> None:
        self._episode.discard(first)
        for position in range(len(self._blocks) - 1, -1, -1):
            if self._blocks[position].seq < first:
                break
            self._blocks[position] = msgspec.structs.replace(self._blocks[position], discarded=True)
        self.generation += 1

    def _fed(self) -> None:
        self._slots = None
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

    def find(self, text: str) -> list[int]:
        """The seqs of all events in whose texts it stands, in the rows or in what `supply` brought; case does not matter."""
        needle = text.casefold()
        if not needle:
            return []
        holding = self._texts.holding(needle)
        logs: tuple[Log[EpisodeState] | Log[JudgingState], ...] = (self._episode, self._shown)
        return [log.seqs[i] for log in logs for i in log.words.find(log.track.records, needle, holding)]

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

    def _joined_indexes(self, first: list[int], second: list[int]) -> list[int]:
        return first + [len(self._episode.rows) + index for index in second]

    # Reading, all of it as of the cursor unless it says otherwise.

    @property
    def rows(self) -> Sequence[Row]:
        """The whole timeline; it grows in place."""
        return Joined(self._episode.rows, self._shown.rows)

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
    def latest(self) -> EpisodeState:
        """The episode as it is by now."""
        return self._episode.track.latest

    @property
    def judging(self) -> JudgingState | None:
        """The shown judging as it is by now, or None before there is one."""
        return self._shown.track.latest if self._shown_name else None

    @property
    def judging_name(self) -> str:
        """The name of the shown judging, empty before there is one."""
        return self._shown_name

    @property
    def judgings(self) -> tuple[str, ...]:
        """The names of all judgings."""
        return tuple(sorted(self._judgings))

    @property
    def dialogue(self) -> Sequence[Block]:
        """The whole dialogue; it grows in place."""
        return self._blocks

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
    def slots(self) -> tuple[SlotView, ...]:
        """The slots with the verdicts of the shown judging as they are by now."""
        if self._slots is None:
            self._slots = slot_views(self.case, self.latest, self.judging, self._shown.decided, self._texts)
        return self._slots

    @property
    def header(self) -> Header:
        """Who and what, and where the cursor stands; the score is the shown judging's."""
        row = self.row
        where = (row.turn if row else 0, self.index + 1, len(self.rows))
        return header(self.case, self.latest, self.judging, self._shown_name, where, in_judging=bool(row and row.judging))

    def _newest_picture(self) -> tuple[Log[EpisodeState] | Log[JudgingState], int]:
        newest = self._shown.pictures.newest(self._at)
        return (self._shown, newest) if newest >= 0 else (self._episode, self._episode.pictures.newest(self._at))
