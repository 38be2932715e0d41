"""Rows, blocks, slots and files made for tests."""

from typing import Any

from iwtui.tui.state.shapes import Block, FileEntry, Row, SlotView

HOSTILE = (
    "\x1b[2J\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07\x1bP+q\x1b\\\x9b31m\x9d52;c;eA==\x9c\x00\x08\x7f"
    "\u202eevil\u202c\u2066x\u2069\u200f[/] [/ [link=' [bold] [@click=app.quit]\ud800"
)
"""Clear screen, clipboard, title, device control, the same in C1, NUL, backspace, DEL, bidi, markup, half a character."""


def row(number: int, **changes: Any) -> Row:
    """The row of an event; five events a turn."""
    fields: dict[str, Any] = {
        "seq": number,
        "number": number,
        "turn": number // 5 + 1,
        "kind": "ActionChosen",
        "glyph": "#",
        "text": f"event {number}",
        "tone": "implement",
        "t": float(number),
        "opens": number % 5 == 0,
    }
    return Row(**fields | changes)


def rows(count: int) -> list[Row]:
    return [row(number) for number in range(count)]


def block(number: int, text: str = "", **changes: Any) -> Block:
    """The block that was said at event 10 × number."""
    text = text or f"said as number {number}"
    fields: dict[str, Any] = {"seq": number * 10, "turn": number + 1, "who": "client", "text": text, "chars": len(text)}
    return Block(**fields | changes)


def slot(number: int, verdict: str = "passed", **changes: Any) -> SlotView:
    glyph = {"passed": "✓", "failed": "✗", "unobserved": "?", "unjudged": "–"}.get(verdict, "·")
    tone = {"passed": "good", "failed": "bad", "": ""}.get(verdict, "warn")
    fields: dict[str, Any] = {
        "slot": number,
        "glyph": glyph,
        "tone": tone,
        "verdict": verdict,
        "weight": 0.25,
        "component": f"part {number}",
        "expected": f"expected {number}",
    }
    return SlotView(**fields | changes)


def entry(path: str, op: str = "", added: int = 0, removed: int = 0) -> FileEntry:
    return FileEntry(path, "a" * 64, 1_000, op, added, removed)
