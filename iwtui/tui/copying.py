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


@runtime_checkable
class CopiedWhole(Protocol):
    """A widget that has more to be copied than what its cursor is on."""

    def copied_whole(self) -> str:
        """All of it; empty when there is nothing."""


@runtime_checkable
class CopiesWhole(Protocol):
    """A screen that has to read first what is copied of it as a whole, and puts it into a file itself."""

    def copy_whole(self) -> bool:
        """Begins with it; False when the focus is on nothing of that kind."""


def whole_of(screen: Screen[Any]) -> str:
    """All of what the focus is in, where that is more than what it is on; else the same as `what_is_copied`."""
    around = screen.focused.ancestors_with_self if screen.focused else ()
    whole = next((node for node in around if isinstance(node, CopiedWhole)), None)
    return (whole.copied_whole() if whole else "") or what_is_copied(screen)


def what_is_copied(screen: Screen[Any]) -> str:
    """What is copied of a screen: what it says itself, else what its widget with the focus says."""
    for node in (screen, screen.focused):
        text = node.copied() if isinstance(node, Copied) else ""
        if text:
            return text
    return ""


def copy_to_file(text: str, name: str) -> Path:
    """A file of its own in the user's cache folder. Raises OSError."""
    file = new_file(name, ".txt")
    file.write_text(text, "utf-8")
    return file


def new_file(name: str, suffix: str) -> Path:
    """Where something that is copied may be written. Raises OSError."""
    folder = cache_folder() / "copied"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{one_line(name, 60).replace('/', '_') or 'text'}{suffix}"
