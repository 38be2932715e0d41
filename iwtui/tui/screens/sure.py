"""Asked before something that cannot be taken back."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from iwtui.tui.actions import bindings_for
from iwtui.tui.text import safe_text


class SureScreen(ModalScreen[bool]):
    """Gives True when the reader says yes. The cursor begins on no. All texts are data."""

    TITLE = "question"
    BINDINGS = bindings_for("dialog")

    def __init__(self, title: str, text: str, yes: str, no: str) -> None:
        super().__init__()
        self._said = title, text, yes, no

    def compose(self) -> ComposeResult:
        title, text, yes, no = self._said
        with Vertical(id="question") as box:
            box.border_title = title
            yield Static(safe_text(text))
            yield OptionList(Option(no, id="no"), Option(yes, id="yes"))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The answer."""
        self.dismiss(event.option_id == "yes")

    def action_next(self) -> None:
        """The answer below."""
        self.query_one(OptionList).action_cursor_down()

    def action_previous(self) -> None:
        """The answer above."""
        self.query_one(OptionList).action_cursor_up()

    def action_stay(self) -> None:
        """No."""
        self.dismiss(False)
