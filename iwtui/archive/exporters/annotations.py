"""The lines of people's annotations that bear on one run, and the same lines for a run of another name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

MAX_LINE = 1_000_000


def bearing_on(root: Path, run: str) -> dict[str, bytes]:
    """By the name of each file of annotations in the store at `root`, its lines that name the run or an episode of it."""
    found: dict[str, bytes] = {}
    for file in sorted((root / "annotations").glob("[!.]*.jsonl")):
        if lines := only_of(file.read_bytes(), run):
            found[file.name] = lines
    return found


def only_of(content: bytes, run: str) -> bytes:
    """The whole lines that are about a run: that name it or an episode of it, and that are about no other."""
    return b"".join(line + b"\n" for line in _lines(content) if _is_about(_decoded(line), run))


def moved(lines: bytes, run: str, to: str) -> bytes:
    """Lines about a run as lines about the same run under another name; what is no JSON is left out."""
    values = (_decoded(line) for line in _lines(lines))
    return b"".join(msgspec.json.encode(_renamed(value, run, to)) + b"\n" for value in values if value is not None)


def _lines(content: bytes) -> Iterator[bytes]:
    whole = content[: content.rfind(b"\n") + 1]
    yield from (line for line in whole.split(b"\n") if 0 < len(line) <= MAX_LINE)


def _decoded(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _is_about(value: Any, run: str) -> bool:
    subjects = [value[key] for key in ("run", "episode") if value.get(key) is not None] if isinstance(value, dict) else []
    return _names(value, run) and all(isinstance(subject, str) and _names(subject, run) for subject in subjects)


def _names(value: Any, run: str) -> bool:
    match value:
        case str():
            return value == run or value.startswith(f"{run}/")
        case dict():
            return any(_names(item, run) for item in value.values())
        case list():
            return any(_names(item, run) for item in value)
    return False


def _renamed(value: Any, run: str, to: str) -> Any:
    match value:
        case str() if _names(value, run):
            return to + value[len(run) :]
        case dict():
            return {key: _renamed(item, run, to) for key, item in value.items()}
        case list():
            return [_renamed(item, run, to) for item in value]
    return value
