"""How pictures can reach this terminal: told by the environment and, where that does not say, by one bounded question.

The question is asked before the application starts, and never over a network: an answer that comes when the application
reads the keyboard already would be taken for typed keys.
"""

import fcntl
import os
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Mapping
from typing import IO, Literal, NamedTuple

Mode = Literal["kitty", "sixel", "halfcell", "off"]
"""How a picture is shown: as a picture of the terminal's own (two ways), as coloured half blocks, or not at all."""
WISHES = ("auto", "kitty", "sixel", "halfcell", "off")
"""What a person may ask for."""

LIMIT = 0.6
"""Seconds to wait for the terminal's answer. A local terminal takes milliseconds."""


class Cell(NamedTuple):
    """The size of a character cell in pixels."""

    width: int
    height: int


class Choice(NamedTuple):
    """What was found out. `why` says it in words; `typed` is what a person typed meanwhile: see `keys`."""

    mode: Mode
    why: str
    typed: bytes = b""


_DEFAULT_CELL = Cell(8, 16)
"""Rather too small: a picture then stays within its cells."""
_ANSWER = re.compile(rb"\x1b\[(?:\?(?P<attributes>[\d;]*)c|6;(?P<height>\d{1,4});(?P<width>\d{1,4})t)")
_BEGINNING = re.compile(rb"\x1b(\[[?\d;]*)?$")
_QUESTION = b"\x1b[16t\x1b[c"
"""The size of a cell; then the device's attributes: every terminal answers these, so nothing is to come after them."""
_SIXEL = b"4"
"""The attribute that says so."""

_answered_cell: Cell | None = None


def choose(wish: str, environ: Mapping[str, str] = os.environ, limit: float = LIMIT) -> Choice:
    """How to show pictures, for one of WISHES. May ask the terminal: call it before the application runs, once.

    Raises ValueError for another wish.
    """
    choice = settled(wish, environ)
    if choice is not None:
        return choice
    keyboard, screen = _terminal(sys.__stdin__), _terminal(sys.__stderr__)
    if keyboard is None or screen is None:
        return Choice("halfcell", "no terminal to ask")
    attributes, typed = _ask(keyboard, screen, limit)
    if attributes is None:
        return Choice("halfcell", f"the terminal did not answer within {limit:g} s", typed)
    if _SIXEL in attributes:
        return Choice("sixel", "the terminal draws sixel pictures", typed)
    return Choice("halfcell", "the terminal draws no pictures of its own", typed)


def settled(wish: str, environ: Mapping[str, str] = os.environ) -> Choice | None:
    """What wish and environment say by themselves; None when the terminal must be asked."""
    if wish not in WISHES:
        raise ValueError(f"images may be {', '.join(WISHES)}; not {wish!r}")
    term = environ.get("TERM", "")
    if wish == "off" or term == "dumb":
        return Choice("off", "switched off" if wish == "off" else "TERM=dumb")
    if wish == "halfcell":
        return Choice("halfcell", "as asked")
    kitty = _is_kitty(environ)
    multiplexer = "TMUX" in environ or "STY" in environ or term.startswith(("tmux", "screen"))
    if wish == "sixel":
        if kitty:
            return Choice("halfcell", "this terminal shows sixel data as text")
        return Choice("sixel", "as asked")
    if wish == "kitty" or (kitty and not multiplexer):
        return _kitty(environ, multiplexer, asked=wish == "kitty")
    if multiplexer:
        return Choice("halfcell", "within tmux or screen")
    if "SSH_CONNECTION" in environ or "SSH_TTY" in environ:
        return Choice("halfcell", "over SSH the terminal is not asked")
    if term == "linux":
        return Choice("halfcell", "the console draws no pictures")
    return None


def cell_size() -> Cell:
    """The size of a cell: as the system says, else as the terminal answered, else a small one."""
    for stream in (sys.__stderr__, sys.__stdout__, sys.__stdin__):
        descriptor = _terminal(stream)
        if descriptor is None:
            continue
        try:
            told = fcntl.ioctl(descriptor, termios.TIOCGWINSZ, b"\0" * 8)
        except OSError:
            continue
        rows, columns, width, height = struct.unpack("HHHH", told)
        if rows and columns and width >= columns and height >= rows:
            return Cell(width // columns, height // rows)
    return _answered_cell or _DEFAULT_CELL


def keys(typed: bytes) -> list[str]:
    """The keys in what was typed while the terminal was asked, for `App.simulate_key`."""
    from textual import events
    from textual._xterm_parser import XTermParser

    if not typed:
        return []
    parser = XTermParser()
    messages = [*parser.feed(typed.decode(errors="replace")), *parser.feed("")]
    return [message.key for message in messages if isinstance(message, events.Key)]


def _is_kitty(environ: Mapping[str, str]) -> bool:
    """Whether the terminal knows kitty's placeholders; others that draw its pictures do not know these."""
    return environ.get("TERM") in {"xterm-kitty", "xterm-ghostty"} or "KITTY_WINDOW_ID" in environ


def _kitty(environ: Mapping[str, str], multiplexer: bool, asked: bool) -> Choice:
    if multiplexer:
        return Choice("halfcell", "kitty pictures do not pass through tmux or screen")
    if environ.get("COLORTERM", "").lower() not in {"truecolor", "24bit"}:
        return Choice("halfcell", "kitty pictures need COLORTERM=truecolor")
    if "NO_COLOR" in environ:
        return Choice("halfcell", "kitty pictures need colour, and NO_COLOR is set")
    return Choice("kitty", "as asked" if asked else "the terminal draws kitty pictures")


def _terminal(stream: IO[str] | None) -> int | None:
    if stream is None or stream.closed:
        return None
    try:
        descriptor = stream.fileno()
    except OSError:
        return None
    return descriptor if os.isatty(descriptor) else None


def _in_front(keyboard: int) -> bool:
    """Whether this process may set up the terminal: in the background it would be stopped."""
    try:
        return os.tcgetpgrp(keyboard) == os.getpgrp()
    except OSError:
        return False


def _ask(keyboard: int, screen: int, limit: float) -> tuple[list[bytes] | None, bytes]:
    """The terminal's attributes (None: no answer within the limit), and what was typed meanwhile."""
    global _answered_cell
    if not _in_front(keyboard):
        return None, b""
    before = termios.tcgetattr(keyboard)
    quiet = termios.tcgetattr(keyboard)
    quiet[3] &= ~(termios.ICANON | termios.ECHO)
    quiet[6][termios.VMIN], quiet[6][termios.VTIME] = 0, 0
    attributes: list[bytes] | None = None
    heard = b""
    termios.tcsetattr(keyboard, termios.TCSANOW, quiet)
    try:
        os.write(screen, _QUESTION)
        end = time.monotonic() + limit
        while attributes is None and (left := end - time.monotonic()) > 0:
            if not select.select([keyboard], [], [], left)[0]:
                break
            part = os.read(keyboard, 4096)
            if not part:
                break
            heard += part
            for answer in _ANSWER.finditer(heard):
                if answer["attributes"] is not None:
                    attributes = answer["attributes"].split(b";")
                elif int(answer["width"]) and int(answer["height"]):
                    _answered_cell = Cell(int(answer["width"]), int(answer["height"]))
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)
    return attributes, _BEGINNING.sub(b"", _ANSWER.sub(b"", heard))
