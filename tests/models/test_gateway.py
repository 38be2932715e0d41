"""The gateway against a local server that speaks the OpenAI protocol, well and badly."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from iwtui.models.errors import ModelFaultError
from iwtui.models.gateway import Gateway, Reply

KEY = "sk-very-secret-0123456789abcdef"
ASKED = [{"role": "user", "content": "Hello"}]

OVERFLOWS = [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
    "Requested tokens exceed context window of 4096",
    "Input is too long for requested model.",
]


class Server:
    """Answers by the model's name. `closed` is set when the client's connection is gone."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[dict[str, Any]] = []
        self.closed = asyncio.Event()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        self.requests.append(asked)
        name = asked["model"]
        if name.startswith("status-"):
            status = int(name.removeprefix("status-"))
            said = f"bad key {request.headers['Authorization'].removeprefix('Bearer ')}" if status == 401 else "no"
            return web.json_response({"error": {"message": said, "type": "error"}}, status=status)
        if name.startswith("overflow-"):
            said = OVERFLOWS[int(name.removeprefix("overflow-"))]
            return web.json_response({"error": {"message": said, "type": "invalid_request_error"}}, status=400)
        try:
            return await self._stream(request, name)
        except (ConnectionError, asyncio.CancelledError):
            self.closed.set()
            raise

    async def _stream(self, request: web.Request, name: str) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        if name == "stalls-at-once":
            await asyncio.Event().wait()
        await response.prepare(request)
        if name == "keeps-alive":
            while True:
                await response.write(b": still here\n\n")
                await asyncio.sleep(0.02)
        if name == "trickles":
            while True:
                await response.write(chunk({"content": "x "}))
                await asyncio.sleep(0.02)
        if name == "repeats":
            for _ in range(150):
                await response.write(chunk({"content": "same "}))
        if name == "thinks-only":
            await response.write(chunk({"reasoning_content": "hm, " * 20}))
            await response.write(chunk({}, "length"))
        elif name != "empty":
            await response.write(chunk({"role": "assistant", "content": "Good "}))
            if name == "stalls-midway":
                await asyncio.Event().wait()
            if name == "breaks-midway":
                assert request.transport is not None
                request.transport.close()
                return response
            await response.write(chunk({"content": "day"}))
        await response.write(chunk({}, None if name == "thinks-only" else "stop"))
        usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
        await response.write(
            event({"id": "1", "object": "chat.completion.chunk", "model": name, "choices": [], "usage": usage})
        )
        await response.write(b"data: [DONE]\n\n")
        return response


