"""Where the cursors of Home stand when it opens, and how its tables are ordered: as they were the last time."""

from typing import Any

from iwtui.tui.answers import EpisodeLine
from iwtui.tui.app_protocol import Console
from iwtui.tui.ordering import parse_order
from iwtui.tui.rows import EPISODE_COLUMNS, RUN_COLUMNS, RunRow
from iwtui.tui.widgets.table import Table

BETWEEN = " / "
"""Between the orders of runs and of episodes."""


class HomeMemory:
    """Puts things in place once, when they are there for the first time; `note` remembers how they are then."""

    def __init__(self, console: Console, runs: Table[RunRow], episodes: Table[EpisodeLine]) -> None:
        self._console = console
        self._runs = runs
        self._episodes = episodes
        by_runs, _, by_episodes = console.remembered.order.partition(BETWEEN)
        runs.sort(parse_order(by_runs, RUN_COLUMNS))
        episodes.sort(parse_order(by_episodes, EPISODE_COLUMNS))
        wished = console.run_opened_for or console.remembered.selected(console.store.root)
        self._run, _, self._episode = wished.partition("/")

    def wish(self, run: str) -> None:
        """The cursor is to go to this run as soon as it is there."""
        self._run, self._episode = run, ""

    def runs_shown(self) -> None:
        """The cursor to the run that it is wished at, once it is there."""
        if self._run and any(row.name == self._run for row in self._runs.rows):
            self._runs.go(self._run)
            self._episode = f"{self._run}/{self._episode}" if self._episode else ""
            self._run = ""

    def episodes_shown(self, run: str) -> None:
        """The cursor, and the focus, to the episode that was selected the last time, once those of its run are there."""
        wished, self._episode = self._episode, "" if self._episode.startswith(f"{run}/") else self._episode
        for line in self._episodes.rows:
            if str(line.name) == wished:
                self._episodes.go(line.name.played)
                if self._runs.lines.has_focus:
                    self._episodes.lines.focus()

    def keep(self) -> None:
        """Remember how it stands, also when the console comes to a bad end."""
        self.note()
        self._console.remember()

    def note(self) -> None:
        """Remember where the cursors are, and the orders."""
        remembered = self._console.remembered
        at: Any = self._episodes.current if self._episodes.lines.has_focus else self._runs.current
        if at is not None:
            remembered.select(self._console.store.root, str(at.name))
        remembered.order = f"{self._runs.order}{BETWEEN}{self._episodes.order}"
