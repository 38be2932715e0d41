"""The two fences between foreign text and the terminal: text becomes literal Content, and what slipped by is deleted."""

import re

from rich.segment import Segment
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter

from iwtui.bench.text import one_line, visible

_JOINING = re.compile("[\ufe0e\ufe0f]|\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])")
"""Selectors of emoji and what joins them: terminals do not agree on the width of what comes of it."""

_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])


def shown_text(text: str) -> str:
    """Visible text of which every character has a width that all terminals agree on; tabs become spaces."""
    return _JOINING.sub("", visible(text).expandtabs(4))


def shown_line(text: str, limit: int = 200) -> str:
    """The same on one line, cut at `limit` characters with a mark."""
    return _JOINING.sub("", one_line(text, limit))


def safe_text(text: str, style: str = "") -> Content:
    """Text of a model, a page, a process or a file as Content: shown literally, control characters as glyphs."""
    shown = shown_text(text)
    return Content.styled(shown, style) if style else Content(shown)


def safe_line(text: str, limit: int = 200, style: str = "") -> Content:
    """The same on one line, cut at `limit` characters with a mark."""
    shown = shown_line(text, limit)
    return Content.styled(shown, style) if style else Content(shown)


class ControlFilter(LineFilter):
    """Deletes C0, DEL and C1 characters from all text on its way to the terminal, wherever it came from.

    Such characters have no width here, so nothing moves. Segments with control codes of our own are left alone.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, clean; the same list when there was nothing to delete."""
        if not any(_is_foul(segment) for segment in segments):
            return segments
        return [
            Segment(segment.text.translate(_CONTROLS), segment.style) if _is_foul(segment) else segment
            for segment in segments
        ]


def _is_foul(segment: Segment) -> bool:
    return segment.control is None and not segment.text.isprintable() and segment.text.translate(_CONTROLS) != segment.text
