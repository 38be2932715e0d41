"""Weights: what scores and ranks would be if c_tech and δ were others, and how far the ranks depend on them."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.bench.filters import FilterError, parse
from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.catching import catch_up
from iwtui.tui.columns import Column
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.text import safe_line
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.slider import Slider
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.written import NOTHING, percent

if TYPE_CHECKING:
    from iwtui.analysis.weights import Stability, Standing, Tallies, Weighting

RANKED = ("builder", "persona", "difficulty")

NUMBERS = (("c1", "c_tech 1", 1.0), ("c2", "c_tech 2", 2.0), ("c3", "c_tech 3", 3.0), ("delta", "δ", 0.5))
"""The sliders with the paper's values."""

MOST_C, MOST_DELTA = 8.0, 2.0

COLUMNS = (
    Column("rank", 9, right=True, by=lambda row: row.rank),
    Column("who", 20, grow=1, by=lambda row: row.group),
    Column("TCR %", 7, right=True, by=lambda row: row.now),
    Column("paper %", 7, right=True, by=lambda row: row.paper),
    Column("change", 7, right=True, rank=1, by=lambda row: row.now - row.paper),
    Column("n", 5, right=True, rank=2, by=lambda row: row.n),
)


class _Counted(NamedTuple):
    """What the index gave, and how far ranks hold over the grid."""

    counts: "Tallies"
    stability: "Stability"


class WeightsScreen(Screen[None]):
    """The episodes of a run, or of all runs (None), that fit a filter; they are ranked anew at each move of a slider."""

    BINDINGS: ClassVar = bindings_for("weights")
    DEFAULT_CSS = """
    WeightsScreen #sliders { height: auto; }
    WeightsScreen #ranks { height: 1fr; min-height: 4; }
    WeightsScreen #grid { height: auto; padding: 0 1; }
    """

    @dataclass
    class _Came(Message):
        counted: _Counted
        asked: tuple[object, ...]

    @dataclass
    class _Failed(Message):
        title: str
        why: str
        filter_text: str = ""

    def __init__(self, run: str | None, filter_text: str = "") -> None:
        super().__init__()
        self.run = run
        self.title = "weights"
        self._filter = filter_text
        self._by = RANKED[0]
        self._clean = False
        self._asking = False
        self._counted: _Counted | None = None
        self._table: Table[Standing] = Table(COLUMNS, cells, lambda row: row.group, id="standings")

    def compose(self) -> ComposeResult:
        yield Crumbs()
        with Titled("Weights", id="sliders"):
            for name, label, value in NUMBERS:
                most, step = (MOST_DELTA, 0.1) if name == "delta" else (MOST_C, 0.25)
                yield Slider(label, value, 0.0, most, step, id=name)
        with Titled("Ranks", id="ranks"):
            yield self._table
        with Vertical(id="grid", classes="pane"):
            yield Static(id="stability", markup=False)
        yield FindBar()
        yield Keys()

    def on_mount(self) -> None:
        """Asks at once."""
        self.query_one("#grid").border_title = "Over many weights"
        self.query_one(FindBar).placeholder = "persona:P-MIN status:scored builder:qwen* tcr<0.3"
        self._table.say("Reading …", reading=True)
        self.query_one("#c1", Slider).focus_track()
        self._ask()

    def on_resize(self, event: events.Resize) -> None:
        """The sentence on the grid is wrapped anew."""
        self._tell_grid()

    # Asking, in a thread.

    @property
    def _asked(self) -> tuple[object, ...]:
        return (self._filter, self._by, self._clean)

    def _ask(self) -> None:
        if not self._asking:
            self._asking = True
            work = partial(self._ask_index, self._filter, self._by, self._clean, self._asked)
            self.run_worker(work, group="weights", thread=True, exit_on_error=False)

    def _ask_index(self, filter_text: str, by: str, clean: bool, asked: tuple[object, ...]) -> None:
        from iwtui.analysis.episodes import Asked
        from iwtui.analysis.frames import load_frame
        from iwtui.analysis.weights import load_slots, points, stability, tallies
        from iwtui.archive.index import Index

        store = console(self).store
        try:
            terms, known = parse(filter_text), store.runs()
            runs = known if self.run is None else [self.run]
            index = Index(store)
            catch_up(index)
            episodes = load_frame(index, Asked(tuple(runs), terms, known[-1] if known else None, forks=self.run is not None))
            counts = tallies(load_slots(index, runs), episodes, by, clean)
            counted = _Counted(counts, stability(points(counts)))
        except (StoreError, FilterError, OSError) as error:
            wrong = filter_text if isinstance(error, FilterError) else ""
            title = "This filter cannot be read" if wrong else "The index cannot be read"
            self.post_message(self._Failed(title, str(error), wrong))
        else:
            self.post_message(self._Came(counted, asked))

    @on(_Came)
    def _came(self, message: _Came) -> None:
        self._asking = False
        if message.asked != self._asked:
            self._ask()
            return
        self._counted = message.counted
        self._show()
        self._tell_grid()

    @on(_Failed)
    def _failed(self, message: _Failed) -> None:
        self._asking = False
        console(self).notify_text(message.why, title=message.title, severity="error")
        if message.filter_text and message.filter_text == self._filter:
            self._filter = ""
            self._ask()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            self.post_message(self._Failed("The ranks cannot be told", str(event.worker.error)))

    # Showing.

    @property
    def weighting(self) -> "Weighting | None":
        """What the sliders say; None while all of c_tech are 0, which weighs nothing."""
        from iwtui.analysis.weights import Weighting

        c1, c2, c3, delta = (self.query_one(f"#{name}", Slider).value for name, _, _ in NUMBERS)
        return Weighting((c1, c2, c3), delta) if any((c1, c2, c3)) else None

    def _show(self) -> None:
        from iwtui.analysis.weights import standings

        weighting = self.weighting
        rows = standings(self._counted.counts, weighting) if self._counted and weighting else []
        self._table.say("No episode that fits has a score." if weighting else "These weights weigh nothing.")
        self._table.show(rows)
        moved = sum(row.rank != row.rank_paper for row in rows)
        slots = "POSITIVE slots" if self._clean else "all slots"
        kept = f" with {one_line(self._filter, 60)}" if self._filter else ""
        changed = f"{moved} of {len(rows)} change their rank" if rows else "no ranks"
        self.query_one("#ranks", Titled).entitle(f"{self._by}s by TCR over {slots}{kept}: {changed}")

    def _tell_grid(self) -> None:
        if self._counted is not None:
            self.query_one("#stability", Static).update(grid_line(self._counted.stability, self._by))

    # What the reader does.

    @on(Slider.Changed)
    def _moved(self) -> None:
        self._show()

    def action_paper(self) -> None:
        """The paper's weights."""
        for name, _, value in NUMBERS:
            self.query_one(f"#{name}", Slider).show(value)
        self._show()

    def action_clean(self) -> None:
        self._clean = not self._clean
        self._ask()

    def action_by(self) -> None:
        """What is ranked."""
        self._by = RANKED[(RANKED.index(self._by) + 1) % len(RANKED)]
        self._ask()

    def action_find(self) -> None:
        bar = self.query_one(FindBar)
        bar.value = self._filter
        bar.open()

    @on(FindBar.Asked)
    def _filter_asked(self, message: FindBar.Asked) -> None:
        self._filter = message.text
        self.query_one("#c1", Slider).focus_track()
        self._ask()

    @on(FindBar.GivenUp)
    def _filter_given_up(self) -> None:
        self.query_one("#c1", Slider).focus_track()


