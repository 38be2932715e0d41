"""What can be done with the panes of an episode: size, zoom, files, pictures, copying, and the way of the focus."""

from functools import partial

from textual.widget import Widget

from iwtui.bench.names import EpisodeName
from iwtui.tui.app_protocol import console
from iwtui.tui.screens.episode_panes import EpisodePanes
from iwtui.tui.screens.episode_steps import EpisodeSteps
from iwtui.tui.screens.jump import Jump, badge_place
from iwtui.tui.state.arrangement import PANES, PaneName
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.slot_strip import SlotStrip
from iwtui.tui.widgets.timeline import Timeline


class EpisodeActions(EpisodeSteps):
    """The screen has to make `panes` and `strip` when it is composed."""

    panes: EpisodePanes
    strip: SlotStrip

    def __init__(self, episode: EpisodeName) -> None:
        super().__init__()
        self.episode = episode

    def mark_found(self, text: str) -> None:
        self.panes.find(text)

    def refocus(self) -> None:
        self.panes.activate(self.panes.active)

    def action_zoom(self) -> None:
        self.panes.zoom(not self.panes.zoomed)

    def action_wider(self) -> None:
        self._resized(self.panes.widen(1))

    def action_narrower(self) -> None:
        self._resized(self.panes.widen(-1))

    def action_higher(self) -> None:
        self._resized(self.panes.heighten(1))

    def action_lower(self) -> None:
        self._resized(self.panes.heighten(-1))

    def _resized(self, changed: bool) -> None:
        if changed:
            console(self).remembered.shares = self.panes.shares
        else:
            console(self).notify_text("This pane has no neighbour there that could give or take room")

    def action_marks(self) -> None:
        self.panes.toggle_marks()

    def action_reasoning(self) -> None:
        self.panes.dialogue.toggle_reasoning(everywhere=True)

    def action_diff(self) -> None:
        self.panes.code.toggle_diff()

    def action_next_file(self) -> None:
        self.panes.code.next_file(1)

    def action_previous_file(self) -> None:
        self.panes.code.next_file(-1)

    def action_slots(self) -> None:
        self.strip.focus()

    def action_open_picture(self) -> None:
        path = self.panes.picture.path
        if path is None:
            console(self).notify_text("There is no picture up to this event")
            return
        console(self).copy_text(str(path), "picture")
        console(self).notify_text(str(path), title="The picture is stored in")

    def copied(self) -> str:
        """What the focused pane shows; of a picture its path."""
        focused = self.focused
        if isinstance(focused, SlotStrip | Timeline | Dialogue):
            return focused.copied()
        if self.panes.active is PaneName.CODE:
            return self.panes.code.copied()
        return str(self.panes.picture.path or "") if self.panes.active is PaneName.SCREEN else ""

    def jumps(self) -> list[Jump]:
        """To each pane, those that stand behind others too, and to the slots."""
        places = [place for name in PANES for place in self.panes.pane(name).tab_places()]
        jumps = [Jump(place, partial(self.panes.activate, name)) for name, place in places]
        return [*jumps, Jump(badge_place(self.strip), self.strip.focus)]

    def focus_next(self, selector: str | type[Widget] = "*") -> Widget | None:
        """From pane to pane, those that stand behind others too, then to the slots."""
        return self._focus_on(1)

    def focus_previous(self, selector: str | type[Widget] = "*") -> Widget | None:
        """The other way round."""
        return self._focus_on(-1)

    def _focus_on(self, step: int) -> Widget | None:
        if isinstance(self.focused, SlotStrip):
            self.panes.activate(PANES[0] if step > 0 else PANES[-1])
        elif name := self.panes.next_pane(step):
            self.panes.activate(name)
        else:
            self.strip.focus()
        return self.focused
