"""What a site tells: lines of text, questions and answers, pictures, tabs, navigation, a dark mode."""

import re
from collections.abc import Iterator
from html import escape
from typing import ClassVar, Self

from iwtui.models.scripted.fragments.base import Fragment, Part, Place, Topic, compiled, no
from iwtui.models.scripted.fragments.site import Site
from iwtui.models.scripted.sentences import quoted

_LINES = (
    r"opening (?:hours|times)|address|phone number|telephone number|e-?mail address|slogan|tagline|motto"
    r"|welcome (?:text|message|line)|footer|copyright line|price note|sentence|notice|introduction"
)


class Line(Fragment, frozen=True):
    """A text that stands on the page as it is: the opening hours, an address, a slogan."""

    topic: ClassVar[Topic] = Topic.TEXTS
    subject: ClassVar[str] = "the lines of text"
    pattern: ClassVar[re.Pattern[str]] = compiled(rf'\b(?P<what>{_LINES})\b[^."]{{0,40}}"(?P<text>[^"]+)"')

    what: str
    text: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls(re.sub("times$", "hours", found["what"].lower()), found["text"])

    @property
    def key(self) -> str:
        return f"the {self.what}"

    @property
    def value(self) -> str:
        return self.text.casefold()

    @property
    def wish(self) -> str:
        return f'Show the {self.what} "{self.text}".'

    def parts(self, site: Site) -> Iterator[Part]:
        text = escape(self.text)
        if self.what in ("slogan", "tagline", "motto"):
            yield self.part(Place.HEADER, f"<p>{text}</p>")
        elif self.what in ("footer", "copyright line"):
            yield self.part(Place.FOOTER, f"<p>{text}</p>")
        elif re.match("welcome|sentence|notice|introduction|price", self.what):
            yield self.part(Place.TOP, f"<p>{text}</p>")
        else:
            yield self.part(Place.BELOW, f"<p><strong>{self.what.capitalize()}:</strong> {text}</p>")


class Faq(Fragment, frozen=True):
    """Questions that open to their answers."""

    topic: ClassVar[Topic] = Topic.DATA
    subject: ClassVar[str] = "the questions and answers"
    pattern: ClassVar[re.Pattern[str]] = compiled(r"\bFAQ\b|\bfrequently asked\b|\bquestions and answers\b")
    denial: ClassVar[re.Pattern[str]] = no("FAQ")

    pairs: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        told = quoted(sentence[found.start() :])
        pairs = tuple(zip(told[::2], told[1::2], strict=False))
        return cls(pairs) if pairs else None

    @property
    def value(self) -> str:
        return repr(self.pairs).casefold()

    @property
    def wish(self) -> str:
        return "An FAQ answers " + " and ".join(f'"{question}" with "{answer}"' for question, answer in self.pairs) + "."

    def parts(self, site: Site) -> Iterator[Part]:
        for question, answer in self.pairs:
            yield self.part(Place.BELOW, f"<details><summary>{escape(question)}</summary><p>{escape(answer)}</p></details>")


class Gallery(Fragment, frozen=True):
    """Pictures with captions; they are drawn, for nothing may come from elsewhere."""

    topic: ClassVar[Topic] = Topic.DATA
    subject: ClassVar[str] = "the gallery"
    pattern: ClassVar[re.Pattern[str]] = compiled(r'\bgallery\b[^"]*\bcaptions?\b[^"]*(?P<captions>".*")')
    denial: ClassVar[re.Pattern[str]] = no("gallery|pictures")

    captions: tuple[str, ...]

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls(tuple(quoted(found["captions"])))

    @property
    def value(self) -> str:
        return repr(self.captions).casefold()

    @property
    def wish(self) -> str:
        return "A gallery shows pictures with the captions " + ", ".join(f'"{caption}"' for caption in self.captions) + "."

    def parts(self, site: Site) -> Iterator[Part]:
        figures = "\n".join(
            f'<figure><svg role="img" aria-label="{escape(caption)}" viewBox="0 0 16 9">'
            f'<rect width="16" height="9" fill="currentColor" opacity="0.12"/><circle cx="{3 + 5 * (i % 3)}" cy="4.5" r="2" '
            f'fill="currentColor" opacity="0.3"/></svg><figcaption>{escape(caption)}</figcaption></figure>'
            for i, caption in enumerate(self.captions)
        )
        yield self.part(Place.BELOW, f'<div class="cards">\n{figures}\n</div>')


