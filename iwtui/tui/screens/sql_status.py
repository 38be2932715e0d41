"""The line between the query and its rows: how long it takes, how many rows there are, how old they are, what went wrong."""

import time

from textual.content import Content
from textual.widget import Widget

from iwtui.archive.query import Result
from iwtui.tui.text import safe_line
from iwtui.tui.written import counted

TICK = 0.1

AGEING = 2.0
"""Seconds after which the age of the rows is told anew."""

OLD = 10.0
"""Seconds from which on the age of the index is shown as one would show a warning."""


class SqlStatus(Widget):
    """One line; two when there is a fault to be told of."""

    can_focus = False
    DEFAULT_CSS = """
    SqlStatus { height: 1; padding: 0 1; }
    SqlStatus.-fault { height: 2; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._fault = ""
        self._result: Result | None = None
        self._came = 0.0
        self._began: float | None = None
        self._counting = False
        self._stopping = False

    def on_mount(self) -> None:
        """The clock goes while a query does, and slowly while its rows grow old."""
        self._timer = self.set_interval(TICK, self.refresh, pause=True)
        self.set_interval(AGEING, self._age)

    def _age(self) -> None:
        if self._result is not None and self._began is None:
            self.refresh()

    def asks(self, began: float) -> None:
        """A query is under way since then (monotonic)."""
        self._began, self._counting, self._stopping = began, False, False
        self._say("")
        self._timer.resume()

    def stopping(self) -> None:
        """It is to stop."""
        self._stopping = True
        self.refresh()

    def came(self, result: Result, counting: bool) -> None:
        """Its rows are there; the rest may still be counted."""
        self._result, self._counting, self._came = result, counting, time.monotonic()
        if not counting:
            self._rests()
        self.refresh()

    def failed(self, why: str) -> None:
        """There are no rows, for this reason."""
        self._rests()
        self._say(why)

    def forget_fault(self) -> None:
        """Another text is in the editor; what is told is the rows that are shown."""
        self._say("")

    def _rests(self) -> None:
        self._began = None
        self._counting = False
        self._timer.pause()

    def _say(self, fault: str) -> None:
        self._fault = fault
        self.set_class(bool(fault), "-fault")
        self.refresh()

    def render(self) -> Content:
        if self._fault:
            return Content.assemble(("✗ ", "$error"), safe_line(self._fault, 400))
        if self._began is not None and not self._counting:
            said = "stopping …" if self._stopping else "esc stops it"
            return Content.assemble(("▸ ", "$accent"), f"{time.monotonic() - self._began:.1f} s", (f"  {said}", "$dim"))
        if self._result is None:
            return Content.styled("F5 asks · tab completes · F2 tables · F3 saved queries · F4 history", "$dim")
        return Content.styled("  ", "$dim").join([self._rows(self._result), self._took(self._result)])

    def _rows(self, result: Result) -> Content:
        shown = result.arrow.num_rows
        if not result.truncated:
            return Content.styled(_counted(shown), "bold")
        total = f"{result.total:,}" if result.total is not None else f"more than {max(result.at_least - 1, shown):,}"
        more = " (counting …)" if self._counting else ""
        return Content.assemble((f"first {shown:,} of {total} rows", "bold"), (more, "$dim"))

    def _took(self, result: Result) -> Content:
        parts = [Content.styled(f"{result.seconds:.2f} s", "$dim")]
        if result.age is not None:
            age = result.age + time.monotonic() - self._came
            parts.append(Content.styled(f"index {age:.0f} s old", "$text-warning" if result.age > OLD else "$dim"))
        return Content.styled(" · ", "$dim").join(parts)


def _counted(number: int) -> str:
    return counted(number, "row") if number < 1_000 else f"{number:,} rows"
