"""Asked when the reader wants other columns in a table."""

from collections.abc import Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from iwtui.tui.actions import bindings_for
from iwtui.tui.choosable import Choosable


class ColumnScreen(ModalScreen[tuple[str, ...]]):
    """All columns of a table with what they mean; space takes one or leaves it. Its result: the titles of those taken."""

    TITLE = "columns"
    BINDINGS = bindings_for("columns")
    DEFAULT_CSS = """
    ColumnScreen #columns {
        width: 76; max-width: 96%; height: auto; max-height: 90%;
        background: $panel; border: round $border; padding: 1 2;
        border-title-color: $foreground; border-title-style: bold; border-subtitle-color: $dim;
    }
    ColumnScreen OptionList, ColumnScreen OptionList:focus { height: auto; border: none; padding: 0; background: $panel; }
    """

    def __init__(self, title: str, known: Sequence[Choosable[Any]], taken: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._known = known[1:]  # the first is always there
        self._taken = set(taken)
        self._width = max(len(one.title) for one in known) + 2

    def compose(self) -> ComposeResult:
        with Vertical(id="columns") as box:
            box.border_title = self._title
            box.border_subtitle = "space takes or leaves · esc: done"
            yield OptionList(*(Option(self._prompt(one), id=f"column-{place}") for place, one in enumerate(self._known)))

    def _prompt(self, one: Choosable[Any]) -> Content:
        mark = ("✓ ", "bold $accent") if one.title in self._taken else ("· ", "$dim")
        return Content.assemble(mark, one.title.ljust(self._width), (one.help, "$dim"))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Taken, or left."""
        one = self._known[event.option_index]
        self._taken ^= {one.title}
        event.option_list.replace_option_prompt_at_index(event.option_index, self._prompt(one))

    def action_take(self) -> None:
        """Take the column at the cursor, or leave it."""
        self.query_one(OptionList).action_select()

    def action_next(self) -> None:
        """The column below."""
        self.query_one(OptionList).action_cursor_down()

    def action_previous(self) -> None:
        """The column above."""
        self.query_one(OptionList).action_cursor_up()

    def action_done(self) -> None:
        """These are taken."""
        self.dismiss(tuple(one.title for one in self._known if one.title in self._taken))
