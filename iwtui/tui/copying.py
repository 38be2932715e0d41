"""Copying: what the focus is on, to the terminal's clipboard or into a file."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from textual.screen import Screen

from iwtui.bench.text import one_line
from iwtui.resources import cache_folder

CLIPBOARD = 50_000
"""Characters that are sent to the terminal's clipboard; tmux and others drop much longer ones without a word."""


@runtime_checkable
class Copied(Protocol):
    """A screen that knows what is copied of it, or a widget that does."""

    def copied(self) -> str:
        """The text; empty when there is none."""


def what_is_copied(screen: Screen[Any]) -> str:
    """What is copied of a screen: what it says itself, else what its widget with the focus says."""
    for node in (screen, screen.focused):
        text = node.copied() if isinstance(node, Copied) else ""
        if text:
            return text
    return ""


def copy_to_file(text: str, name: str) -> Path:
    """A file of its own in the user's cache folder. Raises OSError."""
    folder = cache_folder() / "copied"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{one_line(name, 60).replace('/', '_') or 'text'}.txt"
    file.write_text(text, "utf-8")
    return file
