"""Answers in the dresses that models put them in, over HTTP: read where that can be, else nobody's failure but ours."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from iwtui.archive.index import Index
from iwtui.archive.log import read_log
from iwtui.bench.case import Case
from iwtui.bench.events import ModelCalled
from iwtui.bench.plan import Roles
from iwtui.bench.settings import Settings, read_section
from iwtui.bench.status import Status
from iwtui.cli.planning import new_plan
from iwtui.judges.choosing import make_judge
from iwtui.models.gateway import Gateway
from iwtui.models.scripted.messages import texts
from iwtui.packs import load_pack
from iwtui.web.chromium import Chromium
from tests.support.openai_server import Asked, OpenAIServer, Said

REFUSAL = "I'm sorry, but I can't help with judging websites."


def answer(slots: int) -> str:
    verdicts = [{"id": slot, "verdict": "passed", "reason": f"slot {slot} is there"} for slot in range(slots)]
    return json.dumps({"thought": "all seen", "verdicts": verdicts, "action": "answer", "text": "done"})


DRESSES: dict[str, tuple[str, int]] = {
    "fenced": (f"```json\n{answer(5)}\n```", 5),
    "prose": (f"Here is what I saw: {answer(5)} I hope this helps.", 5),
    "comma": (answer(5).replace("}]", "},]"), 5),
    "empty": ("", 0),
    "refusal": (REFUSAL, 0),
    "three": (answer(3), 3),
}
"""Answers by the name of the model that gives them, and how many of five slots they speak of."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    monkeypatch.setattr("iwtui.models.retries.FIRST_WAIT", 0.02)
    with OpenAIServer() as running:
        for name in ("OPENAI_API_BASE", "OPENAI_BASE_URL"):
            monkeypatch.setenv(name, running.url)
        monkeypatch.setenv("OPENAI_API_KEY", "not-a-key-at-all")
        yield running


def few_slots(number: int) -> Case:
    case = next(case for case in load_pack("starter") if case.id == "bakery_P-MIN")
    return msgspec.structs.replace(case, slots=case.slots[:number])


async def test_a_judge_that_cannot_be_read_leaves_slots_unjudged(player: Any, server: OpenAIServer) -> None:
    server.answer_by(lambda asked: DRESSES[asked.model][0])
    folder = player.new_run([few_slots(5)], ["blind"])
    await player.go_on(folder)
    (name,) = folder.episodes()
    index = Index(player.store)
    for dress, (said, read) in DRESSES.items():
        judged = await player.judge(folder, make_judge("voyager", f"openai/{dress}"))
        assert judged.ended is not None
        assert [str(verdict) for verdict in judged.slot_verdicts(5)] == ["passed"] * read + ["unjudged"] * (5 - read), dress
        logged = read_log(folder.judging_log(name, folder.judgings(name)[-1]))
        assert said in [r.event.reply for _, r in logged if isinstance(r.event, ModelCalled)], "the raw text is kept"
    index.catch_up()
    query = "select model, passed, failed, unjudged, tcr from judgings where judge = 'voyager' order by judging"
    rows = index.read(lambda con: con.execute(query).fetchall())
    assert rows == [(f"openai/{dress}", read, 0, 5 - read, 1.0 if read else None) for dress, (_, read) in DRESSES.items()], (
        "what could not be read leaves the score"
    )


PAGE = '<boltArtifact id="s" title="t"><boltAction type="file" filePath="index.html"><h1>Hi</h1></boltAction></boltArtifact>'
LOOK = '<boltAction type="screenshot_validated">/</boltAction>'
SEEN = json.dumps({"thought": "seen", "action": "finish", "mark": None, "text": "it is there"})


def builder_and_copilot(asked: Asked) -> str | Said:
    """A builder that has its page looked at again and again, by a copilot that answers in another dress each time."""
    if asked.model == "builder":
        return LOOK if texts(asked.messages, "assistant") else PAGE
    dressed = (f"```json\n{SEEN}\n```", f"Sure: {SEEN} Done.", SEEN.replace('"}', '",}'))
    if asked.number < len(dressed):
        return dressed[asked.number]
    return REFUSAL if asked.number < len(dressed) + 8 else Said("", "", "stop")


async def test_a_copilot_that_cannot_be_read_is_no_failed_verify(
    player: Any, server: OpenAIServer, chromium: Chromium
) -> None:
    server.answer_by(builder_and_copilot)
    settings = Settings(roles={"copilot": read_section({"vision": "assume"})})
    case = few_slots(1)
    plan = new_plan("test", [case], ["openai/builder"], Roles("openai/copilot", "scripted/client"), 1, chromium, settings)
    folder = player.store.create_run(plan, [case])
    (outcome,) = (await player.go_on(folder, Gateway(20, 60, settings=settings))).values()
    verified = [turn.verified for turn in outcome.episode.turns if turn.verified]
    assert [(one.status, one.streak) for one in verified] == [("success", 0)] * 3 + [("error", 0)]
    assert outcome.status is Status.INFRA, "an empty answer is a fault of ours"
    assert outcome.episode.ended.stop_reason == "model"
    replies = [call.reply for _, call in _calls(folder) if call.role == "copilot"]
    assert replies[:3] == [dressed for dressed in replies[:3] if "it is there" in str(dressed)]
    assert replies.count(REFUSAL) == 8


def _calls(folder: Any) -> list[tuple[int, ModelCalled]]:
    (name,) = folder.episodes()
    return [(r.turn, r.event) for _, r in read_log(folder.episode_log(name)) if isinstance(r.event, ModelCalled)]
