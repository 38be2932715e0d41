"""How long a run is likely to go on, from what its episodes took so far. Pure."""

from collections.abc import Sequence


def to_go(mean: float | None, waiting: int, elapsed: Sequence[float]) -> float | None:
    """Seconds until a run is over; None when nothing is known to go by, or nothing is being played.

    `mean`: seconds that an episode of it took. `waiting`: episodes that are to be played; `elapsed`: seconds for which each
    of those under way has been played.
    """
    if mean is None or not elapsed:
        return None
    rest = [max(0.0, mean - one) for one in elapsed]
    return max(max(rest), (max(0, waiting) * mean + sum(rest)) / len(rest))
