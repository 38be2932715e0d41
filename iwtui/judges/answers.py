"""What the voyager's model answers: a thought with verdicts in it, and one action. Read by a strict grammar.

In text::

    Thought: what it sees
    [PASSED ID: 2] Reason: why
    [FAILED IDs: 3, 4] Reason: why
    Action: Click [7]

A verdict stands at the beginning of a line or after the end of a sentence; PASSED, FAILED or UNOBSERVED in any case; one
number or several, with commas or `and`; then a reason, which several tags one after the other may share. A tag within a
sentence ("I cannot yet say [PASSED ID: 2]"), in quotation marks, without a reason, or with a reason that says that it is not
known yet, gives no verdict. Verdicts may also stand in the text of ANSWER. What follows a second `Action:` is not read.

Or as one JSON object: `{"thought": .., "verdicts": [{"id": 2, "verdict": "passed", "reason": ..}], "action": "click",
"mark": 7, "text": ".."}`; `verdicts` may be an object by number, `passed` may be true or false.
"""

import re
from collections.abc import Iterator

import msgspec

from iwtui.bench.loose_json import objects
from iwtui.bench.score import Verdict
from iwtui.bench.text import one_line
from iwtui.web.steps import ACTIONS, Move, move_of

ANSWER = "answer"
"""The action that ends the looking."""

_ACTIONS = ACTIONS | {ANSWER}


class Given(msgspec.Struct, frozen=True):
    """A verdict as it was given."""

    slot: int
    verdict: Verdict
    reason: str


class Answer(msgspec.Struct, frozen=True):
    """`move` is None when no action can be read; `unread` are tags that look like verdicts and are none."""

    thought: str = ""
    verdicts: tuple[Given, ...] = ()
    move: Move | None = None
    unread: tuple[str, ...] = ()


_THOUGHTS = re.compile(
    r"<think(?:ing)?>.*?</think(?:ing)?>|^.*</think(?:ing)?>|<think(?:ing)?>.*$", re.DOTALL | re.IGNORECASE
)
_ACTION = re.compile(r"(?:^|\n)[ \t*#>-]*Action[ \t*]*:[ \t*]*|(?<=[\s.;!?])Action:[ \t]*")
_NEXT = re.compile(r"\n[ \t*#>-]*(?:Thought|Observation|Action)[ \t*]*:")
_LABEL = re.compile(r"^[\s*#>-]*Thought[ \t*]*:[ \t*]*", re.IGNORECASE)

_TAG = re.compile(r"\[[ \t]*(PASSED|FAILED|UNOBSERVED)[ \t]+IDs?[ \t]*:?[ \t]*([^\[\]\n]{0,200})\]", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,3}(?:(?:\s*[,;&]\s*|\s+and\s+|\s*,\s*and\s+)\d{1,3})*")
_BEFORE = re.compile(r"(?:^|\n)[ \t]*(?:[-*•>#+]+|\d{1,3}[.)])?[ \t*_]*$|(?<!e\.g)(?<!i\.e)[.!?;][)*_]*[ \t]+[*_]*$")
_REASON = re.compile(r"^[\s*_]*(?:[:–—-][ \t]*)?(?:Reasons?[ \t*_]*:)?[\s*_]*", re.IGNORECASE)
_HEDGE = re.compile(
    r"(?:i |it |we |this )?(?:is |are |has |have |was )?(?:"
    r"(?:can(?:no|['’]| no)t|unable to|too early to) (?:yet )?(?:be )?(?:say|said|tell|told|judge|confirm|verif|know)"
    r"|not (?:yet )?(?:been )?(?:tested|checked|verified|confirmed|known|observed|judged|sure)"
    r"|not yet\b|yet to be\b|to be (?:tested|checked|verified|confirmed|judged)"
    r"|unknown\b|pending\b|tbd\b|todo\b|n/?a\b|\?|…|\.\.\.)",
    re.IGNORECASE,
)


def read_answer(reply: str) -> Answer:
    """What the reply says; anything that cannot be read is left out."""
    text = _THOUGHTS.sub("", reply).strip()
    found = _ACTION.search(text)
    if found is None:
        for given in objects(text):
            if given.keys() & {"action", "verdicts"}:
                return _from_json(given)
        verdicts, unread = _verdicts(text)
        return Answer(_LABEL.sub("", text), verdicts, None, unread)
    thought = _LABEL.sub("", text[: found.start()].strip())
    move = _move(_NEXT.split(text[found.end() :])[0].strip(), thought)
    verdicts, unread = _verdicts(thought)
    if move is not None and move.action == ANSWER:
        more, also_unread = _verdicts(move.text)
        verdicts, unread = verdicts + more, unread + also_unread
    return Answer(thought, verdicts, move, unread)


