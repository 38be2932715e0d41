"""The form of a fork. The fork itself is played by a process of its own, which outlives the console."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Select, Static
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.bench.fold import Turn
from iwtui.bench.names import EpisodeName
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.launch import ForkOrder, Launched, LaunchError, start
from iwtui.tui.state.fork import WAYS, WayField, lacking, plan, way_of
from iwtui.tui.text import safe_line, safe_text
from iwtui.tui.widgets.frame import Crumbs, Keys


@dataclass(frozen=True)
class Forked:
    """A fork that is played by a process."""

    launched: Launched
    episode: EpisodeName


class ForkScreen(Screen[Forked | None]):
    """At which turn, in which way. `turn` is where the reader stood. Gives back the fork that was started, or None."""

    TITLE = "fork"
    BINDINGS = bindings_for("fork")
    DEFAULT_CSS = """
    ForkScreen { align: center middle; }
    ForkScreen #form { width: 76; max-width: 100%; height: auto; max-height: 100%; padding: 0 2; }
    ForkScreen .field { height: auto; }
    ForkScreen .field > Label { width: 13; color: $dim; }
    ForkScreen .field:focus-within > Label { text-style: bold reverse; }
    ForkScreen .field > Input, ForkScreen .field > Select { width: 1fr; }
    ForkScreen #sum { height: auto; margin: 1 0 1 13; }
    ForkScreen #start { margin-left: 13; }
    """

    @dataclass
    class Refused(Message):
        """It cannot be done, for this reason."""

        why: str

    @dataclass
    class Started(Message):
        """A process plays the fork."""

        forked: Forked

    def __init__(self, episode: EpisodeName, turns: Sequence[Turn], turn: int) -> None:
        super().__init__()
        self._episode = episode
        self._turns = turns
        self._turn = turn
        self._starting = False

    def compose(self) -> ComposeResult:
        yield Crumbs()
        with Vertical(id="form", classes="pane") as form:
            form.border_title = "Fork"
            yield Static(safe_line(str(self._episode), 200, "$dim"))
            yield _field("turn", Input(str(self._turn), id="turn", type="integer", max_length=3, compact=True))
            ways = [(way.label, way.option) for way in WAYS]
            yield _field("way", Select(ways, id="way", value="ask", allow_blank=False, type_to_search=False, compact=True))
            yield _field("text", Input(id="text", placeholder=WAYS[0].text, compact=True))
            yield Static(id="sum")
            yield Button("Start the fork", id="start", variant="primary", compact=True, disabled=True)
        yield Keys()

    def on_mount(self) -> None:
        """The question comes first."""
        self.query_one("#text", Input).focus()
        self._sum_up()

    @property
    def _way(self) -> WayField:
        return way_of(str(self.query_one("#way", Select).value))

    @property
    def _number(self) -> int | None:
        text = self.query_one("#turn", Input).value.strip()
        return int(text) if text.isdecimal() else None

    @property
    def _text(self) -> str:
        return self.query_one("#text", Input).value

    @on(Select.Changed, "#way")
    def _way_chosen(self) -> None:
        field = self.query_one("#text", Input)
        field.placeholder = self._way.text
        field.disabled = not self._way.text
        self._sum_up()

    @on(Input.Changed)
    def _changed(self) -> None:
        self._sum_up()

    @on(Input.Submitted)
    @on(Button.Pressed)
    def _confirmed(self) -> None:
        self.action_start()

    def _sum_up(self) -> None:
        """Says what is kept and what comes then, or what lacks."""
        lack = lacking(self._turns, self._number, self._way, self._text)
        self.query_one("#start", Button).disabled = bool(lack) or self._starting
        said = self.query_one("#sum", Static)
        if self._starting:
            said.update(Content.styled("starting …", "$status-running"))
        elif lack:
            said.update(Content.styled(lack, "$warning"))
        else:
            assert self._number is not None
            said.update(Content.styled(plan(self._number, self._way), "$dim"))

    def action_start(self) -> None:
        """Start it, if it can be."""
        number, way = self._number, self._way
        if number is None or self._starting or lacking(self._turns, number, way, self._text):
            return
        self._starting = True
        self._sum_up()
        order = ForkOrder(str(self._episode), number, way.option, self._text if way.text else "")
        self.run_worker(partial(self._start, order), thread=True, exclusive=True, exit_on_error=False)

    def _start(self, order: ForkOrder) -> None:
        """In a thread."""
        store = console(self).store
        try:
            launched = start(store, order)
            (episode,) = store.run(launched.run).episodes()
        except (LaunchError, StoreError) as error:
            self.post_message(self.Refused(str(error)))
        else:
            self.post_message(self.Started(Forked(launched, episode)))

    @on(Refused)
    def _refused(self, message: Refused) -> None:
        self._starting = False
        self._sum_up()
        self.query_one("#sum", Static).update(safe_text(message.why, "$error"))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            self.post_message(self.Refused(str(event.worker.error)))

    @on(Started)
    def _started(self, message: Started) -> None:
        self.dismiss(message.forked)


def _field(label: str, field: Input | Select[str]) -> Horizontal:
    """A line of the form."""
    return Horizontal(Label(label), field, classes="field")
