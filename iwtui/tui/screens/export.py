"""Asked when what is shown is to be written to a file: what, in which format, and where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Select, Static

from iwtui.tui.actions import bindings_for
from iwtui.tui.sheet_files import SUFFIXES
from iwtui.tui.text import safe_line


@dataclass(frozen=True)
class Wish:
    """What is to be written, in which of the formats, and the file."""

    what: str
    form: str
    path: Path


class ExportScreen(ModalScreen[Wish | None]):
    """`kinds`: what can be written, each with what is said of it. `name`: of the file, without its end; it is data."""

    TITLE = "export"
    BINDINGS = bindings_for("export")
    DEFAULT_CSS = """
    ExportScreen #export {
        width: 76; max-width: 96%; height: auto;
        background: $panel; border: round $border; padding: 1 2;
        border-title-color: $foreground; border-title-style: bold; border-subtitle-color: $dim;
    }
    ExportScreen .field { height: auto; }
    ExportScreen .field > Label { width: 10; color: $dim; }
    ExportScreen .field:focus-within > Label { text-style: bold reverse; }
    ExportScreen .field > Input, ExportScreen .field > Select { width: 1fr; }
    ExportScreen #note { height: auto; margin-top: 1; color: $dim; }
    """

    def __init__(self, kinds: Mapping[str, str], name: str, folder: Path) -> None:
        super().__init__()
        self._kinds = kinds
        self._folder = folder
        self._stem = name

    def compose(self) -> ComposeResult:
        what = [(safe_line(f"{kind}: {told}", 60), kind) for kind, told in self._kinds.items()]
        with Vertical(id="export") as box:
            box.border_title = "Write to a file"
            box.border_subtitle = "enter in the path, or ^s: write · esc: back"
            yield Horizontal(Label("what"), self._select("what", what), classes="field")
            yield Horizontal(Label("format"), self._select("format", [(form, form) for form in SUFFIXES]), classes="field")
            yield Horizontal(Label("path"), Input(self._path("json"), id="path", compact=True), classes="field")
            yield Static(safe_line(f"below {self._folder}; nothing is written over without a question", 400), id="note")

    def _select(self, name: str, options: Sequence[tuple[str | Content, str]]) -> Select[str]:
        return Select(options, id=name, value=options[0][1], allow_blank=False, type_to_search=False, compact=True)

    def _path(self, form: str) -> str:
        return f"{self._stem}{SUFFIXES[form]}"

    def on_mount(self) -> None:
        """What, first."""
        self.query_one("#what").focus()

    @on(Select.Changed, "#format")
    def _format_changed(self, message: Select.Changed) -> None:
        """The path ends as its format does, unless the reader has given it another end."""
        field = self.query_one("#path", Input)
        path = Path(field.value)
        if path.suffix in SUFFIXES.values():
            field.value = str(path.with_suffix(SUFFIXES[str(message.value)]))

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.action_write()

    def action_write(self) -> None:
        """Write it there."""
        given = self.query_one("#path", Input).value.strip()
        if not given:
            self.query_one("#path").focus()
            return
        what, form = (str(self.query_one(f"#{name}", Select).value) for name in ("what", "format"))
        self.dismiss(Wish(what, form, self._folder / Path(given).expanduser()))

    def action_stay(self) -> None:
        """Nothing is written."""
        self.dismiss(None)
