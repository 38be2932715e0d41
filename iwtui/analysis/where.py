"""Filters as SQL."""

from collections.abc import Sequence

from iwtui.analysis.columns import Bound, column
from iwtui.bench.filters import FLAGS, FieldKind, Term, Value

LAST = "last"


def where(terms: Sequence[Term], last_run: str | None, bound: Bound) -> str:
    """The condition of the episodes that fit all the terms; `last_run` is what `run:last` means (None: there is no run).

    An unknown value fits no term but `none`, and the negation of all others.
    """
    return " AND ".join(_term(term, last_run, bound) for term in terms) or "true"


def _term(term: Term, last_run: str | None, bound: Bound) -> str:
    fits = " OR ".join(_value(term, value, last_run, bound) for value in term.values)
    return f"NOT coalesce({fits}, false)" if term.negated else f"({fits})"


def _value(term: Term, value: Value, last_run: str | None, bound: Bound) -> str:
    asked = column(term.field)
    if value.unknown:
        return f"{asked} IS NULL"
    match term.kind:
        case FieldKind.NUMBER:
            return f"{asked} {term.op} {bound(float(value.text))}"
        case FieldKind.FLAG:
            return f"{asked} = {bound(FLAGS[value.text])}"
    if term.field == "run" and value.text == LAST and not value.literal:
        return "false" if last_run is None else f"{asked} = {bound(last_run)}"
    if len(value.parts) == 1:
        return f"{asked} = {bound(value.text)}"
    return f"{asked} LIKE {bound('%'.join(map(_plain, value.parts)))} ESCAPE '!'"


def _plain(part: str) -> str:
    """The text with what LIKE would read as a sign escaped."""
    return part.replace("!", "!!").replace("%", "!%").replace("_", "!_")
