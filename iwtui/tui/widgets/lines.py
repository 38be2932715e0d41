"""A list with a cursor that follows its end: the one kind of widget of timeline, dialogue, code and tables."""

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.message import Message

from iwtui.tui.actions import bindings_for
from iwtui.tui.widgets.line_view import LineView, Source

WHEEL = 3
"""Lines a turn of the wheel, and within an item that is higher than the window."""


class LineList(LineView, can_focus=True):
    """`index` is the cursor (-1: none), `following` whether it keeps to the end, `new` what came since it does not.

    Only what the reader does is posted; what the program does (`show`, `move_to`) is not. Moving away from the end stops
    following; `end` takes it up again. With `wrap=False` each item is one line, cut at the edge.
    """

    BINDINGS: ClassVar = bindings_for("list")

    @dataclass
    class Moved(Message):
        """The reader moved the cursor."""

        lines: "LineList"
        index: int

    @dataclass
    class Opened(Message):
        """The reader pressed enter on, or clicked twice, this item."""

        lines: "LineList"
        index: int

    @dataclass
    class FollowChanged(Message):
        """The reader left the end, or went back to it."""

        lines: "LineList"
        following: bool

    def __init__(self, *, empty: str = "", wrap: bool = True, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(empty=empty, wrap=wrap, id=id, classes=classes)
        self.new = 0
        self._sight_shown: object = None

    # What the program does.

    def show(self, source: Source, *, index: int | None = None, follow: bool | None = None, another: bool = False) -> None:
        """These items, the cursor at `index` (None: where it is).

        They are the same list, grown, unless they are `another` or fewer than before. A source may grow in place: what it
        holds more is taken in here.
        """
        before, was_at = self.count, self.index
        self._source = source
        if follow is not None:
            self.following = follow
        at = len(source) - 1 if self.following else was_at if index is None else index
        self.index = min(max(at, 0), len(source) - 1)
        self.new = 0 if self.following or another else self.new + max(0, len(source) - before)
        if not self._width:
            return
        if another or not self.wrap or len(source) < before:
            self._measure_anew()
        else:
            self._heights.extend(self._estimate(i) for i in range(before, len(source)))
            self._resized()
        if another:
            self.scroll_to(y=0, animate=False, force=True)
        self._settle()
        if self.index != was_at or another:
            self._repaint(was_at)
            self._repaint(self.index)
            self._reveal(self.index)
        sight = self._sight()
        if sight != self._sight_shown:
            self._sight_shown = sight
            self.refresh()

    def move_to(self, index: int) -> None:
        """The cursor to this item (kept within the list), and into sight if it is another; posts nothing."""
        before = self.index
        self.index = min(max(index, 0), self.count - 1)
        if self._width and (self.index != before or self.following):
            self._repaint(before)
            self._repaint(self.index)
            self._reveal(self.index)

    def copied(self) -> str:
        """The item at the cursor as plain text; empty when there is none."""
        lines = self._source.lines(self.index, self._text_width) if self.index >= 0 else []
        return "\n".join(line.plain.rstrip() for line in lines)

    # What the reader does.

    def action_cursor_up(self) -> None:
        """One item up, or a few lines up within an item that is higher than the window."""
        if self.index < 0 or not self._width:
            return
        top = self._heights.top(self.index)
        if top < self.scroll_offset.y < top + self._heights[self.index]:
            self._scroll_by(-WHEEL, least=top)
        else:
            self._go(self.index - 1)
            end = self._heights.top(self.index + 1)
            if self._heights[self.index] > self._seen:
                self.scroll_to(y=end - self._seen, animate=False, force=True)

    def action_cursor_down(self) -> None:
        """One item down, or a few lines down within an item that is higher than the window."""
        if self.index < 0 or not self._width:
            return
        end = self._heights.top(self.index + 1)
        if self.scroll_offset.y < end - self._seen < end - self._heights.top(self.index):
            self._scroll_by(WHEEL, most=end - self._seen)
        else:
            self._go(self.index + 1)

    def action_page_up(self) -> None:
        """One page up."""
        self._page(-1)

    def action_page_down(self) -> None:
        """One page down."""
        self._page(1)

    def action_half_page_up(self) -> None:
        """Half a page up."""
        self._page(-0.5)

    def action_half_page_down(self) -> None:
        """Half a page down."""
        self._page(0.5)

    def action_first(self) -> None:
        """To the first item."""
        self._go(0)

    def action_last(self) -> None:
        """To the last item, and stay at the end."""
        self._go(self.count - 1, follow=True)

    def action_choose(self) -> None:
        """Open the item at the cursor."""
        if self.index >= 0:
            self.opened(self.index)

    def moved(self, index: int) -> None:
        """The reader moved the cursor: says so."""
        self.post_message(self.Moved(self, index))

    def opened(self, index: int) -> None:
        """The reader opened an item: says so."""
        self.post_message(self.Opened(self, index))

    def _go(self, index: int, *, follow: bool = False) -> None:
        """The reader moves. What is posted comes in the order in which it makes sense: the move, then what it means."""
        if not self.count or not self._width:
            return
        before = self.index
        self.move_to(index)
        self._reveal(self.index)
        was, self.following = self.following, follow or (self.following and self.index == self.count - 1)
        if self.index != before:
            self.moved(self.index)
        if self.following != was:
            self.new = 0
            self.post_message(self.FollowChanged(self, self.following))

    def _page(self, pages: float) -> None:
        """As many lines as are seen; the cursor keeps its place in the window as well as it can."""
        if self.index < 0 or not self._width:
            return
        lines = round(pages * max(1, self._seen - 1)) or (1 if pages > 0 else -1)
        index, _ = self._heights.at(max(0, self._heights.top(self.index) + lines))
        self._scroll_by(lines)
        self._go(index if index != self.index else index + (1 if pages > 0 else -1))

    def on_click(self, event: events.Click) -> None:
        line = event.get_content_offset(self)
        if line is None:
            return
        index, _ = self._heights.at(line.y + self.scroll_offset.y)
        if index < self.count:
            self._go(index)
            if event.chain == 2:
                self.opened(index)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        event.prevent_default()
        if self.following:
            self.following = False
            self.post_message(self.FollowChanged(self, False))
        self._scroll_by(-WHEEL)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self._scroll_by(WHEEL)
