"""The status of an episode, from its own log and its primary judging. Kept apart, never folded into 'failed'."""

from enum import StrEnum

from iwtui.bench.case import Case
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.score import CRASHED, UNKNOWN, Score, score


class Status(StrEnum):
    """`crashed`: the site does not run, by its own fault. `infra`: a fault of ours. `running`: not over yet."""

    SCORED = "scored"
    CRASHED = "crashed"
    INFRA = "infra"
    CANCELLED = "cancelled"
    RUNNING = "running"


def status(episode: EpisodeState, judging: JudgingState | None) -> Status:
    """An episode that was played to its end is running until its judging has ended."""
    if episode.ended is None:
        return Status.RUNNING
    if episode.ended.status != "played":
        return Status(episode.ended.status)
    if judging is None or judging.ended is None:
        return Status.RUNNING
    return Status(judging.ended.status)


def episode_score(case: Case, episode: EpisodeState, judging: JudgingState | None) -> Score:
    """The score that the status allows: unknown unless the site was judged, or crashed by its own fault."""
    match status(episode, judging):
        case Status.SCORED if judging is not None:
            return score(case.slots, judging.slot_verdicts(len(case.slots)))
        case Status.CRASHED:
            return CRASHED
    return UNKNOWN
