"""Episodes that end one after the other by the same fault of ours: a provider that is down, a key that has run out."""

from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.status import Status, status

TOO_MANY = 5
"""Ends by one fault in a row after which going on only makes more of them."""

_WORDS = 4
"""First words of a fault's text that make it the same as another."""


class FaultsInARow:
    """Counts them, in the order in which episodes end."""

    def __init__(self) -> None:
        self._cause: tuple[str, ...] = ()
        self._number = 0

    def ended(self, episode: EpisodeState, judging: JudgingState | None) -> str | None:
        """Count one more end. Says what the fault is when there are too many of it, and begins anew."""
        if status(episode, judging) is not Status.INFRA:
            self._number, self._cause = 0, ()
            return None
        where, text = _told(episode, judging)
        cause = (where, *text.lower().split()[:_WORDS])
        self._number = self._number + 1 if cause == self._cause else 1
        self._cause = cause
        if self._number < TOO_MANY:
            return None
        self._number, self._cause = 0, ()
        return f"{where}: {text}"


def _told(episode: EpisodeState, judging: JudgingState | None) -> tuple[str, str]:
    if episode.ended and episode.ended.status == "infra":
        return episode.ended.stop_reason, episode.ended.text
    return "judging", judging.ended.text if judging and judging.ended else ""
