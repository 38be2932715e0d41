"""The score of an episode turn by turn, from judgings of its site as it was then."""

from collections.abc import Iterable

import msgspec

from iwtui.bench.case import Case
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.score import CRASHED, Verdict, score


class TurnScore(msgspec.Struct, frozen=True):
    """How the site stood after a turn that changed its files. `tcr`: 0 to 1; None when it is unknown.

    `passed`: slots (0-based) that pass. `gained` and `lost`: those that did not at the turn judged before, and those that
    pass no more.
    """

    turn: int
    tcr: float | None
    passed: frozenset[int]
    gained: tuple[int, ...]
    lost: tuple[int, ...]


def turns_that_wrote(episode: EpisodeState) -> tuple[int, ...]:
    """The numbers of the turns that changed files: after each of them the site was another."""
    return tuple(turn.number for turn in episode.turns if turn.files and (turn.files.changes or turn.files.more_changes))


def by_turn(
    case: Case, episode: EpisodeState, judgings: Iterable[JudgingState], judge: str, model: str | None = None
) -> tuple[TurnScore, ...]:
    """What one judge came to, by the turn that made the site what it judged; of several judgings of it the latest.

    With `model`, only those by that model.
    """
    wrote = turns_that_wrote(episode)
    latest: dict[int, JudgingState] = {}
    for state in sorted(judgings, key=lambda state: state.began):
        started, ended = state.started, state.ended
        if started and ended and started.judge == judge and model in (None, started.model) and ended.status in _RESULTS:
            latest[max((turn for turn in wrote if turn <= started.turn_judged), default=0)] = state
    found: list[TurnScore] = []
    before: frozenset[int] = frozenset()
    for turn, state in sorted(latest.items()):
        verdicts = state.slot_verdicts(len(case.slots))
        crashed = state.ended is not None and state.ended.status == "crashed"
        passed = frozenset() if crashed else frozenset(at for at, said in enumerate(verdicts) if said is Verdict.PASSED)
        worth = CRASHED if crashed else score(case.slots, verdicts)
        found.append(TurnScore(turn, worth.tcr, passed, tuple(sorted(passed - before)), tuple(sorted(before - passed))))
        before = passed
    return tuple(found)


_RESULTS = ("scored", "crashed")
