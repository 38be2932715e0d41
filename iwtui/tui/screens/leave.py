"""Asked when the console is left while runs that were started from it go on."""

from typing import Literal

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from iwtui.tui.actions import bindings_for
from iwtui.tui.text import safe_line

Answer = Literal["leave", "stop", "stay"]


class LeaveScreen(ModalScreen[Answer]):
    """Leave the runs going, let them finish their turns and stop, or stay."""

    TITLE = "leave"
    BINDINGS = bindings_for("dialog")

    def __init__(self, runs: list[str]) -> None:
        super().__init__()
        self._runs = runs

    def compose(self) -> ComposeResult:
        one = len(self._runs) == 1
        named = safe_line(self._runs[0] if one else f"{len(self._runs)} runs", 48, "bold")
        with Vertical(id="question") as box:
            box.border_title = "Leave the console?"
            yield Static(named + (" is still being played." if one else " are still being played."))
            yield OptionList(
                Option("Leave, the run goes on" if one else "Leave, the runs go on", id="leave"),
                Option("Finish the current turns, then stop; `iwtui resume` goes on later", id="stop"),
                Option("Stay", id="stay"),
            )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The answer."""
        answers: dict[str | None, Answer] = {"leave": "leave", "stop": "stop"}
        self.dismiss(answers.get(event.option_id, "stay"))

    def action_next(self) -> None:
        """The answer below."""
        self.query_one(OptionList).action_cursor_down()

    def action_previous(self) -> None:
        """The answer above."""
        self.query_one(OptionList).action_cursor_up()

    def action_stay(self) -> None:
        """Back to the console."""
        self.dismiss("stay")
