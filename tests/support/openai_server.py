"""A local server that speaks the OpenAI protocol, well and badly, in a thread of its own.

    with OpenAIServer(play) as server:
        ...  # "openai/anything" at api_base=server.url plays the whole benchmark, as the scripted models would

It answers at once: from a function from what was asked to the reply. `misbehave` queues faults for a model. By hand:
`python -m tests.support.openai_server 8080 [requests.jsonl]`.
"""

import asyncio
import json
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from aiohttp import web

from iwtui.models.scripted.messages import text_of

PIECES = 4
"""Chunks that an answer is streamed in."""

PICTURE_TOKENS = 85

OVERFLOWS = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
    "Requested tokens exceed context window of 4096",
    "Input is too long for requested model.",
)
"""How five providers say that the messages do not fit."""


@dataclass(frozen=True)
class Asked:
    """One request. `number` counts those of its model from 0; `key` is what came as the bearer token."""

    model: str
    messages: Sequence[Mapping[str, Any]]
    body: Mapping[str, Any]
    key: str
    number: int
    t: float

    @property
    def system(self) -> str:
        return "\n".join(text_of(message) for message in self.messages if message.get("role") == "system")

    @property
    def pictures(self) -> list[str]:
        """The data URLs of the pictures among the messages."""
        parts = [part for m in self.messages if isinstance(m.get("content"), list) for part in m["content"]]
        return [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]


@dataclass(frozen=True)
class Said:
    """What is answered."""

    text: str = ""
    reasoning: str = ""
    finish: str = "stop"