def _verdicts(text: str) -> tuple[tuple[Given, ...], tuple[str, ...]]:
    """The verdicts of a thought, and the tags that give none."""
    text = _LABEL.sub("", text)
    good: list[re.Match[str]] = []
    unread: list[re.Match[str]] = []
    for tag in _TAG.finditer(text):
        follows = bool(good) and not text[good[-1].end() : tag.start()].strip(" ,;&")
        (good if follows or _BEFORE.search(text[: tag.start()]) else unread).append(tag)
    verdicts: list[Given] = []
    waiting: list[re.Match[str]] = []
    for place, tag in enumerate(good):
        last = place + 1 == len(good)
        waiting.append(tag)
        reason = _reason(text[tag.end() : len(text) if last else good[place + 1].start()])
        if not reason and not last:
            continue  # the next tag has the reason of both
        for one in waiting:
            verdict = Verdict(one[1].lower())
            if _NUMBERS.fullmatch(one[2].strip()) and _says_why(verdict, reason):
                verdicts += (Given(int(number), verdict, reason) for number in re.findall(r"\d+", one[2]))
            else:
                unread.append(one)
        waiting.clear()
    return tuple(verdicts), tuple(one_line(tag[0], 60) for tag in sorted(unread, key=lambda tag: tag.start()))


def _reason(text: str) -> str:
    return _REASON.sub("", text, count=1).split("\n")[0].strip(" \t*_-•")


def _says_why(verdict: Verdict, reason: str) -> bool:
    return bool(reason) and (verdict is Verdict.UNOBSERVED or not _HEDGE.match(reason))


_MARKED = r"\[?\s*(\d{1,4})\s*\]?"
_CLICK = re.compile(rf"click\s*{_MARKED}", re.IGNORECASE)
_TYPE = re.compile(rf"(type|select)\s*{_MARKED}\s*[;:,]?\s*(.*)", re.IGNORECASE | re.DOTALL)
_SCROLL = re.compile(
    r"scroll\s*(?:\[?\s*(?:window|\d{1,4})\s*\]?\s*[;:,]?)?\s*\[?(up|down|left|right|top|bottom)\b", re.IGNORECASE
)
_KEY = re.compile(r"(?:press\s*key|press|key)\s*[;:]?\s*\[?\s*([\w+ ]{1,40}?)\s*\]?\s*\.?$", re.IGNORECASE)
_PLAIN = re.compile(r"(wait|back|go\s*back)\b", re.IGNORECASE)
_ANSWERED = re.compile(r"answer\b\s*[;:]?\s*(.*)", re.IGNORECASE | re.DOTALL)


def _move(text: str, thought: str) -> Move | None:
    """`Click [n]`, `Type [n]; text`, `Select [n]; option`, `Scroll down`, `Key Enter`, `Wait`, `Back`, `ANSWER; text`."""
    if found := _ANSWERED.match(text):
        return Move(ANSWER, thought, text=found[1].strip())
    if found := _CLICK.match(text):
        return Move("click", thought, mark=int(found[1]))
    if found := _TYPE.match(text):
        return Move(found[1].lower(), thought, mark=int(found[2]), text=_unquoted(found[3].strip()))
    if found := _SCROLL.match(text):
        return Move("scroll", thought, text=found[1].lower())
    first = text.split("\n")[0].strip()
    if found := _KEY.match(first):
        return Move("key", thought, text=found[1])
    if found := _PLAIN.match(first):
        return Move("wait" if found[1].lower() == "wait" else "back", thought)
    return None


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _from_json(given: dict[str, object]) -> Answer:
    thought = given.get("thought")
    verdicts, unread = _verdicts(thought) if isinstance(thought, str) else ((), ())
    listed, also_unread = _listed(given.get("verdicts"))
    return Answer(
        thought if isinstance(thought, str) else "",
        verdicts + listed,
        move_of(given, _ACTIONS),
        unread + also_unread,
    )


_WORDS = {
    "passed": Verdict.PASSED, "pass": Verdict.PASSED, "failed": Verdict.FAILED, "fail": Verdict.FAILED,
    "unobserved": Verdict.UNOBSERVED,
}  # fmt: skip


def _listed(verdicts: object) -> tuple[tuple[Given, ...], tuple[str, ...]]:
    read: list[Given] = []
    unread: list[str] = []
    for entry in _entries(verdicts):
        slots, verdict, reason = _slots(entry.get("id")), _verdict(entry), entry.get("reason")
        if slots and verdict is not None and isinstance(reason, str) and _says_why(verdict, reason.strip()):
            read += (Given(slot, verdict, reason.strip()) for slot in slots)
        else:
            unread.append(one_line(str(entry), 60))
    return tuple(read), tuple(unread)


def _entries(verdicts: object) -> Iterator[dict[str, object]]:
    if isinstance(verdicts, list):
        yield from (entry for entry in verdicts if isinstance(entry, dict))
    elif isinstance(verdicts, dict):
        for number, entry in verdicts.items():
            if isinstance(entry, dict):
                yield {"id": number, **entry}


def _slots(number: object) -> list[int]:
    if isinstance(number, list):
        return [slot for one in number for slot in _slots(one)]
    if isinstance(number, str) and number.strip().isdecimal() and len(number) <= 3:
        number = int(number)
    return [number] if type(number) is int and number >= 0 else []


def _verdict(entry: dict[str, object]) -> Verdict | None:
    if isinstance(entry.get("passed"), bool):
        return Verdict.PASSED if entry["passed"] else Verdict.FAILED
    said = entry.get("verdict")
    return _WORDS.get(said.strip().lower()) if isinstance(said, str) else None
