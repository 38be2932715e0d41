"""The application in which the screens of this room are tried."""

from textual.screen import Screen

from iwtui.archive.store import Store
from tests.tui_home.stage import Stage

SIZES = [(80, 24), (120, 40), (160, 48), (200, 60)]


class Room(Stage):
    """`author`: who judges."""

    def __init__(self, store: Store, screen: Screen[None], author: str = "ann") -> None:
        super().__init__(store.root)
        self.author = author
        self._first = screen

    def get_default_screen(self) -> Screen[None]:
        return self._first
