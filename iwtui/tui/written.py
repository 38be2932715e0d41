"""Figures in words: None is a dash, never a zero. Pure."""

from datetime import datetime

from textual.content import Content

NOTHING = "–"


def percent(share: float | None) -> str:
    """A share between 0 and 1 as a percentage, without its sign."""
    return NOTHING if share is None else f"{100 * share:.1f}"


def margin(low: float | None, high: float | None) -> str:
    """Half the 95 % interval, in points; empty when there is none."""
    return "" if low is None or high is None else f"±{50 * (high - low):.1f}"


def number(value: float | None, digits: int = 1) -> str:
    """A plain number."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def seconds(value: float | None) -> str:
    """A duration: seconds, minutes or hours."""
    if value is None:
        return NOTHING
    if value < 100:
        return f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 6_000 else f"{value / 3_600:.1f} h"


def about(value: float | None) -> str:
    """A duration that is guessed; empty when it cannot be."""
    return "" if value is None else f"~{seconds(value)}"


def thousands(value: int | None) -> str:
    """A great number in few cells: 950, 12.3k, 4.56M."""
    if value is None:
        return NOTHING
    if value < 1_000:
        return str(value)
    return f"{value / 1_000:.1f}k" if value < 999_950 else f"{value / 1_000_000:.2f}M"


def dollars(cost: float | None, unpriced: int = 0) -> str:
    """US dollars; a plus says that calls of unknown price come on top."""
    return NOTHING if cost is None else f"{cost:.2f}{'+' if unpriced else ''}"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 episode`, `2 episodes`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def moment(created: float) -> str:
    """Seconds since the epoch as local date and time."""
    return f"{datetime.fromtimestamp(created):%d %b %H:%M}" if created > 0 else NOTHING  # noqa: DTZ006 - local is meant


def bar(done: int, running: int, whole: int, width: int) -> Content:
    """How much of a whole is done and under way, as a line; without colour the three parts still differ."""
    if whole <= 0:
        return Content.styled("─" * width, "$line")
    full = min(width, width * done // whole)
    under_way = min(width - full, -(-width * running // whole))
    rest = width - full - under_way
    return Content.assemble(("━" * full, "$accent"), ("╍" * under_way, "$status-running"), ("─" * rest, "$line"))
