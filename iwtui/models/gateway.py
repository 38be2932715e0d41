"""The one way to a model: LiteLLM, always streaming, under watchdogs of our own.

LiteLLM takes seconds to import, so it is loaded in a thread when the first call is made.
"""

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from iwtui.bench.plan import is_scripted
from iwtui.models.errors import ModelFaultError, fault_of
from iwtui.models.structured import response_format

MAX_REPLY = 4_000_000
"""Characters of a reply (with its reasoning); a model that writes more is stopped."""

_BEFORE_IMPORT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else the import fetches a price list from the network
    "LITELLM_LOG": "CRITICAL",
    "REPEATED_STREAMING_CHUNK_LIMIT": "1000000",  # 100 equal chunks are no fault
}
_importing = threading.Lock()


class Reply(msgspec.Struct, frozen=True):
    """What a model answered. `cost` is in US dollars; it and the tokens are None when nobody can tell."""

    text: str
    reasoning: str
    finish_reason: str | None
    answered_by: str | None
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    seconds: float


class Gateway:
    """Calls models. `token_limit`: seconds without a token, the first included; `call_limit`: seconds for a whole call."""

    def __init__(self, token_limit: float = 60, call_limit: float = 600) -> None:
        self._token_limit = token_limit
        self._call_limit = call_limit

    async def call(
        self,
        model: str,
        messages: Sequence[Mapping[str, Any]],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        on_text: Callable[[str], None] | None = None,
        schema: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> Reply:
        """Ask once, without any retry; `on_text` is told each piece of the answer as it comes. Raises ModelFaultError.

        `schema`: a JSON schema that the answer is to fit, where the model can be held to one.

        When the caller is cancelled, the connection is closed at once.
        """
        litellm = await asyncio.to_thread(_litellm)
        started = time.monotonic()
        watch = _Watch(started, self._token_limit, self._call_limit)
        shape = response_format(litellm, model, schema)
        given = {"temperature": temperature, "max_tokens": max_tokens, "response_format": shape, **parameters}
        collected = _Collected(on_text)
        stream: Any = None
        try:
            stream = await watch.wait(
                litellm.acompletion(
                    model=model,
                    messages=[dict(message) for message in messages],
                    stream=True,
                    stream_options={"include_usage": True},
                    max_retries=0,
                    num_retries=0,
                    timeout=self._call_limit,
                    drop_params=True,
                    **{name: value for name, value in given.items() if value is not None},
                )
            )
            chunks = aiter(stream)
            while (chunk := await watch.wait(anext(chunks, None))) is not None:
                if collected.add(chunk):
                    watch.token_came()
        except ModelFaultError:
            raise
        except Exception as error:
            raise fault_of(error, time.monotonic() - started, _given_keys(given)) from None
        finally:
            if stream is not None:
                await _close(stream)
        return collected.reply(litellm, model, time.monotonic() - started)


class _Watch:
    """Two limits at once: on the silence between two tokens and on the whole call."""

    def __init__(self, started: float, token_limit: float, call_limit: float) -> None:
        self._started = started
        self._token_limit = token_limit
        self._call_limit = call_limit
        self._last_token = started

    def token_came(self) -> None:
        self._last_token = time.monotonic()

    async def wait(self, coming: Any) -> Any:
        """Await within both limits. Raises ModelFaultError; an error of the awaited thing itself passes through."""
        silence = self._last_token + self._token_limit
        end = self._started + self._call_limit
        try:
            async with asyncio.timeout(max(0.0, min(silence, end) - time.monotonic())) as limit:
                return await coming
        except TimeoutError:
            if not limit.expired():
                raise
        seconds = time.monotonic() - self._started
        if end <= silence:
            raise ModelFaultError("timeout", f"no end of the answer after {self._call_limit:g} s", seconds=seconds)
        raise ModelFaultError("stalled", f"no token for {self._token_limit:g} s", seconds=seconds)


class _Collected:
    """The pieces of a streamed answer."""

    def __init__(self, on_text: Callable[[str], None] | None) -> None:
        self._on_text = on_text
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._chars = 0
        self._finish_reason: str | None = None
        self._answered_by: str | None = None
        self._usage: Any = None

    def add(self, chunk: Any) -> bool:
        """Take a chunk; whether it brought anything. Raises ModelFaultError when the answer grows beyond all bounds."""
        self._answered_by = getattr(chunk, "model", None) or self._answered_by
        usage = getattr(chunk, "usage", None)
        self._usage = usage or self._usage
        brought = usage is not None
        for choice in chunk.choices[:1]:
            text = getattr(choice.delta, "content", None) or ""
            reasoning = getattr(choice.delta, "reasoning_content", None) or ""
            self._text.append(text)
            self._reasoning.append(reasoning)
            self._chars += len(text) + len(reasoning)
            self._finish_reason = choice.finish_reason or self._finish_reason
            brought = brought or bool(text or reasoning or choice.finish_reason)
            if text and self._on_text is not None:
                self._on_text(text)
        if self._chars > MAX_REPLY:
            raise ModelFaultError("too long", f"the answer passed {MAX_REPLY:,} characters")
        return brought

    def reply(self, litellm: Any, model: str, seconds: float) -> Reply:
        """The whole answer. Raises ModelFaultError when it is empty."""
        text, reasoning = "".join(self._text), "".join(self._reasoning)
        tokens_in = getattr(self._usage, "prompt_tokens", None)
        tokens_out = getattr(self._usage, "completion_tokens", None)
        if not text.strip():
            why = "the model answered nothing"
            if reasoning and self._finish_reason == "length":
                why = "the budget was spent on reasoning, nothing was answered"
            elif self._finish_reason == "content_filter":
                why = "a content filter held the answer back"
            raise ModelFaultError("empty", why, seconds=seconds, tokens_in=tokens_in, tokens_out=tokens_out)
        return Reply(
            text=text,
            reasoning=reasoning,
            finish_reason=self._finish_reason,
            answered_by=self._answered_by,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost=_cost(litellm, model, self._usage),
            seconds=seconds,
        )


@cache
def _prepared() -> Any:
    for name, value in _BEFORE_IMPORT.items():
        os.environ.setdefault(name, value)
    import litellm

    from iwtui.models.scripted.provider import NAME, ScriptedModels

    litellm.suppress_debug_info = True  # else it prints to stdout on every error
    litellm.telemetry = False
    others = [entry for entry in litellm.custom_provider_map if entry["provider"] != NAME]
    litellm.custom_provider_map = [*others, {"provider": NAME, "custom_handler": ScriptedModels()}]
    return litellm


def _litellm() -> Any:
    with _importing:
        return _prepared()


def _cost(litellm: Any, model: str, usage: Any) -> float | None:
    if is_scripted(model):
        return 0.0
    if usage is None:
        return None
    try:
        return float(
            litellm.completion_cost(completion_response=litellm.ModelResponse(model=model, usage=usage), model=model)
        )
    except Exception:  # whatever the library raises for a model that has no price
        return None


async def _close(stream: Any) -> None:
    """Let go of the connection; leaving the loop alone would keep it. A fault in closing does not matter any more."""
    with contextlib.suppress(Exception):
        await asyncio.wait_for(stream.aclose(), 5)


def _given_keys(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    key = parameters.get("api_key")
    return (key,) if isinstance(key, str) else ()