Maker = Callable[[Asked], str | Said]


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request: an error status, a silence, a cut, or an answer that stands for the right one.

    `stall`: `before` the first byte of the body, or `midway`; with `keeps_alive` the silence is filled with SSE comments.
    `cut` closes the connection midway; `trickles` sends a word every 20 ms for ever.
    """

    name: str
    status: int | None = None
    message: str = "no"
    headers: Mapping[str, str] = field(default_factory=dict)
    stall: str = ""
    keeps_alive: bool = False
    cut: bool = False
    trickles: bool = False
    said: Said | None = None
    delay: float = 0.0
    """Seconds before the answer."""


def rate_limited(after: str | None = None) -> Fault:
    """429; `after` is the Retry-After header: seconds, or a date."""
    headers = {} if after is None else {"Retry-After": after}
    return Fault("429", 429, "Rate limit reached for requests", headers)


def failing(status: int = 500, message: str = "The server had an error") -> Fault:
    return Fault(str(status), status, message)


def overflowing(wording: int = 0) -> Fault:
    return Fault("overflow", 400, OVERFLOWS[wording])


def answering(text: str, reasoning: str = "", finish: str = "stop") -> Fault:
    """Another answer than the right one: unreadable, empty, cut short."""
    return Fault("answer", said=Said(text, reasoning, finish))


CUT_SHORT = Said("It would have been a good answer")
"""What begins to come before a fault breaks it off."""

SLOW = Fault("slow", said=CUT_SHORT, delay=0.15)
STALLS = Fault("stalls before the first token", stall="before")
STALLS_MIDWAY = Fault("stalls midway", stall="midway")
KEEPS_ALIVE = Fault("only keep-alive comments", stall="before", keeps_alive=True)
CUT = Fault("cut midway", cut=True)
TRICKLES = Fault("never ends", trickles=True)
REASONING_ONLY = answering("", "hm, " * 20, "length")


class OpenAIServer:
    """`requests` holds all that was asked; `closed` is set when a client hangs up before its answer is whole.

    With `log`, each request adds a JSON line: t, model, role, messages, pictures, status, fault, tokens_in, tokens_out,
    seconds. Keys are never logged.
    """

    def __init__(self, maker: Maker | None = None, log: Path | None = None, port: int = 0) -> None:
        self.requests: list[Asked] = []
        self.closed = threading.Event()
        self.at_once = 0
        """Most requests that were open at one time."""
        self._open = 0
        self._maker = maker or play
        self._log = log
        self._port = port
        self._faults: dict[str, deque[Fault]] = defaultdict(deque)
        self._always: dict[str, Fault] = {}
        self._numbers: dict[str, int] = defaultdict(int)
        self._thread = threading.Thread(target=self._serve, name="openai-server", daemon=True)
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    @property
    def url(self) -> str:
        """For `api_base`."""
        return f"http://127.0.0.1:{self._port}/v1"

    def misbehave(self, model: str, *faults: Fault) -> None:
        """The next requests for the model meet these faults, in this order; then it answers well again."""
        self._faults[model].extend(faults)

    def always(self, model: str, fault: Fault) -> None:
        """Every request for the model meets this fault."""
        self._always[model] = fault

    def answer_by(self, maker: Maker) -> None:
        """From now on answers are made so."""
        self._maker = maker

    def asked(self, model: str) -> list[Asked]:
        """The requests for a model."""
        return [asked for asked in self.requests if asked.model == model]

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(20) or self._failure is not None:
            raise RuntimeError("the server does not start") from self._failure
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._loop is not None
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)
        assert not self._thread.is_alive(), "the server does not stop"

    def _serve(self) -> None:
        try:
            asyncio.run(self._run())
        except BaseException as error:
            self._failure = error
            self._ready.set()
            raise

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        app = web.Application(client_max_size=256 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._answer)
        app.router.add_get("/v1/models", self._models)
        runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self._port).start()
        self._port = runner.addresses[0][1]
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _models(self, _: web.Request) -> web.Response:
        names = sorted({asked.model for asked in self.requests} | set(BUILDERS))
        return web.json_response({"object": "list", "data": [{"id": name, "object": "model"} for name in names]})

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        model = body["model"]
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        asked = Asked(model, body["messages"], body, key, self._numbers[model], time.time())
        self._numbers[model] += 1
        self.requests.append(asked)
        queued = self._faults[model]
        fault = queued.popleft() if queued else self._always.get(model)
        began = time.monotonic()
        self._open += 1
        self.at_once = max(self.at_once, self._open)
        said = self._made(asked) if fault is None else fault.said or CUT_SHORT
        try:
            return await self._respond(request, asked, fault, said)
        except (ConnectionError, asyncio.CancelledError):
            self.closed.set()
            raise
        finally:
            self._open -= 1
            self._note(asked, fault, said, time.monotonic() - began)

    async def _respond(self, request: web.Request, asked: Asked, fault: Fault | None, said: Said) -> web.StreamResponse:
        if fault is not None and fault.delay:
            await asyncio.sleep(fault.delay)
        if fault is not None and fault.status is not None:
            error = {"message": fault.message.replace("{key}", asked.key), "type": "error"}
            return web.json_response({"error": error}, status=fault.status, headers=fault.headers)
        if not asked.body.get("stream"):
            return web.json_response(_whole(asked, said))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        if fault is not None and fault.stall == "before" and not fault.keeps_alive:
            await asyncio.Event().wait()
        await response.prepare(request)
        while fault is not None and fault.keeps_alive:
            await response.write(b": still here\n\n")
            await asyncio.sleep(0.02)
        while fault is not None and fault.trickles:
            await response.write(_chunk({"content": "x "}))
            await asyncio.sleep(0.02)
        pieces = [*_pieces("reasoning_content", said.reasoning), *_pieces("content", said.text)]
        for number, piece in enumerate(pieces):
            if number == len(pieces) // 2 and fault is not None:
                if fault.stall == "midway":
                    await asyncio.Event().wait()
                if fault.cut:
                    assert request.transport is not None
                    request.transport.close()
                    return response
            await response.write(_chunk(piece))
        await response.write(_chunk({}, said.finish))
        if asked.body.get("stream_options", {}).get("include_usage"):
            usage = {"id": "1", "object": "chat.completion.chunk", "model": asked.model, "choices": []}
            await response.write(_event(usage | {"usage": _usage(asked, said)}))
        await response.write(b"data: [DONE]\n\n")
        return response

    def _made(self, asked: Asked) -> Said:
        made = self._maker(asked)
        return Said(made) if isinstance(made, str) else made

    def _note(self, asked: Asked, fault: Fault | None, said: Said, seconds: float) -> None:
        if self._log is None:
            return
        usage = _usage(asked, said) if fault is None or fault.said is not None else {}
        line = {
            "t": asked.t,
            "model": asked.model,
            "role": role_of(asked),
            "messages": len(asked.messages),
            "pictures": len(asked.pictures),
            "status": 200 if fault is None or fault.status is None else fault.status,
            "fault": fault.name if fault is not None else None,
            "tokens_in": usage.get("prompt_tokens"),
            "tokens_out": usage.get("completion_tokens"),
            "seconds": round(seconds, 3),
        }
        with self._log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def _pieces(name: str, text: str) -> list[dict[str, str]]:
    size = max(1, -(-len(text) // PIECES))
    return [{name: text[start : start + size]} for start in range(0, len(text), size)]


def _event(content: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(content).encode() + b"\n\n"


def _chunk(delta: Mapping[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _event({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "served", "choices": [choice]})


def _whole(asked: Asked, said: Said) -> dict[str, Any]:
    message = {"role": "assistant", "content": said.text or None, "reasoning_content": said.reasoning or None}
    choice = {"index": 0, "message": message, "finish_reason": said.finish}
    head = {"id": "1", "object": "chat.completion", "created": 1, "model": "served"}
    return head | {"choices": [choice], "usage": _usage(asked, said)}


def _usage(asked: Asked, said: Said) -> dict[str, int]:
    """Words, as the scripted models count, and a fixed price for a picture."""
    words = sum(len(text_of(message).split()) for message in asked.messages)
    tokens_in = words + PICTURE_TOKENS * len(asked.pictures)
    tokens_out = len(said.text.split()) + len(said.reasoning.split())
    return {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}


# ---- makers: the scripted models, found by the system prompt ------------------------------------------------------------

BUILDERS = ("blind", "clarifier")

MAKERS: dict[str, Maker] = {}
"""More roles than the scripted models know: by the name of their prompt file, which their system prompt begins with."""


def role_of(asked: Asked) -> str | None:
    """The prompt (a file of engine/prompts) that the system message was filled from; None for any other."""
    from iwtui.engine import prompts

    for role in (*prompts.ROLES, *MAKERS):
        beginning = prompts.prompt(role).split("{")[0][:200]
        if beginning and asked.system.startswith(beginning):
            return role
    return None


def play(asked: Asked) -> str | Said:
    """What the scripted model of the role says; a builder is the script of the model's name, else the clarifier."""
    from iwtui.models.scripted import blind, clarifier, client, copilot

    role = role_of(asked)
    if role in MAKERS:
        return MAKERS[role](asked)
    if role == "builder":
        return blind.reply(asked.messages) if asked.model == "blind" else clarifier.reply(asked.messages)
    if role in ("client_retrieve", "client_phrase"):
        return client.reply(asked.messages)
    if role == "copilot":
        return copilot.reply(asked.messages)
    return "ok"


def main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8080
    log = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with OpenAIServer(play, log, port) as server:
        print(f"openai/blind, openai/clarifier, openai/anything at {server.url}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
