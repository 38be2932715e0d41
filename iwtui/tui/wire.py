"""Fewer bytes for the same screen: what a frame says about colours and places without need is left out.

Textual resets all styles after each piece of text and sets them all before the next; and it moves the cursor where it is
moved from at once. Over a slow line these sequences, two thirds of a frame, are most of the time that a key takes.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from textual.driver import Driver

_PLACE = r"\x1b\[\d+;\d+H"
_VOID_MOVE = re.compile(rf"(?:{_PLACE})?(?:\r?\n)?(?={_PLACE})")
"""A move that another one follows at once."""
_TOKEN = re.compile(rf"\x1b\[([\d;]*)m|({_PLACE})")
_COLOUR = re.compile(r"(?:^|;)(?:([34]8;(?:2;\d+;\d+;\d+|5;\d+))|(3[0-7]|9[0-7])|(4[0-7]|10[0-7]))(?=;|$)")


class _Pen(NamedTuple):
    """What a sequence sets when nothing was set before it."""

    rest: str
    """Bold and the like."""
    fore: str
    back: str


_PLAIN = _Pen("", "", "")


def thinned(frame: str) -> str:
    """The frame without what changes nothing. It ends, as it began, with all styles reset."""
    out: list[str] = []
    frame = _VOID_MOVE.sub("", frame)
    pen = wanted = _PLAIN
    at = 0
    for token in _TOKEN.finditer(frame):
        if token.start() > at:
            pen = _take(out, pen, wanted)
            out.append(frame[at : token.start()])
        at = token.end()
        if token[2]:
            out.append(token[2])  # a cursor moves whatever the colours are
        elif token[1] in ("", "0"):
            wanted = _PLAIN
        elif wanted == _PLAIN:
            wanted = _pen(token[1])
        else:
            pen = _take(out, pen, wanted)
            out.append(token[0])  # styles upon styles: not ours, so nothing is known of them any more
            pen = wanted = _Pen("?", "", "")
    if at < len(frame):
        pen = _take(out, pen, wanted)
        out.append(frame[at:])
    _take(out, pen, _PLAIN)
    return "".join(out)


def _take(out: list[str], pen: _Pen, wanted: _Pen) -> _Pen:
    if pen != wanted:
        out.append(_change(pen, wanted))
    return wanted


@lru_cache(4096)
def _change(pen: _Pen, wanted: _Pen) -> str:
    anew = pen.rest != wanted.rest or (pen.fore and not wanted.fore) or (pen.back and not wanted.back)
    if wanted == _PLAIN:
        return "\x1b[0m"
    if anew:
        parts = ["0" if pen != _PLAIN else "", *wanted]
    else:
        parts = [wanted.fore if wanted.fore != pen.fore else "", wanted.back if wanted.back != pen.back else ""]
    return f"\x1b[{';'.join(part for part in parts if part)}m"


@lru_cache(4096)
def _pen(parameters: str) -> _Pen:
    fore = back = ""
    for found in _COLOUR.finditer(parameters):
        colour = found[1] or found[2] or found[3]
        if found[3] or colour.startswith("48"):
            back = colour
        else:
            fore = colour
    return _Pen(_COLOUR.sub("", parameters).strip(";"), fore, back)


def thrifty(driver: type[Driver]) -> type[Driver]:
    """The driver, sending thinned frames."""

    class Thrifty(driver):  # type: ignore[misc, valid-type]
        def write(self, data: str) -> None:
            super().write(thinned(data))

    return Thrifty
