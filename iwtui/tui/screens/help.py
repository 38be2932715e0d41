"""What can be done here: the keys of the focused pane, of its screen and everywhere, and what the glyphs mean."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget

from iwtui.tui.actions import BY_ID, SCOPES, short_key
from iwtui.tui.look import ACTIONS, STATUSES, VERDICTS, Look
from iwtui.tui.text import safe_text

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

    def __init__(self, active: Iterable[ActiveBinding], pictures: str, why_not: Callable[[str], str]) -> None:
        super().__init__()
        self._pictures = pictures
        self._sections = sections(active, why_not)

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help", can_focus=True) as box:
            box.border_title = "What you can do here"
            box.border_subtitle = "esc closes"
            yield _Help(self._sections, self._pictures)

    def action_scroll(self, lines: int) -> None:
        """So many lines down, or up."""
        self.query_one("#help", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_page(self, pages: float) -> None:
        """So many windows down, or up; no further than the end."""
        box = self.query_one("#help", VerticalScroll)
        box.scroll_relative(y=round(pages * box.size.height), animate=False)


class _Help(Widget):
    """The text, wrapped as wide as there is room."""

    DEFAULT_CSS = "_Help { height: auto; width: 1fr; }"

    def __init__(self, found: Sequence["Section"], pictures: str) -> None:
        super().__init__()
        self._found = found
        self._pictures = pictures

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the text then has."""
        return len(help_text(self._found, self._pictures, width).split("\n"))

    def render(self) -> Content:
        return help_text(self._found, self._pictures, self.size.width)


Section = tuple[str, Sequence[tuple[str, str]]]
"""A title, and keys with what they do."""


def sections(active: Iterable[ActiveBinding], why_not: Callable[[str], str]) -> list[Section]:
    """The actions of the registry among the active bindings, a section a scope: the nearest to the focus first.

    `why_not` tells why an action is not possible now; an empty text: it is.
    """
    keys: dict[str, list[str]] = {}
    for one in active:
        if one.binding.id in BY_ID:
            keys.setdefault(one.binding.id, []).append(short_key(one.binding.key))
    scopes: dict[str, list[tuple[str, str]]] = {}
    for action, named in keys.items():
        reason = why_not(action)
        told = BY_ID[action].help + (f" (not now: {reason})" if reason else "")
        scopes.setdefault(BY_ID[action].scope, []).append((" ".join(named), told))
    return [(SCOPES[scope], rows) for scope, rows in sorted(scopes.items(), key=lambda item: item[0] == "app")]


def help_text(found: Sequence[Section], pictures: str, width: int) -> Content:
    """The sections, then the moves that every screen has, then the glyphs, and how pictures are shown and why so.

    Lines of `width` cells at most; what does not fit on one goes on under its beginning.
    """
    lines: list[Content] = []
    for title, rows in [*found, ("Moving about", _MOVES)]:
        lines.append(Content.styled(title, "bold $accent"))
        for keys, what in rows:
            lines += _hanging(Content.styled(keys, "$foreground"), safe_text(what, "$dim"), width)
        lines.append(Content(""))
    lines.append(Content.styled("Signs", "bold $accent"))
    for name, looks in (("actions", ACTIONS), ("verdicts", VERDICTS), ("episodes", STATUSES)):
        lines += _hanging(Content.styled(name, "$dim"), _legend(looks.values()), width)
    lines += _hanging(Content.styled("pictures", "$dim"), safe_text(pictures), width)
    return Content("\n").join(lines)


def _hanging(head: Content, text: Content, width: int) -> Iterator[Content]:
    lead = Content.assemble("  ", head.pad_right(max(1, COLUMN - head.cell_length)))
    for line in text.wrap(max(10, width - COLUMN - 2)):
        yield Content.assemble(lead, line)
        lead = Content(" " * (COLUMN + 2))


_MOVES = (
    ("tab shift+tab", "The next pane, the one before"),
    ("mouse", "Click to choose, twice to open, wheel to scroll; a title above leads back, one over a column orders by it"),
    ("shift + mouse", "Select text as the terminal does; y copies what the focus is on, through SSH and tmux too"),
)


def _legend(looks: Iterable[Look]) -> Content:
    return Content("  ").join(Content.styled(f"{look.glyph} {look.word}", look.style) for look in looks)
