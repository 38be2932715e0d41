"""A pane with a title in its border, and a note in the border below."""

from textual.containers import Vertical

from iwtui.tui.text import safe_line

LONGEST = 100


class Titled(Vertical):
    """Painted anew only when what it says changes: a new title paints all that is in the pane."""

    def __init__(self, title: str, id: str | None = None, classes: str = "pane") -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id, classes=classes)
        self._said = (title, "")
        self.border_title = safe_line(title, LONGEST)

    def entitle(self, title: str, note: str | None = None) -> None:
        """This title, and this note (None: the one that is there); both are data."""
        self.say(note if note is not None else self._said[1], title)

    def say(self, note: str, title: str | None = None) -> None:
        """This note; an empty one leaves the border closed."""
        said = (title if title is not None else self._said[0], note)
        if said != self._said:
            self._said = said
            self.border_title = safe_line(said[0], LONGEST)
            self.border_subtitle = safe_line(note, LONGEST) if note else None
