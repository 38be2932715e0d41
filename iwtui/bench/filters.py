"""The one filter grammar: `persona:P-MIN status:scored builder:qwen* tcr<0.3 -seed:bakery`.

Terms stand side by side and all must hold. A term is `field:value`, with `,` for "or", or a number's field compared by
`<`, `<=`, `>`, `>=`, `=`. A leading `-` means "not". `*` in a value stands for any characters; a value in quotes is
taken literally. `none` is a value that is unknown. `run:last` is the newest run. `FIELDS` is the one table of what can
be asked for.
"""

import difflib
import math
import re
from collections.abc import Callable
from enum import StrEnum

import msgspec


class FieldKind(StrEnum):
    """What a field holds. Flags are written yes or no (or true, false)."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"


FIELDS: dict[str, FieldKind] = {
    **dict.fromkeys(
        "episode run kind pack case_id seed persona difficulty application_type category language builder judge judging "
        "status stop_reason actions".split(),
        FieldKind.TEXT,
    ),
    **dict.fromkeys(
        "repeat attempt turns clarifies implements verifies failed_verifies malformed conflicts steal_steps "
        "blind_executions tcr tcr_clean tcr_human n_human n_overridden n_disputed "
        "ias chr vbr layout creative_alignment aesthetics question_cost leaks loc "
        "files seconds calls tokens_in tokens_out cost unpriced_calls resumes discarded warnings bad_lines".split(),
        FieldKind.NUMBER,
    ),
    **dict.fromkeys("sr hallucinated scripted".split(), FieldKind.FLAG),
}
"""Columns of `attempts`, the case's application_type and category, and the kind of its run."""

ALIASES = {"case": "case_id", "hr": "hallucinated", "asks": "clarifies", "type": "application_type"}
FLAGS = {"yes": True, "true": True, "no": False, "false": False}
NONE = "none"

_TERM = re.compile(r'(?P<negated>-?)(?P<field>[A-Za-z_]+)(?P<op><=|>=|<|>|=|:)(?P<rest>(?:"(?:[^"\\]|\\.)*"|[^\s"])*)')
_VALUE = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>[^,"]+)')


class FilterError(ValueError):
    """A filter that cannot be read; the message names the term."""


class Value(msgspec.Struct, frozen=True):
    """`literal`: it stood in quotes, so that `*`, `none` and `last` mean nothing special."""

    text: str
    literal: bool = False

    @property
    def unknown(self) -> bool:
        """Whether it stands for a missing value."""
        return not self.literal and self.text == NONE

    @property
    def parts(self) -> tuple[str, ...]:
        """What a text must hold, in this order; between two of them may stand any characters."""
        return (self.text,) if self.literal else tuple(self.text.split("*"))


class Term(msgspec.Struct, frozen=True):
    """One condition; any of its values will do. `op` is `=`, `<`, `<=`, `>` or `>=`."""

    field: str
    op: str
    values: tuple[Value, ...]
    negated: bool = False

    @property
    def kind(self) -> FieldKind:
        return FIELDS[self.field]


def parse(text: str) -> tuple[Term, ...]:
    """The terms of a filter, in their order; none for an empty one. Raises FilterError."""
    terms: list[Term] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        found = _TERM.match(text, place)
        if not found or (found.end() < len(text) and not text[found.end()].isspace()):
            raise FilterError(_unreadable(text[place:].split()[0]))
        terms.append(_term(found))
        place = found.end()
    return tuple(terms)


def written(field: str, value: object) -> str:
    """The term that keeps what has this value in a field, whatever the value holds. None: what is unknown."""
    match value:
        case None:
            return f"{field}:{NONE}"
        case bool():
            return f"{field}:{'yes' if value else 'no'}"
        case int() | float():
            return f"{field}:{value:g}" if float(f"{value:g}") == value else f"{field}:{value!r}"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'{field}:"{escaped}"' if _needs_quotes(str(value)) else f"{field}:{value}"


def _needs_quotes(text: str) -> bool:
    return not re.fullmatch(r"[\w./+@-]+", text) or text in (NONE, "last")


def _term(found: re.Match[str]) -> Term:
    whole = found[0]
    field = ALIASES.get(found["field"], found["field"])
    if field not in FIELDS:
        near = difflib.get_close_matches(field, [*FIELDS, *ALIASES], 1, 0)
        raise FilterError(f"{whole!r}: no field {field!r}; the nearest is {near[0]!r}")
    values = _values(whole, found["rest"])
    op = "=" if found["op"] == ":" else found["op"]
    kind = FIELDS[field]
    if op != "=" and kind is not FieldKind.NUMBER:
        raise FilterError(f"{whole!r}: {field} is a {kind}; write {field}:value")
    if op != "=" and (len(values) > 1 or values[0].unknown):
        raise FilterError(f"{whole!r}: give one number to compare with")
    for value in values:
        _READABLE[kind](whole, value)
    return Term(field, op, values, bool(found["negated"]))


def _values(whole: str, rest: str) -> tuple[Value, ...]:
    values: list[Value] = []
    place = 0
    while True:
        found = _VALUE.match(rest, place)
        if not found:
            raise FilterError(f"{whole!r}: a value is missing")
        quoted = found["quoted"]
        values.append(Value(found["bare"]) if quoted is None else Value(re.sub(r"\\(.)", r"\1", quoted), literal=True))
        place = found.end()
        if place == len(rest):
            return tuple(values)
        if rest[place] != ",":
            raise FilterError(f"{whole!r}: put a comma between two values")
        place += 1


def _number(whole: str, value: Value) -> None:
    if value.unknown:
        return
    try:
        known = math.isfinite(float(value.text))
    except ValueError:
        known = False
    if not known:
        raise FilterError(f"{whole!r}: {value.text!r} is no number")


def _flag(whole: str, value: Value) -> None:
    if not value.unknown and value.text not in FLAGS:
        raise FilterError(f"{whole!r}: write yes, no or none")


_READABLE: dict[FieldKind, Callable[[str, Value], None]] = {
    FieldKind.TEXT: lambda whole, value: None,
    FieldKind.NUMBER: _number,
    FieldKind.FLAG: _flag,
}


def _unreadable(word: str) -> str:
    if word.count('"') % 2:
        return f"{word!r}: the quotation mark is not closed"
    name = re.match(r"-?([A-Za-z_]*)", word)
    near = difflib.get_close_matches(name[1] if name else "", [*FIELDS, *ALIASES], 1, 0)
    hint = f"; the nearest field is {near[0]!r}" if near else ""
    return f"{word!r}: a term is written field:value or, for a number, field<value{hint}"
