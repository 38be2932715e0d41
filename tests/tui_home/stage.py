"""A small application in which the screens of this room are tried, with what they may ask of the console."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.tui.app_protocol import Severity
from iwtui.tui.remembered import Remembered
from iwtui.tui.themes import load_themes, stylesheet

SIZES = [(80, 24), (120, 40), (200, 60)]

HOSTILE = "\x1b[2J\x1b]52;c;eA==\x07\x1b]0;t\x07\x9b31m\u202e[/][link='[bold]“日本語🏴‍☠️\ufe0f"
"""Whatever a text of others may hold that must never be carried out."""


class Stage(App[None]):
    """Notes what the screens ask for."""

    def __init__(self, root: Path, run: str | None = None) -> None:
        self._theme_of_ours = load_themes()["dark"]
        super().__init__(css_path=stylesheet())
        self.register_theme(self._theme_of_ours)
        self.theme = self._theme_of_ours.name
        self.store = Store(root)
        self.images = "off"
        self.run_opened_for = run
        self.marked_run: str | None = None
        self.remembered = Remembered()
        self.copied: list[str] = []
        self.notes: list[tuple[str, str]] = []
        self.pids: list[int] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return self._theme_of_ours.variables

    def notify_text(self, text: str, *, title: str = "", severity: Severity = "information") -> None:
        self.notes.append((title, text))

    def started(self, pid: int) -> None:
        self.pids.append(pid)

    def copy_text(self, text: str, name: str) -> Path | None:
        self.copied.append(text)
        return None

    def remember(self) -> None:
        """Nothing is kept beyond the test."""

    @property
    def shown(self) -> str:
        """What stands on the screen."""
        rows = self.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in row) for row in rows)


class Stand(Screen[None]):
    """Stands in for the screen of an episode."""

    def __init__(self, episode: EpisodeName) -> None:
        super().__init__()
        self.episode = episode


async def until(pilot: Pilot[Any], holds: Callable[[], object], limit: float = 30.0) -> None:
    """Waits for it to hold; fails after `limit` seconds."""
    ends = time.monotonic() + limit
    while not holds():
        assert time.monotonic() < ends, "it did not come to hold"
        await pilot.pause(0.02)
    await pilot.pause()
