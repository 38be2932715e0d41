"""Filters as polars expressions."""

from collections.abc import Sequence
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, or_

import polars as pl

from iwtui.bench.filters import FLAGS, FieldKind, Term, Value

LAST = "last"
_COMPARE = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq}


def where(terms: Sequence[Term], last_run: str | None) -> pl.Expr:
    """Which episodes fit all the terms; `last_run` is what `run:last` means (None: there is no run).

    An unknown value fits no term but `none`, and the negation of all others.
    """
    return reduce(and_, (_term(term, last_run) for term in terms), pl.lit(value=True))


def _term(term: Term, last_run: str | None) -> pl.Expr:
    fits = reduce(or_, (_value(term, value, last_run) for value in term.values)).fill_null(value=False)
    return ~fits if term.negated else fits


def _value(term: Term, value: Value, last_run: str | None) -> pl.Expr:
    column = pl.col(term.field)
    if value.unknown:
        return column.is_null()
    match term.kind:
        case FieldKind.NUMBER:
            compared: pl.Expr = _COMPARE[term.op](column, float(value.text))
            return compared
        case FieldKind.FLAG:
            return column == FLAGS[value.text]
    if term.field == "run" and value.text == LAST and not value.literal:
        return pl.lit(value=False) if last_run is None else column == last_run
    return column.str.contains(value.pattern)
