"""The form of a new run. The run itself is played by a process of its own, which outlives the console."""

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, Label, OptionList, Select, SelectionList, Static
from textual.widgets.selection_list import Selection
from textual.worker import Worker, WorkerState

from iwtui.bench.plan import NO_MODEL, is_scripted
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

ROLES = {
    "copilot": "a LiteLLM model that looks at the site in a Verify",
    "client": "a LiteLLM model that plays the client",
    "judge": "checks, or a LiteLLM model that looks at the site",
    "intent": "none; a LiteLLM model that measures what was understood",
    "visual": "none; a LiteLLM model that measures how the site looks",
}
"""The roles beside the builders, and what a field of the form says when it is empty."""

AROUND = 9
"""Lines of the screen that the fields cannot have."""


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
    RunScreen #form { width: 76; max-width: 100%; height: auto; max-height: 100%; padding: 0 2; }
    RunScreen #fields { height: auto; }
    RunScreen .field { height: auto; }
    RunScreen .field > Label { width: 13; color: $dim; }
    RunScreen .field:focus-within > Label { text-style: bold reverse; }
    RunScreen .field > Input, RunScreen .field > Select { width: 1fr; }
    RunScreen .last { margin-bottom: 1; }
    RunScreen .pair { height: auto; }
    RunScreen .pair > .field { width: 1fr; }
    RunScreen SelectionList { width: 1fr; height: auto; max-height: 6; border: none; padding: 0; background: transparent; }
    RunScreen Checkbox { border: none; padding: 0; background: transparent; }
    RunScreen #sum { height: auto; margin: 0 0 1 13; }
    RunScreen #start { margin-left: 13; }
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
        self._config = Config()

    def compose(self) -> ComposeResult:
        yield Crumbs()
        with Vertical(id="form", classes="pane") as form:
            form.border_title = "New run"
            with VerticalScroll(id="fields", can_focus=False):
                yield from self._fields()
            yield Static(id="sum")
            yield Button("Start the run", id="start", variant="primary", compact=True, disabled=True)
        yield Keys()

    def _fields(self) -> ComposeResult:
        yield _field("pack", Select[str]((), id="pack", prompt="reading …", type_to_search=False, compact=True))
        yield _field("clients", SelectionList[str](id="personas", compact=True))
        bands = [("all", ""), *((band, band) for band in DIFFICULTIES)]
        difficulty = Select(bands, id="difficulty", value="", allow_blank=False, type_to_search=False, compact=True)
        yield _field("difficulty", difficulty, last=True)
        yield _field("builders", Input(id="builders", placeholder="LiteLLM models, with commas", compact=True))
        for role, hint in ROLES.items():
            label = "client model" if role == "client" else role
            yield _field(label, Input(id=role, placeholder=hint, compact=True), last=role == "visual")
        with Horizontal(classes="pair"):
            yield _field("repeats", Input("1", id="repeats", type="integer", max_length=3, compact=True))
            yield _field("at a time", Input(id="jobs", type="integer", max_length=2, compact=True))
        with Horizontal(classes="pair last"):
            yield _field("max cost", Input(id="max-cost", placeholder="US dollars; none", compact=True))
            yield _field("questions", Input(id="questions", placeholder="any number", compact=True))
        yield _field(
            "preflight", Checkbox("ask the models first whether they answer", True, id="preflight", compact=True), last=True
        )

    def on_resize(self, event: events.Resize) -> None:
        """What is said of the whole stays in sight, however low the screen is."""
        self.query_one("#fields").styles.max_height = max(3, event.size.height - AROUND)

    def on_mount(self) -> None:
        """Reads packs and settings."""
        self._in_thread("packs", self._read_packs)

    # Reading, in threads.

    def _in_thread(self, group: str, work: Callable[[], None]) -> None:
        self.run_worker(work, group=group, thread=True, exclusive=True, exit_on_error=False)

    def _read_packs(self) -> None:
        try:
            config = load_config(Path.cwd(), os.environ)
            names = tuple(sorted(packs(console(self).store.packs)))
        except (ConfigError, OSError) as error:
            self.post_message(self.Refused(str(error)))
        else:
            self.post_message(self.PacksCame(names, config))

    def _read_pack(self, name: str) -> None:
        try:
            cases = load_pack(name, console(self).store.packs)
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
        self._config = config = message.config
        for role in ROLES:
            self.query_one(f"#{role}", Input).value = getattr(config, role) or ""
        self.query_one("#max-cost", Input).value = "" if config.max_cost is None else f"{config.max_cost:g}"
        self.query_one("#questions", Input).value = "" if config.questions is None else str(config.questions)
        self.query_one("#preflight", Checkbox).value = config.preflight
        select.focus()

    @on(PackCame)
    def _pack_came(self, message: PackCame) -> None:
        self._pack = message.pack
        counts = Counter(persona for persona, _ in message.pack.cases)
        chosen = self.query_one("#personas", SelectionList)
        chosen.clear_options()
        ids = [safe_line(persona, 40) for persona, _ in message.pack.personas]
        names = [safe_line(name, 40, "$dim") for _, name in message.pack.personas]
        for (persona, _), shown, name in zip(message.pack.personas, _even(ids), _even(names), strict=True):
            of = Content.styled(f"{counted(counts[persona], 'case'):>9}", "$dim")
            chosen.add_option(Selection(Content("  ").join((shown, name, of)), persona, initial_state=True))
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
    @on(Checkbox.Changed)
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

    def _text(self, field: str) -> str:
        return self.query_one(f"#{field}", Input).value.strip()

    @property
    def _roles(self) -> tuple[tuple[str, str], ...]:
        return tuple((role, self._text(role)) for role in ROLES)

    @property
    def _max_cost(self) -> float | None:
        """US dollars; None for no limit. Raises ValueError."""
        text = self._text("max-cost")
        cost = float(text) if text else None
        if cost is not None and not 0 < cost < math.inf:
            raise ValueError(text)
        return cost

    def _order(self) -> Order | None:
        """What is asked for; None as long as it cannot be played."""
        repeats, jobs = self._number("repeats", MOST_REPEATS), self._number("jobs", MOST_JOBS)
        if self._pack is None or repeats is None or jobs is None or self._lack():
            return None
        questions = self._text("questions")
        return Order(
            pack=self._pack.name,
            personas=self._personas if len(self._personas) < len(self._pack.personas) else (),
            builders=self._builders,
            difficulty=self._difficulty,
            repeats=repeats,
            jobs=jobs,
            roles=self._roles,
            max_cost=self._max_cost,
            questions=int(questions) if questions else None,
            preflight=self.query_one("#preflight", Checkbox).value,
        )

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
            played = [*order.builders, *(model for _, model in order.roles if model and model not in NO_MODEL)]
            models = "scripted, no API key needed" if all(map(is_scripted, played)) else "models are called, which costs"
            said.update(
                Content.assemble(
                    (" × ".join(parts), "$dim"), " = ", (counted(number, "episode"), "bold"), (f"\n{models}", "$dim")
                )
            )

    def _lack(self) -> str:
        """What is missing or wrong; empty when it can be played."""
        if not self._builders:
            return "Name a builder, such as scripted/clarifier or openai/gpt-5."
        if self._number("repeats", MOST_REPEATS) is None:
            return f"Repeats: a number from 1 to {MOST_REPEATS}."
        if self._number("jobs", MOST_JOBS) is None:
            return f"At a time: a number from 1 to {MOST_JOBS}."
        questions = self._text("questions")
        if questions and not questions.isdecimal():
            return "Questions: a number, or nothing for any number."
        try:
            unlimited = self._max_cost is None
        except ValueError:
            return "Max cost: US dollars, or nothing for no limit."
        if unlimited and self._config.max_cost is not None:
            return f"Max cost: the settings say {self._config.max_cost:g}; here it can be another, but not none."
        if not questions and self._config.questions is not None:
            return f"Questions: the settings say {self._config.questions}; here it can be another number, but not none."
        for role in ROLES:
            if not self._text(role) and getattr(self._config, role):
                return f"Who plays {role}? The settings say {one_line(str(getattr(self._config, role)), 60)}."
        return "" if self._cases() else "No case fits: choose clients and a difficulty that the pack has."


def _field(label: str, field: Widget, last: bool = False) -> Horizontal:
    """A line of the form; `last`: of those that belong together."""
    return Horizontal(Label(label), field, classes="field last" if last else "field")


def _even(texts: Sequence[Content]) -> Iterator[Content]:
    """All of them as wide as the widest."""
    width = max((text.cell_length for text in texts), default=0)
    return (text.pad_right(width - text.cell_length) for text in texts)
