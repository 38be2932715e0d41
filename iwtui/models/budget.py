"""What may be spent on model calls, asked before each of them."""

from iwtui.bench.text import one_line


class BudgetSpentError(Exception):
    """No further call may be made: the limit is reached. Nothing has failed; what was played can be resumed with more."""


class Budget:
    """US dollars of a run. `limit` is None for no limit; `spent` covers the priced calls, `unpriced` counts the others.

    Calls that are under way when the limit is reached are let to their end, so a run may end a little above it. `spent` and
    `unpriced` may begin with what an earlier part of the run took.
    """

    def __init__(self, limit: float | None = None, spent: float = 0.0, unpriced: int = 0, what: str = "the run") -> None:
        self.limit = limit
        self.spent = spent
        self.unpriced = unpriced
        self._what = what

    def check(self) -> None:
        """Raises BudgetSpentError when the limit is reached."""
        if self.limit is not None and self.spent >= self.limit:
            raise BudgetSpentError(f"the cost limit of {self._what}, ${self.limit:,.2f}, is reached: {self.told()}")

    def count(self, cost: float | None) -> None:
        """Add a call; None is a call whose price nobody knows."""
        if cost is None:
            self.unpriced += 1
        else:
            self.spent += cost

    def told(self) -> str:
        """What was spent, and how much of it is not known."""
        unknown = f", and {self.unpriced:,} calls of unknown price" if self.unpriced else ""
        return one_line(f"${self.spent:,.4f} spent{unknown}")
