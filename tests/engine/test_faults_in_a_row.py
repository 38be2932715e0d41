"""Five ends by the same fault in a row, and what breaks a row."""

from iwtui.bench.events import EpisodeEnded, JudgingEnded
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.engine.faults_in_a_row import FaultsInARow

PLAYED = EpisodeState(ended=EpisodeEnded(status="played", stop_reason="submitted"))
SCORED = JudgingState(ended=JudgingEnded(status="scored"))
UNJUDGED = JudgingState(ended=JudgingEnded(status="infra", text="the browser is gone"))


def infra(text: str, where: str = "model") -> EpisodeState:
    return EpisodeState(ended=EpisodeEnded(status="infra", stop_reason=where, text=text))


def told(*ends: tuple[EpisodeState, JudgingState | None]) -> list[str | None]:
    row = FaultsInARow()
    return [row.ended(*end) for end in ends]


def test_the_fifth_in_a_row_is_told_and_the_count_begins_anew() -> None:
    ends = [(infra(f"server: 502 from the provider, request {number}"), None) for number in range(10)]
    found = told(*ends)
    assert [place for place, fault in enumerate(found) if fault] == [4, 9]
    assert "request 4" in str(found[4])


def test_another_fault_or_a_good_end_breaks_the_row() -> None:
    same = (infra("server: 502 from the provider"), None)
    for other in (
        (infra("stalled: no token for 60 s"), None),
        (infra("server: 502 from the", "browser"), None),
        (PLAYED, SCORED),
    ):
        assert told(same, same, other, same, same, same) == [None] * 6


def test_judgings_that_fail_alike_are_a_row_too() -> None:
    assert told(*[(PLAYED, UNJUDGED)] * 5)[-1] == "judging: the browser is gone"


def test_what_is_not_over_is_no_end_by_a_fault() -> None:
    assert told(*[(EpisodeState(), None)] * 6) == [None] * 6