def event(content: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(content).encode() + b"\n\n"


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return event({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "served", "choices": [choice]})


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    it = Server()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", it.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    it.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield it
    await runner.cleanup()


async def ask(server: Server, name: str, gateway: Gateway | None = None, **parameters: Any) -> Reply:
    gateway = gateway or Gateway(token_limit=5, call_limit=10)
    return await gateway.call(f"openai/{name}", ASKED, api_base=server.url, api_key=KEY, **parameters)


async def fault(server: Server, name: str, gateway: Gateway | None = None) -> ModelFaultError:
    with pytest.raises(ModelFaultError) as caught:
        await ask(server, name, gateway)
    return caught.value


async def test_a_scripted_model_answers_through_the_same_way() -> None:
    heard: list[str] = []
    messages = [{"role": "user", "content": 'A site called "Old Mill" with a search box.'}]
    reply = await Gateway().call("scripted/blind", messages, temperature=0.5, max_tokens=100, on_text=heard.append)
    assert "<h1>Old Mill</h1>" in reply.text
    assert "".join(heard) == reply.text
    assert 1 < len(heard) <= 10
    assert (reply.finish_reason, reply.cost) == ("stop", 0.0)
    assert (reply.tokens_in, reply.tokens_out) == (9, len(reply.text.split()))
    again = await Gateway().call("scripted/blind", messages)
    assert again.text == reply.text


async def test_an_unknown_script_is_a_refused_request() -> None:
    with pytest.raises(ModelFaultError) as caught:
        await Gateway().call("scripted/nobody", ASKED)
    assert caught.value.kind == "refused request"
    assert "nobody" in caught.value.message


async def test_a_whole_answer(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    reply = await ask(server, "fine", temperature=0.25, max_tokens=50)
    assert (reply.text, reply.finish_reason, reply.tokens_in, reply.tokens_out) == ("Good day", "stop", 7, 2)
    assert reply.cost is None
    assert reply.answered_by is not None
    sent = server.requests[0]
    assert (sent["temperature"], sent["max_tokens"], sent["stream"]) == (0.25, 50, True)
    assert sent["stream_options"] == {"include_usage": True}
    assert capfd.readouterr() == ("", "")


async def test_many_equal_chunks_are_no_fault(server: Server) -> None:
    assert (await ask(server, "repeats")).text.count("same") == 150


@pytest.mark.parametrize("name", ["stalls-at-once", "stalls-midway", "keeps-alive"])
async def test_silence_is_noticed_and_the_connection_closed(server: Server, name: str) -> None:
    started = time.monotonic()
    found = await fault(server, name, Gateway(token_limit=0.4, call_limit=10))
    assert found.kind == "stalled"
    assert time.monotonic() - started < 2
    assert 0.4 <= found.seconds < 2
    await asyncio.wait_for(server.closed.wait(), 1)


async def test_a_call_without_end_is_ended(server: Server) -> None:
    found = await fault(server, "trickles", Gateway(token_limit=5, call_limit=0.4))
    assert found.kind == "timeout"
    await asyncio.wait_for(server.closed.wait(), 1)


async def test_cancelling_closes_the_connection(server: Server) -> None:
    began = asyncio.Event()
    call = asyncio.create_task(ask(server, "stalls-midway", on_text=lambda _: began.set()))
    await asyncio.wait_for(began.wait(), 5)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.wait_for(server.closed.wait(), 1)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "refused request"), (401, "authentication"), (403, "authentication"), (404, "refused request"),
     (429, "rate limit"), (500, "server"), (503, "server")],
)  # fmt: skip
async def test_a_status_tells_the_kind_and_nothing_is_retried(server: Server, status: int, kind: str) -> None:
    found = await fault(server, f"status-{status}")
    assert (found.kind, found.status) == (kind, status)
    assert len(server.requests) == 1


@pytest.mark.parametrize("wording", range(len(OVERFLOWS)))
async def test_a_context_overflow_in_any_wording(server: Server, wording: int) -> None:
    found = await fault(server, f"overflow-{wording}")
    assert found.kind == "context overflow"
    assert len(server.requests) == 1


async def test_no_key_gets_into_a_fault(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    found = await fault(server, "status-401")
    assert "bad key" in found.message
    assert KEY not in found.message + str(found) + repr(found)
    assert found.__cause__ is None
    assert found.__suppress_context__
    assert KEY not in "".join(capfd.readouterr())


async def test_a_connection_that_breaks(server: Server) -> None:
    assert (await fault(server, "breaks-midway")).kind in ("connection", "server")


async def test_nobody_listens() -> None:
    with pytest.raises(ModelFaultError) as caught:
        await Gateway(token_limit=5).call("openai/x", ASKED, api_base="http://127.0.0.1:9/v1", api_key=KEY)
    assert caught.value.kind == "connection"


async def test_nothing_but_reasoning_is_named_and_counted(server: Server) -> None:
    found = await fault(server, "thinks-only")
    assert found.kind == "empty"
    assert "reasoning" in found.message
    assert (found.tokens_in, found.tokens_out) == (7, 2)


async def test_an_empty_answer(server: Server) -> None:
    found = await fault(server, "empty")
    assert (found.kind, found.message) == ("empty", "the model answered nothing")


async def test_an_answer_beyond_all_bounds_is_cut_off(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.models.gateway.MAX_REPLY", 100)
    assert (await fault(server, "trickles")).kind == "too long"
    await asyncio.wait_for(server.closed.wait(), 1)
