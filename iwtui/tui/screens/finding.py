"""Finding a text in an episode that is still being read: where it stands so far, and which match the cursor is at."""

from bisect import bisect_right

from iwtui.bench.text import one_line
from iwtui.tui.state.episode import EpisodeView


class Finding:
    """`wanted` is empty while nothing is being found."""

    def __init__(self, wanted: str = "") -> None:
        self.wanted = wanted
        self.found: list[int] = []

    def look(self, view: EpisodeView) -> bool:
        """Look through what was read by now; to the first match from the cursor on. Whether the cursor moved."""
        first = not self.found
        self.found = view.find(self.wanted)
        if not (self.found and first) or view.cursor in self.found:
            return False
        if view.seek(self.found, 1) is None:
            view.go(self.found[0])
        return True

    def said(self, view: EpisodeView) -> str:
        """Which match of how many the cursor is at or behind."""
        if not self.wanted:
            return ""
        return f"“{one_line(self.wanted, 16)}” {bisect_right(self.found, view.cursor)}/{len(self.found)}"
