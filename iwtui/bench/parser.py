"""Reads a builder's message: which one action it chooses, and what else stood there.

The format, the benchmark's own (bolt.diy's tags and two more):

    <boltArtifact id=".." title=".."> <boltAction type="file" filePath="src/a.js">CONTENT</boltAction>
                                      <boltAction type="shell">npm install</boltAction> </boltArtifact>
    <boltAction type="ask_user">Which colour?</boltAction>
    <TestCriteria>..</TestCriteria> <boltAction type="screenshot_validated">/path</boltAction>
    <boltAction type="finish">done</boltAction>

When several kinds stand in one message, the first of ask_user, finish, screenshot_validated, artifact wins, as in the
benchmark's harness. Files and commands beside a winning question are not carried out; beside a Submit or a Verify they
are, before it. Think text is never read for actions. Where the reading is lenient, an oddity says so: an action that is
not closed ends where the next tag begins; one that the end of the message interrupts is not taken at all. A lone file
or command outside an artifact counts as if it stood in one.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from iwtui.bench.actions import ActionKind, Odd, Parsed, SourceFile
from iwtui.bench.events import Oddity
from iwtui.bench.sources import elided, file_content
from iwtui.bench.tags import Layout, Scanner, Tag, layout
from iwtui.bench.text import one_line, storable

MAX_PATH = 500
MAX_STOOD = 200
MAX_ODDITIES = 20
MAX_DROPPED = 10

_KINDS = {
    "ask_user": ActionKind.CLARIFY,
    "file": ActionKind.IMPLEMENT,
    "shell": ActionKind.IMPLEMENT,
    "screenshot_validated": ActionKind.VERIFY,
    "finish": ActionKind.SUBMIT,
}
_HOST = re.compile(r"^https?://[^/?#]*", re.IGNORECASE)
_THINK_TAG = re.compile(r"</?think(?:ing)?\b[^<>]*+>", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*+\n){2,}+")


def parse(text: str, cut: bool = False) -> Parsed:
    """Read a whole message; `cut` says that the model hit its output limit."""
    parser = StreamParser()
    parser.feed(text)
    return parser.finish(cut)


class StreamParser:
    """Reads a message that arrives in pieces, with the same result as `parse` of the whole."""

    def __init__(self) -> None:
        self._scanner = Scanner()

    def feed(self, chunk: str) -> None:
        """Take the next piece."""
        self._scanner.feed(chunk)

    @property
    def writing(self) -> str:
        """The path of the file that is being written just now, as far as the tags tell; else empty."""
        last = self._scanner.tags[-1] if self._scanner.tags else None
        return last.attributes.get("filepath", "") if last and last.opens_file else ""

    def finish(self, cut: bool = False) -> Parsed:
        """Read what has come; nothing may be fed after that."""
        text, tags = self._scanner.finish()
        clean, replaced = storable(text)
        if clean != text:
            scanner = Scanner()
            scanner.feed(clean)
            text, tags = scanner.finish()
        reading = _Reading(text, layout(text, tags), cut)
        if replaced:
            reading.note(Odd.SURROGATE, "half a character became U+FFFD")
        return reading.parsed()


class _Reading:
    """Walks once over the tags that count and collects what stands between them."""

    def __init__(self, text: str, found: Layout, cut: bool) -> None:
        self._text = text
        self._tags = found.tags
        self._thoughts = found.thoughts
        self._thought_ends = [end for _, end in found.thoughts]
        self._cut = cut
        self._interrupted = ""
        self._files: dict[str, SourceFile] = {}
        self._commands: list[str] = []
        self._questions: list[str] = []
        self._paths: list[str] = []
        self._criteria: list[str] = []
        self._submits = 0
        self._stood: list[str] = []
        self._spoken: list[str] = []
        self._oddities: list[Oddity] = []
        self._uncounted = 0
        for fault in found.unpaired:
            self.note(Odd.THINK, fault)
        if found.quoted:
            self.note(Odd.TAG_IN_CONTENT, f"{found.quoted} of our tags kept as text of a file")
        self._walk()

    def note(self, kind: Odd, detail: str) -> None:
        """Remember an oddity; only the first few are told, the rest are counted."""
        if len(self._oddities) < MAX_ODDITIES:
            self._oddities.append(_oddity(kind, detail))
        else:
            self._uncounted += 1

    def parsed(self) -> Parsed:
        """The message as it was understood."""
        action = self._chosen()
        prose = _BLANK_LINES.sub("\n\n", "".join(self._spoken)).strip()
        if action is ActionKind.MALFORMED and "```" in prose:
            self.note(Odd.FENCED_CODE, "code outside any artifact is not written")
        asks = action is ActionKind.CLARIFY
        verifies = action is ActionKind.VERIFY
        more = [_oddity(Odd.MORE, f"{self._uncounted} more")] if self._uncounted else []
        return Parsed(
            action=action,
            question=self._questions[0] if asks else "",
            files=() if asks else tuple(self._files.values()),
            commands=() if asks else tuple(self._commands),
            path=self._paths[0] if verifies else "/",
            criteria=self._criteria[0] if verifies and self._criteria else "",
            reasoning="\n\n".join(filter(None, (self._thought(*place) for place in self._thoughts))),
            prose=prose,
            stood=tuple(self._stood),
            oddities=(*self._decisive(action), *self._oddities, *more),
            truncated=self._cut or bool(self._interrupted),
        )

    def _chosen(self) -> ActionKind:
        if self._questions:
            return ActionKind.CLARIFY
        if self._submits:
            return ActionKind.SUBMIT
        if self._paths:
            return ActionKind.VERIFY
        return ActionKind.IMPLEMENT if self._files or self._commands else ActionKind.MALFORMED

    def _decisive(self, action: ActionKind) -> Iterator[Oddity]:
        """What was not carried out, told whatever else there is to tell."""
        if self._interrupted:
            yield _oddity(Odd.CUT, f"the message ends within {self._interrupted}")
        elif self._cut:
            yield _oddity(Odd.CUT, "the output limit was hit after the last whole action")
        dropped = [*self._beside(action)]
        for what in dropped[:MAX_DROPPED]:
            yield _oddity(Odd.DROPPED, what)
        if len(dropped) > MAX_DROPPED:
            yield _oddity(Odd.DROPPED, f"and {len(dropped) - MAX_DROPPED} more")

    def _beside(self, action: ActionKind) -> Iterator[str]:
        """What stands beside the action and is not carried out."""
        asks = action is ActionKind.CLARIFY
        verifies = action is ActionKind.VERIFY
        yield from (f"question {text}" for text in self._questions[asks:])
        if asks:
            yield from (f"file {path}" for path in self._files)
            yield from (f"command {command}" for command in self._commands)
        yield from ["finish"] * (self._submits - (action is ActionKind.SUBMIT))
        yield from (f"verify {path}" for path in self._paths[verifies:])
        yield from (f"criteria {text}" for text in self._criteria[verifies:])

    def _walk(self) -> None:
        place = said = elements = 0
        artifact: int | None = None
        while place < len(self._tags):
            tag = self._tags[place]
            self._spoken.append(self._between(said, tag.start))
            if tag.name != "boltartifact" and not tag.broken and not tag.closing:
                place, said = self._element(place, artifact is not None)
                elements += 1
                continue
            place, said = place + 1, tag.end
            if tag.broken and tag.end == len(self._text):
                self._interrupted = "a tag"
            elif tag.broken:
                self.note(Odd.BROKEN, self._text[tag.start : tag.start + 80])
            elif tag.closing and (tag.name != "boltartifact" or artifact is None):
                self.note(Odd.STRAY, self._text[tag.start : tag.end])
            else:
                if not tag.closing and artifact is not None:
                    self.note(Odd.UNCLOSED, "artifact")
                if (tag.closing and artifact == elements) or tag.self_closing:
                    self.note(Odd.EMPTY, "artifact")
                artifact = None if tag.closing or tag.self_closing else elements
        self._spoken.append(self._between(said, len(self._text)))
        if artifact is not None and not self._cut:
            self.note(Odd.UNCLOSED, "artifact")

    def _element(self, place: int, in_artifact: bool) -> tuple[int, int]:
        """Take an action or criteria; returns the place of the next tag and where the element ends in the text."""
        tag = self._tags[place]
        label = f"{tag.type or tag.name} {tag.attributes.get('filepath', '')}".strip()
        if tag.self_closing:
            self.note(Odd.SELF_CLOSING, label)
            self._take(tag, "", in_artifact)
            return place + 1, tag.end
        start, last, before = tag.end, place + 1, ""
        if self._holds_criteria(place):
            opening, closing = self._tags[last : last + 2]
            before = self._between(start, opening.start)
            self._take(opening, self._between(opening.end, closing.start), in_artifact)
            start, last = closing.end, last + 2
        end = self._tags[last] if last < len(self._tags) else None
        if end is None or (end.broken and end.end == len(self._text)):
            self._interrupted = label
            return len(self._tags), len(self._text)
        closed = end.closing and end.name == tag.name and not end.broken
        if not closed:
            self.note(Odd.UNCLOSED, label)
        self._take(tag, before + self._between(start, end.start), in_artifact)
        return (last + 1, end.end) if closed else (last, end.start)

    def _holds_criteria(self, place: int) -> bool:
        """Whether the action is a Verify with its criteria within."""
        inside = self._tags[place + 1 : place + 4]
        return self._tags[place].type == "screenshot_validated" and [
            (tag.name, tag.closing) for tag in inside if not tag.broken and not tag.self_closing
        ] == [("testcriteria", False), ("testcriteria", True), ("boltaction", True)]

    def _take(self, tag: Tag, content: str, in_artifact: bool) -> None:
        kind = _KINDS.get(tag.type)
        if tag.name == "testcriteria":
            self._criteria += filter(None, [content.strip()])
        elif kind is None:
            self.note(Odd.UNKNOWN_ACTION, tag.type or "without a type")
        elif self._kept(tag, content):
            if kind is ActionKind.IMPLEMENT and not in_artifact:
                self.note(Odd.BARE, f"{tag.type} {tag.attributes.get('filepath', '')}")
            if len(self._stood) < MAX_STOOD:
                self._stood.append(kind.value)

    def _kept(self, tag: Tag, content: str) -> bool:
        """Put an action where it belongs; False when there is nothing in it."""
        text = content.strip()
        match tag.type:
            case "file":
                return self._keep_file(tag.attributes.get("filepath", ""), content)
            case "screenshot_validated":
                self._paths.append(self._address(text))
                return True
            case "finish":
                self._submits += 1
                return True
        if not text:
            self.note(Odd.EMPTY, tag.type)
            return False
        (self._questions if tag.type == "ask_user" else self._commands).append(text)
        return True

    def _keep_file(self, path: str, between: str) -> bool:
        if not path.strip() or len(path) > MAX_PATH:
            self.note(Odd.NO_PATH, f"a file with a path of {len(path)} characters")
            return False
        content, changes = file_content(path, between)
        for change in changes:
            self.note(change, path)
        if self._files.pop(path, None):
            self.note(Odd.TWICE, path)
        self._files[path] = SourceFile(path, content, elided(content))
        return True

    def _address(self, text: str) -> str:
        """A path of the site: what a Verify names, without any host; "/" when it names none."""
        if len(text) > MAX_PATH or any(map(str.isspace, text)):
            self.note(Odd.PATH, text)
            return "/"
        return "/" + _HOST.sub("", text).lstrip("/\\")

    def _between(self, start: int, end: int) -> str:
        """The text from start to end, without the thoughts in it."""
        pieces: list[str] = []
        for opened, closed in self._thoughts[bisect_right(self._thought_ends, start) :]:
            if opened >= end:
                break
            pieces.append(self._text[start : max(start, opened)])
            start = closed
        pieces.append(self._text[start:end])
        return "".join(pieces)

    def _thought(self, start: int, end: int) -> str:
        return _THINK_TAG.sub("", self._text[start:end]).strip()


def _oddity(kind: Odd, detail: str) -> Oddity:
    return Oddity(kind.value, one_line(detail, 120))
