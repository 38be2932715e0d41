"""Reading of the messages that a scripted model is given."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

Messages = Sequence[Mapping[str, Any]]


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message; pictures among its parts are left out."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content if part.get("type") == "text")


def texts(messages: Messages, role: str) -> list[str]:
    """The texts of all messages of a role."""
    return [text_of(message) for message in messages if message.get("role") == role]


def section(text: str, title: str, following: str | None = None) -> str:
    """What stands under a line that is the title, up to the last line that is the following one; "" without the title."""
    start = re.search(rf"^{re.escape(title)}$\n?", text, re.MULTILINE)
    if not start:
        return ""
    rest = text[start.end() :]
    if following is not None:
        ends = list(re.finditer(rf"^{re.escape(following)}$", rest, re.MULTILINE))
        rest = rest[: ends[-1].start()] if ends else rest
    return rest.strip()
