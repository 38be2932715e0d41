"""What changed between two texts, line by line, in rows that a list can show. Pure; meant for a thread."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 3
"""Unchanged lines around a change."""

COMPARED = 4_000
"""Lines that differ (of both texts) up to which it is worked out which of them stayed; beyond, all count as rewritten."""


@dataclass(frozen=True, slots=True)
class Row:
    """`old`, `new`: 0-based lines of the two texts, None where there is none. `folded`: unchanged lines left out here."""

    old: int | None = None
    new: int | None = None
    folded: int = 0

    @property
    def sign(self) -> str:
        """`+`, `-` or a space; `⋯` for lines left out."""
        if self.folded:
            return "⋯"
        return " " if self.old is not None and self.new is not None else "+" if self.old is None else "-"


def diff(before: list[str], after: list[str]) -> list[Row]:
    """All lines of both texts: the unchanged once, of a change the old ones first."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    rows = [Row(i, i) for i in range(head)]
    rows += _changed(before, after, head, len(before) - tail, len(after) - tail)
    rows += [Row(len(before) - tail + i, len(after) - tail + i) for i in range(tail)]
    return rows


def _changed(before: list[str], after: list[str], head: int, end_before: int, end_after: int) -> Iterator[Row]:
    old, new = before[head:end_before], after[head:end_after]
    if len(old) + len(new) > COMPARED:
        opcodes = [("replace", 0, len(old), 0, len(new))]
    else:
        opcodes = list(SequenceMatcher(None, old, new).get_opcodes())
    for tag, old_from, old_to, new_from, new_to in opcodes:
        if tag == "equal":
            yield from (Row(head + old_from + i, head + new_from + i) for i in range(old_to - old_from))
        else:
            yield from (Row(old=head + i) for i in range(old_from, old_to))
            yield from (Row(new=head + i) for i in range(new_from, new_to))


def folded(rows: list[Row], unfolded: frozenset[int] = frozenset()) -> list[Row]:
    """The rows with long unchanged stretches left out, but those that begin at one of the new lines `unfolded`."""
    near = [False] * len(rows)
    for number, row in enumerate(rows):
        if row.sign != " ":
            for close in range(max(0, number - CONTEXT), min(len(rows), number + CONTEXT + 1)):
                near[close] = True
    shown: list[Row] = []
    number = 0
    while number < len(rows):
        end = number
        while end < len(rows) and not near[end]:
            end += 1
        if end - number > 1 and rows[number].new not in unfolded:
            shown.append(Row(rows[number].old, rows[number].new, end - number))
        else:
            shown += rows[number:end]
        if end < len(rows):
            shown.append(rows[end])
        number = end + 1
    return shown


def paired(rows: list[Row]) -> list[Row]:
    """The rows for two columns: the first old line of a change beside the first new one, and so on."""
    shown: list[Row] = []
    old: list[Row] = []
    new: list[Row] = []
    for row in [*rows, Row(0, 0)]:
        if row.sign == "-":
            old.append(row)
        elif row.sign == "+":
            new.append(row)
        else:
            both = min(len(old), len(new))
            shown += [Row(old[i].old, new[i].new) for i in range(both)]
            shown += old[both:] + new[both:]
            old, new = [], []
            shown.append(row)
    return shown[:-1]
