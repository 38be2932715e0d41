"""The scripted models as a LiteLLM provider, so that they go through the very same gateway as any other model."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from litellm import CustomLLM
from litellm.types.utils import GenericStreamingChunk

from iwtui.models.scripted.messages import text_of
from iwtui.models.scripted.scripts import SCRIPTS

NAME = "scripted"

_PIECES = 8
_SHORTEST_PIECE = 400


class UnknownScriptError(Exception):
    """There is no scripted model of that name."""

    status_code = 404


class ScriptedModels(CustomLLM):  # type: ignore[misc]  # the library is untyped to us
    """Streams a script's answer in a few pieces: each costs LiteLLM half a millisecond. Tokens are counted as words."""

    async def astreaming(
        self, model: str, messages: Sequence[Mapping[str, Any]], *_: Any, **__: Any
    ) -> AsyncIterator[GenericStreamingChunk]:
        if model not in SCRIPTS:
            raise UnknownScriptError(f"no scripted model {model!r}; there are {', '.join(SCRIPTS)}")
        text = SCRIPTS[model](messages)
        for piece in _pieces(text):
            yield _chunk(piece)
        asked = sum(len(text_of(message).split()) for message in messages)
        answered = len(text.split())
        usage = {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered}
        yield _chunk("", usage)


def _pieces(text: str) -> list[str]:
    size = max(_SHORTEST_PIECE, -(-len(text) // _PIECES))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _chunk(text: str, usage: dict[str, int] | None = None) -> GenericStreamingChunk:
    return {
        "text": text,
        "is_finished": usage is not None,
        "finish_reason": "stop" if usage else "",
        "usage": usage,
        "index": 0,
        "tool_use": None,
    }
