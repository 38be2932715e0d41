"""Calls with retries, shared waits, limits and a budget, over HTTP against a server that misbehaves."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from iwtui.bench.settings import Settings, read_section
from iwtui.models.budget import Budget, BudgetSpentError
from iwtui.models.call import Call, Listener, Reply
from iwtui.models.errors import ModelFaultError
from iwtui.models.gateway import Gateway
from iwtui.models.retries import Retries
from tests.support.openai_server import (
    CUT,
    KEEPS_ALIVE,
    OVERFLOWS,
    REASONING_ONLY,
    SLOW,
    STALLS,
    STALLS_MIDWAY,
    Fault,
    OpenAIServer,
    answering,
    failing,
    overflowing,
    rate_limited,
)

KEY = "plain-words-as-a-key-0123"


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """The first call of a provider loads half of the library, which is no silence of the model."""
    with OpenAIServer(lambda asked: "Good day") as server:
        asyncio.run(Gateway().call("openai/x", [{"role": "user", "content": "?"}], api_base=server.url, api_key=KEY))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    monkeypatch.setenv("THE_KEY_OF_TESTS", KEY)
    monkeypatch.setattr("iwtui.models.retries.FIRST_WAIT", 0.02)
    with OpenAIServer(lambda asked: "Good day") as running:
        yield running


class Heard(Listener):
    """All that was told of a call."""

    def __init__(self) -> None:
        self.text = ""
        self.faults: list[tuple[str, int]] = []
        self.waited: list[str] = []
        self.failing = asyncio.Event()

    def wrote(self, text: str) -> None:
        self.text += text

    def failed(self, fault: ModelFaultError, attempt: int, wait: float) -> None:
        self.faults.append((fault.kind, attempt))
        self.failing.set()

    def waits(self, why: str, seconds: float) -> None:
        self.waited.append(why)


def gateway(server: OpenAIServer, token_limit: float = 5, retries: Retries | None = None, **more: Any) -> Gateway:
    """`more` are sections by role; "budget" is the run's."""
    budget = more.pop("budget", None)
    reach = {"api_base": server.url, "api_key": "env:THE_KEY_OF_TESTS"}
    settings = Settings(
        roles={role: read_section(table) for role, table in more.items()},
        models={f"openai/{name}": read_section(reach) for name in ("x", "y")},
    )
    return Gateway(token_limit, 20, settings=settings, retries=retries, budget=budget)


async def ask(asking: Gateway, heard: Listener | None = None, role: str = "judge", **parameters: Any) -> Reply:
    messages = [{"role": "user", "content": "Hello my friend"}]
    return await asking.ask(Call(role=role, model="openai/x", messages=messages, parameters=parameters), heard or Listener())


@pytest.mark.parametrize(
    ("fault", "kind"),
    [(failing(500), "server"), (failing(529), "server"), (rate_limited(), "rate limit"), (STALLS, "stalled"),
     (STALLS_MIDWAY, "stalled"), (KEEPS_ALIVE, "stalled"), (CUT, "connection")],
    ids=lambda value: getattr(value, "name", None),
)  # fmt: skip
async def test_a_fault_that_passes_is_told_and_the_answer_is_there(server: OpenAIServer, fault: Fault, kind: str) -> None:
    server.misbehave("x", fault)
    heard = Heard()
    asking = gateway(server, token_limit=1 if kind == "stalled" else 5)
    reply = await ask(asking, heard)
    assert reply.text == "Good day"
    assert heard.faults == [(kind, 1)]
    assert len(server.requests) == 2
    assert server.requests[1].key == KEY
    assert asking.budget.unpriced == (1 if kind == "rate limit" else 2), "only what was refused is known to cost nothing"


async def test_a_stall_is_over_within_its_limit_each_time(server: OpenAIServer) -> None:
    server.always("x", STALLS)
    started = time.monotonic()
    with pytest.raises(ModelFaultError, match="stalled"):
        await ask(gateway(server, token_limit=0.4, retries=Retries(attempts=2)))
    assert 0.8 <= time.monotonic() - started < 3
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("fault", "kind"),
    [*((overflowing(n), "context overflow") for n in range(len(OVERFLOWS))), (failing(401), "authentication"),
     (failing(400), "refused request"), (failing(429, "insufficient_quota"), "quota")],
)  # fmt: skip
async def test_what_cannot_succeed_is_asked_once(server: OpenAIServer, fault: Fault, kind: str) -> None:
    server.always("x", fault)
    heard = Heard()
    with pytest.raises(ModelFaultError) as caught:
        await ask(gateway(server), heard)
    assert (caught.value.kind, caught.value.cost, heard.faults) == (kind, 0.0, [])
    assert len(server.requests) == 1


