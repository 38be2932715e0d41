"""The scripted models by name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from iwtui.models.scripted import blind, clarifier, client, copilot

Script = Callable[[Sequence[Mapping[str, Any]]], str]

SCRIPTS: dict[str, Script] = {
    "blind": blind.reply,
    "clarifier": clarifier.reply,
    "client": client.reply,
    "copilot": copilot.reply,
}
