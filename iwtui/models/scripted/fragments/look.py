"""How a site is called and how it looks: its name, its colours."""

import re
from collections.abc import Iterator
from html import escape
from typing import ClassVar, Self

from iwtui.models.scripted.colours import colours, ink_on
from iwtui.models.scripted.fragments.base import Fragment, Part, Place, Topic, compiled, denied
from iwtui.models.scripted.fragments.site import Site

_CAPITAL = r"(?:[A-Z0-9][\w'-]*|&)"
_BARE_NAME = rf"{_CAPITAL}(?:\s+(?:{_CAPITAL}|of|the|and)(?=\s))*(?:\s+{_CAPITAL})?"
_CALLED = (
    r"(?:\b[Cc]alled|\b[Nn]amed|\b[Tt]itled|\b[Gg]oes by the name(?: of)?"
    r"|\b[Nn]ame (?:of the \w+ )?(?:is|should be|shall be|will be|:))\s*:?\s*"
)


class SiteName(Fragment, frozen=True):
    """The name of the site, shown as its main heading and as the title of the page."""

    topic: ClassVar[Topic] = Topic.NAME
    subject: ClassVar[str] = "the name of the site"
    pattern: ClassVar[re.Pattern[str]] = re.compile(
        rf'{_CALLED}(?:"(?P<called>[^"]+)"|(?P<bare>{_BARE_NAME}))|\b[Hh]ead(?:ing|line)\b[^".]{{0,40}}"(?P<heading>[^"]+)"'
    )
    of_a_site: ClassVar[re.Pattern[str]] = compiled(
        r"\b(?:site|website|page|app|application|shop|store|business|place|library|club|studio|company|name)\b"
    )

    name: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        if name := found["called"] or found["heading"]:
            return cls(name.rstrip(" ."))
        bare = found["bare"]
        return cls(bare) if bare and cls.of_a_site.search(sentence[: found.end()]) else None

    @property
    def value(self) -> str:
        return self.name.casefold()

    @property
    def wish(self) -> str:
        return f'The site is called "{self.name}" and shows that name as the main heading.'

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(Place.HEADER, f"<h1>{escape(self.name)}</h1>")


PARTS = {
    "page background": r"(?:page(?:'s)? |main |whole )?background|backdrop",
    "table header": r"table(?:'s)? head(?:er|ing)s?(?: row)?|head(?:er)? row|column head(?:er|ing)s?",
    "header bar": r"header(?: bar| area)?|top bar|title bar|banner|bar (?:at|along|across) the top(?: of the page)?",
    "main heading": r"(?:main |page )?(?:heading|headline)s?|main title",
    "buttons": r"buttons?",
    "links": r"links?",
    "footer": r"footer",
    "text": r"(?:body |running )?text",
}
_PART = re.compile("|".join(f"(?P<p{i}>\\b(?:{words})\\b)" for i, words in enumerate(PARTS.values())), re.IGNORECASE)
_STYLES = {
    "page background": ":root {{ --page: {colour}; --ink: {ink}; }}",
    "header bar": ":root {{ --bar: {colour}; --on-bar: {ink}; }}",
    "main heading": "h1 {{ color: {colour}; }}",
    "buttons": ":root {{ --button: {colour}; --on-button: {ink}; }}",
    "table header": "thead th {{ background: {colour}; color: {ink}; }}",
    "footer": "footer {{ background: {colour}; color: {ink}; }}",
    "links": "a {{ color: {colour}; }}",
    "text": "body {{ color: {colour}; }}",
}


class Colour(Fragment, frozen=True):
    """The colour of a part of the page. Its background is a topic of its own."""

    topic: ClassVar[Topic] = Topic.PARTS
    subject: ClassVar[str] = "the colours"

    of_part: str
    colour: str

    @classmethod
    def read(cls, sentence: str) -> Iterator[Self]:
        bare = re.sub(r'"[^"]*"', lambda found: "_" * len(found[0]), sentence)
        named = [(start, end, css) for start, end, css in colours(sentence) if not denied(sentence[:start])]
        parts = [(found.start(), found.end(), list(PARTS)[int(str(found.lastgroup)[1:])]) for found in _PART.finditer(bare)]
        for colour, part in _paired(named, parts):
            yield cls(part, colour)

    @property
    def about(self) -> Topic:
        return Topic.BACKGROUND if self.of_part == "page background" else Topic.PARTS

    @property
    def key(self) -> str:
        return f"the colour of the {self.of_part}"

    @property
    def value(self) -> str:
        return self.colour

    @property
    def wish(self) -> str:
        return f"Use {self.colour} for the {self.of_part}."

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(Place.STYLE, _STYLES[self.of_part].format(colour=self.colour, ink=ink_on(self.colour)))


Span = tuple[int, int, str]


def _paired(named: list[Span], parts: list[Span]) -> Iterator[tuple[str, str]]:
    """Which colour belongs to which part: in turn where they alternate, else to the nearest part."""
    order = "".join(kind for _, kind in sorted([(span[0], "c") for span in named] + [(span[0], "p") for span in parts]))
    if named and order in ("cp" * len(named), "pc" * len(named)):
        yield from ((colour, part) for (_, _, colour), (_, _, part) in zip(named, parts, strict=True))
        return
    for start, end, colour in named if parts else ():
        yield colour, min(parts, key=lambda part: max(part[0] - end, start - part[1]))[2]
