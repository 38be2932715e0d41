"""The scripted copilot: it looks for the words of the criteria on the page, tries a thing or two, and says what lacks."""

import json
import re
from collections.abc import Iterator, Sequence

import msgspec

from iwtui.models.scripted.fragments.acting import Basket, StatusButton
from iwtui.models.scripted.fragments.finding import Search
from iwtui.models.scripted.fragments.listing import ItemList, StateCount, Table
from iwtui.models.scripted.fragments.texts import Faq
from iwtui.models.scripted.messages import Messages, section, texts
from iwtui.models.scripted.reading import Reading, read
from iwtui.models.scripted.sentences import quoted, sentences, straight

_MARK = re.compile(r'^\s*\[(\d+)\] (\S+) "(.*)"', re.MULTILINE)
_LATER = re.compile(r"\b(?:when|if|after|once|click\w*|how many|number of)\b", re.IGNORECASE)
"""Sentences whose quotations need not be on the page at first, or not with that number."""


class _Mark(msgspec.Struct, frozen=True):
    n: int
    role: str
    name: str


class _View(msgspec.Struct, frozen=True):
    """What the copilot is shown."""

    criteria: str
    marks: tuple[_Mark, ...]
    text: str
    earlier: tuple[str, ...]

    @property
    def everything(self) -> str:
        return "\n".join((self.text, *(mark.name for mark in self.marks)))


def reply(messages: Messages) -> str:
    """One JSON object: the next action, or the result."""
    request = texts(messages, "user")[-1] if texts(messages, "user") else ""
    marks = section(request, "MARKS", "TEXT")
    earlier = section(request, "EARLIER")
    view = _View(
        criteria=straight(section(request, "CRITERIA", "PAGE")),
        marks=tuple(_Mark(int(n), role, name) for n, role, name in _MARK.findall(marks)),
        text=straight(section(request, "TEXT", "EARLIER")),
        earlier=() if earlier == "none" else tuple(earlier.splitlines()),
    )
    return json.dumps(_next(view), ensure_ascii=False)


def _next(view: _View) -> dict[str, object]:
    wanted = read(view.criteria)
    if not view.earlier:
        missing = _missing(view, wanted)
        if missing:
            return _result("fail", "missing: " + ", ".join(f'"{phrase}"' for phrase in missing))
    if complaint := _complaint(view, wanted):
        return _result("fail", complaint)
    for trial in _trials(view, wanted):
        return trial
    seen = (
        "all the words of the criteria stand on the page"
        if wanted.fragments or quoted(view.criteria)
        else "the page is there"
    )
    return _result("finish", f"{seen}; what cannot be told by words was not looked at")


def _missing(view: _View, wanted: Reading) -> list[str]:
    """Quoted and listed phrases of the criteria that the page does not show before anything was done to it."""
    later = {fragment.to for fragment in wanted.fragments if isinstance(fragment, StatusButton)}
    later |= {answer for fragment in wanted.fragments if isinstance(fragment, Faq) for _, answer in fragment.pairs}
    shown = _bare(view.everything)
    return [phrase for phrase in dict.fromkeys(_phrases(view, wanted)) if phrase not in later and _bare(phrase) not in shown]


def _phrases(view: _View, wanted: Reading) -> Iterator[str]:
    for sentence in sentences(view.criteria):
        if not _LATER.search(sentence):
            yield from quoted(sentence)
    for fragment in wanted.fragments:
        if isinstance(fragment, ItemList):
            yield from (item.name for item in fragment.items)
            yield from (item.price for item in fragment.items if item.price)
        elif isinstance(fragment, Table):
            yield from fragment.columns
            yield from (cell for row in fragment.rows for cell in row if cell)


def _trials(view: _View, wanted: Reading) -> Iterator[dict[str, object]]:
    """Actions worth trying that were not tried yet, at most one of each kind; the search last, for it hides things."""
    done = "\n".join(view.earlier)
    for fragment in wanted.fragments:
        if isinstance(fragment, Basket | StatusButton) and f'"{fragment.label}"' not in done:
            button = next((mark for mark in view.marks if mark.name == fragment.label), None)
            if button is not None:
                yield _action("click", button, "", f"see what {button.name} does")
    sought = _sought(wanted)
    box = next((mark for mark in view.marks if mark.role == "searchbox" or "search" in mark.name.lower()), None)
    if sought and box is not None and not _typed(view):
        yield _action("type", box, sought[0], "see whether the list narrows")


def _complaint(view: _View, wanted: Reading) -> str:
    """What the last trial should have brought about and did not."""
    last = view.earlier[-1] if view.earlier else ""
    shown = _bare(view.text)
    for fragment in wanted.fragments:
        if isinstance(fragment, StatusButton) and f'"{fragment.label}"' in last and _bare(fragment.to) not in shown:
            return f'after "{fragment.label}" the page does not show "{fragment.to}"'
        if isinstance(fragment, Basket) and f'"{fragment.label}"' in last and not re.search(r"\b1\b", view.text):
            return f'after "{fragment.label}" no count of 1 is shown for the {fragment.where}'
    for fragment in wanted.fragments:
        counted = isinstance(fragment, StateCount) and re.escape(fragment.before) + r"\d+" + re.escape(fragment.after)
        if counted and not re.search(counted, view.text, re.IGNORECASE):
            return f'no number is shown as "{fragment.wish}" asks'
    sought = _sought(wanted)
    if sought and last and _typed(view):
        if _bare(sought[0]) not in shown:
            return f"after a search for {sought[0]} it is not shown"
        if all(_bare(other) in shown for other in sought[1:]):
            return f"a search for {sought[0]} does not narrow the list"
    return ""


def _sought(wanted: Reading) -> Sequence[str]:
    """The names that a search can be tried with; none when no search is wanted."""
    if not any(isinstance(fragment, Search) for fragment in wanted.fragments):
        return ()
    lists = [fragment for fragment in wanted.fragments if isinstance(fragment, ItemList)]
    names = [item.name for item in lists[0].items] if lists else []
    return names if len(names) >= 2 else ()


def _typed(view: _View) -> bool:
    return any(re.match(r"\d+\. type\b", line) for line in view.earlier)


def _bare(text: str) -> str:
    return " ".join(straight(text).lower().split())


def _action(action: str, mark: _Mark, text: str, thought: str) -> dict[str, object]:
    return {"thought": thought, "action": action, "mark": mark.n, "text": text}


def _result(action: str, text: str) -> dict[str, object]:
    return {"thought": text, "action": action, "mark": None, "text": text}
