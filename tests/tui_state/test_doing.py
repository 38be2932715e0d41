"""What an episode does right now, and how long a run goes on."""

import pytest

from iwtui.archive.log import Live
from iwtui.bench.events import PAUSED, QUEUED
from iwtui.tui.state.doing import NOTHING, doing
from iwtui.tui.to_go import to_go


@pytest.mark.parametrize(
    ("live", "now", "said"),
    [
        (None, 100.0, ""),
        (Live(100.0, "builder", "is writing"), 102.9, "builder is writing"),
        (Live(100.0, "builder", "is writing"), 112.4, "idle 12 s · builder is writing"),
        (
            Live(100.0, "builder", "is writing, 40 characters", "<bolt"),
            101.0,
            "generating · builder is writing, 40 characters",
        ),
        (Live(100.0, "builder", "is writing, stalled 30 s", "<bolt"), 101.0, "stalled 30 s · builder"),
        (
            Live(100.0, "builder", "is writing, waiting for the rate limit, 9 s"),
            107.0,
            "waiting for the rate limit, 9 s · builder",
        ),
        (Live(100.0, "verify", QUEUED), 140.0, f"queued · verify {QUEUED}"),
        (Live(100.0, PAUSED, "a person paused it"), 140.0, "a person paused it"),
    ],
)
def test_it_says_whether_it_generates_waits_or_is_idle(live: Live | None, now: float, said: str) -> None:
    assert doing(live, NOTHING).words(now) == said


def test_progress_that_says_the_same_again_is_no_change_and_a_log_that_grew_is_one() -> None:
    first = doing(Live(100.0, "builder", "is writing, 4 characters", "text"), NOTHING)
    again = doing(Live(108.0, "builder", "is writing, stalled 8 s", "text"), first)
    assert again.since == 100.0
    assert doing(Live(109.0, "builder", "is writing", "texts"), again).since == 109.0
    assert again.after(105.0).since == 105.0
    assert again.after(90.0).since == 100.0
    assert NOTHING.after(105.0) == NOTHING


@pytest.mark.parametrize(
    ("mean", "waiting", "elapsed", "seconds"),
    [
        (None, 3, [1.0], None),
        (60.0, 3, [], None),
        (60.0, 4, [0.0, 30.0], (240 + 60 + 30) / 2),
        (60.0, 0, [10.0, 60.0, 90.0], 50.0),
        (60.0, -1, [70.0], 0.0),
    ],
)
def test_what_is_left_is_shared_by_those_under_way_and_the_longest_ends_it(
    mean: float | None, waiting: int, elapsed: list[float], seconds: float | None
) -> None:
    assert to_go(mean, waiting, elapsed) == seconds
