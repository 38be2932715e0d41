"""What the screen of people's verdicts asks of the store, and what it keeps there. All of it belongs into a thread."""

import threading
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from iwtui.archive.store import Store
from iwtui.bench.events import Blob, BrowserStepped, Text
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.longtext import read
from iwtui.bench.names import EpisodeName, parse_stem
from iwtui.bench.text import one_line, visible
from iwtui.tui.answers import Age
from iwtui.tui.catching import catch_up
from iwtui.tui.state.shapes import SlotView
from iwtui.tui.state.slots import slot_views
from iwtui.tui.state.texts import Texts

if TYPE_CHECKING:
    from iwtui.analysis.agreement import Agreement
    from iwtui.analysis.queue import Item, Wanted
    from iwtui.archive.annotations import Annotation, SlotDecided
    from iwtui.archive.annotations_writing import AnnotationWriter
    from iwtui.archive.index import Index

MOST_REASON = 20_000
"""Characters of a judge's reason that are shown."""


class Shot(msgspec.Struct, frozen=True):
    """A picture that the judge looked at. `caption` is visible text on one line."""

    picture: Blob
    marks: Blob | None
    caption: str


class Sight(msgspec.Struct, frozen=True):
    """What the judge had of a slot: what was expected, its reason, its pictures, and which of them decided it (or -1)."""

    view: SlotView
    shots: tuple[Shot, ...] = ()
    deciding: int = -1


class Queue(msgspec.Struct, frozen=True):
    """The slots that are to be judged, how far the judge agrees with people by now, and how old that is."""

    items: "tuple[Item, ...]"
    agreement: "Agreement"
    age: Age


class Desk:
    """One author's place at a store; any thread may ask, one at a time. `run`: only its slots; None: those of all runs."""

    def __init__(self, store: Store, run: str | None, episode: EpisodeName | None = None) -> None:
        self._store = store
        self._run = run
        self._episode = episode
        self._turn = threading.Lock()
        self._index: Index | None = None
        self._folded: tuple[str, str, JudgingState] | None = None

    def queue(self, author: str, filter_text: str, wanted: "Wanted") -> Queue:
        """What is to be judged. Raises StoreError, FilterError."""
        import polars as pl

        from iwtui.analysis.agreement import agreement
        from iwtui.analysis.episodes import Asked
        from iwtui.analysis.frames import load_frame
        from iwtui.analysis.pairs import ANY, HUMAN, Side, load_said, pairs
        from iwtui.analysis.queue import choose, load_items
        from iwtui.archive.index import Index
        from iwtui.bench.filters import parse

        terms = parse(filter_text)
        with self._turn:
            known = self._store.runs()
            runs = known if self._run is None else [self._run]
            index = self._index = self._index or Index(self._store)
            age = catch_up(index)
            found = load_frame(index, Asked(tuple(runs), terms, known[-1] if known else None, forks=self._run is not None))
            if self._episode is not None:
                found = found.filter(pl.col("episode") == str(self._episode))
            items = choose(load_items(index, runs, author), found, wanted)
            paired = pairs(load_said(index, runs), found, Side(wanted.judge or ANY), Side(HUMAN))
        return Queue(tuple(items), agreement(paired), age)

    def sight(self, item: "Item") -> Sight:
        """What the judge had of it. Raises StoreError, OSError."""
        name = episode_of(item)
        folder = self._store.run(name.run)
        with self._turn:
            if self._folded is None or self._folded[:2] != (item.episode, item.judging):
                self._folded = item.episode, item.judging, folder.fold_judging(name, item.judging)
            state = self._folded[2]
        views = slot_views(folder.case_of(name), EpisodeState(), state, {}, Texts())
        view = views[item.slot] if item.slot < len(views) else _bare(item)
        shots = [(number, step) for number, step in state.steps if step.picture and step.slot in (None, item.slot)]
        shots = [one for one in shots if one[1].slot == item.slot] or shots
        said = next((one for one in reversed(state.verdicts) if one.slot == item.slot), None)
        evidence = said.evidence if said else None
        deciding = -1
        if evidence is not None:
            deciding = max((place for place, (number, _) in enumerate(shots) if number <= evidence), default=-1)
        if said is not None:
            view = msgspec.structs.replace(view, reason=self._whole(said.reason, view.reason))
        return Sight(view, tuple(_shot(step) for _, step in shots), deciding if deciding >= 0 else len(shots) - 1)

    def _whole(self, reason: Text, shown: str) -> str:
        try:
            return visible(read(self._store.blobs, reason)[:MOST_REASON])
        except LookupError:
            return f"{shown} (the rest is not in the store any more)"


def episode_of(item: "Item") -> EpisodeName:
    """The name of the episode that a slot is of. Raises LookupError for one that no log could bear."""
    run, _, stem = item.episode.partition("/")
    name = parse_stem(run, stem)
    if name is None:
        raise LookupError(f"{item.episode} is no name of an episode")
    return name


def _bare(item: "Item") -> SlotView:
    """Of a slot whose case is lost."""
    return SlotView(
        item.slot, "", "", item.verdict, item.weight or 0.0, one_line(item.component, 80), reason=visible(item.reason)
    )


def _shot(step: BrowserStepped) -> Shot:
    caption = one_line(f"step {step.step}: {step.action} {step.target}", 120)
    return Shot(step.picture or "", step.marks, caption)


class Kept(msgspec.Struct, frozen=True):
    """What became of a verdict: `said` was kept, or taken back (`undone`)."""

    said: "SlotDecided"
    undone: bool


class Pen:
    """Writes an author's verdicts in the order in which they were given, and takes them back, the last first.

    `give` and `undo` only note what is wanted; `write`, in a thread, does it.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = threading.Lock()
        self._wanted: deque[tuple[str, SlotDecided | None]] = deque()
        self._writer: AnnotationWriter | None = None
        self._kept: list[Annotation] = []

    def give(self, author: str, said: "SlotDecided") -> None:
        """A verdict is to be kept."""
        self._wanted.append((author, said))

    def undo(self, author: str) -> None:
        """The last verdict that was given here is to be taken back."""
        self._wanted.append((author, None))

    def write(self) -> list[Kept]:
        """Keep all that is wanted by now. Raises StoreError, OSError, ValueError; what could not be kept is dropped then."""
        done: list[Kept] = []
        with self._turn:
            try:
                while self._wanted:
                    kept = self._write(*self._wanted.popleft())
                    if kept is not None:
                        done.append(kept)
            except BaseException:
                self._wanted.clear()
                raise
        return done

    def _write(self, author: str, said: "SlotDecided | None") -> Kept | None:
        from iwtui.archive.annotations import SlotDecided, Undone
        from iwtui.archive.annotations_writing import AnnotationWriter

        if self._writer is None or self._writer.author != author:
            self._close()
            self._writer = AnnotationWriter(self._store, author)
            self._kept.clear()
        if said is not None:
            self._kept.append(self._writer.add(said))
            return Kept(said, undone=False)
        if not self._kept:
            return None
        last = self._kept.pop()
        self._writer.add(Undone(annotation=last.id))
        assert isinstance(last.said, SlotDecided)
        return Kept(last.said, undone=True)

    def close(self) -> None:
        """Let go of the file."""
        with self._turn:
            self._close()

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
