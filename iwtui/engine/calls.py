"""Model calls of an episode or a judging, each attempt recorded with its request, its answer or fault, and its cost."""

import asyncio
import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from iwtui.bench.events import Blob, Event, ModelCalled, Warned
from iwtui.bench.fold import Message
from iwtui.bench.longtext import keep, read
from iwtui.bench.plan import is_scripted
from iwtui.bench.protocols import Blobs
from iwtui.engine.telling import Telling
from iwtui.models.call import Call, Models, Reply
from iwtui.models.errors import ModelFaultError
from iwtui.web import marks


class CallLog(Protocol):
    """Where calls are recorded: an episode's journal, or a judging's."""

    @property
    def turn(self) -> int: ...
    @property
    def blobs(self) -> Blobs: ...

    def write(self, event: Event) -> None: ...
    def tell(self, more: str, text: str = "") -> None: ...


class Caller:
    """Calls models for one episode or judging. `models` maps a role to a LiteLLM model string."""

    def __init__(self, gateway: Models, journal: CallLog, models: Mapping[str, str]) -> None:
        self._gateway = gateway
        self._journal = journal
        self._models = models
        self._ordinals: Counter[tuple[str, int]] = Counter()
        self._drawn: dict[tuple[Blob, Blob], bytes] = {}

    async def call(self, role: str, system: str, messages: Sequence[Message], **parameters: Any) -> Reply:
        """Ask the role's model. `parameters` are LiteLLM's, for what the run's settings leave open.

        Raises ModelFaultError after recording the fault; BudgetSpentError when no more may be spent.
        """
        model, turn = self._models[role], self._journal.turn
        ordinal = self._ordinals[role, turn]
        self._ordinals[role, turn] += 1
        asked = [Message("system", system), *messages]
        if self._gateway.settings.of(role, model).vision == "none":
            asked = [Message(message.role, message.text) for message in asked]
        listener = _Recording(self._journal, role, model, ordinal, self._kept(asked))
        await self._draw(asked)
        call = Call(
            role=role,
            model=model,
            turn=turn,
            ordinal=ordinal,
            messages=[self._wire(role, message) for message in asked],
            parameters=parameters,
        )
        try:
            reply = await self._gateway.ask(call, listener)
        except ModelFaultError as fault:
            listener.fault(fault)
            raise
        except asyncio.CancelledError:
            listener.stopped()
            raise
        listener.answered(reply)
        return reply

    def _kept(self, messages: Sequence[Message]) -> tuple[Blob, ...]:
        return tuple(self._journal.blobs.put(msgspec.json.encode(message)) for message in messages)

    async def _draw(self, messages: Sequence[Message]) -> None:
        """Have the pictures with their marks drawn on them; those of the last call, which mostly come again, are kept."""
        drawn: dict[tuple[Blob, Blob], bytes] = {}
        for message in messages:
            if message.picture is not None and message.marks is not None:
                both = message.picture, message.marks
                known = self._drawn.get(both)
                drawn[both] = await asyncio.to_thread(self._with_marks, *both) if known is None else known
        self._drawn = drawn

    def _with_marks(self, picture: Blob, listed: Blob) -> bytes:
        get = self._journal.blobs.get
        return marks.draw(get(picture), marks.decode(get(listed)).marks)

    def _wire(self, role: str, message: Message) -> dict[str, Any]:
        text = read(self._journal.blobs, message.text)
        if message.picture is None:
            return {"role": message.role, "content": text}
        return {"role": message.role, "content": [{"type": "text", "text": text}, self._image(role, message)]}

    def _image(self, role: str, message: Message) -> dict[str, Any]:
        """The picture, with the marks drawn on it where the message has some."""
        assert message.picture is not None
        if message.marks is None:
            picture = self._journal.blobs.get(message.picture)
        else:
            picture = self._drawn[message.picture, message.marks]
        data = base64.b64encode(picture).decode()
        detail = "low" if role == "builder" else "high"  # a builder's as in the official harness; numbers need all of it
        return {"type": "image_url", "image_url": {"url": f"data:image/webp;base64,{data}", "detail": detail}}


class _Recording(Telling):
    """Writes down each attempt of one call, and tells watchers what happens meanwhile."""

    def __init__(self, journal: CallLog, role: str, model: str, ordinal: int, request: tuple[Blob, ...]) -> None:
        super().__init__(journal.tell)
        self._journal = journal
        self._about: dict[str, Any] = {"role": role, "model": model, "ordinal": ordinal, "request": request}
        self._attempt = 1

    def failed(self, fault: ModelFaultError, attempt: int, wait: float) -> None:
        self._write_fault(fault, retried=True)
        self._attempt = attempt + 1
        super().failed(fault, attempt, wait)

    def diverged(self, text: str) -> None:
        self._journal.write(Warned(where="replay", text=text))

    def fault(self, fault: ModelFaultError) -> None:
        """The last attempt failed."""
        self._write_fault(fault, retried=False)

    def stopped(self) -> None:
        """A person stopped the run in the middle of the call; nobody knows what it cost, unless a script was to answer."""
        cost = 0.0 if is_scripted(self._about["model"]) else None
        self._write_fault(ModelFaultError("stopped", "the run was stopped during the call", cost=cost), retried=False)

    def answered(self, reply: Reply) -> None:
        """The answer is there."""
        self._journal.write(
            ModelCalled(
                **self._about,
                reply=keep(self._journal.blobs, reply.text),
                reasoning=keep(self._journal.blobs, reply.reasoning),
                answered_by=reply.answered_by,
                finish_reason=reply.finish_reason,
                tokens_in=reply.tokens_in,
                tokens_out=reply.tokens_out,
                cost=reply.cost,
                seconds=reply.seconds,
                attempt=self._attempt,
                replayed=reply.replayed,
            )
        )

    def _write_fault(self, fault: ModelFaultError, retried: bool) -> None:
        self._journal.write(
            ModelCalled(
                **self._about,
                fault=fault.message,
                fault_kind=fault.kind,
                finish_reason=fault.finish_reason,
                tokens_in=fault.tokens_in,
                tokens_out=fault.tokens_out,
                cost=fault.cost,
                seconds=fault.seconds,
                attempt=self._attempt,
                retried=retried,
            )
        )
