"""The one way to a model: LiteLLM, always streaming, under watchdogs, limits, a budget and retries of our own."""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from iwtui.bench.settings import CallSettings, Settings, resolved, variables
from iwtui.models.budget import Budget
from iwtui.models.call import Call, Listener, Reply
from iwtui.models.errors import ModelFaultError, Veil, fault_of
from iwtui.models.library import litellm
from iwtui.models.pace import Pace, tokens_of
from iwtui.models.prices import cost_of
from iwtui.models.retries import Retries
from iwtui.models.stream import Collected, OnText, Watch
from iwtui.models.structured import response_format
from iwtui.models.thinking import apart


class Gateway:
    """Calls models for all workers of a run, which share its limits, its budget and what providers ask to wait.

    `token_limit`: seconds without a token, the first included; `call_limit`: seconds for a whole attempt.
    """

    def __init__(
        self,
        token_limit: float = 60,
        call_limit: float = 600,
        *,
        settings: Settings | None = None,
        retries: Retries | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.budget = budget or Budget()
        self.pace = Pace(self.settings)
        self._retries = retries or Retries()
        self._token_limit = token_limit
        self._call_limit = call_limit

    async def ask(self, call: Call, listener: Listener) -> Reply:
        """The answer of the first attempt that brings one. Raises the last attempt's ModelFaultError; BudgetSpentError.

        Reasoning in think tags is taken out of the answer, but for the builder, whose message is read with its tags.
        """
        settings = self.settings.of(call.role, call.model)
        parameters, secrets = _given(call, settings)
        tokens = tokens_of(call.messages)
        attempt = empties = 0
        first = 0.0
        while True:
            attempt += 1
            async with self.pace.turn(call.role, call.model, tokens, listener.waits) as passage:
                self.budget.check()
                first = first or time.monotonic()
                cost: float | None = None
                spent: int | None = None
                try:
                    reply = _whole(
                        await self.call(
                            call.model,
                            call.messages,
                            on_text=listener.wrote,
                            on_thought=listener.thought,
                            on_silence=listener.silent,
                            settings=settings,
                            secrets=secrets,
                            **parameters,
                        ),
                        tags_stay=call.role == "builder",
                    )
                    cost, spent = reply.cost, _sum(reply.tokens_in, reply.tokens_out)
                    return reply
                except ModelFaultError as error:
                    fault = error
                    cost, spent = fault.cost, _sum(fault.tokens_in, fault.tokens_out)
                finally:
                    self.budget.count(cost)
                    passage.ended(spent, cost)
            empties += fault.kind == "empty"
            wait = self._retries.wait(fault, attempt, empties, time.monotonic() - first)
            if wait is None:
                raise fault
            listener.failed(fault, attempt, wait)
            if fault.kind == "rate limit":
                self.pace.model(call.model).hold(wait)
            else:
                await asyncio.sleep(wait)

    async def call(
        self,
        model: str,
        messages: Sequence[Mapping[str, Any]],
        *,
        on_text: OnText | None = None,
        on_thought: OnText | None = None,
        on_silence: Callable[[float], None] | None = None,
        settings: CallSettings | None = None,
        secrets: Iterable[str] = (),
        schema: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> Reply:
        """Ask once, without any retry; `parameters` are LiteLLM's, `secrets` what no text may show. Raises ModelFaultError.

        `schema`: a JSON schema that the answer is to fit, where the model can be held to one.
        When the caller is cancelled, the connection is closed at once.
        """
        settings = settings or CallSettings()
        key = parameters.get("api_key")
        secrets = (*secrets, key) if isinstance(key, str) else tuple(secrets)
        library = await asyncio.to_thread(litellm)
        shape = response_format(library, model, schema)
        if shape is not None:
            parameters.setdefault("response_format", shape)
        call_limit = settings.call_limit or self._call_limit
        collected = Collected(Veil(secrets), on_text, on_thought)
        stream: Any = None
        with Watch(settings.token_limit or self._token_limit, call_limit, on_silence) as watch:
            try:
                stream = await watch.wait(
                    library.acompletion(
                        model=model,
                        messages=[dict(message) for message in messages],
                        stream=True,
                        stream_options={"include_usage": True},
                        max_retries=0,
                        num_retries=0,
                        timeout=call_limit,
                        drop_params=True,
                        **parameters,
                    )
                )
                chunks = aiter(stream)
                while (chunk := await watch.wait(anext(chunks, None))) is not None:
                    if collected.add(chunk):
                        watch.token_came()
                collected.end()
            except ModelFaultError as fault:
                raise _counted(fault, collected, model, settings) from None
            except Exception as error:
                raise _counted(fault_of(error, watch.seconds, secrets), collected, model, settings) from None
            finally:
                if stream is not None:
                    await _close(stream)
            return _reply(collected, model, settings, watch.seconds)


def _given(call: Call, settings: CallSettings) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The parameters of a call, and those of their values that are secret. Raises ModelFaultError for a missing variable."""
    given = {name: value for name, value in call.parameters.items() if value is not None} | settings.parameters
    if "max_completion_tokens" in given:
        given.pop("max_tokens", None)
    try:
        found: dict[str, Any] = resolved(given, os.environ)
    except KeyError as missing:
        raise ModelFaultError(
            "authentication", f"the environment variable {missing.args[0]}, which the settings name, is not set", cost=0.0
        ) from None
    return found, tuple(os.environ[name] for name in variables(settings))


def _reply(collected: Collected, model: str, settings: CallSettings, seconds: float) -> Reply:
    """The whole answer. Raises ModelFaultError when it is empty."""
    text = collected.text
    if not text.strip():
        why = "the model answered nothing"
        if collected.finish_reason == "length":
            why = "the budget was spent on reasoning, nothing was answered"
        elif collected.finish_reason == "content_filter":
            why = "a content filter held the answer back"
        raise _counted(ModelFaultError("empty", why, seconds=seconds), collected, model, settings)
    return Reply(
        text=text,
        reasoning=collected.reasoning,
        finish_reason=collected.finish_reason,
        answered_by=collected.answered_by,
        tokens_in=collected.tokens_in,
        tokens_out=collected.tokens_out,
        cost=cost_of(model, collected.usage, settings),
        seconds=seconds,
    )


def _counted(fault: ModelFaultError, collected: Collected, model: str, settings: CallSettings) -> ModelFaultError:
    """The fault with what was spent until then, where that is known."""
    fault.tokens_in, fault.tokens_out = collected.tokens_in, collected.tokens_out
    fault.finish_reason = collected.finish_reason
    if collected.begun or collected.usage is not None:
        fault.cost = cost_of(model, collected.usage, settings)
    return fault


def _whole(reply: Reply, tags_stay: bool) -> Reply:
    """The reply with its reasoning apart. Raises ModelFaultError when nothing else was answered."""
    if tags_stay:
        return reply
    text, thought = apart(reply.text)
    if not thought:
        return reply
    if not text:
        raise ModelFaultError(
            "empty",
            "nothing but reasoning was answered",
            seconds=reply.seconds,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            cost=reply.cost,
            finish_reason=reply.finish_reason,
        )
    return msgspec.structs.replace(reply, text=text, reasoning="\n".join(filter(None, (reply.reasoning, thought))))


def _sum(tokens_in: int | None, tokens_out: int | None) -> int | None:
    return None if tokens_in is None and tokens_out is None else (tokens_in or 0) + (tokens_out or 0)


async def _close(stream: Any) -> None:
    """Let go of the connection; leaving the loop alone would keep it. A fault in closing does not matter any more."""
    with contextlib.suppress(Exception):
        await asyncio.wait_for(stream.aclose(), 5)
