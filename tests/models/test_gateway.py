"""The gateway against a local server that speaks the OpenAI protocol, well and badly."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from iwtui.bench.settings import CallSettings
from iwtui.models.call import Reply
from iwtui.models.errors import ModelFaultError
from iwtui.models.gateway import Gateway
from iwtui.models.prices import FREE, Price, price
from tests.support.openai_server import (
    CUT,
    KEEPS_ALIVE,
    OVERFLOWS,
    REASONING_ONLY,
    STALLS,
    STALLS_MIDWAY,
    TRICKLES,
    Fault,
    OpenAIServer,
    answering,
    failing,
    overflowing,
)

KEY = "sk-very-secret-0123456789abcdef"
ASKED = [{"role": "user", "content": "Hello my friend"}]


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(lambda asked: "Good day") as running:
        yield running


async def ask(server: OpenAIServer, gateway: Gateway | None = None, **parameters: Any) -> Reply:
    gateway = gateway or Gateway(token_limit=5, call_limit=10)
    return await gateway.call("openai/x", ASKED, api_base=server.url, api_key=KEY, **parameters)


async def fault(server: OpenAIServer, which: Fault, gateway: Gateway | None = None) -> ModelFaultError:
    server.misbehave("x", which)
    with pytest.raises(ModelFaultError) as caught:
        await ask(server, gateway)
    return caught.value


async def hung_up(server: OpenAIServer) -> bool:
    """Whether the server soon sees that the connection is closed."""
    return await asyncio.to_thread(server.closed.wait, 2)


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


async def test_a_whole_answer(server: OpenAIServer, capfd: pytest.CaptureFixture[str]) -> None:
    reply = await ask(server, temperature=0.25, max_tokens=50)
    assert (reply.text, reply.finish_reason, reply.tokens_in, reply.tokens_out) == ("Good day", "stop", 3, 2)
    assert reply.cost is None
    assert reply.answered_by is not None
    sent = server.requests[0].body
    assert (sent["temperature"], sent["max_tokens"], sent["stream"]) == (0.25, 50, True)
    assert sent["stream_options"] == {"include_usage": True}
    assert server.requests[0].key == KEY
    assert capfd.readouterr() == ("", "")


async def test_a_price_of_the_list_or_of_the_settings(server: OpenAIServer) -> None:
    listed = price("openai/gpt-4.1-mini", CallSettings())
    assert listed is not None
    assert listed.context is not None
    reach: dict[str, Any] = {"api_base": server.url, "api_key": KEY}
    reply = await Gateway().call("openai/gpt-4.1-mini", ASKED, **reach)
    assert reply.cost == pytest.approx(3 * listed.input + 2 * listed.output)
    own = CallSettings(input_cost_per_token=1.0, output_cost_per_token=10.0)
    assert (await Gateway().call("openai/x", ASKED, settings=own, **reach)).cost == 23.0
    assert price("openai/x", CallSettings()) is None
    assert price("openai/x", own) == Price(1.0, 10.0)
    assert price("scripted/blind", CallSettings()) == FREE


async def test_many_equal_chunks_are_no_fault(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.openai_server.PIECES", 150)
    server.misbehave("x", answering("same " * 150))
    assert (await ask(server)).text.count("same") == 150


@pytest.mark.parametrize("which", [STALLS, STALLS_MIDWAY, KEEPS_ALIVE], ids=lambda fault: fault.name)
async def test_silence_is_noticed_and_the_connection_closed(server: OpenAIServer, which: Fault) -> None:
    started = time.monotonic()
    found = await fault(server, which, Gateway(token_limit=0.4, call_limit=10))
    assert found.kind == "stalled"
    assert time.monotonic() - started < 4
    assert 0.4 <= found.seconds < 4
    assert found.cost is None
    assert await hung_up(server)


async def test_silence_is_told_while_it_lasts(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.models.stream.TELL_SILENCE", 0.1)
    monkeypatch.setattr("iwtui.models.stream.TELL_EVERY", 0.05)
    told: list[float] = []
    server.misbehave("x", STALLS)
    with pytest.raises(ModelFaultError, match="stalled"):
        await ask(server, Gateway(token_limit=0.5), on_silence=told.append)
    assert told
    assert all(seconds >= 0.1 for seconds in told)
    await ask(server, on_silence=told.append)
    told.clear()
    await asyncio.sleep(0.2)
    assert not told, "nothing is told of a call that is over"


async def test_a_call_without_end_is_ended(server: OpenAIServer) -> None:
    found = await fault(server, TRICKLES, Gateway(token_limit=5, call_limit=0.4))
    assert found.kind == "timeout"
    assert await hung_up(server)


async def test_cancelling_closes_the_connection(server: OpenAIServer) -> None:
    began = asyncio.Event()
    server.misbehave("x", STALLS_MIDWAY)
    call = asyncio.create_task(ask(server, on_text=lambda _: began.set()))
    await asyncio.wait_for(began.wait(), 5)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await hung_up(server)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "refused request"), (401, "authentication"), (403, "authentication"), (404, "refused request"),
     (429, "rate limit"), (500, "server"), (503, "server")],
)  # fmt: skip
async def test_a_status_tells_the_kind_and_nothing_is_retried(server: OpenAIServer, status: int, kind: str) -> None:
    found = await fault(server, failing(status))
    assert (found.kind, found.status) == (kind, status)
    assert found.cost == (0.0 if status < 500 else None), "a request that was refused cost nothing"
    assert len(server.requests) == 1


@pytest.mark.parametrize("wording", range(len(OVERFLOWS)))
async def test_a_context_overflow_in_any_wording(server: OpenAIServer, wording: int) -> None:
    found = await fault(server, overflowing(wording))
    assert found.kind == "context overflow"
    assert len(server.requests) == 1


async def test_an_account_without_money_is_no_rate_limit(server: OpenAIServer) -> None:
    said = "You exceeded your current quota, please check your plan and billing details. insufficient_quota"
    assert (await fault(server, failing(429, said))).kind == "quota"


async def test_no_key_gets_into_a_fault(server: OpenAIServer, capfd: pytest.CaptureFixture[str]) -> None:
    found = await fault(server, failing(401, "bad key {key}"))
    assert "bad key" in found.message
    assert KEY not in found.message + str(found) + repr(found)
    assert found.__cause__ is None
    assert found.__suppress_context__
    assert KEY not in "".join(capfd.readouterr())


async def test_a_key_that_a_provider_repeats_stays_out_of_the_answer(server: OpenAIServer) -> None:
    server.misbehave("x", answering(f"your key is {KEY}, I think", f"the key is {KEY}"))
    heard: list[str] = []
    reply = await ask(server, on_text=heard.append, on_thought=heard.append)
    assert (reply.text, reply.reasoning) == ("your key is [key], I think", "the key is [key]")
    assert "".join(heard) == reply.reasoning + reply.text, "it came in pieces that cut the key in two"
    assert len(heard) > 2


async def test_a_connection_that_breaks(server: OpenAIServer) -> None:
    assert (await fault(server, CUT)).kind in ("connection", "server")


async def test_nobody_listens() -> None:
    with pytest.raises(ModelFaultError) as caught:
        await Gateway(token_limit=5).call("openai/x", ASKED, api_base="http://127.0.0.1:9/v1", api_key=KEY)
    assert caught.value.kind == "connection"


async def test_nothing_but_reasoning_is_named_and_counted(server: OpenAIServer) -> None:
    found = await fault(server, REASONING_ONLY)
    assert (found.kind, found.finish_reason) == ("empty", "length")
    assert "reasoning" in found.message
    assert (found.tokens_in, found.tokens_out) == (3, 20)


async def test_an_empty_answer(server: OpenAIServer) -> None:
    found = await fault(server, answering(""))
    assert (found.kind, found.message) == ("empty", "the model answered nothing")


async def test_an_answer_beyond_all_bounds_is_cut_off(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.models.stream.MAX_REPLY", 100)
    assert (await fault(server, TRICKLES)).kind == "too long"
    assert await hung_up(server)
