"""Lines of which only those in sight are laid out: what a LineList is without its cursor.

An item is wrapped when it is first seen at a width; until then its height is estimated. Its strips are kept by its key, the
width and its state. Nothing here knows what the items mean.
"""

import re
from collections.abc import Hashable
from typing import ClassVar, Protocol

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.cache import LRUCache
from textual.content import Content
from textual.css.styles import RulesMap
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions

from iwtui.tui.text import safe_text
from iwtui.tui.widgets.focus import lose_focus, take_focus
from iwtui.tui.widgets.heights import Heights, SameHeights

GUTTER = 1
"""Columns at the left that show the cursor without colour."""

KEPT_STRIPS = 4_000
"""Items whose strips are kept."""

CUT: RulesMap = {"text_wrap": "nowrap", "text_overflow": "ellipsis"}
"""A line that is too long is cut with a mark."""


class Source(Protocol):
    """Where a LineList gets its items from. An item whose content changes gets another key."""

    def __len__(self) -> int: ...

    def key(self, index: int) -> Hashable: ...

    def lines(self, index: int, width: int) -> list[Content]:
        """The item as lines, at least one, none wider than `width` columns (what is wider is cut)."""
        ...

    def chars(self, index: int) -> int:
        """About how long the item is, cheaply: its height is estimated by this until it is seen."""
        ...


def wrapped(content: Content, width: int, indent: int = 0) -> list[Content]:
    """The content in lines of so many columns, each after the first indented."""
    lines = content.wrap(max(1, width - indent))
    return [Content(" " * indent) + line for line in lines] if indent else lines


class Nothing:
    """A source without items."""

    def __len__(self) -> int:
        return 0

    def key(self, index: int) -> Hashable:
        raise IndexError(index)

    def lines(self, index: int, width: int) -> list[Content]:
        raise IndexError(index)

    def chars(self, index: int) -> int:
        raise IndexError(index)


