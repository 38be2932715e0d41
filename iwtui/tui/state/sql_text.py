"""A text of SQL as DuckDB's own tokeniser reads it, whole or not: its pieces, its statements, where a fault stands. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

LONGEST = 100_000
"""Characters of a text that is read for colours and completion; a longer one is plain, and is one statement."""

KEYWORD, NAME, STRING, NUMBER, OPERATOR, COMMENT = "keyword", "name", "string", "number", "operator", "comment"

DOTS = "..."

_SURROGATES = re.compile("[\ud800-\udfff\0]")
_LINE = re.compile(r"\n\nLINE (\d+): (.*)\n( *)(\^+)")
_NAMED = (re.compile(r'"([^"\n]+)"'), re.compile(r"\bwith name (\w+)"))


class Token(NamedTuple):
    """A piece of a text, from `start` to before `end`, in characters."""

    start: int
    end: int
    kind: str


class Span(NamedTuple):
    """A part of a text, in characters."""

    start: int
    end: int


@lru_cache(maxsize=8)
def tokens(sql: str) -> tuple[Token, ...]:
    """The pieces; none of a text that is too long."""
    if len(sql) > LONGEST:
        return ()
    import duckdb

    text = _SURROGATES.sub("?", sql)
    found = duckdb.tokenize(text)
    kinds = {
        duckdb.token_type.keyword: KEYWORD,
        duckdb.token_type.identifier: NAME,
        duckdb.token_type.string_const: STRING,
        duckdb.token_type.numeric_const: NUMBER,
        duckdb.token_type.operator: OPERATOR,
        duckdb.token_type.comment: COMMENT,
    }
    at = _Characters(text)
    starts = [at(offset) for offset, _ in found]
    ends = [*starts[1:], len(text)] if starts else []
    return tuple(
        Token(start, start + len(text[start:end].rstrip()), kinds[kind])
        for start, end, (_, kind) in zip(starts, ends, found, strict=True)
    )


def statements(sql: str) -> list[Span]:
    """The statements between the semicolons, without the blanks around them; what is comment alone is none."""
    found: list[Span] = []
    start: int | None = None
    end, real = 0, False
    for token in _with_end(sql):
        if token.kind == OPERATOR and sql[token.start : token.end].startswith(";"):
            if start is not None and real:
                found.append(Span(start, end))
            start, real = None, False
            continue
        if start is None:
            start = token.start
        real = real or token.kind != COMMENT
        end = token.end
    if start is not None and real:
        found.append(Span(start, end))
    return found


def statement_at(sql: str, at: int) -> Span | None:
    """The statement at a place: the last that begins before it, else the first. None when there is none."""
    found = statements(sql)
    return next((span for span in reversed(found) if span.start <= at), found[0] if found else None)


def fault_place(message: str, sql: str) -> Span | None:
    """Where the fault stands that a message of DuckDB tells of: by its line and mark, else by what it names."""
    if match := _LINE.search(message):
        number, excerpt, lead, mark = match.groups()
        cells = len(lead) - len(f"LINE {number}: ")  # the mark stands under the text as a terminal shows it
        first, last = (_within(excerpt, at) for at in (cells, cells + len(mark)))
        start = _excerpt_start(sql, int(number), excerpt)
        return Span(*(min(max(0, start + at), len(sql)) for at in (first, last)))
    for pattern in _NAMED:
        if match := pattern.search(message.partition("\n")[0]):
            wanted = match[1].casefold()
            for token in tokens(sql):
                if token.kind != COMMENT and sql[token.start : token.end].strip('"').casefold() == wanted:
                    return Span(token.start, token.end)
    return None


def fault_words(message: str) -> str:
    """The message on one line, without the line of the query that it repeats."""
    return " · ".join(line.strip() for line in _LINE.sub("", message).splitlines() if line.strip())


def _with_end(sql: str) -> Iterator[Token]:
    if len(sql) > LONGEST and sql.strip():
        yield Token(0, len(sql), NAME)
    yield from tokens(sql)


class _Characters:
    """Characters for bytes of UTF-8, asked for in rising order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._plain = text.isascii()
        self._char = self._byte = 0

    def __call__(self, offset: int) -> int:
        if self._plain:
            return offset
        while self._byte < offset and self._char < len(self._text):
            self._byte += len(self._text[self._char].encode())
            self._char += 1
        return self._char


def _line_start(sql: str, number: int) -> int:
    start = 0
    for _ in range(number - 1):
        start = sql.find("\n", start) + 1
    return start


def _excerpt_start(sql: str, number: int, excerpt: str) -> int:
    """Of a long line only the middle is shown, with dots before it."""
    start = _line_start(sql, number)
    line = sql[start:].partition("\n")[0]
    if not excerpt.startswith(DOTS) or line.startswith(DOTS):
        return start
    return start + max(0, line.find(excerpt.removeprefix(DOTS).removesuffix(DOTS))) - len(DOTS)


def _within(text: str, cells: int) -> int:
    """The character of a text that stands so many cells from its beginning."""
    for index, char in enumerate(text):
        if cells <= 0:
            return index
        cells -= cell_len(char)
    return len(text)
