"""The events of an episode and of its judgings as the console keeps them, whatever the cursor of a reader stands at."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from iwtui.archive.choosing import primary_judging
from iwtui.archive.run_folder import as_pass
from iwtui.bench.blame import Blame
from iwtui.bench.by_turn import TurnScore, by_turn
from iwtui.bench.case import Case
from iwtui.bench.events import Blob, EpisodeResumed, Record
from iwtui.bench.fold import EpisodeState, JudgingState, step, step_judging
from iwtui.bench.score import Verdict
from iwtui.tui.state.beside import Opinion, measures, opinions
from iwtui.tui.state.dialogue import block_of, filled_in
from iwtui.tui.state.joined import Joined
from iwtui.tui.state.logs import Log
from iwtui.tui.state.shapes import JUDGING_FROM, Block, Row, SlotView
from iwtui.tui.state.slots import slot_views
from iwtui.tui.state.texts import Texts
from iwtui.tui.state.turn_scores import history


class EpisodeLogs:
    """Feed it, read it: the timeline is the episode's events and then those of the shown judging.

    `case` is None when the run's own copy of it is lost. `primary_judge` and `primary_model`: the judge, and
    its model if it is to be a certain one, whose latest judging is shown.
    `generation` grows when something else than the end of a sequence changed: what was kept of rows and blocks is void.
    """

    def __init__(self, case: Case | None, primary_judge: str = "checks", primary_model: str | None = None) -> None:
        self.case = case
        self.generation = 0
        self._primary_judge = primary_judge, primary_model
        self._by_person: str | None = None
        self._chosen: str | None = None
        self.clear()

    def clear(self) -> None:
        """Forget all events: another log stands where they came from."""
        self._texts = Texts()
        self._episode: Log[EpisodeState] = Log(EpisodeState(), step)
        self._judgings: dict[str, Log[JudgingState]] = {}
        self._blocks: list[Block] = []
        self._shown_name = ""
        self._shown = self._no_judging()
        self._slots: tuple[SlotView, ...] | None = None
        self._by_turn: tuple[TurnScore, ...] | None = None
        self._causes: dict[str, tuple[Blame, ...]] = {}
        self._before: tuple[Verdict, ...] = ()
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
        self._causes.pop(judging, None)
        if self._judgings.pop(judging, None) is self._shown:
            self._shown_name = ""
            self._shown = self._no_judging()
            self.generation += 1
        self._choose()

    def show_judging(self, judging: str | None) -> None:
        """Show this judging from now on; None: the primary one."""
        self._chosen = judging
        self._choose()

    def prefer(self, judging: str | None) -> None:
        """A person chose this judging as the primary one; None: nobody chose."""
        self._by_person = judging
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

    def unblamed(self) -> dict[str, JudgingState]:
        """The judgings that came to their end, and of which the causes of failed slots are not known yet."""
        if self.case is None or self.latest.ended is None:
            return {}
        over = {name: state for name, state in self._states.items() if state.ended and state.ended.status == "scored"}
        return {name: state for name, state in over.items() if name not in self._causes}

    def blamed(self, causes: Mapping[str, tuple[Blame, ...]]) -> None:
        """The causes of the slots that these judgings found failed."""
        self._causes.update({name: found for name, found in causes.items() if name in self._judgings})
        self._slots = None

    def compare(self, before: Sequence[Verdict]) -> None:
        """The verdicts in the episode that this one is a fork of."""
        self._before = tuple(before)
        self._slots = None

    @property
    def causes(self) -> tuple[Blame, ...]:
        """Why slots failed by the shown judging; none before that is known."""
        return self._causes.get(self._shown_name, ())

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
        return primary_judging(passes, *self._primary_judge, self._by_person)

    def _discard(self, first: int) -> None:
        self._episode.discard(first)
        for position in range(len(self._blocks) - 1, -1, -1):
            if self._blocks[position].seq < first:
                break
            self._blocks[position] = msgspec.structs.replace(self._blocks[position], discarded=True)
        self.generation += 1

    def _fed(self) -> None:
        """What was worked out from the events is void."""
        self._slots = None
        self._by_turn = None

    # Reading, all of it as it is by now.

    @property
    def rows(self) -> Sequence[Row]:
        """The whole timeline; it grows in place."""
        return Joined(self._episode.rows, self._shown.rows)

    @property
    def calls(self) -> list[int]:
        """The seqs of all model calls."""
        logs: tuple[Log[EpisodeState] | Log[JudgingState], ...] = (self._episode, self._shown)
        return [row.seq for log in logs for row in log.rows if row.kind == "ModelCalled"]

    def record_at(self, seq: int) -> Record | None:
        """The event of that seq."""
        log: Log[EpisodeState] | Log[JudgingState] = self._shown if seq >= JUDGING_FROM else self._episode
        index = bisect_left(log.seqs, seq)
        return log.track.records[index] if index < len(log.seqs) and log.seqs[index] == seq else None

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

    def opinions(self, slot: int) -> tuple[Opinion, ...]:
        """What each judging says of a slot (0-based), the primary one first."""
        return opinions(self._states, self._primary(), slot, self._texts)

    @property
    def measures(self) -> tuple[tuple[str, float | None], ...]:
        """The figures of the whole episode, by whichever judge."""
        return measures(self._states)

    @property
    def by_turn(self) -> tuple[TurnScore, ...]:
        """What the judge of the shown judging came to after each turn that changed the site, as far as it was asked."""
        if self._by_turn is None:
            self._by_turn = ()
            started = self.judging.started if self.judging else None
            if self.case is not None and started is not None:
                self._by_turn = by_turn(self.case, self.latest, self._states.values(), started.judge, started.model)
        return self._by_turn

    @property
    def _states(self) -> dict[str, JudgingState]:
        return {name: log.track.latest for name, log in self._judgings.items()}

    @property
    def dialogue(self) -> Sequence[Block]:
        """The whole dialogue; it grows in place."""
        return self._blocks

    def find(self, text: str) -> list[int]:
        """The seqs of all events in whose texts it stands, in the rows or in what `supply` brought; case does not matter."""
        needle = text.casefold()
        if not needle:
            return []
        holding = self._texts.holding(needle)
        logs: tuple[Log[EpisodeState] | Log[JudgingState], ...] = (self._episode, self._shown)
        return [log.seqs[i] for log in logs for i in log.words.find(log.track.records, needle, holding)]

    @property
    def slots(self) -> tuple[SlotView, ...]:
        """The slots with the verdicts of the shown judging as they are by now."""
        if self._slots is None:
            decided, scores = self._shown.decided, self.by_turn
            views = slot_views(self.case, self.latest, self.judging, decided, self._texts, self.causes, self._before)
            self._slots = tuple(msgspec.structs.replace(view, by_turn=history(scores, view.slot)) for view in views)
        return self._slots

    def _joined_indexes(self, first: list[int], second: list[int]) -> list[int]:
        return first + [len(self._episode.rows) + index for index in second]