class LineView(ScrollView):
    """Items of a source, and one of them (`index`, -1: none) marked. With `wrap=False` each item is one line."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar = {
        "line-list--cursor",
        "line-list--cursor-focused",
        "line-list--mark",
        "line-list--mark-focused",
        "line-list--found",
        "line-list--empty",
    }
    DEFAULT_CSS = """
    LineView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: transparent;
        & > .line-list--cursor { background: $foreground 6%; }
        & > .line-list--mark { color: $foreground 40%; }
        & > .line-list--found { background: $warning 30%; text-style: bold underline; }
        & > .line-list--empty { color: $text-muted; }
        & > .line-list--mark-focused { color: $primary; }
        & > .line-list--cursor-focused { background: $primary 22%; }
    }
    """

    def __init__(self, *, empty: str = "", wrap: bool = True, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.index = -1
        self.following = False
        self.empty = empty
        self.wrap = wrap
        self._source: Source = Nothing()
        self._heights: Heights | SameHeights = Heights()
        self._known: dict[int, Hashable] = {}
        self._width = 0
        self._found = ""
        self._strips: LRUCache[Hashable, list[Strip]] = LRUCache(KEPT_STRIPS)
        self._styles_by_name: dict[str, Style] = {}

    @property
    def count(self) -> int:
        """How many items there are: as many as were taken in from the source."""
        return len(self._heights) if self._width else len(self._source)

    def find(self, text: str) -> None:
        """Shows where `text` stands in what is seen, whatever its case; an empty one stands nowhere."""
        if text != self._found:
            self._found = text
            self.refresh()

    def forget(self) -> None:
        """All items look different from now on, though their keys are the same."""
        self._strips.clear()
        self.refresh()

    # Heights.

    @property
    def _seen(self) -> int:
        """Lines of the window."""
        return self.scrollable_content_region.height

    @property
    def _text_width(self) -> int:
        return max(1, self._width - GUTTER)

    def _estimate(self, index: int) -> int:
        return max(1, -(-self._source.chars(index) // self._text_width)) if self.wrap else 1

    def _measure_anew(self) -> None:
        count = len(self._source)
        self._heights = Heights(self._estimate(i) for i in range(count)) if self.wrap else SameHeights(count)
        self._known.clear()
        self._resized()

    def _measure(self, index: int) -> int:
        """Lays this item out if that has not been done; by how many lines it is higher than was thought."""
        key = self._source.key(index)
        if not self.wrap or self._known.get(index, self) == key:
            return 0
        self._known[index] = key
        return self._heights.set(index, len(self._laid_out(index)))

    def _settle(self, stays: int | None = None) -> None:
        """Measures what is seen. What stands at the line `stays` of the list (and below) keeps its place in the window."""
        shift = 0
        index, _ = self._heights.at(self.scroll_offset.y)
        line = self._heights.top(index)
        while index < self.count and line < self.scroll_offset.y + shift + self._seen:
            more = self._measure(index)
            if stays is not None and line < stays + shift:
                shift += more
            line += self._heights[index]
            index += 1
        self._resized()
        if shift:
            self.scroll_to(y=self.scroll_offset.y + shift, animate=False, force=True)

    def _reveal(self, index: int) -> None:
        """Brings this item into sight: to the middle of the window, so that the next steps need no scrolling.

        One that is higher than the window is scrolled to with as little as will do.
        """
        if index < 0:
            return
        self._measure(index)
        top, end, seen = self._heights.top(index), self._heights.top(index + 1), self._seen
        line = self.scroll_offset.y
        if end - top >= seen:
            line = line if top <= line < end - 1 else top
        elif top < line or end > line + seen:
            first, room = index, seen - (end - top)
            while first > 0 and room > 0:
                first -= 1
                self._measure(first)
                room -= self._heights[first]
            line = self._heights.top(index) - (seen - (end - top)) // 2
        self._resized()
        self.scroll_to(y=max(0, line), animate=False, force=True)
        self._settle()

    def _scroll_by(self, lines: int, least: int = 0, most: int | None = None) -> None:
        line = max(least, self.scroll_offset.y + lines)
        self.scroll_to(y=line if most is None else min(line, most), animate=False, force=True)

    def _resized(self) -> None:
        """The list is so long now. The scroll bar is always there, so that no layout is needed."""
        size = Size(self._width, self._heights.total)
        if size != self.virtual_size:
            self.set_reactive(LineView.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = size.height
            if self.scroll_y > self.max_scroll_y:
                self.scroll_y = self.max_scroll_y

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if self._width and round(old_value) != round(new_value):
            self._settle(round(old_value) if new_value < old_value else None)

    def on_resize(self) -> None:
        width = self.scrollable_content_region.width
        if not width:
            self._width = 0
            return
        if width != self._width:
            index, _ = self._heights.at(self.scroll_offset.y)
            in_sight = self._in_sight(self.index)
            self._width = width
            self._measure_anew()
            self.scroll_to(y=self._heights.top(min(index, self.count)), animate=False, force=True)
        else:
            in_sight = True
        self._settle()
        if self.following or in_sight:
            self._reveal(self.index)
        self.refresh()

    def _sight(self) -> object:
        """What there is to be seen, but for the cursor."""
        first, _ = self._heights.at(self.scroll_offset.y)
        last, _ = self._heights.at(self.scroll_offset.y + self._seen)
        keys = [self._source.key(index) for index in range(first, min(last + 1, self.count))]
        return keys, self.scroll_offset.y, self.empty

    def _in_sight(self, index: int) -> bool:
        if not self._width or index < 0:
            return True
        return self.scroll_offset.y - self._heights[index] < self._heights.top(index) < self.scroll_offset.y + self._seen

    # The focus: of all that is seen, the cursor's item alone looks different.

    @property
    def _focused(self) -> str:
        return "-focused" if self.has_focus else ""

    def on_focus(self, event: events.Focus) -> None:
        take_focus(self, event)

    def on_blur(self, event: events.Blur) -> None:
        lose_focus(self, event)

    def watch_has_focus(self, _has_focus: bool) -> None:
        """No rule of style asks for it."""
        if self._width:
            self._repaint(self.index)

    # Painting.

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()
        self._styles_by_name.clear()

    def render_line(self, y: int) -> Strip:
        width = self._width
        if not self.count or not width:
            return self._empty_line(y)
        index, line = self._heights.at(self.scroll_offset.y + y)
        if index < self.count:
            strips = self._laid_out(index)
            if line < len(strips):
                return strips[line]
        return Strip.blank(width, self.visual_style.rich_style)

    def _empty_line(self, y: int) -> Strip:
        if not self._width:  # painted before it was measured
            return Strip.blank(self.size.width, self.visual_style.rich_style)
        key = ("empty", self.empty, self._width)
        strips = self._strips.get(key)
        if strips is None:
            style = self.get_visual_style("line-list--empty")
            strips = self._strips_of(wrapped(safe_text(self.empty), self._text_width), style, " ")
            self._strips[key] = strips
        return strips[y] if y < len(strips) else Strip.blank(self._width, self.visual_style.rich_style)

    def _laid_out(self, index: int) -> list[Strip]:
        chosen = index == self.index
        key = (self._source.key(index), self._width, chosen and (self.has_focus or "blurred"), self._found)
        strips = self._strips.get(key)
        if strips is None:
            lines = self._source.lines(index, self._text_width)
            if self._found:
                lines = [self._with_found(line) for line in lines]
            style = self.get_visual_style(f"line-list--cursor{self._focused}") if chosen else self.visual_style
            strips = self._strips_of(lines, style, "▌" if chosen else " ")
            self._strips[key] = strips
        return strips

    def _strips_of(self, lines: list[Content], style: Style, gutter: str) -> list[Strip]:
        """The lines as strips. The free line that an item of several may end with is not the cursor's."""
        width, options = self._text_width, RenderOptions(self._style, CUT)
        mark = self.get_visual_style(f"line-list--mark{self._focused}", partial=True).rich_style.color
        strips = []
        for number, line in enumerate(lines):
            if number and number == len(lines) - 1 and not line:
                style, gutter = self.visual_style, " "
            rich = style.rich_style
            lead = Strip([Segment(gutter, rich + RichStyle(color=mark))], GUTTER)
            strip = line.render_strips(width, 1, style, options)[0]
            strips.append(Strip.join([lead, strip.adjust_cell_length(width, rich)]))
        return strips

    def _with_found(self, content: Content) -> Content:
        for found in re.finditer(re.escape(self._found), content.plain, re.IGNORECASE):
            content = content.stylize(".line-list--found", *found.span())
        return content

    def _style(self, style: str | Style) -> Style:
        """A style by its name, a component class of this widget (`.name`) or one in the language of the theme."""
        if isinstance(style, Style):
            return style
        known = self._styles_by_name.get(style)
        if known is None:
            known = self.get_visual_style(style[1:], partial=True) if style.startswith(".") else Style.parse(style)
            self._styles_by_name[style] = known
        return known

    def _repaint(self, index: int) -> None:
        if 0 <= index < self.count:
            self.refresh_lines(self._heights.top(index), self._heights[index])
