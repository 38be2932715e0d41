"""The little language of executable checks: what it can say, not how it is run.

A check is a list of steps, each one TOML inline table. A step *does* something or *expects* something; the slot passes
when every expectation holds. A page is found the way a person finds things: by role, accessible name, label and
visible text; there is no way to name an id, a class or a test-id. The README of tasks/ documents each step by example.
"""

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

ROLES = frozenset(
    "alert article banner button cell checkbox columnheader combobox complementary contentinfo dialog figure form "
    "heading img link list listbox listitem main menu menuitem navigation option paragraph progressbar radio region row "
    "rowgroup rowheader searchbox slider spinbutton status switch tab table tabpanel textbox tooltip".split()
)


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What an element must be like. Patterns are case-insensitive regular expressions, searched for anywhere.

    `role`: one ARIA role or any of several. `name`: in the accessible name. `label`: in the text of a form control's
    label, placeholder or accessible name. `text`: in the visible text. `within`: inside a `row`, `listitem`, .. with
    this text. `level`: of a heading; 1 is the main one. `nth`: which of several, from 0; -1 is the last.
    """

    role: str | tuple[str, ...] = ()
    name: str = ""
    label: str = ""
    text: str = ""
    within: str = ""
    level: int = 0
    nth: int = 0

    @property
    def roles(self) -> tuple[str, ...]:
        return (self.role,) if isinstance(self.role, str) else self.role


class Open(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="open"):
    """Go to a path of the site. Every check starts at "/" with empty browser storage."""

    path: str = "/"


class Reload(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="reload"):
    """Load the page again; browser storage stays."""


class Click(Target, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="click"):
    """Click the element."""


class Fill(Target, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="fill"):
    """Empty a field and type `value` into it, key by key."""

    value: str


class Choose(Target, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="choose"):
    """Choose the option whose label matches `option`: in a select, or among buttons, tabs, radios and links."""

    option: str


class Press(Target, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="press"):
    """Press a key ("Enter") with the element in focus."""

    key: str


class Read(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="read"):
    """Remember the number that `number` captures in the page's visible text, for a later `number` expectation."""

    number: str


class See(Target, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="see"):
    """At least one such element is visible."""


class Gone(Target, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="gone"):
    """No such element is visible."""


class Count(Target, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="count"):
    """The number of visible elements of that kind lies between `least` and `most`."""

    least: int = 0
    most: int | None = None


class Matches(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="matches"):
    """The visible text of the page holds `pattern` between `least` and `most` times."""

    pattern: str
    least: int = 1
    most: int | None = None


class Number(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="number"):
    """The number captured by `number` is `exactly`, or differs by `change` from the one last read."""

    number: str
    exactly: float | None = None
    change: float | None = None


class Colour(Target, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do", tag="colour"):
    """A computed colour is `value` (CSS name or #rrggbb, or any of several).

    `tolerance` is a distance in CIE L*a*b* (CIE76): 2.3 is just noticeable, ivory is 7.6 from white. Without a target
    it is the page's own background. `share` is the least part of the matching elements that must have it.
    """

    value: str | tuple[str, ...]
    tolerance: float = 5.0
    property: Literal["background", "text", "border"] = "background"
    share: float = 1.0


class NothingUnrequested(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="nothing_unrequested"):
    """No interactive control or heading that neither the golden text nor everyday convention accounts for.

    `allow` names further words that this seed's sites may use.
    """

    allow: tuple[str, ...] = ()


Step = (
    Open
    | Reload
    | Click
    | Fill
    | Choose
    | Press
    | Read
    | See
    | Gone
    | Count
    | Matches
    | Number
    | Colour
    | NothingUnrequested
)
EXPECTATIONS = (See, Gone, Count, Matches, Number, Colour, NothingUnrequested)


def faults(check: tuple[Step, ...]) -> Iterator[str]:
    """What is wrong with a check that decoded well: each fault in words, naming its step (from 1)."""
    if not any(isinstance(step, EXPECTATIONS) for step in check):
        yield "it expects nothing: add see, gone, count, matches, number, colour or nothing_unrequested"
    read: set[str] = set()
    for place, step in enumerate(check, 1):
        for fault in _step_faults(step, read):
            yield f"step {place}: {fault}"


def _step_faults(step: Step, read: set[str]) -> Iterator[str]:
    if isinstance(step, Target):
        yield from (f"unknown role {role!r}" for role in step.roles if role not in ROLES)
        if not (step.roles or step.name or step.label or step.text) and not isinstance(step, Choose | Colour | Press):
            yield "it names no role, name, label or text"
        if step.level and step.roles != ("heading",):
            yield "level belongs to the role heading"
    patterns = [getattr(step, field, "") for field in ("name", "label", "text", "within", "pattern", "number", "option")]
    for pattern in filter(None, patterns):
        try:
            re.compile(pattern)
        except re.error as error:
            yield f"{pattern!r} is no regular expression: {error}"
    match step:
        case Read(number=number):
            read.add(number)
        case Number(number=number, exactly=exactly, change=change):
            if (exactly is None) == (change is None):
                yield "give one of exactly and change"
            if change is not None and number not in read:
                yield "change needs a read of the same number before it"
        case Count(least=least, most=most) | Matches(least=least, most=most):
            if most is not None and most < least:
                yield f"most ({most}) is less than least ({least})"
        case Colour(share=share, value=value):
            if not 0 < share <= 1:
                yield "share lies between 0 and 1"
            if not value:
                yield "give a colour"
