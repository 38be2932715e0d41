"""What the client's model answers when it looks facts up: one JSON object, read wherever it stands."""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

LONGEST = 20_000
"""Characters of an answer that are read, from its end."""


class Picks(msgspec.Struct, frozen=True):
    """The facts (0-based) that a question asks for. `challenge` is None where the model did not say."""

    facts: tuple[int, ...]
    challenge: bool | None = None


def read_picks(text: str, facts: int) -> Picks | None:
    """From `{"facts": [1-based numbers], "challenge": ..}`, fenced or amid prose; the last that can be read, or None.

    Numbers of facts that are not there count for nothing.
    """
    for found in _objects(text[-LONGEST:]):
        numbers = [_number(item) for item in found.get("facts") or ()] if isinstance(found.get("facts"), list) else [None]
        if None not in numbers:
            picked = sorted({number - 1 for number in numbers if number is not None and 1 <= number <= facts})
            challenge = found.get("challenge")
            return Picks(tuple(picked), challenge if isinstance(challenge, bool) else None)
    return None


def _number(item: object) -> int | None:
    if isinstance(item, str) and re.fullmatch(r"\s*#?\d{1,6}\.?\s*", item):
        return int(item.strip(" #."))
    return item if type(item) is int else None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The flat JSON objects of a text, the last one first; a comma too many is forgiven."""
    for found in reversed(list(re.finditer(r"\{[^{}]*\}", text))):
        try:
            value = json.loads(re.sub(r",\s*([\]}])", r"\1", found[0]))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value
