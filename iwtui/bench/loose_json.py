"""JSON objects in what a model wrote: fenced, between prose, with slips of the pen. Lenient in form, never in content."""

import json
import re
from collections.abc import Iterator
from itertools import islice

_TOKEN = re.compile(
    r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|,(?=\s*[}\]])|(?<!\w)(?:True|False|None)(?!\w)|[{}]""",
    re.DOTALL,
)
_WORDS = {"True": "true", "False": "false", "None": "null"}

MAX_TEXT = 100_000
"""Characters that are searched."""
MAX_TOKENS = 200_000
"""Strings and braces that are looked at, over all places where an object might begin."""

_START = re.compile(r"\{(?=\s*[\"'}])")


def objects(text: str) -> Iterator[dict[str, object]]:
    """The JSON objects in a text, in order; what stands within one is not told again.

    Beside JSON proper: a comma before a closing bracket, single quotes, Python's True, False and None, line breaks within
    strings. What cannot be read even so is passed over.
    """
    text = text[:MAX_TEXT]
    tokens = MAX_TOKENS
    start = _START.search(text)
    while start and tokens > 0:
        found, end, looked_at = _object_at(text, start.start(), tokens)
        tokens -= looked_at
        if found is not None:
            yield found
        start = _START.search(text, end)


def _object_at(text: str, start: int, most: int) -> tuple[dict[str, object] | None, int, int]:
    """The object that begins there, or None; where to look on; and how many tokens that took, `most` at most."""
    parts: list[str] = []
    depth, at, number = 0, start, 0
    for token in islice(_TOKEN.finditer(text, start), most):
        number += 1
        parts += text[at : token.start()], _mended(token[0])
        at = token.end()
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            break
    if depth:
        return None, start + 1, number
    try:
        return json.loads("".join(parts), strict=False), at, number
    except (ValueError, RecursionError):
        return None, start + 1, number


def _mended(piece: str) -> str:
    if piece.startswith(","):
        return ""
    if piece.startswith("'"):
        return json.dumps(re.sub(r"\\(['\"])", r"\1", piece[1:-1])).replace("\\\\", "\\")
    return _WORDS.get(piece, piece)
