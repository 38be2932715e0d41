"""One episode, live or long over: its events, what was said, the code and the page, each as it was at the cursor."""

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from iwtui.bench.names import EpisodeName
from iwtui.bench.status import Status
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.screens.episode_feed import EpisodeFeed
from iwtui.tui.screens.episode_head import Watching, head_line
from iwtui.tui.screens.episode_panes import EpisodePanes
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.screens.finding import Finding
from iwtui.tui.screens.panes import PANES, PaneName, pane_of
from iwtui.tui.screens.playing import Player
from iwtui.tui.screens.slot import SlotScreen
from iwtui.tui.state.episode import EpisodeView
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.slot_strip import SlotStrip
from iwtui.tui.widgets.timeline import Timeline

LOW = 30
"""Rows below which the slots take one line only."""

BACK = Binding("escape", "back", "back", id="app.back")


class EpisodeScreen(Screen[None]):
    """The episode of that name; it opens in a thread, and follows the logs from then on."""

    TITLE = "episode"
    BINDINGS: ClassVar = [*bindings_for("episode"), BACK]
    AUTO_FOCUS = None
    DEFAULT_CSS = """
    EpisodeScreen { layout: vertical; }
    EpisodeScreen #head { height: 1; padding: 0 1; }
    EpisodeScreen SlotStrip { padding: 0 1; margin-bottom: 1; }
    EpisodeScreen.-low SlotStrip { height: 1; margin-bottom: 0; }
    """

    def __init__(self, episode: EpisodeName, event: int | None = None) -> None:
        super().__init__()
        self.episode = episode
        self.feed = EpisodeFeed(episode)
        self._first = event
        self._finding = Finding()
        self._player = Player(self, self._play_on)
        self._doing = ""
        self._opened_from: PaneName | None = None

    def compose(self) -> ComposeResult:
        yield Crumbs()
        yield Static(id="head", markup=False)
        yield EpisodePanes(console(self).store.blobs, console(self).images)
        yield FindBar()
        yield SlotStrip()
        yield Keys()
        yield self.feed

    @property
    def panes(self) -> EpisodePanes:
        return self.query_one(EpisodePanes)

    @property
    def strip(self) -> SlotStrip:
        return self.query_one(SlotStrip)

    @property
    def view(self) -> EpisodeView | None:
        """The episode, once its logs were read."""
        return self.feed.view

    def on_mount(self) -> None:
        """What can be known before the logs are read stands there at once."""
        self.query_one("#head", Static).update(safe_line(self.episode.stem, style="bold"), layout=False)
        self.panes.timeline.focus()

    def on_resize(self, event: events.Resize) -> None:
        """A low screen keeps its lines for the panes."""
        self.set_class(event.size.height < LOW, "-low")
        self.call_after_refresh(self._head)

    # What the feed tells.

    @on(EpisodeFeed.Ready)
    def _ready(self, message: EpisodeFeed.Ready) -> None:
        view = message.view
        if self._first is not None:
            view.go(self._first)
        elif view.header.status is not Status.RUNNING:
            view.go(-1)
        self._grown()
        failed = next((number for number, slot in enumerate(view.slots) if slot.tone == "bad"), None)
        if failed is not None:
            self.strip.choose(failed)

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
        note = "" if view.judging and view.judging.ended else "being judged" if view.judging else "not judged yet"
        self.strip.show_slots(view.slots, note)
        self._head()

    @on(EpisodeFeed.TextsCame)
    def _texts_came(self) -> None:
        if self.view:
            self.panes.supplied(self.view)
            if self._finding.wanted and not self.feed.reading:
                self._find(self.view)

    @on(EpisodeFeed.Doing)
    def _does(self, message: EpisodeFeed.Doing) -> None:
        self._doing = message.what
        self._head()

    @on(EpisodeFeed.PlayedOrNot)
    def _played_or_not(self) -> None:
        if self.feed.broken:
            text = f"Nobody plays this run any more; `iwtui resume {self.episode.run}` goes on with it"
            console(self).notify_text(text, title="Broken off", severity="warning")
        self._head()

    # Showing.

    def _moved(self) -> None:
        view = self.view
        assert view
        self.panes.move(view)
        self._look_at_slot(view)
        self._head()

    def _look_at_slot(self, view: EpisodeView) -> None:
        """The strip tells of the slot that the event at the cursor is about."""
        row = view.row
        if row and row.judging and row.slot is not None and row.slot != self.strip.index:
            self.strip.choose(row.slot)

    def _head(self) -> None:
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
            doing=self._doing,
        )
        self.query_one("#head", Static).update(head_line(header, watching, max(1, self.size.width - 2)), layout=False)

    # Stepping.

    def _step(self, step: Callable[[EpisodeView], object]) -> None:
        if self.view:
            step(self.view)
            self._moved()

    def action_event_back(self) -> None:
        self._step(lambda view: view.move(-1))

    def action_event_on(self) -> None:
        self._step(lambda view: view.move(1))

    def action_turn_back(self) -> None:
        self._step(lambda view: view.move_turn(-1))

    def action_turn_on(self) -> None:
        self._step(lambda view: view.move_turn(1))

    def action_begin(self) -> None:
        self._step(lambda view: view.go(-1))

    def action_end(self) -> None:
        self._step(lambda view: view.end())

    def action_follow(self) -> None:
        self._step(lambda view: view.follow(not view.following))

    def action_next_failure(self) -> None:
        self._next(1)

    def action_previous_failure(self) -> None:
        self._next(-1)

    def _next(self, delta: int) -> None:
        """The next match while something is being found, else the next failure."""
        view = self.view
        if view is None:
            return
        finding = self._finding
        seq = view.seek(finding.found, delta) if finding.wanted else view.next_failure(delta)
        if seq is None:
            what = f"match of “{finding.wanted}”" if finding.wanted else "failure"
            console(self).notify_text(f"No {what} {'after' if delta > 0 else 'before'} this event")
            return
        self._moved()

    # Playing.

    def action_play(self) -> None:
        if self._player.speed:
            self._player.pause()
        elif self.view:
            if self.view.index == len(self.view.rows) - 1:
                self.view.go(-1)
            self._player.start()
        self._head()

    def action_slower(self) -> None:
        self._player.faster(-1)
        self._head()

    def action_faster(self) -> None:
        self._player.faster(1)
        self._head()

    def _play_on(self) -> bool:
        view = self.view
        if view is None:
            return False
        more = view.move(1) and not view.following
        if not more:
            self._player.pause()
        self._moved()
        return more

    # Finding.

    def action_find(self) -> None:
        self.query_one(FindBar).open()

    @on(FindBar.GivenUp)
    def _given_up(self) -> None:
        self.panes.activate(self.panes.active)

    @on(FindBar.Asked)
    def _asked(self, message: FindBar.Asked) -> None:
        self.panes.activate(self.panes.active)
        self._finding = Finding(message.text)
        self.panes.find(message.text)
        if self.view and message.text:
            self._find(self.view)
        self._head()

    def _find(self, view: EpisodeView) -> None:
        """Find in what was read by now; what is read later is looked through then."""
        finding = self._finding
        if finding.look(view):
            self._moved()
        if not finding.found and not self.feed.reading:
            self._finding = Finding()
            self.panes.find("")
            console(self).notify_text(f"“{finding.wanted}” stands nowhere in this episode")
        self._head()

    # Panes.

    def action_zoom(self) -> None:
        self.panes.zoom(not self.panes.zoomed)

    def action_wider(self) -> None:
        self.panes.widen(1)

    def action_narrower(self) -> None:
        self.panes.widen(-1)

    def action_marks(self) -> None:
        self.panes.toggle_marks()

    def action_reasoning(self) -> None:
        self.panes.dialogue.toggle_reasoning(everywhere=True)

    def action_diff(self) -> None:
        self.panes.code.toggle_diff()

    def action_next_file(self) -> None:
        self.panes.code.next_file(1)

    def action_previous_file(self) -> None:
        self.panes.code.next_file(-1)

    def action_slots(self) -> None:
        self.strip.focus()

    def action_open_picture(self) -> None:
        path = self.panes.picture.path
        if path is None:
            console(self).notify_text("There is no picture up to this event")
            return
        console(self).copy_text(str(path), "picture")
        console(self).notify_text(str(path), title="The picture is stored in")

    def action_copy(self) -> None:
        focused = self.focused
        text = str(self.panes.picture.path or "") if self.panes.active is PaneName.SCREEN else ""
        if isinstance(focused, SlotStrip | Timeline | Dialogue):
            text = focused.copied()
        elif self.panes.active is PaneName.CODE:
            text = self.panes.code.copied()
        if text:
            console(self).copy_text(text, f"{self.episode.case}-{self.panes.active.value}")

    def focus_next(self, selector: str | type[Widget] = "*") -> Widget | None:
        """From pane to pane, those that stand behind others too, then to the slots."""
        return self._focus_on(1)

    def focus_previous(self, selector: str | type[Widget] = "*") -> Widget | None:
        """The other way round."""
        return self._focus_on(-1)

    def _focus_on(self, step: int) -> Widget | None:
        if isinstance(self.focused, SlotStrip):
            self.panes.activate(PANES[0] if step > 0 else PANES[-1])
        elif name := self.panes.next_pane(step):
            self.panes.activate(name)
        else:
            self.strip.focus()
        return self.focused

    async def action_back(self) -> None:
        """First ends what was begun here: a zoom, a find, a look into a pane; then to the screen before."""
        if self.panes.zoomed:
            self.panes.zoom(False)
        elif self._finding.wanted:
            self._finding = Finding()
            self.panes.find("")
            self._head()
        elif self._opened_from and self._opened_from is not self.panes.active:
            self.panes.activate(self._opened_from)
            self._opened_from = None
        elif isinstance(self.focused, SlotStrip):
            self.panes.activate(self.panes.active)
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
        if isinstance(message, Timeline.RowChosen):
            if message.timeline.following:
                view.end()
            self.panes.move(view)
        else:
            self.panes.move(view, dialogue=False)
        self._look_at_slot(view)
        self._head()

    @on(LineList.FollowChanged)
    def _follow_changed(self, message: LineList.FollowChanged) -> None:
        message.stop()
        if self.view and message.lines is self.panes.timeline:
            self.view.follow(message.following)
            self._head()

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
        self.app.push_screen(SlotScreen(view, slot), self._slot_left)

    def _slot_left(self, seq: int | None) -> None:
        if seq is None or self.view is None:
            return
        self.view.go(seq)
        self._moved()
        self.panes.activate(PaneName.TIMELINE)
