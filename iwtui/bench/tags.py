"""The tags of the builder's format, found in a stream of text, each character looked at a bounded number of times.

A tag is `<name attributes>` or `</name>`, in any case, its attributes in any order and with either quote or none; a `>` in a
quoted value does not end it. No tag stands within another, and none is longer than MAX_TAG: what begins like one and is
not ended before the next begins is a *broken* tag.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

MAX_TAG = 4_096
"""Characters that a tag may take."""

_NAME = re.compile(r"<(/?)(boltArtifact|boltAction|TestCriteria|thinking|think)(?![\w.:-])", re.IGNORECASE)
_LONGEST_NAME = len("</boltArtifact") + 1
_ENDS = re.compile(r"""((?:[^<>=]++|=\s*+(?:"[^"]*+"|'[^']*+')|=(?!\s*+["']))*+)>""")
_ENDS_ANYHOW = re.compile(r"""((?:[^<>=]++|=\s*+(?:"[^"]*+"|'[^']*+')|=)*+)>""")
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++))""")
_CDATA = re.compile(r"\s*+<!\[CDATA\[")
_STRINGS = re.compile(r"""(?:[^"'`\\]++|\\.|"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|`(?:[^`\\]++|\\.)*+`)*+""")
_TO_QUOTE = {quote: re.compile(rf"(?:[^{quote}\\]++|\\.)*+{quote}") for quote in "\"'`"}
_LINE = 200
_NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})


class Tag(NamedTuple):
    """`name` and the names of the attributes are in lower case. `start` and `end` are places in the text."""

    name: str
    start: int
    end: int
    closing: bool
    self_closing: bool
    broken: bool
    attributes: Mapping[str, str]

    @property
    def opens_file(self) -> bool:
        return self.name == "boltaction" and not self.closing and self.type == "file" and not self.self_closing

    @property
    def type(self) -> str:
        """The `type` attribute of an action, in lower case."""
        return self.attributes.get("type", "").strip().lower()


class Scanner:
    """Finds the tags of a text that comes in pieces; how it is cut into pieces makes no difference."""

    def __init__(self) -> None:
        self._chunks: list[str] = []
        self._held = ""
        self._base = 0
        self.tags: list[Tag] = []

    def feed(self, chunk: str) -> None:
        """Take the next piece of the text."""
        self._chunks.append(chunk)
        self._held += chunk
        self._scan(final=False)

    def finish(self) -> tuple[str, list[Tag]]:
        """The whole text and its tags, in order."""
        self._scan(final=True)
        return "".join(self._chunks), self.tags

    def _scan(self, final: bool) -> None:
        held, at = self._held, 0
        found = _NAME.search(held)
        while found:
            after = _NAME.search(held, found.end())
            ended = self._end(found, after, final)
            if ended is None:
                at = found.start()
                break
            at, found = ended, after
        else:
            at = max(at, len(held) if final else _safe(held))
        self._held = held[at:]
        self._base += at

    def _end(self, found: re.Match[str], after: re.Match[str] | None, final: bool) -> int | None:
        """Note the tag that begins at `found` and return where it ends; None while later text may still decide."""
        held = self._held
        whole = len(held)
        if not final and found.end() == whole:
            return None
        bound = found.start() + MAX_TAG
        limit = min(after.start() if after else whole, bound)
        rest = _ENDS.match(held, found.end(), limit)
        if not rest:
            fixed = final or bound <= whole if after is None else final or after.end() < whole or bound <= after.start()
            if not fixed:
                return None
            rest = _ENDS_ANYHOW.match(held, found.end(), limit)
        if not rest:
            end = whole if final and limit == whole else found.end()
            self._note(found, "", end, broken=True)
            return end
        self._note(found, rest[1], rest.end())
        return rest.end()

    def _note(self, found: re.Match[str], inside: str, end: int, broken: bool = False) -> None:
        name = found[2].lower().replace("thinking", "think")
        closing = bool(found[1])
        inside = inside.rstrip()
        self_closing = not closing and inside.endswith("/")
        attributes = _NO_ATTRIBUTES
        if "=" in inside:
            attributes = {}
            for attribute, *values in _ATTRIBUTE.findall(inside.removesuffix("/") if self_closing else inside):
                attributes.setdefault(attribute.lower(), "".join(values))
        base = self._base
        self.tags.append(Tag(name, base + found.start(), base + end, closing, self_closing, broken, attributes))


def _safe(text: str) -> int:
    """How much of a text without a whole tag name can hold no beginning of one."""
    last = text.rfind("<", max(0, len(text) - _LONGEST_NAME))
    return len(text) if last < 0 else last


class Layout(NamedTuple):
    """The tags that count; the think blocks, as (start, end); and what did not fit."""

    tags: list[Tag]
    thoughts: list[tuple[int, int]]
    quoted: int
    unpaired: list[str]


