"""How the four panes of an episode are laid out: shares of the screen, what stands in front, zoom, and the focus."""

from collections.abc import Mapping, Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.widget import Widget

from iwtui.tui.screens.panes import Pane
from iwtui.tui.state.arrangement import LEFT, PANES, RIGHT, STEP, Arrangement, PaneName, Shares, arrangement
from iwtui.tui.widgets.lines import LineList


class PaneLayout(Container):
    """Panes in two columns. `active` is the pane that has, or last had, the focus; `seen`: how many are seen at a time.

    What only holds the panes is hidden: it would be painted, a screenful each, under what hides it.
    """

    DEFAULT_CSS = """
    PaneLayout { layout: horizontal; height: 1fr; width: 1fr; visibility: hidden; }
    PaneLayout .column { height: 1fr; width: 1fr; layout: vertical; visibility: hidden; }
    PaneLayout Pane { visibility: visible; }
    """

    def __init__(self, parts: Mapping[PaneName, Sequence[Widget]], shares: Shares) -> None:
        super().__init__(id="panes")
        self.active = PaneName.TIMELINE
        self.zoomed = False
        self.seen = Arrangement.FOUR
        self.shares = shares
        self._fronts = {LEFT: PaneName.TIMELINE, RIGHT: PaneName.SCREEN}
        self._panes = {name: Pane(name, *parts[name]) for name in PANES}
        self._left = Container(*(self._panes[name] for name in LEFT), id="left", classes="column")
        self._right = Container(*(self._panes[name] for name in RIGHT), id="right", classes="column")

    def compose(self) -> ComposeResult:
        """Laid out for the screen as it is: a layout after the first paint would cost another one."""
        self._lay_out(self.app.size.width)
        yield self._left
        yield self._right

    def fit(self, width: int) -> None:
        """The screen is so wide now: it may have room for more panes, or fewer."""
        if arrangement(width, self.zoomed) is not self.seen:
            self._lay_out(width)

    def pane(self, name: PaneName) -> Pane:
        """A pane by its name."""
        return self._panes[name]

    def activate(self, name: PaneName, focus: bool = True) -> None:
        """Bring a pane to the front, and the focus into it."""
        self.active = name
        self._fronts[name.column] = name
        behind = not self._panes[name].display
        if behind:
            self._show()
        if focus:
            target = self._target(name)
            if behind:
                self.call_after_refresh(self.screen.set_focus, target)
            else:
                self.screen.set_focus(target)

    def next_pane(self, step: int) -> PaneName | None:
        """The pane that the tab key goes to; None past the last or the first."""
        place = PANES.index(self.active) + step
        return PANES[place] if 0 <= place < len(PANES) else None

    def zoom(self, zoomed: bool) -> None:
        """The active pane alone, or as many as there is room for."""
        self.zoomed = zoomed
        self._lay_out(self.app.size.width)

    def widen(self, by: int) -> bool:
        """Make the active pane so many steps wider; False when nothing stands beside it, or it is as wide as it may be."""
        alone = self.seen is Arrangement.ONE
        return not alone and self._take(self.shares.wider(self.active, self.seen, by * STEP))

    def heighten(self, by: int) -> bool:
        """Make the active pane so many steps higher; False when nothing stands above or below it, or it is high already."""
        return self.seen is Arrangement.FOUR and self._take(self.shares.higher(self.active, by * STEP))

    def _take(self, shares: Shares) -> bool:
        changed, self.shares = shares != self.shares, shares
        self._share()
        return changed

    def _target(self, name: PaneName) -> Widget:
        """What gets the focus of a pane: a list in it, else itself."""
        seen = (widget for widget in self._panes[name].query(LineList) if widget.display)
        return next(seen, self._panes[name])

    def _lay_out(self, width: int) -> None:
        self.seen = arrangement(width, self.zoomed)
        for pane in self._panes.values():
            pane.show_tabs(self.seen)
        self._share()
        self._show()

    def _share(self) -> None:
        shares, four = self.shares, self.seen is Arrangement.FOUR
        self._left.styles.layout = "horizontal" if four else "vertical"
        self._left.styles.width = f"{shares.left}fr"
        self._right.styles.width = f"{100 - shares.left}fr"
        timeline, dialogue, code, screen = self._panes.values()
        timeline.styles.width = f"{shares.timeline}fr" if four else "1fr"
        dialogue.styles.width = f"{100 - shares.timeline}fr" if four else "1fr"
        code.styles.height = f"{shares.code}fr" if four else "1fr"
        screen.styles.height = f"{100 - shares.code}fr" if four else "1fr"

    def _show(self) -> None:
        """Display what stands in front, and nothing else. No rules of style: those would be worked out for all there is."""
        alone = self.seen is Arrangement.ONE
        for name, pane in self._panes.items():
            pane.display = self._is_to_be_seen(name)
        self._left.display = not alone or self.active in LEFT
        self._right.display = not alone or self.active in RIGHT

    def _is_to_be_seen(self, name: PaneName) -> bool:
        match self.seen:
            case Arrangement.FOUR:
                return True
            case Arrangement.TWO:
                return self._fronts[name.column] is name
        return name is self.active

    @on(Pane.Chosen)
    def _chosen(self, message: Pane.Chosen) -> None:
        message.stop()
        self.activate(message.name)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The pane that the focus went into is the active one."""
        pane = next((node for node in event.widget.ancestors_with_self if isinstance(node, Pane)), None)
        if pane is not None and pane.pane is not self.active:
            self.activate(pane.pane, focus=False)