async def test_a_budget_spent_on_reasoning_is_asked_for_once_more_and_counted(server: OpenAIServer) -> None:
    prices = {"input_cost_per_token": 1.0, "output_cost_per_token": 0.5}
    server.misbehave("x", REASONING_ONLY)
    heard = Heard()
    asking = gateway(server, judge=prices)
    assert (await ask(asking, heard)).text == "Good day"
    assert heard.faults == [("empty", 1)]
    assert asking.budget.spent == (3 + 20 * 0.5) + (3 + 2 * 0.5)
    server.always("x", REASONING_ONLY)
    with pytest.raises(ModelFaultError, match="spent on reasoning") as caught:
        await ask(asking)
    assert (caught.value.tokens_in, caught.value.tokens_out, caught.value.cost) == (3, 20, 13.0)
    assert len(server.requests) == 4


async def test_all_workers_wait_for_what_one_was_told(server: OpenAIServer) -> None:
    server.misbehave("x", *[rate_limited("0.4")] * 4)
    asking, heard = gateway(server), [Heard() for _ in range(6)]
    await ask(asking, heard[0])
    first = server.requests[4].t
    assert first - server.requests[0].t >= 4 * 0.4, "four times it was asked to wait"
    server.misbehave("x", rate_limited("0.4"))
    one = asyncio.create_task(ask(asking, heard[1]))
    await asyncio.wait_for(heard[1].failing.wait(), 5)
    begun = time.time()
    await asyncio.gather(one, *(ask(asking, listener) for listener in heard[2:]))
    others = [asked.t for asked in server.requests[6:]]
    assert len(others) == 5
    assert min(others) - begun >= 0.3, "nobody asks before the time is up"
    assert all("the rate limit of openai/x" in listener.waited for listener in heard[1:])
    assert [len(listener.faults) for listener in heard[1:]] == [1, 0, 0, 0, 0]


async def test_an_endless_rate_limit_is_given_up(server: OpenAIServer) -> None:
    server.always("x", rate_limited("0.01"))
    with pytest.raises(ModelFaultError, match="rate limit"):
        await ask(gateway(server, retries=Retries(attempts=3)))
    assert len(server.requests) == 3
    server.always("x", rate_limited("7200"))
    with pytest.raises(ModelFaultError) as caught:
        await ask(gateway(server))
    assert caught.value.retry_after == 7200
    assert len(server.requests) == 4


async def test_as_many_calls_at_a_time_as_a_role_may_have(server: OpenAIServer) -> None:
    asking = gateway(server, judge={"concurrency": 2})
    server.misbehave("x", *[SLOW] * 6)
    await asyncio.gather(*(ask(asking) for _ in range(6)))
    assert server.at_once == 2
    assert len(server.requests) == 6


async def test_no_call_is_made_when_the_money_is_spent(server: OpenAIServer) -> None:
    prices = {"input_cost_per_token": 0.1, "output_cost_per_token": 0.1}
    asking = gateway(server, budget=Budget(1.0), judge=prices)
    await ask(asking)
    await ask(asking)
    with pytest.raises(BudgetSpentError, match=r"\$1\.00"):
        await ask(asking)
    assert len(server.requests) == 2
    alone = gateway(server, judge={**prices, "max_cost": 0.2})
    await ask(alone)
    with pytest.raises(BudgetSpentError, match="judge"):
        await ask(alone)
    await ask(alone, role="client")


async def test_parameters_of_role_and_model_reach_the_provider(server: OpenAIServer) -> None:
    asking = gateway(server, judge={"temperature": 0.2, "seed": 7, "extra_headers": {"X-Who": "env:THE_KEY_OF_TESTS"}})
    await ask(asking, temperature=0.9, max_tokens=33, top_p=None)
    await ask(asking, role="builder")
    body = server.requests[0].body
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.2, 7, 33)
    assert "top_p" not in body
    body = server.requests[1].body
    assert (body["temperature"], body["max_tokens"]) == (0.5, 16_000)


async def test_a_missing_key_is_said_by_its_name(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THE_KEY_OF_TESTS")
    with pytest.raises(ModelFaultError, match="THE_KEY_OF_TESTS") as caught:
        await ask(gateway(server))
    assert caught.value.kind == "authentication"
    assert not server.requests


async def test_reasoning_in_tags_is_apart_but_for_the_builder(server: OpenAIServer) -> None:
    tagged = '<think>{"action": "fail"}</think>{"action": "finish"}'
    server.always("x", answering(tagged, "and more"))
    reply = await ask(gateway(server))
    assert (reply.text, reply.reasoning) == ('{"action": "finish"}', 'and more\n{"action": "fail"}')
    assert (await ask(gateway(server), role="builder")).text == tagged
    server.always("x", answering("<think>nothing else"))
    with pytest.raises(ModelFaultError, match="nothing but reasoning"):
        await ask(gateway(server))
