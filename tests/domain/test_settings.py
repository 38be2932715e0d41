"""How models are called: what a section may hold, which section wins, and that no key is ever kept."""

import msgspec
import pytest

from iwtui.bench.plan import Plan, Roles
from iwtui.bench.settings import CallSettings, Settings, read_section, resolved, section_for_role, variables


def test_our_keys_and_those_of_litellm_stand_side_by_side() -> None:
    found = read_section({"vision": "assume", "concurrency": 2, "temperature": 0.7, "top_k": 5, "some_new_knob": {"a": [1]}})
    assert (found.vision, found.concurrency) == ("assume", 2)
    assert found.parameters == {"temperature": 0.7, "top_k": 5, "some_new_knob": {"a": [1]}}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"temperatur": 1}, "nearest is 'temperature'"),
        ({"request_per_minute": 1}, "nearest is 'requests_per_minute'"),
        ({"visions": "none"}, "nearest is 'vision'"),
        ({"stream": False}, "'stream' cannot be set"),
        ({"concurrency": 0}, "concurrency"),
        ({"vision": "perhaps"}, "vision"),
        ({"max_cost": -1}, "max_cost"),
        (7, "table"),
    ],
)
def test_a_wrong_section_says_what_is_wrong(table: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_section(table)


@pytest.mark.parametrize(
    "table",
    [
        {"api_key": "abc"},
        {"aws_secret_access_key": "abc"},
        {"extra_headers": {"Authorization": "abc"}},
        {"extra_headers": {"X-Who": "Bearer abc"}},
        {"api_base": "https://me:word@host/v1"},
        {"extra_body": {"list": [{"a": "sk-abcdefghijkl"}]}},
        {"api_key": "env:"},
        {"api_key": "env:A B"},
    ],
)
def test_a_key_may_not_stand_in_a_section(table: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="environment variable") as caught:
        read_section(table)
    assert "abc" not in str(caught.value)


def test_a_variable_is_named_and_read_when_it_is_needed() -> None:
    found = read_section({"api_key": "env:MINE", "extra_headers": {"X": "env:OTHER", "Y": "y"}, "stop": ["a"]})
    assert sorted(variables(found)) == ["MINE", "OTHER"]
    assert resolved(found.parameters, {"MINE": "k", "OTHER": "o"}) == {
        "api_key": "k", "extra_headers": {"X": "o", "Y": "y"}, "stop": ["a"],
    }  # fmt: skip
    with pytest.raises(KeyError, match="OTHER"):
        resolved(found.parameters, {"MINE": "k"})


def test_a_models_section_wins_over_its_roles_and_that_over_the_default() -> None:
    settings = Settings(
        roles={"builder": CallSettings(concurrency=2, vision="none", parameters={"temperature": 0.7, "top_p": 1})},
        models={"m": CallSettings(vision="assume", parameters={"temperature": 1.0})},
    )
    found = settings.of("builder", "m")
    assert (found.vision, found.concurrency) == ("assume", 2)
    assert found.parameters == {"temperature": 1.0, "top_p": 1, "max_tokens": 16_000}
    assert settings.of("builder", "other").parameters["temperature"] == 0.7
    assert settings.whole().roles["builder"].parameters == {"temperature": 0.7, "top_p": 1, "max_tokens": 16_000}
    assert settings.whole().of("builder", "m") == found
    assert Settings().of("builder", "m").parameters == {"temperature": 0.5, "max_tokens": 16_000}
    assert Settings().of("client", "m") == CallSettings()


def test_an_unknown_role_names_the_nearest() -> None:
    assert section_for_role("visual") == "visual"
    with pytest.raises(ValueError, match="nearest is 'copilot'"):
        section_for_role("co-pilot")


def test_a_plan_keeps_the_settings_and_names_all_players() -> None:
    settings = Settings(roles={"copilot": read_section({"api_key": "env:MINE", "vision": "none"})})
    plan = Plan(
        run="r", pack="p", builders=("a", "b"), roles=Roles("c", "d", visual="e"), case_ids=(), created=0, settings=settings
    )
    assert plan.models == (("builder", "a"), ("builder", "b"), ("copilot", "c"), ("client", "d"), ("visual", "e"))
    assert not plan.scripted
    assert msgspec.json.decode(msgspec.json.encode(plan), type=Plan) == plan
    assert msgspec.structs.replace(plan, roles=Roles("c", "d", "scripted/x")).scripted
