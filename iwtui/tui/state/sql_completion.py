"""What may be meant at a place in a query: columns of the tables it names, tables, functions, keywords. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from iwtui.archive.catalog import Catalog, TableInfo
from iwtui.tui.state.sql_text import COMMENT, KEYWORD, NAME, NUMBER, OPERATOR, STRING, Token, statement_at, tokens

LEAST = 2
"""Characters that must be there before anything is offered by itself."""

MOST = 40
"""Things that are offered at most."""

_WORD = re.compile(r"\w*\Z")
_BEFORE_TABLES = {"from", "join", "table", "describe", "summarize", "into"}


class Offer(NamedTuple):
    """`text` stands in the list, `insert` goes into the query; `kind`: column, table, function or keyword."""

    text: str
    insert: str
    kind: str
    note: str


class Offers(NamedTuple):
    """What may stand instead of the word between `start` and the cursor."""

    start: int
    offers: tuple[Offer, ...]


NONE = Offers(0, ())


def offers(catalog: Catalog, sql: str, at: int, asked: bool = False) -> Offers:
    """What fits the word before `at`; `asked`: the reader wants to see it, however short that is."""
    word = _WORD.search(sql, max(0, at - 100), at)
    start = word.start() if word else at
    typed = sql[start:at]
    inside = _inside(sql, at)
    if inside or typed[:1].isdigit():
        return NONE
    span = statement_at(sql, at)
    pieces = [token for token in tokens(sql) if span and span.start <= token.start < span.end]
    names = _names(sql, pieces, start, at)
    owner = _owner(sql, pieces, start)
    if owner is None and len(typed) < LEAST and not asked:
        return NONE
    by_name = {table.name: table for table in catalog.tables}
    scope = _scope(names, by_name)
    found: Iterator[Offer]
    if owner is not None:
        table = by_name.get(scope.get(owner, owner))
        found = _columns([table] if table else [])
    else:
        found = _all(catalog, [by_name[name] for name in dict.fromkeys(scope.values())], _wants_table(sql, pieces, start))
    fitting = tuple(_fitting(found, typed))
    if not asked and len(fitting) == 1 and fitting[0].insert.casefold() == typed.casefold():
        return NONE
    return Offers(start, fitting[:MOST])


def _inside(sql: str, at: int) -> bool:
    """Within a text, a comment or a quoted name nothing is offered."""
    for token in tokens(sql):
        if token.start < at <= token.end and token.kind in (STRING, COMMENT, NUMBER):
            closed = token.kind == STRING and at == token.end and at - token.start > 1 and sql[at - 1] == sql[token.start]
            return not closed
        if token.start < at <= token.end and token.kind == NAME and sql[token.start] == '"':
            return True
    return False


def _names(sql: str, pieces: list[Token], start: int, at: int) -> list[str]:
    """The words of the statement but the one that is being typed; a mark of punctuation as itself, others as nothing."""
    found = []
    for token in pieces:
        if token.start == start and token.end == at:
            continue
        text = sql[token.start : token.end]
        found.append(text.strip('"').casefold() if token.kind in (NAME, KEYWORD) else text if text in ",().;" else "")
    return found


def _owner(sql: str, pieces: list[Token], start: int) -> str | None:
    """The name before a dot before the word."""
    before = [token for token in pieces if token.end <= start]
    if len(before) < 2 or sql[before[-1].start : before[-1].end] != "." or before[-1].kind != OPERATOR:
        return None
    return sql[before[-2].start : before[-2].end].strip('"').casefold()


def _scope(names: list[str], tables: Mapping[str, TableInfo]) -> dict[str, str]:
    """The tables that the statement names, by their names and by the names that it gives them."""
    found: dict[str, str] = {}
    for place, name in enumerate(names):
        if name in tables and (place == 0 or names[place - 1] != "."):
            found[name] = name
            after = names[place + 1 : place + 3]
            alias = after[1] if after[:1] == ["as"] and len(after) > 1 else after[0] if after else ""
            if alias.isidentifier() and alias not in _AFTER_TABLES:
                found[alias] = name
    return found


_AFTER_TABLES = set(
    "where group order having limit join left right inner full cross on using qualify union natural asof positional "
    "offset window select from semi anti except intersect pivot unpivot sample tablesample".split()
)


def _wants_table(sql: str, pieces: list[Token], start: int) -> bool:
    before = [token for token in pieces if token.end <= start and token.kind != COMMENT]
    return bool(before) and sql[before[-1].start : before[-1].end].casefold() in _BEFORE_TABLES


def _all(catalog: Catalog, named: list[TableInfo], table_first: bool) -> Iterator[Offer]:
    tables = [Offer(table.name, table.name, "table", table.comment) for table in catalog.tables]
    if table_first:
        yield from tables
    else:
        yield from _columns(named)
        yield from tables
        if not named:
            yield from _columns(catalog.tables)
    for function in catalog.functions:
        if function.kind == "table" or not table_first:
            yield Offer(function.call, f"{function.name}(", "function", function.comment)
    for keyword in catalog.keywords:
        yield Offer(keyword, keyword, "keyword", "")


def _columns(tables: Iterable[TableInfo]) -> Iterator[Offer]:
    seen = set()
    for table in tables:
        for column in table.columns:
            if column.name not in seen:
                seen.add(column.name)
                yield Offer(column.name, column.name, "column", f"{column.type.lower()} · {column.comment} · {table.name}")


def _fitting(found: Iterator[Offer], typed: str) -> Iterator[Offer]:
    """First what begins so, then what has a part that does; in capitals, when the word is typed in capitals."""
    wanted = typed.casefold()
    later = []
    for offer in found:
        name = offer.insert.casefold()
        if name.startswith(wanted):
            capitals = offer.kind == "keyword" and typed.isupper()
            yield offer._replace(text=offer.text.upper(), insert=offer.insert.upper()) if capitals else offer
        elif offer.kind in ("column", "table") and f"_{wanted}" in name:
            later.append(offer)
    yield from later
