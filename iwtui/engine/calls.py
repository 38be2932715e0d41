"""Model calls of an episode or a judging, each recorded with its request, its answer and its cost."""

import asyncio
import base64
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from iwtui.bench.events import ModelCalled
from iwtui.bench.fold import Message
from iwtui.engine.journal import Log
from iwtui.models.errors import ModelFaultError
from iwtui.models.gateway import Gateway, Reply
from iwtui.web import marks


class Caller:
    """Calls models for one episode or judging. `models` maps a role to a LiteLLM model string."""

    def __init__(self, gateway: Gateway, journal: Log, models: dict[str, str]) -> None:
        self._gateway = gateway
        self._journal = journal
        self._models = models
        self._ordinals: Counter[tuple[str, int]] = Counter()

    async def call(self, role: str, system: str, messages: Sequence[Message], **parameters: Any) -> Reply:
        """Ask the role's model. Raises ModelFaultError after recording the fault."""
        turn = self._journal.turn
        ordinal = self._ordinals[role, turn]
        self._ordinals[role, turn] += 1
        asked = [Message("system", system), *messages]
        request = tuple(self._journal.keep_bytes(msgspec.json.encode(message)) for message in asked)
        about: dict[str, Any] = {"role": role, "model": self._models[role], "ordinal": ordinal, "request": request}
        try:
            wired = [await self._wire(role, message) for message in asked]
            reply = await self._gateway.call(self._models[role], wired, **parameters)
        except ModelFaultError as fault:
            self._journal.write(
                ModelCalled(
                    **about,
                    fault=fault.message,
                    fault_kind=fault.kind,
                    tokens_in=fault.tokens_in,
                    tokens_out=fault.tokens_out,
                    seconds=fault.seconds,
                )
            )
            raise
        self._journal.write(
            ModelCalled(
                **about,
                reply=self._journal.keep(reply.text),
                reasoning=self._journal.keep(reply.reasoning),
                answered_by=reply.answered_by,
                finish_reason=reply.finish_reason,
                tokens_in=reply.tokens_in,
                tokens_out=reply.tokens_out,
                cost=reply.cost,
                seconds=reply.seconds,
            )
        )
        return reply

    async def _wire(self, role: str, message: Message) -> dict[str, Any]:
        text = self._journal.read(message.text)
        if message.picture is None:
            return {"role": message.role, "content": text}
        return {"role": message.role, "content": [{"type": "text", "text": text}, await self._image(role, message)]}

    async def _image(self, role: str, message: Message) -> dict[str, Any]:
        """The picture, with the marks drawn on it where the message has some."""
        get = self._journal.recorder.blobs.get
        assert message.picture is not None
        picture = get(message.picture)
        if message.marks is not None:
            listed = marks.decode(get(message.marks))
            picture = await asyncio.to_thread(marks.draw, picture, listed.marks)
        data = base64.b64encode(picture).decode()
        detail = "low" if role == "builder" else "high"  # a builder's as in the official harness; numbers need all of it
        return {"type": "image_url", "image_url": {"url": f"data:image/webp;base64,{data}", "detail": detail}}
