"""Is B better than A? The paired difference, and the slots that fail newly, were fixed, fail still, or stand apart."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.compare_rows import DIFFERENCE_COLUMNS, LINE_COLUMNS, difference_cells, line_cells
from iwtui.tui.comparing import ask, named
from iwtui.tui.screens.metrics import POLICIES
from iwtui.tui.state.compare import LISTS, CompareLine, DifferenceLine, differences, lists, side, still_passing
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.tab_line import TabLine
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.written import counted

if TYPE_CHECKING:
    from iwtui.analysis.compare import Comparison
    from iwtui.analysis.compare_sides import Asked

WIDE = 140
"""Columns from which on the differences stand beside the lists."""

FLAT = 16
"""Lines below which there are none for boxes and differences."""

FRAME = 3
"""Lines of a pane that are not rows: the border and the titles."""

NOTHING = {
    "newly_failing": "No slot that passed in A fails in B.",
    "newly_fixed": "No slot that failed in A passes in B.",
    "still_failing": "No slot fails on both sides.",
    "apart": "Every case was played to its end on both sides.",
}


class CompareScreen(Screen[None]):
    """Enter on a slot leads to the two episodes side by side, enter on a case apart to the one that is there."""

    BINDINGS = bindings_for("compare")
    DEFAULT_CSS = """
    CompareScreen #sides { height: auto; max-height: 40%; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    CompareScreen #body { height: 1fr; layout: vertical; }
    CompareScreen #differences { height: 7; }
    CompareScreen #lists { height: 1fr; min-height: 6; }
    CompareScreen.-wide #body { layout: horizontal; }
    CompareScreen.-wide #differences { width: 2fr; height: 1fr; }
    CompareScreen.-wide #lists { width: 3fr; height: 1fr; }
    CompareScreen.-flat #differences { display: none; }
    CompareScreen.-flat #sides { max-height: 3; }
    CompareScreen.-flat #lists { min-height: 4; }
    """

    @dataclass
    class Came(Message):
        """The comparison as it was asked for; `why` it may not be the newest."""

        found: "Comparison"
        sides: "tuple[Asked, Asked]"
        why: str

    @dataclass
    class Failed(Message):
        """The two cannot be compared, or the index cannot be read."""

        why: str

    def __init__(self, a: "Asked", b: "Asked") -> None:
        super().__init__()
        self._sides = (a, b)
        self._policy = next(iter(POLICIES))
        self._asking = False
        self._list = next(iter(LISTS))
        self._lists: dict[str, tuple[CompareLine, ...]] = {}
        self._differences: Table[DifferenceLine] = Table(
            DIFFERENCE_COLUMNS, difference_cells, lambda line: line.group, id="difference-table"
        )
        self._table: Table[CompareLine] = Table(
            LINE_COLUMNS, line_cells, lambda line: (line.case, line.slot), id="line-table"
        )

    def compose(self) -> ComposeResult:
        yield Crumbs()
        yield Static(id="sides", markup=False)
        with Container(id="body"):
            with Titled("B − A", id="differences"):
                yield self._differences
            with Titled("Slots", id="lists"):
                yield TabLine(id="tabs")
                yield self._table
        yield Keys()

    def on_mount(self) -> None:
        """Asks at once."""
        self.title = one_line(f"{self._sides[0].text} against {self._sides[1].text}", 60)
        self._table.say("Reading …", reading=True)
        self._table.lines.focus()
        self._ask()

    def on_screen_resume(self) -> None:
        """Up to date again, after two episodes were looked at."""
        if self._lists:
            self._ask()

    def on_resize(self, event: events.Resize) -> None:
        """Side by side where there is room."""
        self.set_class(event.size.width >= WIDE, "-wide")
        self.set_class(event.size.height < FLAT, "-flat")
        self._share()

    def _share(self) -> None:
        """Stacked, the differences take as many lines as they have, up to a third of the screen."""
        stacked = min(len(self._differences.rows) + FRAME, max(FRAME + 2, self.size.height // 3))
        self.query_one("#differences").styles.height = "1fr" if self.has_class("-wide") else stacked

    # Asking, in a thread.

    def _ask(self) -> None:
        if not self._asking:
            self._asking = True
            asking = partial(self._ask_index, self._sides, self._policy)
            self.run_worker(asking, group="comparing", thread=True, exit_on_error=False)

    def _ask_index(self, sides: "tuple[Asked, Asked]", policy: str) -> None:
        from iwtui.analysis.compare_sides import ComparisonError

        try:
            found, why = ask(console(self).store, *sides, policy)
        except (StoreError, ComparisonError, OSError) as error:
            self.post_message(self.Failed(str(error)))
        else:
            self.post_message(self.Came(found, sides, why))

    @on(Came)
    def _came(self, message: Came) -> None:
        self._asking = False
        if (message.sides, message.found.policy) != (self._sides, self._policy):
            self._ask()
            return
        found = message.found
        self._lists = lists(found)
        self._list = self._list if self._list in self._lists else next(iter(self._lists))
        self.query_one("#sides", Static).update(_sides(found))
        self._differences.show(differences(found))
        self._differences.say("No pair.")
        passing = counted(still_passing(found), "slot passes still", "slots pass still")
        pane = self.query_one("#differences", Titled)
        pane.entitle(f"B − A over {counted(found.pairs, 'pair')}, policy {found.policy}", "95 % by seeds")
        self.query_one("#lists", Titled).entitle("Slots and cases", passing)
        self.sub_title = one_line(f"as of an older index: {message.why}", 60) if message.why else ""
        self._share()
        self._show_list()

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        self._asking = False
        self._table.say(one_line(message.why, 300))
        console(self).notify_text(message.why, title="These cannot be compared", severity="error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            self.post_message(self.Failed(f"{type(event.worker.error).__name__}: {event.worker.error}"))

    # The lists.

    def _show_list(self) -> None:
        tabs = [(name, f"{LISTS[name]} {len(lines)}") for name, lines in self._lists.items()]
        self.query_one(TabLine).show(tabs, self._list)
        self._table.say(NOTHING.get(self._list, ""))
        self._table.show(self._lists[self._list])

    @on(TabLine.Chosen)
    def _tab_chosen(self, message: TabLine.Chosen) -> None:
        self._choose(message.name)

    def _choose(self, name: str) -> None:
        if name in self._lists:
            self._list = name
            self._show_list()
            self._table.lines.focus()

    def _turn(self, step: int) -> None:
        names = list(self._lists)
        if names:
            self._choose(names[(names.index(self._list) + step) % len(names)])

    def action_next_list(self) -> None:
        """The next list."""
        self._turn(1)

    def action_previous_list(self) -> None:
        """The list before."""
        self._turn(-1)

    def action_policy(self) -> None:
        """The next way to say who counts."""
        names = list(POLICIES)
        self._policy = names[(names.index(self._policy) + 1) % len(names)]
        self._ask()

    def action_swap(self) -> None:
        """The other way round."""
        self._sides = self._sides[::-1]
        self.title = one_line(f"{self._sides[0].text} against {self._sides[1].text}", 60)
        self._ask()

    @on(Table.Opened, "#line-table")
    def _line_opened(self) -> None:
        line = self._table.current
        if line is None:
            return
        a, b = named(line.episode_a), named(line.episode_b)
        screen: Screen[Any]
        if a and b:
            from iwtui.tui.screens.compare_episodes import BesideScreen

            screen = BesideScreen(a, b, line)
        elif alone := a or b:
            from iwtui.tui.screens.episode import EpisodeScreen

            screen = EpisodeScreen(alone)
        else:
            console(self).notify_text("no log bears the name of these episodes")
            return
        self.app.push_screen(screen)


def _sides(found: "Comparison") -> Content:
    lines = [safe_line(f"! {warning}", 300, "$status-infra") for warning in found.warnings]
    lines += [safe_line(side("A", found.a), 300), safe_line(side("B", found.b), 300)]
    return Content("\n").join(lines)
