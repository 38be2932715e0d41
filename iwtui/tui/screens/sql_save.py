"""Asked when a query is to be saved: under which name."""

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from iwtui.archive.errors import StoreError
from iwtui.archive.saved_queries import SavedQuery, file_of
from iwtui.tui.text import safe_line


class SaveScreen(ModalScreen[str | None]):
    """Its result is the name, or None. Over one's own query, or beside a shipped one, only after saying so."""

    TITLE = "save"
    BINDINGS: ClassVar = [Binding("escape", "give_up", "back", id="dialog.stay")]
    DEFAULT_CSS = """
    SaveScreen { align: center middle; background: $background 60%; }
    SaveScreen #question {
        width: 70; max-width: 96%; height: auto; background: $panel; border: round $border; padding: 1 2;
        border-title-color: $foreground; border-title-style: bold; border-subtitle-color: $dim;
    }
    SaveScreen Input, SaveScreen Input:focus { height: 1; border: none; padding: 0; background: $background; }
    SaveScreen Static { margin-top: 1; color: $dim; }
    """

    def __init__(self, saved: Mapping[str, SavedQuery], name: str = "") -> None:
        super().__init__()
        self._saved = saved
        self._first = name

    def compose(self) -> ComposeResult:
        with Vertical(id="question") as box:
            box.border_title = "Save the query as"
            box.border_subtitle = "enter saves · esc"
            yield Input(self._first, placeholder="a-name", max_length=60)
            yield Static(id="told", markup=False)

    def on_mount(self) -> None:
        """Says at once what the name would mean."""
        self._tell(self._first)

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        self._tell(message.value)

    def _tell(self, name: str) -> None:
        self.query_one("#told", Static).update(safe_line(what_it_means(name, self._saved), 200))

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        if not why_not(message.value):
            self.dismiss(message.value)

    def action_give_up(self) -> None:
        """Not saved."""
        self.dismiss(None)


def why_not(name: str) -> str:
    """Why a query cannot have that name; empty when it can."""
    try:
        file_of(name)
    except StoreError as error:
        return str(error)
    return ""


def what_it_means(name: str, saved: Mapping[str, SavedQuery]) -> str:
    """What saving under a name does."""
    if not name:
        return "its first comment is its title; `iwtui sql @name` asks it too"
    if reason := why_not(name):
        return reason
    if name not in saved:
        return "a new query of your own"
    if saved[name].own:
        return f"this replaces your own query “{saved[name].title}”"
    return f"this hides the shipped query “{saved[name].title}” until you delete yours"
