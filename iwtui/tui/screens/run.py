"""The form of a new run. The run itself is played by a process of its own, which outlives the console."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Input, Label, OptionList, Select, SelectionList, Static
from textual.widgets.selection_list import Selection
from textual.worker import Worker, WorkerState

from iwtui.bench.plan import is_scripted
from iwtui.bench.text import one_line
from iwtui.config import Config, ConfigError, load_config
from iwtui.packs import PackError, load_pack, packs
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.launch import Launched, LaunchError, Order, start
from iwtui.tui.text import safe_line, safe_text
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.written import counted

DIFFICULTIES = ("easy", "middle", "hard")
MOST_REPEATS, MOST_JOBS = 100, 64


@dataclass(frozen=True)
class Pack:
    """A pack as the form needs it: its personas as (id, name), and the (persona, difficulty) of each case."""

    name: str
    personas: tuple[tuple[str, str], ...]
    cases: tuple[tuple[str, str], ...]


class RunScreen(Screen[Launched | None]):
    """What is to be played, by whom, how often. Gives back the run that was started, or None."""

    TITLE = "new run"
    BINDINGS = bindings_for("run")
    DEFAULT_CSS = """
    RunScreen { align: center middle; }
    RunScreen #form { width: 76; max-width: 100%; height: auto; max-height: 100%; padding: 1 2; }
    RunScreen .field { height: auto; margin-bottom: 1; }
    RunScreen .field > Label { width: 12; color: $dim; }
    RunScreen .field > Input, RunScreen .field > Select { width: 1fr; }
    RunScreen SelectionList { width: 1fr; height: auto; max-height: 6; border: none; padding: 0; background: transparent; }
    RunScreen .short { width: 8; }
    RunScreen .short-label { margin-left: 3; width: 8; }
    RunScreen #sum { height: auto; margin: 0 0 1 12; }
    RunScreen #start { margin-left: 12; }
    """

    @dataclass
    class PacksCame(Message):
        """The packs that can be played, and the user's settings."""

        names: tuple[str, ...]
        config: Config

    @dataclass
    class PackCame(Message):
        """A pack was read."""

        pack: Pack

    @dataclass
    class Refused(Message):
        """It cannot be done, for this reason."""

        why: str
        starting: bool = False

    @dataclass
    class Started(Message):
        """A process plays the run."""

        launched: Launched

    def __init__(self) -> None:
        super().__init__()
        self._pack: Pack | None = None
        self._starting = False

    def compose(self) -> ComposeResult:
        yield Crumbs()
        with VerticalScroll(id="form", classes="pane", can_focus=False) as form:
            form.border_title = "New run"
            with Horizontal(classes="field"):
                yield Label("pack")
                yield Select[str]((), id="pack", prompt="reading …", type_to_search=False, compact=True)
            with Horizontal(classes="field"):
                yield Label("clients")
                yield SelectionList[str](id="personas", compact=True)
            with Horizontal(classes="field"):
                yield Label("difficulty")
                bands = [("all", ""), *((band, band) for band in DIFFICULTIES)]
                yield Select(bands, id="difficulty", value="", allow_blank=False, type_to_search=False, compact=True)
            with Horizontal(classes="field"):
                yield Label("builders")
                yield Input(id="builders", placeholder="LiteLLM models, with commas", compact=True)
            with Horizontal(classes="field"):
                yield Label("repeats")
                yield Input("1", id="repeats", type="integer", max_length=3, classes="short", compact=True)
                yield Label("at a time", classes="short-label")
                yield Input(id="jobs", type="integer", max_length=2, classes="short", compact=True)
            yield Static(id="sum")
            yield Button("Start the run", id="start", variant="primary", compact=True, disabled=True)
        yield Keys()

    def on_mount(self) -> None:
        """Reads packs and settings."""
        self._in_thread("packs", self._read_packs)

    # Reading, in threads.

    def _in_thread(self, group: str, work: Callable[[], None]) -> None:
        self.run_worker(work, group=group, thread=True, exclusive=True, exit_on_error=False)

    def _read_packs(self) -> None:
        try:
            config = load_config(Path.cwd(), os.environ)
            names = tuple(sorted(packs()))
        except (ConfigError, OSError) as error:
            self.post_message(self.Refused(str(error)))
        else:
            self.post_message(self.PacksCame(names, config))

    def _read_pack(self, name: str) -> None:
        try:
            cases = load_pack(name)
        except (PackError, OSError) as error:
            self.post_message(self.Refused(str(error)))
            return
        personas = {case.persona.id: case.persona.name for case in cases}
        pairs = tuple((case.persona.id, case.difficulty) for case in cases)
        self.post_message(self.PackCame(Pack(name, tuple(sorted(personas.items())), pairs)))

    @on(PacksCame)
    def _packs_came(self, message: PacksCame) -> None:
        select = self.query_one("#pack", Select)
        select.set_options([(safe_line(name, 60), name) for name in message.names])
        if message.names:
            select.value = "starter" if "starter" in message.names else message.names[0]
        self.query_one("#builders", Input).value = ", ".join(message.config.builders)
        self.query_one("#jobs", Input).value = str(message.config.jobs)
        select.focus()

    @on(PackCame)
    def _pack_came(self, message: PackCame) -> None:
        self._pack = message.pack
        counts = Counter(persona for persona, _ in message.pack.cases)
        chosen = self.query_one("#personas", SelectionList)
        chosen.clear_options()
        width = max((len(persona) for persona, _ in message.pack.personas), default=0)
        for persona, name in message.pack.personas:
            of = f"  {counted(counts[persona], 'case')}"
            told = Content.assemble(
                safe_line(persona, 40).pad_right(width - len(persona)), "  ", safe_line(name, 40, "$dim"), (of, "$dim")
            )
            chosen.add_option(Selection(told, persona, initial_state=True))
        self._sum_up()

    @on(Refused)
    def _refused(self, message: Refused) -> None:
        if message.starting:
            self._starting = False
        self._sum_up()
        self.query_one("#sum", Static).update(safe_text(message.why, "$error"))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            self.post_message(self.Refused(str(event.worker.error), starting=event.worker.group == "start"))

    @on(Started)
    def _started(self, message: Started) -> None:
        self.dismiss(message.launched)

    # What the reader does.

    @on(Select.Changed, "#pack")
    def _pack_chosen(self, event: Select.Changed) -> None:
        if isinstance(event.value, str):
            self._in_thread("pack", partial(self._read_pack, event.value))

    @on(Select.Changed, "#difficulty")
    @on(SelectionList.SelectedChanged)
    @on(Input.Changed)
    def _changed(self) -> None:
        self._sum_up()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_start()

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.action_start()

    def action_cursor_down(self) -> None:
        """One line down in the list with the focus."""
        if isinstance(self.focused, OptionList):
            self.focused.action_cursor_down()

    def action_cursor_up(self) -> None:
        """One line up in it."""
        if isinstance(self.focused, OptionList):
            self.focused.action_cursor_up()

    def action_start(self) -> None:
        """Start it, if it can be."""
        order = self._order()
        if order is None or self._starting:
            return
        self._starting = True
        self._sum_up()
        self._in_thread("start", partial(self._start, order))

    def _start(self, order: Order) -> None:
        try:
            self.post_message(self.Started(start(console(self).store, order)))
        except LaunchError as error:
            self.post_message(self.Refused(str(error), starting=True))

    # What was asked for.

    @property
    def _personas(self) -> tuple[str, ...]:
        return tuple(self.query_one("#personas", SelectionList).selected)

    @property
    def _difficulty(self) -> str:
        return str(self.query_one("#difficulty", Select).value)

    @property
    def _builders(self) -> tuple[str, ...]:
        named = (name.strip() for name in self.query_one("#builders", Input).value.split(","))
        return tuple(dict.fromkeys(name for name in named if name))

    def _number(self, field: str, most: int) -> int | None:
        text = self.query_one(f"#{field}", Input).value.strip()
        return int(text) if text.isdecimal() and 1 <= int(text) <= most else None

    def _cases(self) -> int:
        assert self._pack is not None
        personas, band = set(self._personas), self._difficulty
        return sum(persona in personas and band in ("", difficulty) for persona, difficulty in self._pack.cases)

    def _order(self) -> Order | None:
        """What is asked for; None as long as it cannot be played."""
        repeats, jobs = self._number("repeats", MOST_REPEATS), self._number("jobs", MOST_JOBS)
        if self._pack is None or not self._builders or repeats is None or jobs is None or not self._cases():
            return None
        personas = self._personas if len(self._personas) < len(self._pack.personas) else ()
        return Order(self._pack.name, personas, self._builders, self._difficulty, repeats, jobs)

    def _sum_up(self) -> None:
        """Says how much is to be played, or what lacks."""
        if self._pack is None:
            return
        order = self._order()
        self.query_one("#start", Button).disabled = order is None or self._starting
        said = self.query_one("#sum", Static)
        if self._starting:
            said.update(Content.styled("starting …", "$status-running"))
        elif order is None:
            said.update(Content.styled(self._lack(), "$warning"))
        else:
            cases = self._cases()
            number = cases * len(order.builders) * order.repeats
            parts = (counted(cases, "case"), counted(len(order.builders), "builder"), counted(order.repeats, "repeat"))
            models = (
                "scripted, no API key needed" if all(map(is_scripted, order.builders)) else "models are called, which costs"
            )
            said.update(
                Content.assemble(
                    (" × ".join(parts), "$dim"), " = ", (counted(number, "episode"), "bold"), (f"\n{models}", "$dim")
                )
            )

    def _lack(self) -> str:
        if not self._builders:
            return "Name a builder, such as scripted/clarifier or openai/gpt-5."
        if self._number("repeats", MOST_REPEATS) is None:
            return f"Repeats: a number from 1 to {MOST_REPEATS}."
        if self._number("jobs", MOST_JOBS) is None:
            return f"At a time: a number from 1 to {MOST_JOBS}."
        return one_line("No case fits: choose clients and a difficulty that the pack has.")
