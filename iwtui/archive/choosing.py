"""Which of several attempts counts, and which of several judgings is the primary one."""

from collections.abc import Iterable

import msgspec

from iwtui.bench.status import Status

_OVER = (Status.SCORED, Status.CRASHED)


class Pass(msgspec.Struct, frozen=True):
    """One judging of an episode, as far as choosing goes. `began` is seconds since the epoch.

    `turn`: the one after which the site was judged.
    """

    judging: str
    judge: str | None
    status: Status
    began: float
    model: str | None = None
    turn: int = 0


def primary_judging(passes: Iterable[Pass], judge: str, model: str | None = None, chosen: str | None = None) -> str | None:
    """The judging whose score is shown: of the run's primary judge, one that came to a result, and of those the latest.

    A judging of the site as it was at an earlier turn than another's is never the one. With `model`, only that judge with
    that model: another model's judgings stand beside it. `chosen`: the one that a person chose, which comes first if it is
    there.
    """
    passes = list(passes)
    if any(made.judging == chosen for made in passes):
        return chosen
    of_judge = [made for made in passes if made.judge == judge and model in (None, made.model)]
    last = max((made.turn for made in of_judge), default=0)
    whole = [made for made in of_judge if made.turn == last]
    best = max(whole, key=lambda made: (made.status in _OVER, made.began, made.judging), default=None)
    return best.judging if best else None


def counting_attempt(attempts: Iterable[tuple[int, Status]]) -> int | None:
    """The attempt that counts: the latest that was scored or crashed by its own fault, else the latest."""
    best = max(attempts, key=lambda attempt: (attempt[1] in _OVER, attempt[0]), default=None)
    return best[0] if best else None
