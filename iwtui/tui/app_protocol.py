"""What screens and widgets may ask of the application."""

from pathlib import Path
from typing import Any, Literal, Protocol, cast

from textual.message_pump import MessagePump

from iwtui.archive.store import Store
from iwtui.tui.remembered import Remembered

Severity = Literal["information", "warning", "error"]


class Console(Protocol):
    """The application as its screens see it."""

    store: Store
    images: str
    """How pictures are shown: `kitty`, `sixel`, `halfcell` or `off` (terminal.Mode)."""

    remembered: Remembered
    """Where the reader was the last time, and how it looked."""

    author: str
    """Under which name a person's verdicts are kept; empty when that has to be asked."""

    run_opened_for: str | None
    """The run that the console was opened for, as `iwtui demo` does."""

    marked_run: str | None
    """The run that is A of the next comparison."""

    def notify_text(self, text: str, *, title: str = "", severity: Severity = "information") -> None:
        """Show a short note; the text is data, never markup."""

    def started(self, pid: int) -> None:
        """A process that plays a run was started from here; leaving the console asks what is to become of it."""

    def remember(self) -> None:
        """Keep what is in `remembered`, in a thread; at the latest it is kept when the console is left."""

    def copy_text(self, text: str, name: str) -> Path | None:
        """Put the text on the clipboard, and into a file too when it is too long for that; the file, if there is one."""


def console(node: MessagePump) -> Console:
    """The application that a screen or a widget belongs to."""
    app: Any = node.app
    return cast(Console, app)
