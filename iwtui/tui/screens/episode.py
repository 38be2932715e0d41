"""One episode, live or long over: its events, what was said, the code and the page, each as it was at the cursor."""

import time
from bisect import bisect_right
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Static

from iwtui.bench.events import ModelCalled
from iwtui.bench.names import EpisodeName
from iwtui.bench.status import Status
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.screens.call import CallScreen
from iwtui.tui.screens.episode_actions import EpisodeActions
from iwtui.tui.screens.episode_feed import EpisodeFeed
from iwtui.tui.screens.episode_head import Watching, head_line
from iwtui.tui.screens.episode_panes import EpisodePanes
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.screens.fork import Forked, ForkScreen
from iwtui.tui.screens.serving import Serving
from iwtui.tui.screens.slot import SlotScreen
from iwtui.tui.state.arrangement import PaneName, pane_of
from iwtui.tui.state.beside import measures_line
from iwtui.tui.state.episode import EpisodeView
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.slot_strip import SlotStrip
from iwtui.tui.widgets.timeline import Timeline

LEFT_HERE = "where you left it; End for the end"

LOW = 30
"""Rows below which the slots take one line only."""

BACK = Binding("escape", "back", "back", id="app.back")


class EpisodeScreen(EpisodeActions):
    """The episode of that name; it opens in a thread, and follows the logs from then on.

    `event` (its seq in the view), `slot` and `judging` are what is shown of it first; else what was seen last, or its end.
    """

    TITLE = "episode"
    BINDINGS: ClassVar = [*bindings_for("episode"), BACK]
    AUTO_FOCUS = None
    DEFAULT_CSS = """
    EpisodeScreen { layout: vertical; }
    EpisodeScreen #head { height: 1; padding: 0 1; }
    EpisodeScreen SlotStrip { padding: 0 1; margin-bottom: 1; }
    EpisodeScreen SlotStrip.-low { height: 1; margin-bottom: 0; }
    """

    def __init__(
        self, episode: EpisodeName, event: int | None = None, slot: int | None = None, judging: str | None = None
    ) -> None:
        super().__init__(episode)
        self.feed = EpisodeFeed(episode)
        self._first = event
        self._first_slot = slot
        self._first_judging = judging
        self._note = ""
        self._opened_from: PaneName | None = None

    def compose(self) -> ComposeResult:
        self.panes = EpisodePanes(console(self).store.blobs, console(self).images, console(self).remembered.shares)
        self.strip = SlotStrip(classes="-low" if self.app.size.height < LOW else "")
        yield Crumbs()
        yield Static(id="head", markup=False)
        yield self.panes
        yield FindBar()
        yield self.strip
        yield Keys()
        yield self.feed
        yield Serving()

    @property
    def view(self) -> EpisodeView | None:
        return self.feed.view

    @property
    def reading(self) -> bool:
        return self.feed.reading

    def on_mount(self) -> None:
        """What can be known before the logs are read stands there at once."""
        self.query_one("#head", Static).update(safe_line(self.episode.stem, style="bold"), layout=False)
        self.panes.timeline.focus()

    def action_serve(self) -> None:
        """The site as it was at the end of the turn at the cursor, for the reader's own browser."""
        self.query_one(Serving).serve(self.episode, self._turn_at_cursor)

    def action_fresh_picture(self) -> None:
        """A picture of that site, taken now."""
        self.query_one(Serving).picture(self.episode, self._turn_at_cursor)

    @property
    def _turn_at_cursor(self) -> int:
        """The turn of the event at the cursor; the last one in a judging."""
        view = self.view
        return view.state.turn if view else 0

    def on_resize(self, event: events.Resize) -> None:
        """A low screen keeps its lines for the panes, and a narrow one shows fewer of them."""
        self.strip.set_class(event.size.height < LOW, "-low")
        self.panes.fit(event.size.width)
        self.call_after_refresh(self.tell)

    def on_unmount(self) -> None:
        """The next time it opens where it is left; at its first or its last event there is nothing to remember."""
        view = self.view
        if view:
            within = 0 < view.index < len(view.rows) - 1
            event = view.cursor if within else None
            console(self).remembered.leave(console(self).store.root, str(self.episode), event)
            console(self).remember()

    def _left_at(self) -> int | None:
        return console(self).remembered.event(console(self).store.root, str(self.episode))

    # What the feed tells.

    @on(EpisodeFeed.Ready)
    def _ready(self, message: EpisodeFeed.Ready) -> None:
        view = message.view
        if self._first_judging is not None:
            view.show_judging(self._first_judging)
        left = self._left_at() if view.header.status is not Status.RUNNING else None
        if self._first is not None:
            view.go(self._first)
        elif left is not None:
            view.go(left)
            self._note = LEFT_HERE
        elif view.header.status is not Status.RUNNING:
            view.go(-1)
        self._grown()
        failed = next((number for number, slot in enumerate(view.slots) if slot.tone == "bad"), None)
        if failed is not None:
            self.strip.choose(failed)
        self.call_after_refresh(self.feed.go_on)
        if self._first_slot is not None:
            self._open_slot(self._first_slot)

    @on(EpisodeFeed.Failed)
    def _failed(self, message: EpisodeFeed.Failed) -> None:
        timeline = self.panes.timeline
        timeline.empty = f"This episode cannot be read: {message.why}"
        timeline.refresh()
        title = "This episode cannot be read any more" if self.view else "This episode cannot be read"
        console(self).notify_text(message.why, title=title, severity="error")

    @on(EpisodeFeed.Grew)
    def _grown(self) -> None:
        view = self.view
        assert view
        self.panes.grow(view)
        self._tell_slots()
        self.tell()

    def _tell_slots(self) -> None:
        view = self.view
        assert view
        ended = view.judging is not None and view.judging.ended is not None
        note = measures_line(view.measures) if ended else "being judged" if view.judging else "not judged yet"
        self.strip.show_slots(view.slots, note)

    @on(EpisodeFeed.TextsCame)
    def _texts_came(self, message: EpisodeFeed.TextsCame) -> None:
        if self.view:
            if message.some:
                self.panes.supplied(self.view)
            if self._finding.wanted and not self.reading:
                self._find(self.view)

    @on(EpisodeFeed.Blamed)
    def _blamed(self) -> None:
        """The strip, and the slot that is looked at, tell why it failed."""
        self._tell_slots()
        for screen in self.app.screen_stack:
            if isinstance(screen, SlotScreen) and screen.view is self.view:
                screen.blamed()

    @on(EpisodeFeed.DoesElse)
    def _does_else(self) -> None:
        doing = self.feed.doing
        self.panes.writing.show(doing.phase, doing.writing)
        self.tell()

    @on(EpisodeFeed.PlayedOrNot)
    def _played_or_not(self) -> None:
        if self.feed.broken:
            text = f"Nobody plays this run any more; `iwtui resume {self.episode.run}` goes on with it"
            console(self).notify_text(text, title="Broken off", severity="warning")
        self.tell()

    # Showing.

    def moved(self) -> None:
        view = self.view
        assert view
        self._note = ""
        self.panes.move(view)
        self._look_at_slot(view)
        self.tell()

    def _look_at_slot(self, view: EpisodeView) -> None:
        """The strip tells of the slot that the event at the cursor is about."""
        row = view.row
        if row and row.judging and row.slot is not None and row.slot != self.strip.index:
            self.strip.choose(row.slot)

    def tell(self) -> None:
        view = self.view
        if view is None or not self.is_attached:
            return
        header = view.header
        watching = Watching(
            following=view.following and header.status is Status.RUNNING,
            new=view.new,
            playing=self._player.speed,
            found=self._finding.said(view),
            broken=self.feed.broken,
            doing=self.feed.doing.words(time.time()),
            waits=bool(self.feed.doing.waits),
            note=self._note,
        )
        self.query_one("#head", Static).update(head_line(header, watching, max(1, self.size.width - 2)), layout=False)

    async def action_back(self) -> None:
        """First ends what was begun here: a zoom, a find, a look into a pane; then to the screen before."""
        if self.panes.zoomed:
            self.panes.zoom(False)
        elif self._finding.wanted:
            self._look_for("")
            self.tell()
        elif self._opened_from and self._opened_from is not self.panes.active:
            self.panes.activate(self._opened_from)
            self._opened_from = None
        elif isinstance(self.focused, SlotStrip):
            self.refocus()
        else:
            self.dismiss(None)

    # What the panes tell.

    @on(Timeline.RowChosen)
    @on(Dialogue.BlockChosen)
    def _chosen(self, message: Timeline.RowChosen | Dialogue.BlockChosen) -> None:
        message.stop()
        view = self.view
        if view is None:
            return
        view.go(message.seq)
        self._note = ""
        if isinstance(message, Timeline.RowChosen):
            if message.timeline.following:
                view.end()
            self.panes.move(view)
        else:
            self.panes.move(view, dialogue=False)
        self._look_at_slot(view)
        self.tell()

    @on(LineList.FollowChanged)
    def _follow_changed(self, message: LineList.FollowChanged) -> None:
        message.stop()
        if self.view and message.lines is self.panes.timeline:
            self.view.follow(message.following)
            self.tell()

    @on(Timeline.RowOpened)
    def _row_opened(self, message: Timeline.RowOpened) -> None:
        message.stop()
        view = self.view
        if view is None:
            return
        view.go(message.seq)
        row = view.row
        if row is None:
            return
        if row.judging and row.slot is not None:
            self._open_slot(row.slot)
            return
        if row.kind == ModelCalled.__name__:
            self._open_call(view, row.seq)
            return
        self._opened_from = self.panes.active
        self.panes.activate(pane_of(row.kind))

    @on(SlotStrip.SlotOpened)
    def _slot_opened(self, message: SlotStrip.SlotOpened) -> None:
        message.stop()
        self._open_slot(message.slot)

    def _open_slot(self, slot: int) -> None:
        view = self.view
        if view is None or slot >= len(view.slots):
            return
        self.app.push_screen(SlotScreen(view, slot, self.episode), self._slot_left)

    def action_call(self) -> None:
        """The model call at the cursor, or the last one before it."""
        view = self.view
        calls = view.calls if view else []
        place = bisect_right(calls, view.cursor) - 1 if view else -1
        if view is None or place < 0:
            console(self).notify_text("No model was called up to this event")
            return
        self._open_call(view, calls[place])

    def _open_call(self, view: EpisodeView, seq: int) -> None:
        self.app.push_screen(CallScreen(view, seq), self._call_left)

    def _call_left(self, seq: int | None) -> None:
        if seq is not None and self.view is not None and self.view.go(seq):
            self.moved()

    def action_fork(self) -> None:
        """Go on from the turn at the cursor in another way."""
        view = self.view
        turns = view.latest.turns if view else ()
        if view is None or not turns:
            console(self).notify_text("There is no turn yet to go on from")
            return
        at = min(max(view.row.turn if view.row else 1, 1), turns[-1].number)
        self.app.push_screen(ForkScreen(self.episode, turns, at), self._fork_left)

    def _fork_left(self, forked: Forked | None) -> None:
        if forked is None:
            return
        console(self).started(forked.launched.pid)
        self.app.push_screen(EpisodeScreen(forked.episode))

    def _slot_left(self, seq: int | None) -> None:
        if self.view is None:
            return
        self._grown()  # the reader may have gone on to another judging
        if seq is None:
            return
        self.view.go(seq)
        self.moved()
        self.panes.activate(PaneName.TIMELINE)