def layout(text: str, tags: Sequence[Tag]) -> Layout:
    """Tell the tags that count from those within think blocks and within the contents of files.

    - All up to a `</think>` that nothing opened is thought, and so is all after a `<think>` that nothing closes.
    - A file in CDATA goes on to the first `]]></boltAction>`, whatever it holds.
    - Otherwise a tag within a file is content when a quote (" ' `) opens before it and closes after it on the same line; a
      closing tag only when nothing is opened within that quote and another closing tag follows, so that no file is left
      open for that. Think tags are content when the file's own end comes next. Every other tag ends the file: text
      cannot tell it from a lost closing tag.
    """
    sections = _sections(text, tags)
    follows = _follows(text, tags)
    counting: list[Tag] = []
    thoughts: list[tuple[int, int]] = []
    unpaired: list[str] = []
    thought = -1
    quoted = 0
    skip = 0
    line: _Line | None = None
    for place, tag in enumerate(tags):
        if place < skip:
            quoted += 1
            continue
        if thought >= 0:
            if tag.name == "think" and tag.closing:
                thoughts.append((thought, tag.end))
                thought = -1
            continue
        if line and line.holds(place):
            quoted += 1
            continue
        line = None
        if tag.name == "think" and not tag.broken:
            if tag.closing:
                unpaired.append("a closing tag without an opening one: all before it is thought")
                counting, thoughts = [], [(0, tag.end)]
            elif tag.self_closing:
                thoughts.append((tag.start, tag.end))
            else:
                thought = tag.start
            continue
        counting.append(tag)
        if tag.opens_file:
            skip = sections.get(place, 0)
            line = None if skip else _Line(text, tags, follows, tag.end)
    if thought >= 0:
        unpaired.append("an opening tag without a closing one: all after it is thought")
        thoughts.append((thought, len(text)))
    return Layout(counting, thoughts, quoted, unpaired)


def begins_cdata(text: str, start: int) -> bool:
    """Whether the content at `start` begins with a CDATA section."""
    return bool(_CDATA.match(text, start))


def _sections(text: str, tags: Sequence[Tag]) -> dict[int, int]:
    """For each opening tag of a file in CDATA, the place in `tags` of the tag that ends it."""
    sections: dict[int, int] = {}
    end: int | None = None
    for place in range(len(tags) - 1, -1, -1):
        tag = tags[place]
        if tag.name == "boltaction" and tag.closing and text[max(0, tag.start - _LINE) : tag.start].rstrip().endswith("]]>"):
            end = place
        elif tag.opens_file and begins_cdata(text, tag.end):
            if end is not None:
                sections[place] = end
            end = None
    return sections


def _follows(text: str, tags: Sequence[Tag]) -> list[bool]:
    """For each tag, whether the next one closes an action, not counting think tags and tags right between two quotes."""
    follows = [False] * len(tags)
    closes = False
    for place in range(len(tags) - 1, -1, -1):
        follows[place] = closes
        tag = tags[place]
        between = text[tag.start - 1 : tag.start] if tag.start else ""
        if tag.name != "think" and not (between in _TO_QUOTE and text.startswith(between, tag.end)):
            closes = tag.name == "boltaction" and tag.closing
    return follows


class _Line:
    """Keeps track of the quote that is open where the text of a file has been read to, line by line."""

    def __init__(self, text: str, tags: Sequence[Tag], follows: Sequence[bool], start: int) -> None:
        self._text = text
        self._tags = tags
        self._follows = follows
        self._at = start
        self._quote = ""

    def holds(self, place: int) -> bool:
        """Whether the tag at that place, the next one in the file, is content of it."""
        tag = self._tags[place]
        self._read_to(tag.start)
        self._at = tag.end
        if tag.name == "think":
            return self._follows[place]
        if not self._quote:
            return False
        ends = tag.name == "boltaction" and tag.closing
        line_end = self._text.find("\n", tag.end, tag.end + _LINE)
        limit = line_end if line_end >= 0 else tag.end + _LINE
        for after in range(place + 1, len(self._tags) + 1):
            following = self._tags[after] if after < len(self._tags) else None
            stop = min(following.start, limit) if following else limit
            if self._text.find(self._quote, self._tags[after - 1].end, stop) >= 0:
                return not ends or self._follows[after - 1]
            if not following or stop == limit or (ends and not following.closing):
                return False
        return False

    def _read_to(self, end: int) -> None:
        line_start = self._text.rfind("\n", self._at, end)
        if line_start >= 0:
            self._quote, self._at = "", line_start + 1
        if self._quote:
            closed = _TO_QUOTE[self._quote].match(self._text, self._at, end)
            if not closed:
                return
            self._at = closed.end()
        strings = _STRINGS.match(self._text, self._at, end)
        rest = self._text[strings.end() : end][:1] if strings else ""
        self._quote = rest if rest in _TO_QUOTE else ""
