"""Calls as they are recorded: every attempt, what it cost, what watchers saw, and never a key."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from iwtui.archive.blobs import BlobStore
from iwtui.archive.log import LogWriter, live_path, read_live, read_log
from iwtui.bench.case import Case
from iwtui.bench.events import ClientReplied, ModelCalled, TurnStarted, Warned
from iwtui.bench.fold import EpisodeState, Message
from iwtui.bench.settings import Settings, read_section
from iwtui.engine import client
from iwtui.engine.calls import Caller
from iwtui.engine.journal import Journal
from iwtui.engine.telling import EVERY, TAIL, Telling
from iwtui.models.errors import ModelFaultError
from iwtui.models.gateway import Gateway
from iwtui.models.retries import Retries
from iwtui.packs import load_pack
from tests.support.openai_server import (
    REASONING_ONLY,
    STALLS,
    STALLS_MIDWAY,
    OpenAIServer,
    answering,
    failing,
    play,
    rate_limited,
)

KEY = "plain-words-as-a-key-0123"
PRICES = {"input_cost_per_token": 0.5, "output_cost_per_token": 0.5}


class Desk:
    """A journal on a real log, and a caller that reaches the local server by it."""

    def __init__(self, root: Path, server: OpenAIServer, token_limit: float = 5, **roles: dict[str, object]) -> None:
        self.root = root
        self.log = root / "episode.jsonl"
        self.told: list[tuple[str, str]] = []
        self.writer = LogWriter(self.log, BlobStore(root / "blobs"))
        self.journal = Journal(self.writer, EpisodeState(), lambda phase, detail: self.told.append((phase, detail)))
        self.journal.write(TurnStarted(message="Hello"), turn=1)
        reach = read_section({"api_base": server.url, "api_key": "env:THE_KEY_OF_TESTS", **PRICES})
        sections = {role: read_section(table) for role, table in roles.items()}
        self.gateway = Gateway(
            token_limit, 20, settings=Settings(sections, {"openai/x": reach}), retries=Retries(attempts=3)
        )
        self.caller = Caller(self.gateway, self.journal, dict.fromkeys(("builder", "client", "copilot"), "openai/x"))

    @property
    def calls(self) -> list[ModelCalled]:
        return [record.event for _, record in read_log(self.log) if isinstance(record.event, ModelCalled)]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    monkeypatch.setenv("THE_KEY_OF_TESTS", KEY)
    monkeypatch.setattr("iwtui.models.retries.FIRST_WAIT", 0.02)
    with OpenAIServer(lambda asked: play(asked) if asked.system != "S" else "Good day") as running:
        asyncio.run(Gateway().call("openai/warm", [{"role": "user", "content": "?"}], api_base=running.url, api_key=KEY))
        running.requests.clear()
        yield running


async def test_every_attempt_is_recorded_with_what_it_took(tmp_path: Path, server: OpenAIServer) -> None:
    desk = Desk(tmp_path, server)
    server.misbehave("x", rate_limited("0.01"), REASONING_ONLY)
    await desk.caller.call("copilot", "S", [Message("user", "Look at it")])
    server.misbehave("x", *[failing(500)] * 3)
    with pytest.raises(ModelFaultError):
        await desk.caller.call("copilot", "S", [Message("user", "Look again")])
    calls = desk.calls
    assert [(c.ordinal, c.attempt, c.retried, c.fault_kind) for c in calls] == [
        (0, 1, True, "rate limit"), (0, 2, True, "empty"), (0, 3, False, None),
        (1, 1, True, "server"), (1, 2, True, "server"), (1, 3, False, "server"),
    ]  # fmt: skip
    assert [c.cost for c in calls[:3]] == [0.0, (4 + 20) / 2, (4 + 2) / 2]
    assert (calls[3].cost, calls[3].tokens_in) == (None, None)
    spent = desk.journal.state.spent
    assert (spent.calls, spent.cost, spent.unpriced) == (6, 15.0, 3)
    assert (desk.gateway.budget.spent, desk.gateway.budget.unpriced) == (15.0, 3)
    assert ("", "waiting for the rate limit, attempt 2 in 0 s") in desk.told


async def test_a_call_that_is_broken_off_is_recorded(tmp_path: Path, server: OpenAIServer) -> None:
    desk = Desk(tmp_path, server)
    server.always("x", STALLS_MIDWAY)
    call = asyncio.create_task(desk.caller.call("builder", "S", [Message("user", "Hello")]))
    while not desk.told:  # noqa: ASYNC110 - the log tells nobody
        await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert [(c.fault_kind, c.retried, c.cost) for c in desk.calls] == [("stopped", False, None)]


async def test_a_script_that_is_broken_off_costs_nothing(tmp_path: Path, server: OpenAIServer) -> None:
    class Hangs(Gateway):
        async def ask(self, *_: object) -> Any:
            await asyncio.Event().wait()

    journal = Desk(tmp_path, server).journal
    call = asyncio.create_task(Caller(Hangs(), journal, {"builder": "scripted/blind"}).call("builder", "S", []))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (journal.state.spent.calls, journal.state.spent.unpriced) == (1, 0)


async def test_the_role_without_vision_is_sent_no_picture(tmp_path: Path, server: OpenAIServer) -> None:
    desk = Desk(tmp_path, server, copilot={"vision": "none"})
    picture = desk.journal.keep_bytes(b"a picture")
    for role in ("copilot", "builder"):
        await desk.caller.call(role, "S", [Message("user", "Look", picture)])
    assert [len(asked.pictures) for asked in server.requests] == [0, 1]


async def test_no_key_is_written_anywhere(tmp_path: Path, server: OpenAIServer, capfd: Any) -> None:
    desk = Desk(tmp_path, server)
    echo = answering(f"your key is {KEY} " * 40, f"the key {KEY} " * 40)
    server.misbehave("x", failing(500, f"key {KEY} is tired"), failing(401, "bad {key}"))
    with pytest.raises(ModelFaultError) as caught:
        await desk.caller.call("builder", "S", [Message("user", "Hello")])
    server.misbehave("x", echo)
    reply = await desk.caller.call("builder", "S", [Message("user", "Hello")])
    assert reply.text.count("[key]") == 40
    live = read_live(desk.log)
    assert live is not None
    assert "the key [key]" in live.text or "your key is [key]" in live.text
    everything = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"your key is" in everything
    assert KEY.encode() not in everything
    said = "".join(capfd.readouterr()) + str(caught.value) + repr(caught.value) + repr(desk.told)
    assert KEY not in said


async def test_watchers_see_the_end_of_what_is_written_not_too_often(tmp_path: Path, server: OpenAIServer) -> None:
    told: list[tuple[str, str]] = []
    now = 0.0
    telling = Telling(lambda more, text="": told.append((more, text)), clock=lambda: now)
    for _ in range(1_000):
        telling.wrote("0123456789")
        now += EVERY / 100
    assert 9 <= len(told) <= 11
    assert told[-1][0] == "9,010 characters"
    assert len(told[-1][1]) == TAIL
    telling.thought("hm")
    now += 1
    telling.thought("mm")
    assert told[-1] == ("4 characters of reasoning", "hmmm")
    telling.silent(12)
    assert told[-1] == ("stalled 12 s", "hmmm")
    telling.failed(ModelFaultError("stalled", "", seconds=60), 1, 2)
    assert told[-1] == ("stalled 60 s, attempt 2 in 2 s", "")


async def test_the_live_file_holds_no_more_than_the_end(tmp_path: Path, server: OpenAIServer) -> None:
    desk = Desk(tmp_path, server)
    desk.journal.progress("builder", "is writing")
    server.misbehave("x", answering("word " * 20_000))
    await desk.caller.call("builder", "S", [Message("user", "Hello")])
    live = read_live(desk.log)
    assert live is not None
    assert (live.phase, live.detail.startswith("is writing, ")) == ("builder", True)
    assert 0 < len(live.text) <= TAIL
    assert live_path(desk.log).stat().st_size < 3_000


def easy_case() -> Case:
    return next(case for case in load_pack("starter") if case.difficulty == "easy")


@pytest.mark.parametrize(
    "unreadable", ["I would rather not say.", "", '<think>{"facts": [1]}</think>no idea', '{"facts": "all"}'],
    ids=["prose", "empty", "only thought of", "wrong shape"],
)  # fmt: skip
async def test_a_client_that_cannot_be_read_is_a_fault_of_ours(
    tmp_path: Path, server: OpenAIServer, unreadable: str
) -> None:
    desk = Desk(tmp_path, server)
    server.always("x", answering(unreadable))
    with pytest.raises(ModelFaultError) as caught:
        await client.answer(easy_case(), "Which colours?", desk.journal, desk.caller)
    assert caught.value.kind == ("empty" if not unreadable else "unreadable")
    assert len(desk.calls) == 2
    assert desk.journal.state.dialogue == ()


async def test_a_client_that_is_read_at_the_second_try(tmp_path: Path, server: OpenAIServer) -> None:
    desk = Desk(tmp_path, server)
    server.misbehave("x", answering("Hm, let me see."), answering('Sure:\n```json\n{"facts": [2]}\n```'))
    case = easy_case()
    said = await client.answer(case, "Which colours?", desk.journal, desk.caller)
    events = [record.event for _, record in read_log(desk.log)]
    (replied,) = [event for event in events if isinstance(event, ClientReplied)]
    assert (replied.reply, replied.retrieved) == (said, (1,))
    assert [type(event) for event in events[1:4]] == [ModelCalled, Warned, ModelCalled]
    assert len(server.requests) == 3


async def test_a_stalled_model_is_asked_again_and_watchers_are_told(tmp_path: Path, server: OpenAIServer) -> None:
    desk = Desk(tmp_path, server, token_limit=1)
    desk.journal.progress("builder", "is writing")
    server.misbehave("x", STALLS)
    reply = await desk.caller.call("builder", "S", [Message("user", "Hello")])
    assert reply.text == "Good day"
    assert ("builder", "is writing, stalled 1 s, attempt 2 in 0 s") in desk.told
