"""Before the first case: models that answer, that do not, and that only seem to see."""

from collections.abc import Iterator

import pytest

from iwtui.bench.settings import Settings, read_section
from iwtui.engine.preflight import Checked, preflight
from iwtui.models.budget import Budget, BudgetSpentError
from iwtui.models.gateway import Gateway
from tests.support.openai_server import Asked, OpenAIServer, failing, rate_limited
from tests.support.seeing import word_in

KEY = "plain-words-as-a-key-0123"


def seeing_or_blind(asked: Asked) -> str:
    """The model `sharp` sees; `blind` asks for the picture; both answer."""
    if not asked.pictures:
        return "ready"
    return f"It says {word_in(asked)}." if asked.model == "sharp" else "Please provide the image."


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    monkeypatch.setenv("THE_KEY_OF_TESTS", KEY)
    monkeypatch.setattr("iwtui.models.retries.FIRST_WAIT", 0.02)
    with OpenAIServer(seeing_or_blind) as running:
        yield running


def gateway(server: OpenAIServer, budget: Budget | None = None, **roles: dict[str, object]) -> Gateway:
    reach = read_section({"api_base": server.url, "api_key": "env:THE_KEY_OF_TESTS"})
    sections = {role: read_section(table) for role, table in roles.items()}
    models = {f"openai/{name}": reach for name in ("sharp", "blind")}
    return Gateway(30, settings=Settings(sections, models), budget=budget)


async def check(models: Gateway, *players: tuple[str, str], said: list[str] | None = None) -> list[Checked]:
    return await preflight(models, players, (said if said is not None else []).append, lambda: "WALNUT")


async def test_a_model_that_sees_and_one_that_only_answers(server: OpenAIServer) -> None:
    found = await check(
        gateway(server), ("builder", "openai/sharp"), ("copilot", "openai/blind"), ("client", "openai/blind"),
        ("judge", "scripted/x"), ("builder", "openai/sharp"),
    )  # fmt: skip
    assert [(one.role, one.outcome) for one in found] == [("builder", "ok"), ("copilot", "no vision"), ("client", "ok")]
    assert "WALNUT" in found[1].text
    assert "Please provide the image" in found[1].text
    assert 'vision = "assume" in [roles.copilot]' in found[1].text
    assert len(server.asked("sharp")) == 2
    assert len(server.asked("blind")) == 3


async def test_what_a_person_says_of_a_role_is_believed(server: OpenAIServer) -> None:
    models = gateway(server, copilot={"vision": "assume"}, judge={"vision": "none"})
    found = await check(models, ("copilot", "openai/blind"), ("judge", "openai/blind"))
    assert [one.ok for one in found] == [True, True]
    assert "is taken to see" in found[0].text
    assert "is sent no pictures" in found[1].text
    assert not any(asked.pictures for asked in server.requests)


async def test_a_refused_picture_is_no_vision_and_a_refused_key_a_fault(server: OpenAIServer) -> None:
    server.always("blind", failing(401, "bad key {key}"))
    found = await check(gateway(server), ("builder", "openai/blind"), ("judge", "openai/sharp"))
    assert [one.outcome for one in found] == ["fault", "ok"]
    assert "its key in the environment" in found[0].text
    assert KEY not in found[0].text
    server.misbehave("sharp", rate_limited("0.01"))
    said: list[str] = []
    assert (await check(gateway(server), ("judge", "openai/sharp"), said=said))[0].ok
    assert any("rate limit" in line for line in said)


async def test_a_server_that_takes_no_pictures(server: OpenAIServer) -> None:
    def texts_only(asked: Asked) -> str:
        server.misbehave("sharp", failing(400, "image input is not supported"))
        return "ready"

    server.answer_by(texts_only)
    (found,) = await check(gateway(server), ("visual", "openai/sharp"))
    assert found.outcome == "no vision"
    assert "image input is not supported" in found.text


async def test_no_money_no_check(server: OpenAIServer) -> None:
    with pytest.raises(BudgetSpentError):
        await check(gateway(server, Budget(0.0)), ("builder", "openai/sharp"), ("client", "openai/sharp"))
    assert not server.requests
