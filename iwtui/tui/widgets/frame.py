"""What stands above and below every screen: where one is, and what can be done here. One line each."""

from rich.cells import cell_len
from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from iwtui.tui.actions import BY_ID, why_not
from iwtui.tui.text import safe_line

BETWEEN = " › "
CRUMB = 60

ALWAYS = ("back", "help")
"""Labels of the actions that a narrow screen shows too."""


class Crumbs(Widget):
    """The titles of the screens from the first to this one; a click on one goes back to it. Right: its sub-title."""

    can_focus = False

    def on_mount(self) -> None:
        """Draws itself anew when the screen's titles change."""
        self.watch(self.screen, "title", self._redraw, init=False)
        self.watch(self.screen, "sub_title", self._redraw, init=False)

    def _redraw(self) -> None:
        self.refresh()

    def render(self) -> RenderResult:
        right = safe_line(self.screen.sub_title or "", CRUMB, "$dim")
        room = self.size.width - 2 - (right.cell_length + 2 if right else 0)
        left = self._path(max(room, 10))
        gap = max(self.size.width - 2 - left.cell_length - right.cell_length, 1)
        return Content.assemble(" ", left, " " * gap, right, " ")

    def _path(self, room: int) -> Content:
        stack = [screen for screen in self.app.screen_stack if not screen.is_modal]
        if self.screen in stack:
            stack = stack[: stack.index(self.screen) + 1]
        titles = [safe_line(_title(screen), CRUMB).plain for screen in stack]
        shown = list(range(len(titles)))
        while len(shown) > 1 and self._length(titles, shown) > room:
            del shown[0]
        parts: list[Content] = [Content.styled("iwtui", "bold $accent")]
        if len(shown) < len(titles):
            parts.append(Content.styled("…", "$dim"))
        for place in shown:
            here = place == len(titles) - 1
            style = Style.parse("bold" if here else "$dim")
            parts.append(Content.styled(titles[place], style + Style.from_meta({"place": place})))
        return Content.styled(BETWEEN, "$dim").join(parts).truncate(room, ellipsis=True)

    async def on_click(self, event: events.Click) -> None:
        """Back to the screen of that title."""
        if (place := event.style.meta.get("place")) is not None:
            await self.run_action(f"app.back_to({place})")

    def _length(self, titles: list[str], shown: list[int]) -> int:
        cut = len(BETWEEN) + 1 if len(shown) < len(titles) else 0
        return len("iwtui") + cut + sum(len(BETWEEN) + cell_len(titles[place]) for place in shown)


def _title(screen: Screen[object]) -> str:
    return screen.title or type(screen).__name__.removesuffix("Screen").lower()


_Shown = tuple[str, str, str, bool]
"""A key, how it is written, what it does, and whether that is possible now."""


class Keys(Widget):
    """The actions of this place with their keys, as many as fit; at the right always the way back and help.

    Those that are not possible now are greyed: the palette and the key itself tell why.
    """

    can_focus = False

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[_Shown, ...] = ()

    def on_mount(self) -> None:
        """Follows the focus: other panes, other actions."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._look())
        self.call_after_refresh(self._look)

    def _look(self) -> None:
        if not self.screen.is_active:
            return  # a question or the help stands before it, with actions of its own
        found: dict[str, _Shown] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            action = BY_ID.get(binding.id or "")
            if action is None or not action.shown or not active.enabled or action.id in found:
                continue
            able = not why_not(self.screen, action.id)
            found[action.id] = (binding.key, self.app.get_key_display(binding), action.label, able)
        if (shown := tuple(found.values())) != self._shown:
            self._shown = shown
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        """As if the key had been pressed."""
        if key := event.style.meta.get("key"):
            self.app.simulate_key(key)

    def render(self) -> RenderResult:
        able_first = sorted(self._shown, key=lambda one: not one[3])
        hints = [_hint(*one) for one in able_first if one[2] not in ALWAYS]
        last = Content("  ").join([_hint(*one) for label in ALWAYS for one in self._shown if one[2] == label])
        room = self.size.width - 2 - last.cell_length
        line = Content()
        for hint in hints:
            if line.cell_length + hint.cell_length + 2 > room:
                break
            line = line + hint + "  "
        return Content.assemble(" ", line, " " * max(room - line.cell_length, 0), last, " ")


def _hint(key: str, display: str, label: str, able: bool) -> Content:
    if not able:
        return Content.styled(f"{display} {label}", Style.parse("$dim dim") + Style.from_meta({"key": key}))
    click = Style.from_meta({"key": key})
    return Content.styled(display, Style.parse("$footer-key-foreground") + click) + Content.styled(
        f" {label}", Style.parse("$footer-foreground") + click
    )
