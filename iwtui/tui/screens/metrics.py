"""The figures of a run, or of all: tiles, outcomes, four views of them; and the episodes of what is chosen there."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from textual import events, on
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen

from iwtui.bench.names import EpisodeName
from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for, key_of
from iwtui.tui.answers import Age, EpisodeLine, Metrics
from iwtui.tui.app_protocol import console
from iwtui.tui.choosable import Chosen
from iwtui.tui.comparing import mark_or_compare
from iwtui.tui.episode_columns import EPISODE_CHOICES, USUAL_EPISODE
from iwtui.tui.screens.filter_bar import FilterBar
from iwtui.tui.screens.metrics_feed import REFRESH, Asked, Episodes, MetricsFeed
from iwtui.tui.screens.metrics_views import (
    BarsView,
    CausesView,
    MapsView,
    PlotsView,
    PublishedView,
    View,
    grid_values,
    usual_parts,
)
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.paged_table import PagedTable
from iwtui.tui.widgets.table import Table
from iwtui.tui.widgets.tiles import OutcomeBar, Tiles
from iwtui.tui.widgets.titled import Titled
from iwtui.tui.widgets.views import Views
from iwtui.tui.written import counted, seconds

POLICIES = {
    "default": "crashed 0, infra out",
    "strict": "all count, infra 0",
    "scored": "the scored alone",
    "official": "as the official code",
}
"""Who counts, in a word."""

VIEWS = {"map": "1", "bars": "2", "plots": "3", "published": "4", "causes": "5"}

COMPACT = ("map", "bars")
"""Views that are as high as what is in them; the episodes have the rest."""

TALL = 36
"""Lines from which on there is room for air."""

FLAT = 16
"""Lines below which there are none for boxes, tiles and outcomes: the map has the figure of all."""

OLD = 10.0
"""Seconds from which on the age of the index is told."""


class MetricsScreen(Screen[None]):
    """Enter on what is chosen leads to its episodes, enter on one of them to the episode. `run` is None for all runs."""

    BINDINGS = bindings_for("metrics")
    DEFAULT_CSS = """
    MetricsScreen.-tall Tiles { height: 5; padding: 1 1; }
    MetricsScreen.-tall OutcomeBar { height: 2; }
    MetricsScreen #cell { height: 1fr; min-height: 5; }
    MetricsScreen.-flat Tiles, MetricsScreen.-flat OutcomeBar { display: none; }
    MetricsScreen.-flat MapsView { max-height: 4; }
    MetricsScreen.-flat HeatMap { height: 3; }
    MetricsScreen.-flat #cell { min-height: 3; }
    """

    def __init__(self, run: str | None) -> None:
        super().__init__()
        self.title = "metrics of all runs" if run is None else f"metrics of {one_line(run, 60)}"
        self._metrics: Metrics | None = None
        self._asked = Asked(run)
        self._episodes = Episodes(run)
        self._shown: Episodes | None = None
        self._named = ""
        self._eager = False
        """The reader wants to go to the episodes that are on their way."""
        self._told = ""

    @property
    def run(self) -> str | None:
        """The run whose figures these are; None: all."""
        return self._asked.run

    def compose(self) -> ComposeResult:
        self._feed = MetricsFeed(console(self).store, self._asked)
        self._fit(self.app.size)
        remembered = console(self).remembered
        self._columns: Chosen[EpisodeLine] = Chosen(EPISODE_CHOICES, USUAL_EPISODE, remembered.columns("episodes"))
        self._views: dict[str, View] = {
            "map": MapsView(id="map"),
            "bars": BarsView(self._asked.by, usual_parts(remembered.columns("bars")), id="bars"),
            "plots": PlotsView(id="plots"),
            "published": PublishedView(id="published"),
            "causes": CausesView(id="causes"),
        }
        self._view = "map"
        self._seen = {"map"}
        self._table: PagedTable[EpisodeLine] = PagedTable(
            self._columns.columns, self._columns.cells, _episode, id="cell-table"
        )
        yield Crumbs()
        yield Tiles(id="tiles")
        yield OutcomeBar(id="outcomes")
        yield Views(VIEWS, id="views")
        yield self._views["map"]
        with Titled("Episodes", id="cell"):
            yield self._table
        yield FilterBar(id="filter")
        yield Keys()
        yield self._feed

    async def on_mount(self) -> None:
        """Asks at once, and again from time to time."""
        self._table.say("Reading …", reading=True)
        await self._look_at("map")
        self._say_policy()
        self._timer = self.set_interval(REFRESH, self._refresh, pause=True)
        self._feed.figures(self._asked)

    def on_screen_suspend(self) -> None:
        """While another screen is looked at, the index rests."""
        self._timer.pause()

    def on_screen_resume(self) -> None:
        """Up to date again."""
        if self._metrics is not None:
            self._timer.resume()
            self._refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Some air where there is room."""
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        self.set_class(size.height >= TALL, "-tall")
        self.set_class(size.height < FLAT, "-flat")

    # Asking.

    def _refresh(self) -> None:
        self._feed.catch_up(self._asked)
        self._ask_apart()

    def _ask_apart(self) -> None:
        """The rows of a view whose figures come apart from the others."""
        if self._view == "published":
            self._feed.published(self._asked)
        elif self._view == "causes":
            self._feed.causes(self._asked)

    def _ask(self, asked: Asked) -> None:
        self._asked = asked
        self._feed.figures(asked)

    @on(MetricsFeed.MetricsCame)
    def _metrics_came(self, message: MetricsFeed.MetricsCame) -> None:
        if message.asked != self._asked:
            return
        before, self._metrics = self._metrics, message.metrics
        self._told = ""
        if before is None:
            self._timer.resume()
            self._feed.page(self._episodes, 0)
        figures = message.metrics.figures
        self.query_one(Tiles).show(figures, message.metrics.repeats)
        self.query_one(OutcomeBar).show(figures)
        for name in self._seen:
            self._views[name].show(message.metrics)
        self._say_whole(message.metrics)
        if before is not None and _changed(before, message.metrics):
            self._feed.page(self._episodes, self._table.wanted, renewed=True)
        self._select()

    @on(MetricsFeed.PublishedCame)
    def _published_came(self, message: MetricsFeed.PublishedCame) -> None:
        view = self._views["published"]
        assert isinstance(view, PublishedView)
        view.show_published(message.rows)

    @on(MetricsFeed.CausesCame)
    def _causes_came(self, message: MetricsFeed.CausesCame) -> None:
        view = self._views["causes"]
        assert isinstance(view, CausesView)
        view.show_causes(message.rows)

    @on(MetricsFeed.PageCame)
    def _page_came(self, message: MetricsFeed.PageCame) -> None:
        if message.asked != self._episodes:
            return
        page = message.page
        if self._shown is None:
            self._refresh()
        if self._shown != message.asked:
            self._shown = message.asked
            self._table.begin(page.total, page.offset, page.lines)
        elif message.renewed or len(self._table.rows) != page.total:
            self._table.renew(page.total, page.offset, page.lines)
        else:
            self._table.put(page.offset, page.lines)
        self._table.say(self._nothing())
        self._say_cell(page.total)
        if self._eager and page.total:
            self._table.lines.focus()
        self._eager = False

    @on(PagedTable.Wanted)
    def _page_wanted(self, message: PagedTable.Wanted) -> None:
        if self._shown == self._episodes:
            self._feed.page(self._episodes, message.offset)

    @on(MetricsFeed.Failed)
    def _failed(self, message: MetricsFeed.Failed) -> None:
        if message.why != self._told:
            self._told = message.why
            console(self).notify_text(message.why, title=message.title, severity="error")

    # Showing.

    async def _look_at(self, name: str) -> None:
        """A view is put together when it is looked at first."""
        if name not in self._seen:
            await self.mount(self._views[name], before="#cell")
            self._seen.add(name)
            if self._metrics is not None:
                self._views[name].show(self._metrics)
        self._view = name
        for each, view in self._views.items():
            view.display = each == name
        # Not by a class: a rule of style would have all that is in the screen looked through at each change.
        self.query_one("#cell").styles.height = "1fr" if name in COMPACT else "2fr"
        self.query_one(Views).show(name)
        self._views[name].heart.focus()
        self._ask_apart()
        self._select()

    def _select(self) -> None:
        """The episodes of what is chosen in the view, from the index; the same as before are not asked for again."""
        chosen = self._views[self._view].selection
        order = self._table.order
        asks = self._columns.asks(order.title)
        self._named = chosen.named
        wanted = Episodes(self.run, self._asked.filter_text, chosen.filter, (asks, order.down) if asks else None)
        if chosen.none:
            self._episodes = self._shown = replace(wanted, chosen=chosen.none)
            self._table.begin(0, 0, ())
            self._table.say(chosen.none)
            self._say_cell(0)
        elif wanted != self._episodes:
            self._episodes = wanted
            self._feed.page(wanted, 0)

    def _nothing(self) -> str:
        if self._asked.filter_text:
            return "No episode fits the filter; / changes it."
        return (
            "No episode has begun yet."
            if self._metrics and not self._metrics.figures.episodes
            else "No episode is in this cell."
        )

    def _say_cell(self, total: int) -> None:
        order = f"by {self._table.order}" if self._table.order.title else "the lowest TCR first"
        self.query_one("#cell", Titled).entitle(f"{self._named}: {counted(total, 'episode')}, {order}")

    def _say_policy(self) -> None:
        self.query_one(Views).say(f"policy {self._asked.policy}", POLICIES[self._asked.policy])

    def _say_whole(self, metrics: Metrics) -> None:
        from iwtui.analysis.figures import played_by

        told = [f"{counted(metrics.figures.episodes, 'episode')} of {counted(len(metrics.runs), 'run')}"]
        if "scripted" in (played := played_by(metrics.figures)):
            told.append(played)
        if age := age_told(metrics.age):
            told.append(age)
        if metrics.filter_text:
            told.append(metrics.filter_text)
        self.sub_title = one_line(" · ".join(told), 60)

    # What the reader does.

    @on(Views.Chosen)
    async def _view_clicked(self, message: Views.Chosen) -> None:
        await self._look_at(message.view)

    @on(View.Selected)
    def _selected(self, message: View.Selected) -> None:
        if message.view is not self._views[self._view]:
            return
        self._select()
        if message.opened:
            self._eager = self._shown != self._episodes
            if not self._eager and len(self._table.rows):
                self._table.lines.focus()

    @on(BarsView.Regrouped)
    def _regrouped(self) -> None:
        bars = self._views["bars"]
        assert isinstance(bars, BarsView)
        self._ask(replace(self._asked, by=bars.by))

    @on(Tiles.Chosen)
    def _figure_chosen(self, message: Tiles.Chosen) -> None:
        self._table.sort(message.order)
        self._table.lines.focus()
        self._select()

    @on(Table.Ordered, "#cell-table")
    def _table_ordered(self) -> None:
        self._select()

    @on(Table.Opened, "#cell-table")
    def _episode_opened(self) -> None:
        from iwtui.tui.screens.episode import EpisodeScreen

        line = self._table.current
        if line is not None:
            self.app.push_screen(EpisodeScreen(line.name))

    async def action_map(self) -> None:
        """The heat maps."""
        await self._look_at("map")

    async def action_bars(self) -> None:
        """The bars."""
        bars = self._views["bars"]
        assert isinstance(bars, BarsView)
        if self._asked.by != bars.by:
            self._ask(replace(self._asked, by=bars.by))
        await self._look_at("bars")

    async def action_plots(self) -> None:
        """The plots."""
        await self._look_at("plots")

    async def action_published(self) -> None:
        """The published figures."""
        await self._look_at("published")

    async def action_causes(self) -> None:
        """Why weight was lost."""
        await self._look_at("causes")

    def action_next_part(self) -> None:
        """The next map, group or plot."""
        self._views[self._view].step(1)

    def action_previous_part(self) -> None:
        """The one before."""
        self._views[self._view].step(-1)

    @on(Views.NoteClicked)
    def action_policy(self) -> None:
        """The next way to say who counts."""
        names = list(POLICIES)
        self._ask(replace(self._asked, policy=names[(names.index(self._asked.policy) + 1) % len(names)]))
        self._say_policy()

    def action_adjudicate(self) -> None:
        """A person's verdicts on the slots of these episodes."""
        from iwtui.tui.screens.adjudicate import AdjudicateScreen

        self.app.push_screen(AdjudicateScreen(self.run, self._asked.filter_text))

    def action_weights(self) -> None:
        """Their scores and ranks under other weights."""
        from iwtui.tui.screens.weights import WeightsScreen

        self.app.push_screen(WeightsScreen(self.run, self._asked.filter_text))

    def action_compare(self) -> None:
        """Mark this run as A, or compare it with the one that is."""
        if self.run is None:
            console(self).notify_text("these are all runs together; the metrics of one run, or Home, can mark it")
            return
        mark_or_compare(self, self.run, key_of(self, "metrics.compare"))

    def action_find(self) -> None:
        """Keep the episodes that fit a filter."""
        self.query_one(FilterBar).open(self._asked.filter_text, grid_values(self._metrics))

    @on(FilterBar.Asked)
    def _filter_asked(self, message: FilterBar.Asked) -> None:
        self._ask(replace(self._asked, filter_text=message.text))
        self._views[self._view].heart.focus()
        self._select()
        self._ask_apart()

    @on(FilterBar.GivenUp)
    def _filter_given_up(self) -> None:
        self._views[self._view].heart.focus()

    # Columns, copies, files.

    def action_columns(self) -> None:
        """Other columns, of the bars when the focus is on them, else of the episodes."""
        from iwtui.tui.screens.column_choice import ColumnScreen

        bars = self._views["bars"]
        assert isinstance(bars, BarsView)
        of_bars = bars.heart.has_focus
        chosen: Chosen[Any] = bars.chosen if of_bars else self._columns

        def taken(titles: tuple[str, ...] | None) -> None:
            if titles is None:
                return
            if of_bars:
                bars.choose(titles)
            else:
                chosen.choose(titles)
                self._table.choose(chosen.columns, chosen.cells)
            console(self).remembered.choose_columns("bars" if of_bars else "episodes", chosen.titles)
            console(self).remember()

        named = "Columns of the bars" if of_bars else "Columns of the episodes"
        self.app.push_screen(ColumnScreen(named, chosen.known, chosen.titles), taken)

    def copy_whole(self) -> bool:
        """All episodes that are shown go to a file, when the focus is on them; they are read for that."""
        if not self._table.lines.has_focus or not len(self._table.rows):
            return False
        self._feed.copy_episodes(self._episodes, self.title or "episodes")
        return True

    def action_export(self) -> None:
        """Figures or episodes to a file."""
        from iwtui.tui.screens.export import ExportScreen, Wish

        def wished(wish: Wish | None) -> None:
            if wish is not None:
                episodes = self._episodes if wish.what == "episodes" else None
                self._feed.write(self._asked, episodes, wish.form, wish.path)

        by = self._asked.by.replace("_", " ")
        kinds = {
            "figures": f"of all, and by {by}, policy {self._asked.policy}",
            "episodes": f"{self._named}, {len(self._table.rows)} of them",
        }
        name = f"metrics-{one_line(self.run or 'all', 60).replace('/', '_')}"
        self.app.push_screen(ExportScreen(kinds, name, Path.cwd()), wished)

    @on(MetricsFeed.Exists)
    def _exists(self, message: MetricsFeed.Exists) -> None:
        from iwtui.tui.screens.sure import SureScreen

        def answered(yes: bool | None) -> None:
            if yes:
                message.write()

        asked = SureScreen("Write over it?", f"{message.path} is there already.", "Write over it", "Leave it as it is")
        self.app.push_screen(asked, answered)

    @on(MetricsFeed.Written)
    def _written(self, message: MetricsFeed.Written) -> None:
        said = f"{counted(message.rows, 'row')} in {message.path}"
        if message.copied:
            self.app.copy_to_clipboard(str(message.path))
            said += ", whose path is on the clipboard"
        console(self).notify_text(said, title="Copied" if message.copied else "Written")


def age_told(age: Age) -> str:
    """How old the figures are, when that is worth telling."""
    if age.seconds is None:
        return age.why
    old = f"{seconds(age.seconds)} old" if age.seconds >= OLD else ""
    return ", ".join(filter(None, (old, age.why)))


def _changed(before: Metrics, now: Metrics) -> bool:
    """Whether the index has changed between two answers to the same question."""
    plain = [msgspec.structs.replace(one.figures, bounds={}) for one in (before, now)]
    same_question = (before.policy, before.filter_text, before.by) == (now.policy, now.filter_text, now.by)
    return same_question and (plain[0] != plain[1] or before.points != now.points)


def _episode(line: EpisodeLine) -> EpisodeName:
    return line.name
