"""Replay: calls answered from a record, and what is said where they differ from it."""

from typing import Any

import msgspec
import pytest

from iwtui.archive.blobs import BlobStore
from iwtui.bench.events import ModelCalled
from iwtui.bench.fold import Message
from iwtui.bench.longtext import keep
from iwtui.models.call import Call, Listener, Reply
from iwtui.models.errors import ModelFaultError
from iwtui.models.recorded import Recorded

LONG = "x" * 5_000


class Heard(Listener):
    def __init__(self) -> None:
        self.told: list[str] = []

    def diverged(self, text: str) -> None:
        self.told.append(text)


@pytest.fixture
def blobs(tmp_path: Any) -> BlobStore:
    return BlobStore(tmp_path / "blobs")


def recorded(blobs: BlobStore, reply: str, messages: list[Message], ordinal: int = 0, **fields: Any) -> ModelCalled:
    request = tuple(blobs.put(msgspec.json.encode(message)) for message in messages)
    return ModelCalled(
        role="client", model="m", ordinal=ordinal, request=request, reply=keep(blobs, reply), tokens_in=3, cost=0.5, **fields
    )


async def ask(record: Recorded, text: str, heard: Heard, turn: int = 2, ordinal: int = 0, picture: bool = False) -> Reply:
    content: Any = text
    if picture:
        content = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": "data:image/webp;base64,AA"}}]
    messages = [{"role": "user", "content": content}]
    return await record.ask(Call(role="client", model="m", turn=turn, ordinal=ordinal, messages=messages), heard)


async def test_the_answer_is_the_recorded_one_and_costs_nothing(blobs: BlobStore) -> None:
    asked = [Message("user", keep(blobs, "see http://127.0.0.1:4000/ " + LONG), "a" * 64)]
    calls = [
        (1, recorded(blobs, "of another turn", asked)),
        (2, recorded(blobs, "", asked, fault="429", fault_kind="rate limit", retried=True)),
        (2, recorded(blobs, LONG, asked, attempt=2)),
    ]
    heard = Heard()
    reply = await ask(Recorded(calls, blobs), "see http://127.0.0.1:5999/ " + LONG, heard, picture=True)
    assert (reply.text, reply.tokens_in, reply.cost, reply.replayed) == (LONG, 3, 0.0, True)
    assert heard.told == [], "another port and another picture are no divergence"


async def test_the_first_divergence_is_told_once(blobs: BlobStore) -> None:
    calls = [(2, recorded(blobs, f"r{n}", [Message("user", "which colour?")], n)) for n in range(2)]
    record, heard = Recorded(calls, blobs), Heard()
    assert (await ask(record, "which colours?", heard)).text == "r0"
    await ask(record, "something else", heard, ordinal=1)
    assert heard.told == [
        "first divergence from the record, turn 2, client, call 1: "
        "message 1 at character 12: “which colours?”, in the record “which colour?”"
    ]
    heard = Heard()
    await ask(Recorded(calls, blobs), "which colour?", heard, picture=True)
    assert "user with 1 pictures, in the record user with 0" in heard.told[0]


async def test_a_record_ends_and_its_faults_come_again(blobs: BlobStore) -> None:
    asked = [Message("user", "q")]
    calls = [
        (2, recorded(blobs, "", asked, fault="too much", fault_kind="context overflow")),
        (3, recorded(blobs, "", asked, fault="the run was stopped", fault_kind="stopped")),
    ]
    record = Recorded(calls, blobs)
    with pytest.raises(ModelFaultError, match="context overflow: too much"):
        await ask(record, "q", Heard())
    for turn, ordinal in ((2, 1), (3, 0), (4, 0)):
        with pytest.raises(ModelFaultError, match=f"turn {turn}, client, call {ordinal + 1}") as caught:
            await ask(record, "q", Heard(), turn=turn, ordinal=ordinal)
        assert caught.value.kind == "record ended"
