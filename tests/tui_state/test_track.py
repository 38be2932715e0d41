"""States at any event: always those of the fold from the start."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.events import ActionChosen, EpisodeEnded, EpisodeResumed, Event, Record, TurnStarted, Warned
from iwtui.bench.fold import EpisodeState, fold, step
from iwtui.tui.state.track import EVERY, Track
from tests.support.console_logs import files, log, many, started
from tests.support.console_logs import step as browser_step

EVENTS = st.sampled_from(
    [
        started(),
        TurnStarted(message="m"),
        ActionChosen(action="implement"),
        files("a" * 64),
        browser_step(1),
        Warned(where="w", text="t"),
        EpisodeResumed(kept_turns=1, discards_from=2),
        EpisodeEnded(status="played", stop_reason="submitted"),
    ]
)


@given(st.lists(EVENTS, min_size=1, max_size=3 * EVERY), st.data())
def test_the_state_at_any_event_is_the_fold_up_to_it(events: list[Event], data: st.DataObject) -> None:
    records = log(*((1, event) for event in events))
    track = Track(EpisodeState(), step)
    fed = 0
    while fed < len(records):  # looked at while it grows
        grown = data.draw(st.integers(fed + 1, len(records)))
        for record in records[fed:grown]:
            track.append(record)
        fed = grown
        for index in data.draw(st.lists(st.integers(-1, fed - 1), max_size=5)):
            assert track.at(index) == fold(records[: index + 1])
    assert track.latest == fold(records)


@pytest.mark.parametrize("index", [-2, 3, 100])
def test_there_is_no_state_beyond_the_ends(index: int) -> None:
    track = Track(EpisodeState(), step)
    for record in log((0, started()), (1, TurnStarted(message="m")), (1, browser_step(1))):
        track.append(record)
    with pytest.raises(IndexError):
        track.at(index)


def test_a_step_back_folds_no_more_than_a_stretch_between_two_kept_states() -> None:
    folded = 0

    def counting(state: EpisodeState, record: Record) -> EpisodeState:
        nonlocal folded
        folded += 1
        return step(state, record)

    track = Track(EpisodeState(), counting)
    for record in many(1_000):
        track.append(record)
    costs = list(_costs_of_stepping_back(track, lambda: folded))
    assert max(costs) <= EVERY
    assert sum(costs) <= 1_000 + EVERY


def _costs_of_stepping_back(track: Track[EpisodeState], folded: Callable[[], int]) -> Iterator[int]:
    for index in range(len(track) - 1, -1, -1):
        before = folded()
        track.at(index)
        yield folded() - before
