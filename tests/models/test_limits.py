"""Waits, limits and budgets, by a clock that the test sets."""

from email.utils import formatdate
from typing import Any

import pytest

from iwtui.bench.settings import CallSettings
from iwtui.models.budget import Budget, BudgetSpentError
from iwtui.models.errors import ModelFaultError, Veil
from iwtui.models.pace import Lane, tokens_of
from iwtui.models.retries import Retries
from iwtui.models.retry_after import retry_after
from iwtui.models.thinking import apart


class _RefusedError(Exception):
    def __init__(self, text: str = "", **headers: str) -> None:
        super().__init__(text)
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (_RefusedError(Retry_After="2"), 2.0),
        (_RefusedError(retry_after="0.5"), 0.5),
        (_RefusedError(retry_after_ms="1500", retry_after="9"), 1.5),
        (_RefusedError(Retry_After=formatdate(1_000_030, usegmt=True)), 30.0),
        (_RefusedError(Retry_After=formatdate(999_000, usegmt=True)), 0.0),
        (_RefusedError(Retry_After="-3"), 0.0),
        (_RefusedError("Please try again in 6m0s", Retry_After="soon"), 360.0),
        (_RefusedError("Please try again in 120ms."), 0.12),
        (_RefusedError("Please retry after 12 seconds."), 12.0),
        (_RefusedError('"retryDelay": "24s"'), 24.0),
        (_RefusedError("please retry later, in a while"), None),
    ],
)
def test_what_a_provider_asks_to_wait(error: Exception, seconds: float | None) -> None:
    assert retry_after(error, now=1_000_000) == (None if seconds is None else pytest.approx(seconds))


def waits(*faults: ModelFaultError, since: float = 0, **retries: Any) -> list[float | None]:
    """The waits after each of the faults in a row, without chance."""
    found, empties = [], 0
    for attempt, fault in enumerate(faults, 1):
        empties += fault.kind == "empty"
        found.append(Retries(**retries).wait(fault, attempt, empties, since, chance=lambda: 1.0))
    return found


def test_faults_that_may_pass_are_waited_for_ever_longer_and_not_for_ever() -> None:
    for kind in ("rate limit", "server", "connection", "stalled", "timeout"):
        fault = ModelFaultError(kind, "")
        assert waits(*[fault] * 8, attempts=8) == [1, 2, 4, 8, 16, 32, 60, None]
        assert waits(fault, since=899) == [1]
        assert waits(fault, since=900) == [None]


def test_what_is_asked_for_is_waited_for_or_the_call_is_given_up() -> None:
    assert waits(ModelFaultError("rate limit", "", retry_after=20)) == [pytest.approx(22)]
    assert waits(ModelFaultError("rate limit", "", retry_after=3_600)) == [None]


def test_hopeless_faults_are_not_retried() -> None:
    for kind in ("context overflow", "authentication", "quota", "refused request", "too long", "unreadable"):
        assert waits(ModelFaultError(kind, "")) == [None]


def test_an_empty_answer_is_asked_for_once_more() -> None:
    empty = ModelFaultError("empty", "", finish_reason="length")
    assert waits(empty, empty) == [0, None]
    assert waits(ModelFaultError("server", ""), empty, ModelFaultError("server", ""), empty) == [1, 0, 4, None]
    assert waits(ModelFaultError("empty", "", finish_reason="content_filter")) == [None]


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_requests_a_minute() -> None:
    clock = Clock()
    lane = Lane("x", CallSettings(requests_per_minute=2), clock)
    lane.take(1)
    clock.now += 10
    lane.take(1)
    assert lane.wait_for(1) == (50, "2 requests a minute of x")
    clock.now += 50
    assert lane.wait_for(1)[0] == 0
    lane.take(1)
    assert lane.wait_for(1)[0] == 10


def test_tokens_a_minute_are_corrected_by_what_was_really_used() -> None:
    clock = Clock()
    lane = Lane("x", CallSettings(tokens_per_minute=100), clock)
    first = lane.take(50)
    clock.now += 10
    lane.take(40)
    assert lane.wait_for(10)[0] == 0
    assert lane.wait_for(20) == (50, "100 tokens a minute of x")
    assert lane.wait_for(70)[0] == 60, "both have to be forgotten"
    assert lane.wait_for(1_000)[0] == 60, "more than a minute's tokens go alone"
    first[1] = 5
    assert lane.wait_for(20)[0] == 0


def test_a_provider_holds_everybody_back() -> None:
    clock = Clock()
    lane = Lane("x", CallSettings(), clock)
    lane.hold(5)
    lane.hold(3)
    assert lane.wait_for(1) == (5, "the rate limit of x")
    clock.now += 5
    assert lane.wait_for(1)[0] == 0


def test_a_budget_stops_at_its_limit_and_says_what_it_does_not_know() -> None:
    budget = Budget(1.0, spent=0.4)
    budget.check()
    budget.count(None)
    budget.count(0.5)
    budget.check()
    budget.count(0.2)
    with pytest.raises(BudgetSpentError, match=r"\$1\.00, is reached: \$1\.1000 spent, and 1 calls of unknown price"):
        budget.check()
    Budget().check()


def test_tokens_of_a_request() -> None:
    parts = [{"type": "text", "text": "b" * 40}, {"type": "image_url", "image_url": {"url": "data:" + "x" * 9_999}}]
    assert tokens_of([{"role": "user", "content": "a" * 40}, {"role": "user", "content": parts}]) == 820


@pytest.mark.parametrize(
    ("text", "said", "thought"),
    [
        ("plain {1}", "plain {1}", ""),
        (" kept as it is ", " kept as it is ", ""),
        ('<think>{"a": 1}</think>{"a": 2}', '{"a": 2}', '{"a": 1}'),
        ('{"a": 1}</think> {"a": 2}', '{"a": 2}', '{"a": 1}'),
        ("one <THINKING>two</thinking> three <think>four", "one  three", "two\nfour"),
        ("<think>all of it", "", "all of it"),
        ("<think>a<think>b</think>c", "c", "a\nb"),
    ],
)
def test_reasoning_in_tags_is_kept_apart(text: str, said: str, thought: str) -> None:
    assert apart(text) == (said, thought)


def test_short_words_of_the_environment_stay_in_a_models_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_PASSWORD", "bootstrap")
    monkeypatch.setenv("SOME_API_KEY", "a-long-key-0123456789")
    veil = Veil(["the-given-key"])
    assert veil.hide("bootstrap and a-long-key-0123456789") == "bootstrap and [key]"
    assert veil.hide("the-given-key") == "[key]"
    assert [veil.begun(text) for text in ("so a-long-key", "the-given-ke", "nothing at all.", "")] == [10, 12, 0, 0]
