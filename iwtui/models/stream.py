"""A streamed answer: its pieces collected, under two watchdogs of our own, one for silence and one for the whole call."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from iwtui.models.errors import ModelFaultError, Veil

MAX_REPLY = 4_000_000
"""Characters of a reply (with its reasoning); a model that writes more is stopped."""

TELL_SILENCE = 5.0
"""Seconds without a token after which it is said."""

TELL_EVERY = 1.0

OnText = Callable[[str], None]


class Watch:
    """Two limits at once, in seconds: on the silence between two tokens, the first included, and on the whole call."""

    def __init__(self, token_limit: float, call_limit: float, on_silence: Callable[[float], None] | None = None) -> None:
        self._token_limit = token_limit
        self._call_limit = call_limit
        self._on_silence = on_silence
        self._started = self._last_token = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def seconds(self) -> float:
        """Since the call began."""
        return time.monotonic() - self._started

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
        if end <= silence:
            raise ModelFaultError("timeout", f"no end of the answer after {self._call_limit:g} s", seconds=self.seconds)
        raise ModelFaultError("stalled", f"no token for {self._token_limit:g} s", seconds=self.seconds)

    def __enter__(self) -> "Watch":
        if self._on_silence is not None:
            self._look(self._on_silence)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _look(self, tell: Callable[[float], None]) -> None:
        silence = time.monotonic() - self._last_token
        if silence >= TELL_SILENCE:
            tell(silence)
        again = max(TELL_EVERY, TELL_SILENCE - silence)
        self._timer = asyncio.get_running_loop().call_later(again, self._look, tell)


class _Veiled:
    """Passes the pieces of a text on with all keys hidden, also one that comes in two pieces."""

    def __init__(self, told: OnText | None, veil: Veil) -> None:
        self._told = told
        self._veil = veil
        self._held = ""

    def add(self, piece: str) -> None:
        if self._told is None or not piece:
            return
        text = self._veil.hide(self._held + piece)
        sure = len(text) - self._veil.begun(text)
        self._held = text[sure:]
        if sure:
            self._told(text[:sure])

    def end(self) -> None:
        if self._told is not None and self._held:
            self._told(self._held)
            self._held = ""


class Collected:
    """The pieces of a streamed answer, and who is told of them."""

    def __init__(self, veil: Veil, on_text: OnText | None = None, on_thought: OnText | None = None) -> None:
        self._veil = veil
        self._on_text = _Veiled(on_text, veil)
        self._on_thought = _Veiled(on_thought, veil)
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._chars = 0
        self.finish_reason: str | None = None
        self.answered_by: str | None = None
        self.usage: Any = None

    @property
    def text(self) -> str:
        return self._veil.hide("".join(self._text))

    @property
    def reasoning(self) -> str:
        return self._veil.hide("".join(self._reasoning))

    @property
    def tokens_in(self) -> int | None:
        return getattr(self.usage, "prompt_tokens", None)

    @property
    def tokens_out(self) -> int | None:
        return getattr(self.usage, "completion_tokens", None)

    @property
    def begun(self) -> bool:
        """Whether the model has written anything, which is paid for."""
        return self._chars > 0

    def add(self, chunk: Any) -> bool:
        """Take a chunk; whether it brought anything. Raises ModelFaultError when the answer grows beyond all bounds."""
        self.answered_by = getattr(chunk, "model", None) or self.answered_by
        usage = getattr(chunk, "usage", None)
        self.usage = usage or self.usage
        brought = usage is not None
        for choice in chunk.choices[:1]:
            text = getattr(choice.delta, "content", None) or ""
            reasoning = getattr(choice.delta, "reasoning_content", None) or ""
            self._text.append(text)
            self._reasoning.append(reasoning)
            self._chars += len(text) + len(reasoning)
            self.finish_reason = choice.finish_reason or self.finish_reason
            brought = brought or bool(text or reasoning or choice.finish_reason)
            self._on_thought.add(reasoning)
            self._on_text.add(text)
        if self._chars > MAX_REPLY:
            raise ModelFaultError("too long", f"the answer passed {MAX_REPLY:,} characters")
        return brought

    def end(self) -> None:
        """No more will come."""
        self._on_thought.end()
        self._on_text.end()
