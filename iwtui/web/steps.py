"""One browser step of a model: what it is shown, the action that it decides on, and what comes of it."""

from collections.abc import Collection, Mapping

import msgspec

from iwtui.bench.events import Blob, BrowserStepped, Text
from iwtui.bench.protocols import Blobs
from iwtui.bench.text import one_line
from iwtui.web.marks import Mark, MarkList, encode
from iwtui.web.page import SitePage
from iwtui.web.seen import Seen

ACTIONS = frozenset({"click", "type", "select", "key", "scroll", "back", "wait"})
"""What can be done. How an audit ends (`finish`, `fail`, `answer`) is the business of who asks."""

_LINE = 300


class View(msgspec.Struct, frozen=True):
    """What one step is decided on: the picture, and the marks that are drawn on it for the model only."""

    marks: MarkList
    picture: Blob
    marks_blob: Blob


class Move(msgspec.Struct, frozen=True):
    """`mark` is the number of a mark; `text` what to type, the option, the key, the direction or the result."""

    action: str
    thought: str = ""
    mark: int | None = None
    text: str = ""


async def look(page: SitePage, blobs: Blobs) -> View:
    """Mark the page and take its picture. Raises PageDeadError, BrowserLostError."""
    marks = await page.marks()
    return View(marks, blobs.put(await page.picture()), blobs.put(encode(marks)))


async def act(move: Move, view: View, page: SitePage) -> str:
    """Do it, and say in words what came of it. Raises PageDeadError, BrowserLostError."""
    match move.action:
        case "scroll":
            return await page.scroll(move.text.strip().lower() or "down")
        case "back":
            return await page.back()
        case "wait":
            return await page.wait()
        case "key":
            return await page.key(move.text.strip() or "Enter")
    mark = _mark(move, view)
    if mark is None:
        return f"there is no mark {move.mark}" if move.mark is not None else "it names no mark"
    match move.action:
        case "type":
            return await page.type(mark, move.text)
        case "select":
            return await page.select(mark, move.text)
        case "click":
            return await page.click(mark)
    return f"there is no action {one_line(move.action, 40)!r}"


def aim(move: Move, view: View) -> str:
    """What the action was aimed at, for people and for the model itself."""
    mark = _mark(move, view)
    named = f'[{mark.n}] {mark.role} "{mark.name}"' if mark else ""
    return " ".join(part for part in (named, repr(move.text) if move.text else "") if part)


def happened(seen: Seen) -> list[str]:
    """What a person at the screen would have noticed, or a developer in the console; a line each."""
    dialogs = [f'a dialog ({one.type}) said "{one.message}" and was answered: {one.answer}' for one in seen.dialogs]
    return [one_line(line, _LINE) for line in (*dialogs, *seen.notes, *(f"console: {line}" for line in seen.console))]


def stepped(
    phase: str, step: int, move: Move, thought: Text, result: str, view: View, page: SitePage, seen: Seen
) -> BrowserStepped:
    """The event of a step that was taken; `seen` is what happened around the page meanwhile."""
    return BrowserStepped(
        phase=phase,
        step=step,
        action=move.action,
        target=aim(move, view)[:500],
        thought=thought,
        result="; ".join(filter(None, (result, *seen.notes)))[:1_000],
        url=one_line(page.raw.url, 500),
        picture=view.picture,
        marks=view.marks_blob,
        marks_count=len(view.marks.marks),
        dialogs=seen.dialogs,
        console=seen.console,
        blocked=seen.blocked,
    )


def move_of(given: Mapping[str, object], actions: Collection[str]) -> Move | None:
    """The move that an object in a model's answer is, or None. A mark may be written `"3"` or `"[3]"`; null is nothing."""
    fields = {name: value for name, value in given.items() if value is not None}
    mark = fields.get("mark")
    if isinstance(mark, str):
        fields["mark"] = mark.strip(" []")
    try:
        move = msgspec.convert(fields, Move, strict=False)
    except ValueError:
        return None
    move = msgspec.structs.replace(move, action=move.action.strip().lower())
    return move if move.action in actions else None


def _mark(move: Move, view: View) -> Mark | None:
    return next((mark for mark in view.marks.marks if mark.n == move.mark), None)
