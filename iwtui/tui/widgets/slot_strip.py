"""The slot strip: the verdict on each slot of an episode on one line, and below it what the chosen one is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from iwtui.tui.actions import bindings_for
from iwtui.tui.state.shapes import SlotView
from iwtui.tui.text import shown_line
from iwtui.tui.widgets.tones import tone_style

NAMED = 24
"""Characters of a slot's name in the strip."""


class SlotStrip(Widget, can_focus=True):
    """`Slots 3/7  ✓0 ✓1 ✗2 search box …`; left and right choose, enter opens. `index` is the chosen one (-1: none).

    The failed ones bear their names as long as there is room. Two lines high; on one line it leaves out the second.
    """

    BINDINGS: ClassVar = bindings_for("strip")
    COMPONENT_CLASSES: ClassVar = {"slot-strip--cursor"}
    DEFAULT_CSS = """
    SlotStrip {
        height: 2;
        width: 1fr;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        background: transparent;
        & > .slot-strip--cursor { background: $foreground 12%; text-style: bold; }
        &:focus > .slot-strip--cursor { background: $primary 40%; text-style: bold; }
    }
    """

    @dataclass
    class SlotChosen(Message):
        """The reader moved to this slot (0-based)."""

        strip: "SlotStrip"
        slot: int

    @dataclass
    class SlotOpened(Message):
        """The reader pressed enter on, or clicked, this slot (0-based)."""

        strip: "SlotStrip"
        slot: int

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.slots: Sequence[SlotView] = ()
        self.index = -1
        self._note = ""
        self._places: list[tuple[int, int]] = []

    def show_slots(self, slots: Sequence[SlotView], note: str = "") -> None:
        """The slots in their order. `note` stands behind them (`being judged`), or alone when there are none."""
        if slots == self.slots and note == self._note:
            return
        self.slots = slots
        self._note = note
        self.index = min(max(self.index, 0), len(slots) - 1)
        self.refresh()

    def choose(self, slot: int) -> None:
        """Moves to a slot, kept within those there are; posts nothing."""
        self.index = max(min(slot, len(self.slots) - 1), min(0, len(self.slots) - 1))
        self.refresh()

    def copied(self) -> str:
        """The chosen slot as text."""
        if self.index < 0:
            return ""
        slot = self.slots[self.index]
        return f"{slot.component}: {slot.expected}"

    def action_previous_slot(self) -> None:
        """To the slot before."""
        self._move(-1)

    def action_next_slot(self) -> None:
        """To the next slot."""
        self._move(1)

    def action_choose(self) -> None:
        """Open the chosen slot."""
        if self.index >= 0:
            self.post_message(self.SlotOpened(self, self.index))

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or at.y:
            return
        for number, (start, end) in enumerate(self._places):
            if start <= at.x < end:
                self.choose(number)
                self.post_message(self.SlotOpened(self, number))

    def _move(self, slots: int) -> None:
        before = self.index
        self.choose(self.index + slots)
        if self.index != before:
            self.post_message(self.SlotChosen(self, self.index))

    # Painting.

    def render(self) -> Content:
        return Content.assemble(self._line(self.content_size.width), "\n", self._about())

    def _line(self, width: int) -> Content:
        passed = sum(slot.verdict == "passed" for slot in self.slots)
        head = Content.assemble(("Slots ", "bold"), f"{passed}/{len(self.slots)}  " if self.slots else "")
        tail = Content.assemble((shown_line(self._note), tone_style("dim"))) if self._note else Content("")
        room = width - head.cell_length - tail.cell_length
        parts = [self._part(number, named=True) for number in range(len(self.slots))]
        gap = "  "
        if sum(part.cell_length + len(gap) for part in parts) > room:
            parts, gap = [self._part(number, named=False) for number in range(len(self.slots))], " "
        first = 0
        while (
            first < self.index
            and sum(p.cell_length + len(gap) for p in parts[first : self.index + 1]) + 2 * bool(first) > room
        ):
            first += 1
        line = head.append(Content.styled("‹ ", tone_style("dim"))) if first else head
        self._places = [(0, 0)] * first
        for part in parts[first:]:
            start = line.cell_length
            line = Content.assemble(line, part, gap)
            self._places.append((start, min(width, start + part.cell_length)))
        return Content.assemble(line, tail)

    def _part(self, number: int, *, named: bool) -> Content:
        slot = self.slots[number]
        name = f" {shown_line(slot.component, NAMED)}" if named and slot.verdict != "passed" else ""
        style = tone_style(slot.tone or ("" if slot.verdict else "dim"))
        part = Content.assemble((f"{shown_line(slot.glyph, 2)}{slot.slot}", style), name)
        if number == self.index:
            part = Content.assemble("[" if self.has_focus else "", part, "]" if self.has_focus else "")
            part = part.stylize(".slot-strip--cursor")
        return part

    def _about(self) -> Content:
        """What the chosen slot asks for."""
        if self.index < 0:
            return Content("")
        slot = self.slots[self.index]
        dim = tone_style("dim")
        weight = "" if not slot.weight else f" · weight {slot.weight:.2f}"
        word = slot.verdict or "not judged yet"
        seen = f" · {slot.visibility.value} in the instruction" if slot.visibility else ""
        why = slot.reason or slot.expected
        return Content.assemble(
            (f"{shown_line(slot.glyph, 2)} {word}", tone_style(slot.tone)),
            f" {shown_line(slot.component, 60)}",
            (
                f" · {shown_line(slot.cause, 40)}{' (estimated)' if slot.estimated else ''}" if slot.cause else "",
                tone_style(slot.tone),
            ),
            (f" · {slot.before} in its parent" if slot.before not in ("", slot.verdict) else "", "bold"),
            (f"{weight}{seen}", dim),
            f" — {shown_line(why, 300)}" if why else "",
        )
