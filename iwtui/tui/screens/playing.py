"""Playing an episode: a step at a time, at a speed that can be changed meanwhile."""

from collections.abc import Callable

from textual.message_pump import MessagePump
from textual.timer import Timer

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Events a second. At 2 and below a picture has the time to be drawn."""


class Player:
    """Takes a step of `advance` at a time, until that says that there is none left. At rest at first."""

    def __init__(self, node: MessagePump, advance: Callable[[], bool]) -> None:
        self._node = node
        self._advance = advance
        self._place = SPEEDS.index(2.0)
        self._timer: Timer | None = None

    @property
    def speed(self) -> float:
        """Events a second, 0 at rest."""
        return SPEEDS[self._place] if self._timer else 0.0

    def start(self) -> None:
        """Go on from here."""
        self.pause()
        self._timer = self._node.set_interval(1 / SPEEDS[self._place], self._step)

    def pause(self) -> None:
        """Come to rest."""
        if self._timer:
            self._timer.stop()
            self._timer = None

    def faster(self, steps: int) -> None:
        """So many speeds up, or down."""
        self._place = max(0, min(len(SPEEDS) - 1, self._place + steps))
        if self._timer:
            self.start()

    def _step(self) -> None:
        if not self._advance():
            self.pause()