class DarkMode(Fragment, frozen=True):
    """A button that switches the page between light and dark."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the dark mode"
    pattern: ClassVar[re.Pattern[str]] = compiled(
        r'(?:"(?P<label>[^"]*)"[ -](?:button|switch)[^."]*)?\bdark (?:mode|colours?|colors?|theme)\b'
    )
    denial: ClassVar[re.Pattern[str]] = no("dark mode|dark theme")
    switched: ClassVar[re.Pattern[str]] = compiled(r"\b(?:button|switch\w*|toggle\w*)\b")

    label: str = "Dark mode"

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        if not cls.switched.search(sentence):
            return None
        told = [phrase for phrase in quoted(sentence) if "dark" in phrase.lower()]
        return cls(found["label"] or (told[0] if told else "Dark mode"))

    @property
    def wish(self) -> str:
        return f'A "{self.label}" button switches the page to dark colours.'

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(Place.HEADER, f'<button type="button" id="dark" aria-pressed="false">{escape(self.label)}</button>')
        yield self.part(Place.STYLE, ".dark { --page: #14181c; --ink: #f1f3f4; --bar: #1f262c; --on-bar: #f1f3f4; }")
        yield self.part(
            Place.SCRIPT,
            """
document.getElementById("dark").addEventListener("click", event => {
  event.target.setAttribute("aria-pressed", document.documentElement.classList.toggle("dark"));
});""",
        )


class Tabs(Fragment, frozen=True):
    """Tabs, each with a panel of its own."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the tabs"
    pattern: ClassVar[re.Pattern[str]] = compiled(r'\btabs?\b[^".]*(?P<labels>"[^"]+"(?:(?:,| and|, and)\s*"[^"]+")+)')
    denial: ClassVar[re.Pattern[str]] = no("tabs")

    labels: tuple[str, ...]

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls(tuple(quoted(found["labels"])))

    @property
    def value(self) -> str:
        return repr(self.labels).casefold()

    @property
    def wish(self) -> str:
        labels = [f'"{label}"' for label in self.labels]
        return f"The tabs {', '.join(labels[:-1])} and {labels[-1]} switch what is shown."

    def parts(self, site: Site) -> Iterator[Part]:
        heads = "".join(
            f'<button type="button" role="tab" id="tab{i}" aria-controls="panel{i}" aria-selected="{str(i == 0).lower()}">'
            f"{escape(label)}</button>"
            for i, label in enumerate(self.labels)
        )
        panels = "\n".join(
            f'<div role="tabpanel" id="panel{i}" aria-labelledby="tab{i}"{" hidden" if i else ""}>'
            f"<p>{escape(label)}</p></div>"
            for i, label in enumerate(self.labels)
        )
        yield self.part(Place.TOP, f'<div role="tablist">{heads}</div>\n{panels}')
        yield self.part(
            Place.SCRIPT,
            """
document.querySelector("[role=tablist]").addEventListener("click", event => {
  const chosen = event.target.closest("[role=tab]");
  if (!chosen) return;
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.setAttribute("aria-selected", tab === chosen);
    document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
});""",
        )


class Navigation(Fragment, frozen=True):
    """Links at the top, each to a section of its own."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the navigation"
    pattern: ClassVar[re.Pattern[str]] = compiled(
        r'\b(?:navigation|menu|nav)(?: bar)?\b[^".]*\blinks?\b[^".]*(?P<labels>"[^"]+"(?:(?:,| and|, and)\s*"[^"]+")*)'
    )
    denial: ClassVar[re.Pattern[str]] = no("navigation|menu")

    labels: tuple[str, ...]

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls(tuple(quoted(found["labels"])))

    @property
    def value(self) -> str:
        return repr(self.labels).casefold()

    @property
    def wish(self) -> str:
        return "A navigation has the links " + ", ".join(f'"{label}"' for label in self.labels) + "."

    def parts(self, site: Site) -> Iterator[Part]:
        links = "".join(f'<a href="#section{i}">{escape(label)}</a>' for i, label in enumerate(self.labels))
        yield self.part(Place.HEADER, f"<nav>{links}</nav>")
        for i, label in enumerate(self.labels):
            yield self.part(Place.BELOW, f'<section id="section{i}"><h2>{escape(label)}</h2></section>')
