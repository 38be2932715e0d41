"""The prompts of the roles, one file each, and their hashes for run.json."""

import hashlib
from functools import cache
from pathlib import Path

ROLES = ("builder", "client_retrieve", "client_phrase", "copilot", "voyager", "intent", "visual")

_FOLDER = Path(__file__).parent / "prompts"


@cache
def prompt(role: str) -> str:
    """The prompt as written, with its {placeholders}."""
    return (_FOLDER / f"{role}.md").read_text(encoding="utf-8")


def filled(role: str, **values: object) -> str:
    """The prompt with each `{name}` replaced; other braces stay as they are."""
    text = prompt(role)
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def hashes() -> dict[str, str]:
    """The sha256 of each prompt file."""
    return {role: hashlib.sha256(prompt(role).encode()).hexdigest() for role in ROLES}
