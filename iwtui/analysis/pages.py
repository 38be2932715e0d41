"""Episodes as rows, a page at a time and in any order."""

from typing import Any, NamedTuple

import duckdb

from iwtui.analysis.columns import Bound, column, joins
from iwtui.analysis.episodes import Asked
from iwtui.bench.filters import FIELDS

COLUMNS = (
    "episode run case_id seed persona difficulty application_type category language pack builder repeat attempt judge "
    "scripted status stop_reason actions turns clarifies implements verifies malformed conflicts passed slots tcr tcr_clean "
    "tcr_human sr hallucinated ias chr vbr layout creative_alignment aesthetics question_cost leaks loc tokens seconds cost "
    "unpriced_calls"
).split()
"""What a row holds."""

ORDERS = frozenset([*COLUMNS, *FIELDS])
"""What rows can be ordered by."""


class Order(NamedTuple):
    """A column of ORDERS; `down`: the highest first. The unknown come last in any case."""

    column: str
    down: bool = False


LOWEST = Order("tcr")
"""The lowest TCR first."""


def count(con: duckdb.DuckDBPyConnection, asked: Asked) -> int:
    """The number of episodes."""
    bound = Bound()
    found = con.execute(f"SELECT count(*) FROM ({asked.sql(['run'], bound)})", bound.values).fetchone()
    return int(found[0]) if found else 0


def page(
    con: duckdb.DuckDBPyConnection, asked: Asked, order: Order = LOWEST, offset: int = 0, limit: int | None = None
) -> list[tuple[Any, ...]]:
    """`limit` rows of COLUMNS (None: all) from the one at `offset` on; alike ones stand by case, builder and name.

    Raises KeyError for what rows cannot be ordered by.
    """
    if order.column not in ORDERS:
        raise KeyError(order.column)
    bound = Bound()
    names = asked.sql(list(dict.fromkeys(["episode", "case_id", "builder", order.column])), bound)
    direction = "DESC" if order.down else "ASC"
    by = f"{order.column} {direction} NULLS LAST, case_id, builder, episode"
    cut = f"LIMIT {bound(limit)}" if limit is not None else ""
    chosen = f"SELECT *, row_number() OVER () AS place FROM (FROM ({names}) ORDER BY {by} {cut} OFFSET {bound(offset)})"
    wanted = ", ".join(f"{column(name)} AS {name}" for name in COLUMNS)
    source = f"({chosen}) AS o JOIN attempts AS a ON a.episode = o.episode {joins(COLUMNS)}"
    return con.execute(f"SELECT {wanted} FROM {source} ORDER BY o.place", bound.values).fetchall()
