"""A small application for the screens of an episode: what the console promises its screens, and nothing else."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.app import App
from textual.filter import LineFilter
from textual.pilot import Pilot
from textual.screen import Screen

from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.tui.remembered import Remembered
from iwtui.tui.screens.episode import EpisodeScreen
from iwtui.tui.screens.episode_panes import READING
from iwtui.tui.text import ControlFilter
from iwtui.tui.themes import load_themes, stylesheet

SIZES = [(70, 22), (80, 24), (120, 40), (200, 60)]


class SmallApp(App[None]):
    """`notes` and `copied` keep what the screens asked for."""

    def __init__(self, store: Store, images: str = "halfcell", remembered: Remembered | None = None) -> None:
        super().__init__(css_path=stylesheet())
        for theme in load_themes().values():
            self.register_theme(theme)
        self.theme = "dark"
        self.store = store
        self.images = images
        self.author = "ann"
        self.remembered = remembered or Remembered()
        self.notes: list[str] = []
        self.copied: list[str] = []

    def get_default_screen(self) -> Screen[Any]:
        return Screen()

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlFilter()]

    def notify_text(self, text: str, *, title: str = "", severity: str = "information") -> None:
        self.notes.append(f"{title}: {text}" if title else text)

    def started(self, pid: int) -> None:
        raise AssertionError("no screen of an episode starts a process")

    def remember(self) -> None:
        self.remembered.write()

    def copy_text(self, text: str, name: str) -> Path | None:
        self.copied.append(text)
        return None

    def lines(self) -> list[str]:
        """The screen as it would be printed."""
        return [strip.text.rstrip() for strip in self.screen._compositor.render_strips()]


async def until(pilot: Pilot[None], holds: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await pilot.pause(0.01)


@asynccontextmanager
async def showing(
    store: Store,
    name: EpisodeName,
    size: tuple[int, int] = (160, 48),
    event: int | None = None,
    remembered: Remembered | None = None,
) -> AsyncIterator[tuple[SmallApp, Pilot[None], EpisodeScreen]]:
    """The screen of an episode, its logs read."""
    app = SmallApp(store, remembered=remembered)
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = EpisodeScreen(name, event)
        await app.push_screen(screen)
        await until(pilot, lambda: screen.view and screen.panes.timeline.empty != READING)
        await pilot.pause()
        yield app, pilot, screen
