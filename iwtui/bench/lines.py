"""How many lines of a file were added and removed."""

import difflib
from collections import Counter

_COMPARED = 2_000
"""Lines a side that are compared in order, beyond what both have in common at the ends: difflib may need quadratic time."""


def as_text(content: bytes) -> str | None:
    """The content as text, or None when it is binary."""
    if b"\0" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def line_changes(old: bytes, new: bytes) -> tuple[int, int]:
    """Lines (added, removed) between two contents; a binary one counts as empty.

    Where thousands of lines differ, a line that only moved counts as unchanged.
    """
    before, after = (as_text(old) or "").splitlines(), (as_text(new) or "").splitlines()
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    start = next((place for place, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), None)
    start = min(len(before), len(after)) if start is None else start
    before, after = before[start:], after[start:]
    if max(len(before), len(after)) > _COMPARED:
        return (Counter(after) - Counter(before)).total(), (Counter(before) - Counter(after)).total()
    added = removed = 0
    for op, old_from, old_to, new_from, new_to in difflib.SequenceMatcher(None, before, after).get_opcodes():
        if op != "equal":
            removed += old_to - old_from
            added += new_to - new_from
    return added, removed
