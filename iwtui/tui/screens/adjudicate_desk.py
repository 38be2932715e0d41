"""The desk of a person who judges: the queue of slots, what was expected of each, and what the judge had of it."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.bench.filters import FilterError
from iwtui.bench.names import EpisodeName
from iwtui.bench.text import one_line
from iwtui.tui.adjudicate_rows import COLUMNS, SlotRow, agreement_line, cells
from iwtui.tui.adjudicating import Desk, Queue, Sight
from iwtui.tui.app_protocol import console
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.screens.slot import requirement
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.picture import PictureView
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.written import counted

if TYPE_CHECKING:
    from iwtui.analysis.queue import Item, Wanted

NARROW = 140
"""Columns below which the queue stands over the slot."""


class AdjudicateDesk(Screen[None]):
    """Shows and asks; what the person does is in AdjudicateScreen."""

    DEFAULT_CSS = """
    AdjudicateDesk #state { height: 1; padding: 0 1; }
    AdjudicateDesk #desk { height: 1fr; layout: horizontal; }
    AdjudicateDesk #queue { width: 5fr; height: 1fr; }
    AdjudicateDesk #slot { width: 6fr; height: 1fr; layout: vertical; }
    AdjudicateDesk #asked { height: auto; max-height: 45%; padding: 0 1; }
    AdjudicateDesk #seen { height: 1fr; padding: 0 1; }
    AdjudicateDesk.-narrow #desk { layout: vertical; }
    AdjudicateDesk.-narrow #queue { width: 1fr; height: 2fr; min-height: 5; }
    AdjudicateDesk.-narrow #slot { width: 1fr; height: 3fr; layout: horizontal; }
    AdjudicateDesk.-narrow #asked { width: 1fr; height: 1fr; max-height: 100%; }
    AdjudicateDesk.-narrow #seen { width: 1fr; }
    """

    @dataclass
    class _QueueCame(Message):
        queue: Queue
        asked: tuple[object, ...]

    @dataclass
    class _SightCame(Message):
        key: tuple[str, str, int]
        sight: Sight

    @dataclass
    class Failed(Message):
        """Something could not be asked or kept."""

        title: str
        why: str
        filter_text: str = ""

    def __init__(self, run: str | None, filter_text: str = "", episode: EpisodeName | None = None, slot: int = 0) -> None:
        super().__init__()
        self.title = "people's verdicts"
        self._desk_of = (run if episode is None else episode.run, episode)
        self._slot = slot
        self._filter = filter_text
        self._author = ""
        self._blind = False
        self._differing = self._undecided = False
        self._sample: tuple[int | None, int] = (None, 0)
        self._asking = False
        self._queue: Queue | None = None
        self._notes: dict[tuple[str, str, int], str] = {}
        self._seen: set[tuple[str, str, int]] = set()
        """Slots of which the judge's word was shown: a verdict on them is not blind any more."""
        self._sight: tuple[tuple[str, str, int], Sight] | None = None
        self._shot = 0
        self._table: Table[SlotRow] = Table(COLUMNS, cells, lambda row: row.key, id="slots")

    def compose(self) -> ComposeResult:
        yield Crumbs()
        yield Static(id="state", markup=False)
        with Horizontal(id="desk"):
            with Titled("Slots", id="queue"):
                yield self._table
            with Vertical(id="slot"):
                with VerticalScroll(id="asked", classes="pane", can_focus=False):
                    yield Static(id="text", markup=False)
                with Vertical(id="seen", classes="pane"):
                    blobs, images = console(self).store.blobs, console(self).images
                    yield PictureView(blobs, images, empty="The judge took no picture of it.", path_key="i")
        yield FindBar()
        yield Keys()

    def on_mount(self) -> None:
        """Asks what there is to judge."""
        store = console(self).store
        self._desk = Desk(store, *self._desk_of)
        self._author, self._blind = console(self).author, console(self).remembered.blind
        self.query_one("#asked").border_title = "Requirement"
        self.query_one("#seen").border_title = "What the judge saw"
        self._table.say("Reading …", reading=True)
        self._table.lines.focus()
        self._tell_state()
        self._ask()

    def on_resize(self, event: events.Resize) -> None:
        """Side by side where there is room."""
        self.set_class(event.size.width < NARROW, "-narrow")
        self.call_after_refresh(self._tell_slot)

    # Asking, in threads.

    @property
    def _asked(self) -> tuple[object, ...]:
        return (self._author, self._filter, self._differing, self._undecided, self._sample)

    def _ask(self) -> None:
        if self._asking or not self._author:
            return
        self._asking = True
        work = partial(self._ask_index, self._author, self._filter, self._wanted(), self._asked)
        self.run_worker(work, group="queue", thread=True, exit_on_error=False)

    def _wanted(self) -> "Wanted":
        from iwtui.analysis.queue import Wanted

        sample, seed = self._sample
        return Wanted(differing=self._differing, undecided=self._undecided, sample=sample, seed=seed)

    def _ask_index(self, author: str, filter_text: str, wanted: "Wanted", asked: tuple[object, ...]) -> None:
        try:
            queue = self._desk.queue(author, filter_text, wanted)
        except (StoreError, FilterError, OSError) as error:
            wrong = filter_text if isinstance(error, FilterError) else ""
            title = "This filter cannot be read" if wrong else "The index cannot be read"
            self.post_message(self.Failed(title, str(error), wrong))
        else:
            self.post_message(self._QueueCame(queue, asked))

    @on(_QueueCame)
    def _queue_came(self, message: _QueueCame) -> None:
        self._asking = False
        if message.asked != self._asked:
            self._ask()
            return
        first, self._queue = self._queue is None, message.queue
        self._show_queue()
        if first:
            wanted = (place for place, row in enumerate(self._table.rows) if row.item.slot == self._slot)
            self._table.lines.move_to(next(wanted, 0) if self._desk_of[1] else 0)
        self._look()

    def _show_queue(self) -> None:
        items = self._queue.items if self._queue else ()
        rows = [SlotRow(item, self._blind, self._notes.get(key_of_item(item), "")) for item in items]
        if not self._blind:
            self._seen |= {row.key for row in rows}
        self._table.say(self._nothing())
        self._table.show(rows)
        judged = sum(row.item.mine is not None for row in rows)
        self.query_one("#queue", Titled).entitle(f"{counted(len(rows), 'slot')}, {judged} judged by you")
        self._tell_state()

    def _nothing(self) -> str:
        if self._filter or self._differing or self._undecided:
            return "No slot is left of those that you asked for."
        return "No site has been judged yet: a person's verdict stands beside a judge's."

    def _tell_state(self) -> None:
        size, seed = self._sample
        kept = [f"as {one_line(self._author, 30)}" if self._author else "nobody yet"]
        kept += ["blind"] if self._blind else []
        kept += ["differing"] if self._differing else []
        kept += ["to do"] if self._undecided else []
        kept += [f"sample {size} seed {seed}"] if size is not None else []
        kept += [self._filter] if self._filter else []
        line = safe_line(" · ".join(kept), 100, "bold")
        if self._queue and not self._blind:
            line = line + "   " + agreement_line(self._queue.agreement)
        self.query_one("#state", Static).update(line)

    @on(Table.Moved, "#slots")
    def _moved(self) -> None:
        self._look()

    def _look(self) -> None:
        """Fetch what the judge had of the slot at the cursor."""
        row = self._table.current
        if row is None:
            self._sight = None
            self._tell_slot()
            self.query_one(PictureView).show(None)
        elif self._sight is None or self._sight[0] != row.key:
            self._sight = None
            self._tell_slot()
            self.run_worker(partial(self._read, row.item), group="sight", thread=True, exclusive=True, exit_on_error=False)

    def _read(self, item: "Item") -> None:
        try:
            sight = self._desk.sight(item)
        except (StoreError, OSError, LookupError) as error:
            self.post_message(self.Failed("This slot cannot be read", str(error)))
        else:
            self.post_message(self._SightCame(key_of_item(item), sight))

    @on(_SightCame)
    def _sight_came(self, message: _SightCame) -> None:
        row = self._table.current
        if row is not None and row.key == message.key:
            self._sight = message.key, message.sight
            self._shot = max(message.sight.deciding, 0)
            self._tell_slot()
            self._show_picture()

    def _tell_slot(self) -> None:
        text, row = self.query_one("#text", Static), self._table.current
        if row is None or self._sight is None:
            text.update("")
            return
        view = self._sight[1].view
        if self._blind:
            view = msgspec.structs.replace(view, reason="")
        text.update(requirement(view, text.size.width or 40))
        self.query_one("#asked").border_title = safe_line(f"{view.slot} {view.component} · weight {view.weight:g}", 80)

    def _show_picture(self) -> None:
        shots = self._sight[1].shots if self._sight else ()
        view = self.query_one(PictureView)
        if not shots:
            view.show(None)
            return
        shot = shots[self._shot]
        view.show(shot.picture, shot.marks, f"{shot.caption} ({self._shot + 1}/{len(shots)})")

    @on(Failed)
    def _asking_failed(self, message: Failed) -> None:
        self._asking = False
        console(self).notify_text(message.why, title=message.title, severity="error")
        if message.filter_text and message.filter_text == self._filter:
            self._filter = ""
            self._ask()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            self.post_message(self.Failed(f"{event.worker.group} failed", str(event.worker.error)))


def key_of_item(item: "Item") -> tuple[str, str, int]:
    """What names a slot of a judging."""
    return (item.episode, item.judging, item.slot)
