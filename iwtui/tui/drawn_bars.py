"""Bars drawn in plain characters: a mean with its interval, a share of a whole. Pure."""

from textual.content import Content


def with_interval(mean: float | None, low: float | None, high: float | None, width: int) -> Content:
    """A bar from 0 to a mean between 0 and 1, and its interval as a whisker; the same without colour."""
    if mean is None or width < 2:
        return Content("")
    last = width - 1
    at = round(last * mean)
    if low is None or high is None:
        return Content.assemble(("━" * at, "$accent"), ("●", "$accent"))
    first, end = min(at, round(last * low)), max(at, round(last * high))
    left = "" if first == at else "├" + "─" * (at - first - 1)
    right = "" if end == at else "─" * (end - at - 1) + "┤"
    return Content.assemble(("━" * first, "$accent"), (left, "$foreground"), ("●", "bold $accent"), (right, "$foreground"))


def full_bar(share: float | None, width: int, style: str = "$accent") -> Content:
    """A bar as long as a share of the whole."""
    eighths = round(8 * width * (share or 0.0))
    text = "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8] if eighths % 8 else "")
    return Content.styled(text or ("▏" if share else ""), style)
