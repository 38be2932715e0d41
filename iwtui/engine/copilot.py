"""The copilot's answers: one JSON object that names the next action in the browser, or the result."""

import json
from collections.abc import Sequence

import msgspec

from iwtui.bench.events import Blob
from iwtui.bench.fold import Message
from iwtui.web.marks import MarkList, describe
from iwtui.web.page import SitePage

ACTIONS = frozenset({"click", "type", "select", "key", "scroll", "back", "wait", "finish", "fail"})
MAX_TEXT = 4_000
"""Characters of the page's text that a copilot is shown."""


class Move(msgspec.Struct, frozen=True):
    """What the copilot decided. `mark` is the number of a mark, `text` what to type, the option, the key or the result."""

    action: str
    thought: str = ""
    mark: int | None = None
    text: str = ""


def read_move(reply: str) -> Move | None:
    """The first JSON object in a reply that is a known action; None when there is none."""
    decoder = json.JSONDecoder()
    for start in (i for i, char in enumerate(reply) if char == "{"):
        try:
            found, _ = decoder.raw_decode(reply, start)
            move = msgspec.convert(found, Move, strict=False)
        except (ValueError, RecursionError):
            continue
        if move.action in ACTIONS:
            return move
    return None


def view(criteria: str, page_line: str, marks: MarkList, text: str, earlier: Sequence[str], picture: Blob) -> Message:
    """What the copilot is shown before each decision."""
    done = "\n".join(f"{number}. {line}" for number, line in enumerate(earlier, 1)) or "none"
    parts = [
        f"CRITERIA\n{criteria}",
        f"PAGE\n{page_line}",
        f"MARKS\n{describe(marks) or 'none'}",
        f"TEXT\n{text[:MAX_TEXT]}",
        f"EARLIER\n{done}",
    ]
    return Message("user", "\n\n".join(parts), picture)


async def act(move: Move, marks: MarkList, page: SitePage) -> str:
    """Do it, and say in words what came of it."""
    match move.action:
        case "scroll":
            return await page.scroll("up" if move.text.strip().lower() == "up" else "down")
        case "back":
            return await page.back()
        case "wait":
            return await page.wait()
        case "key":
            return await page.key(move.text.strip() or "Enter")
    mark = next((mark for mark in marks.marks if mark.n == move.mark), None)
    if mark is None:
        return f"there is no mark {move.mark}"
    match move.action:
        case "type":
            return await page.type(mark, move.text)
        case "select":
            return await page.select(mark, move.text)
    return await page.click(mark)


def told(move: Move, marks: MarkList) -> str:
    """What the action was aimed at, for people and for the copilot itself."""
    mark = next((mark for mark in marks.marks if mark.n == move.mark), None)
    aim = f'{mark.role} "{mark.name}"' if mark else ""
    return " ".join(part for part in (f"[{move.mark}]" if mark else "", aim, repr(move.text) if move.text else "") if part)
