"""Which of some turns is meant."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from iwtui.tui.actions import bindings_for
from iwtui.tui.text import safe_line


class ChooseTurn(ModalScreen[int | None]):
    """The turns that wrote a file, the newest first; its result is the chosen one."""

    TITLE = "turn"
    BINDINGS = bindings_for("dialog")

    def __init__(self, path: str, turns: Sequence[int]) -> None:
        super().__init__()
        self._path = path
        self._turns = turns

    def compose(self) -> ComposeResult:
        with Vertical(id="question") as box:
            box.border_title = safe_line(f"{self._path} against", 60)
            yield OptionList(*(Option(f"turn {turn}", id=str(turn)) for turn in reversed(self._turns)))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The turn."""
        self.dismiss(int(event.option_id or 0))

    def action_next(self) -> None:
        """The turn below."""
        self.query_one(OptionList).action_cursor_down()

    def action_previous(self) -> None:
        """The turn above."""
        self.query_one(OptionList).action_cursor_up()

    def action_stay(self) -> None:
        """None of them."""
        self.dismiss(None)
