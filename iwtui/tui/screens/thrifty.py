"""A screen that hides all that is behind it, and paints no more than what changes."""

from typing import Self

from textual import events
from textual.geometry import Region
from textual.reactive import Reactive
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget


class ThriftyScreen(Screen[ScreenResultType]):
    """Three things of Textual's are left out. Two paint the whole screen: some 30 kB and 50 ms on a large one."""

    _styled = False

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """As Textual has it, but that another focus paints only what looks different."""

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """The first time its styles are those that it was just put together with; a later time the theme may be another."""
        event.refresh_styles = event.refresh_styles and self._styled
        self._styled = True

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Regions are asked for by a screen behind this one, which goes on being updated: nothing of it can be seen."""
        if regions:
            return self
        return super().refresh(repaint=repaint, layout=layout, recompose=recompose)
