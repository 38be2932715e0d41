"""What can be done here: the keys of the focused pane, of its screen and everywhere, and what the glyphs mean."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from iwtui.tui.actions import BY_ID, SCOPES, short_key
from iwtui.tui.look import ACTIONS, STATUSES, VERDICTS, Look
from iwtui.tui.text import shown_line

COLUMN = 14


class HelpScreen(ModalScreen[None]):
    """Lists the actions of a moment, as the registry tells them and as the keymap has them."""

    TITLE = "help"
    BINDINGS: ClassVar = [
        Binding("escape,q,question_mark,enter", "dismiss", "back", show=False),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
        Binding("ctrl+d", "page(0.5)", show=False),
        Binding("ctrl+u", "page(-0.5)", show=False),
        Binding("g", "page(-1000)", show=False),
        Binding("G", "page(1000)", show=False),
    ]

    def __init__(self, active: Iterable[ActiveBinding], pictures: str) -> None:
        super().__init__()
        self._pictures = pictures
        self._sections = sections(active)

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help", can_focus=True) as box:
            box.border_title = "What you can do here"
            box.border_subtitle = "esc closes"
            yield Static(help_text(self._sections, self._pictures))

    def action_scroll(self, lines: int) -> None:
        """So many lines down, or up."""
        self.query_one("#help", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_page(self, pages: float) -> None:
        """So many windows down, or up; no further than the end."""
        box = self.query_one("#help", VerticalScroll)
        box.scroll_relative(y=round(pages * box.size.height), animate=False)


Section = tuple[str, Sequence[tuple[str, str]]]
"""A title, and keys with what they do."""


def sections(active: Iterable[ActiveBinding]) -> list[Section]:
    """The actions of the registry among the active bindings, a section a scope: the nearest to the focus first."""
    keys: dict[str, list[str]] = {}
    for one in active:
        if one.binding.id in BY_ID:
            keys.setdefault(one.binding.id, []).append(short_key(one.binding.key))
    scopes: dict[str, list[tuple[str, str]]] = {}
    for action, named in keys.items():
        scopes.setdefault(BY_ID[action].scope, []).append((" ".join(named), BY_ID[action].help))
    return [(SCOPES[scope], rows) for scope, rows in sorted(scopes.items(), key=lambda item: item[0] == "app")]


def help_text(found: Sequence[Section], pictures: str) -> Content:
    """The sections, then the moves that every screen has, then the glyphs, and how pictures are shown and why so."""
    parts: list[Content | str | tuple[str, str]] = []
    for title, rows in [*found, ("Moving about", _MOVES)]:
        parts += [(title, "bold $accent"), "\n"]
        for keys, what in rows:
            parts += [(f"  {keys:<{COLUMN}}", "$foreground"), (f"{what}\n", "$dim")]
        parts.append("\n")
    parts += [("Signs", "bold $accent"), "\n"]
    for name, looks in (("actions", ACTIONS), ("verdicts", VERDICTS), ("episodes", STATUSES)):
        parts += [(f"  {name:<{COLUMN}}", "$dim"), _legend(looks.values()), "\n"]
    parts += [(f"  {'pictures':<{COLUMN}}", "$dim"), shown_line(pictures), "\n"]
    return Content.assemble(*parts)


_MOVES = (
    ("tab shift+tab", "The next pane, the one before"),
    ("mouse", "Click to choose, twice to open, wheel to scroll; a title above leads back, one over a column orders by it"),
    ("shift + mouse", "Select text as the terminal does; y copies what the focus is on, through SSH and tmux too"),
)


def _legend(looks: Iterable[Look]) -> Content:
    return Content("  ").join(Content.styled(f"{look.glyph} {look.word}", look.style) for look in looks)
