"""Bounds of a run's calls and cost, by hand."""

import msgspec
import pytest

from iwtui.bench.case import Case
from iwtui.bench.plan import Roles
from iwtui.bench.settings import Settings, read_section
from iwtui.engine import estimate as module
from iwtui.engine.estimate import estimate
from iwtui.models.prices import FREE, Price
from iwtui.packs import load_pack


@pytest.fixture
def case() -> Case:
    found = next(case for case in load_pack("starter") if case.difficulty == "easy")
    return msgspec.structs.replace(found, instruction="word" * 100)


def test_scripts_cost_nothing_and_are_counted(case: Case) -> None:
    found = estimate([case, case], ["scripted/blind"], Roles("scripted/copilot", "scripted/client"), 3, Settings(), {})
    assert found.episodes == 6
    assert (found.calls.least, found.calls.most) == (6, 6 * 15 * 9)
    assert (found.cost.least, found.cost.most, found.unpriced) == (0, 0, ())


def test_the_dearest_path_bounds_the_cost(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUILDER_PROMPT", 100)
    monkeypatch.setattr(module, "FEEDBACK", 0)
    monkeypatch.setattr(module, "PICTURES", 0)
    settings = Settings({"builder": read_section({"max_tokens": 10}), "copilot": read_section({"max_tokens": 1})})
    prices = {"b": Price(1.0, 2.0, context=410), "c": Price(0.001, 0.0), "u": FREE}
    found = estimate([case], ["b"], Roles("c", "u"), 1, settings, prices)
    assert found.cost.least == 200 + 2
    built = 400 + 14 * 410 + 15 * 10 * 2
    assert found.cost.most == pytest.approx(built + 15 * 8 * 12.0)


def test_what_has_no_price_is_named_and_a_judge_adds_its_calls(case: Case) -> None:
    roles = Roles("c", "scripted/client", "j", visual="v")
    found = estimate([case], ["b"], roles, 1, Settings(), {"c": None, "j": Price(0.0, 1.0, output_limit=2)})
    assert found.unpriced == ("b", "c", "v")
    assert found.calls.most == 15 * 9 + (16 + 1) + 1
    assert found.cost.most == (16 + 1) * 2
    twice = estimate([case], ["b"], roles, 1, Settings(), {"j": Price(0.0, 1.0, output_limit=2)}, sweeps=2)
    assert twice.calls.most == 15 * 9 + 2 * (16 + 1) + 1
