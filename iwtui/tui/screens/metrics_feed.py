"""What Metrics is fed with: figures, their intervals, pages of episodes and published figures, asked for in threads.

What the reader waits for is asked of the index as it stands, and has a line of its own; catching up with the logs and the
intervals, which take longer, go on beside it.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.archive.store import Store
from iwtui.bench.filters import FilterError
from iwtui.tui.answers import Metrics, Page
from iwtui.tui.copying import copy_to_file
from iwtui.tui.pages import PAGE
from iwtui.tui.queries import Questions
from iwtui.tui.sheet_files import tabbed, write_sheet

if TYPE_CHECKING:
    from iwtui.analysis.causes import Share
    from iwtui.analysis.published import Compared

REFRESH = 3.0
"""Seconds between two looks at the logs."""


@dataclass(frozen=True)
class Asked:
    """What the figures are asked for."""

    run: str | None
    policy: str = "default"
    filter_text: str = ""
    by: str = "persona"


@dataclass(frozen=True)
class Episodes:
    """Which episodes are asked for: those that fit both filters, in an order (column of the index, highest first)."""

    run: str | None
    filter_text: str = ""
    chosen: str = ""
    order: tuple[str, bool] | None = None

    @property
    def filter(self) -> str:
        return f"{self.filter_text} {self.chosen}".strip()


class MetricsFeed(Widget):
    """Shows nothing. Of each kind of question one is asked at a time; of those that come meanwhile the last is next."""

    DEFAULT_CSS = "MetricsFeed { display: none; }"

    @dataclass
    class MetricsCame(Message):
        """Figures; `bounded` ones have their intervals."""

        asked: Asked
        metrics: Metrics

    @dataclass
    class PageCame(Message):
        """A page of episodes. `renewed`: they were asked for because the index has changed."""

        asked: Episodes
        page: Page
        renewed: bool

    @dataclass
    class PublishedCame(Message):
        """Each published figure with ours."""

        rows: "tuple[Compared, ...]"

    @dataclass
    class CausesCame(Message):
        """What was lost by which cause."""

        rows: "tuple[Share, ...]"

    @dataclass
    class Written(Message):
        """A file is there; `copied`: its path is for the clipboard."""

        path: Path
        rows: int
        copied: bool = False

    @dataclass
    class Exists(Message):
        """There is such a file already."""

        path: Path
        write: Callable[[], None]

    @dataclass
    class Failed(Message):
        """Something could not be done."""

        title: str
        why: str

    @dataclass
    class _Done(Message):
        kind: str

    def __init__(self, store: Store, first: Asked) -> None:
        super().__init__()
        self._quick = Questions(store)
        self._paging = Questions(store)
        self._slow = Questions(store)
        # The first figures are asked for while the screen is still being put together.
        self._first = first
        self._early: Future[Metrics] = Future()
        threading.Thread(target=self._ask_first, name="first figures", daemon=True).start()
        self._busy: set[str] = set()
        self._next: dict[str, Callable[[], None]] = {}
        self._held: Callable[[], None] | None = None

    def figures(self, asked: Asked) -> None:
        """Figures of the index as it stands; then with their intervals."""
        self._begin("figures", partial(self._figures, asked))

    def catch_up(self, asked: Asked) -> None:
        """The same once the index has caught up with the logs."""
        self._begin("bounds", partial(self._bounds, asked, fresh=True))

    def page(self, asked: Episodes, offset: int, renewed: bool = False) -> None:
        """The episodes from one on."""
        self._begin(f"page {offset}" if offset and not renewed else "page", partial(self._page, asked, offset, renewed))

    def published(self, asked: Asked) -> None:
        """The published figures."""
        self._begin("published", partial(self._published, asked))

    def causes(self, asked: Asked) -> None:
        """Why weight was lost."""
        self._begin("causes", partial(self._causes, asked))

    def copy_episodes(self, asked: Episodes, name: str) -> None:
        """All episodes to a file in the user's cache folder."""
        self._begin("write", partial(self._copy, asked, name))

    def write(self, asked: Asked, episodes: Episodes | None, form: str, path: Path, over: bool = False) -> None:
        """Figures, or episodes if they are given, to a file; `over`: even if there is one."""
        self._begin("write", partial(self._write, asked, episodes, form, path, over))

    # In threads.

    def _ask_first(self) -> None:
        try:
            self._early.set_result(self._ask(self._first))
        except Exception as error:  # whoever waits for the figures gets it
            self._early.set_exception(error)

    def _ask(self, asked: Asked) -> Metrics:
        return self._quick.metrics(asked.run, asked.policy, asked.filter_text, asked.by, fresh=False)

    def _figures(self, asked: Asked) -> None:
        metrics = self._early.result() if asked is self._first else self._ask(asked)
        self.post_message(self.MetricsCame(asked, metrics))

    def _bounds(self, asked: Asked, fresh: bool) -> None:
        found = self._slow.metrics(asked.run, asked.policy, asked.filter_text, asked.by) if fresh else None
        bounded = self._slow.intervals(asked.run, asked.policy, asked.filter_text, asked.by)
        if found is not None:
            bounded = replace(bounded, age=found.age)
        self.post_message(self.MetricsCame(asked, bounded))

    def _page(self, asked: Episodes, offset: int, renewed: bool) -> None:
        page = self._paging.cell(asked.run, asked.filter, None, asked.order, offset, PAGE)
        self.post_message(self.PageCame(asked, page, renewed))

    def _published(self, asked: Asked) -> None:
        self.post_message(self.PublishedCame(self._slow.published(asked.run, asked.filter_text)))

    def _causes(self, asked: Asked) -> None:
        self.post_message(self.CausesCame(self._slow.causes(asked.run, asked.filter_text)))

    def _copy(self, asked: Episodes, name: str) -> None:
        sheet = self._paging.export_episodes(asked.run, asked.filter, None, asked.order)
        self.post_message(self.Written(copy_to_file(tabbed(sheet), name), len(sheet.rows), copied=True))

    def _write(self, asked: Asked, episodes: Episodes | None, form: str, path: Path, over: bool) -> None:
        if path.exists() and not over:
            self.post_message(self.Exists(path, partial(self.write, asked, episodes, form, path, over=True)))
            return
        if episodes is None:
            sheet = self._slow.export(asked.run, asked.policy, asked.filter_text, asked.by)
        else:
            sheet = self._paging.export_episodes(episodes.run, episodes.filter, None, episodes.order)
        write_sheet(sheet, form, path)
        self.post_message(self.Written(path, len(sheet.rows)))

    # One at a time.

    def _begin(self, kind: str, work: Callable[[], None]) -> None:
        if kind in self._busy:
            self._next[kind] = work
            return
        self._busy.add(kind)
        self.run_worker(partial(self._do, kind, work), name=kind, group="metrics", thread=True, exit_on_error=False)

    def _do(self, kind: str, work: Callable[[], None]) -> None:
        try:
            work()
        except (StoreError, FilterError, OSError) as error:
            self.post_message(self.Failed(_TITLES.get(kind, "The index cannot be read"), str(error)))
        self.post_message(self._Done(kind))

    @on(_Done)
    def _done(self, message: _Done) -> None:
        message.stop()
        self._busy.discard(message.kind)
        if message.kind == "page":
            held, self._held = self._held, None
            if held:
                self._begin("bounds", held)
        if work := self._next.pop(message.kind, None):
            self._begin(message.kind, work)

    @on(MetricsCame)
    def _then_bounds(self, message: MetricsCame) -> None:
        """The intervals follow the figures, and the episodes that are on their way."""
        if message.metrics.bounded:
            return
        work = partial(self._bounds, message.asked, fresh=False)
        if "page" in self._busy:
            self._held = work
        else:
            self._begin("bounds", work)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of, and asking goes on."""
        event.stop()
        if event.state is WorkerState.ERROR:
            self.post_message(self.Failed("The index cannot be read", str(event.worker.error)))
            self.post_message(self._Done(event.worker.name))


_TITLES = {"write": "Not written"}