def cells(row: "Standing") -> list[Content]:
    """The cells of a group, for COLUMNS. A rank that the paper's weights do not give is marked with the way it went."""
    went = row.rank_paper - row.rank
    mark = Content.styled(f" {'▲' if went > 0 else '▼'}{abs(went)}", "$accent") if went else Content("   ")
    change = 100 * (row.now - row.paper)
    return [
        Content(str(row.rank)) + mark,
        safe_line(row.group, 80),
        Content.styled(percent(row.now), "bold"),
        Content.styled(percent(row.paper), "$dim"),
        Content("" if abs(change) < 0.05 else f"{change:+.1f}"),
        Content.styled(str(row.n), "$dim"),
    ]


def grid_line(found: "Stability", by: str) -> Content:
    """How far the ranks hold over the grid."""
    if found.same_winner is None:
        return Content.styled(f"With fewer than two {by}s there is nothing to rank.", "$dim")
    tau = NOTHING if found.tau is None else f"{found.tau:.2f}"
    parts: list[Content | str | tuple[str, str]] = [
        (f"{100 * found.same_winner:.0f} %", "bold"),
        f" of {found.points} weightings have the same best; Kendall's τ with the paper's ranks is ",
        (tau, "bold"),
        " on average",
    ]
    if found.lowest is not None and found.lowest.tau is not None:
        at = found.lowest.weighting
        parts.append(f", {found.lowest.tau:.2f} at worst ({'/'.join(f'{c:g}' for c in at.c)}, δ {at.delta:g})")
    parts.append((".  Grid: 1 / 1–4 / that–6, δ 0–1", "$dim"))
    return Content.assemble(*parts)
