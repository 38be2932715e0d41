"""The line at the head of an episode."""

from iwtui.bench.case import Case
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.score import UNKNOWN
from iwtui.bench.status import episode_score, status
from iwtui.bench.text import one_line
from iwtui.tui.state.shapes import Header


def header(
    case: Case | None,
    episode: EpisodeState,
    judging: JudgingState | None,
    judging_name: str,
    where: tuple[int, int, int],
    *,
    in_judging: bool,
) -> Header:
    """`where`: the turn, the event (from 1) and the number of events that the cursor stands at."""
    started = episode.started
    turn, event, events = where
    return Header(
        case_id=one_line(started.case_id if started else case.id if case else ""),
        persona=one_line(started.persona if started else case.persona.id if case else ""),
        builder=one_line(started.builder) if started else "",
        difficulty=one_line(started.difficulty if started else case.difficulty if case else ""),
        repeat=started.repeat if started else 0,
        attempt=started.attempt if started else 0,
        scripted=started.scripted if started else False,
        status=status(episode, judging),
        score=episode_score(case, episode, judging) if case else UNKNOWN,
        turn=turn,
        turns=episode.turn,
        limit=started.turns if started else 0,
        event=event,
        events=events,
        judging=judging_name,
        in_judging=in_judging,
    )
