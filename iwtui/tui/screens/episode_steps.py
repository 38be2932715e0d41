"""Moving through an episode by keys: event by event, by turns and failures, playing, and finding."""

from collections.abc import Callable

from textual import on

from iwtui.bench.blame import blind_turn
from iwtui.tui.app_protocol import console
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.screens.finding import Finding
from iwtui.tui.screens.playing import Player
from iwtui.tui.screens.thrifty import ThriftyScreen
from iwtui.tui.state.episode import EpisodeView


class EpisodeSteps(ThriftyScreen[None]):
    """What moves the cursor of the view. Showing where it is then is up to the screen: `moved`, `tell`, `mark_found`."""

    def __init__(self) -> None:
        super().__init__()
        self._finding = Finding()
        self._player = Player(self, self._play_on)

    @property
    def view(self) -> EpisodeView | None:
        """The episode, once its logs were read."""
        raise NotImplementedError

    @property
    def reading(self) -> bool:
        """Whether whole texts are on their way."""
        raise NotImplementedError

    def moved(self) -> None:
        """The cursor is elsewhere: show it."""
        raise NotImplementedError

    def tell(self) -> None:
        """What is said over the panes is no longer right."""
        raise NotImplementedError

    def mark_found(self, text: str) -> None:
        """Show where this stands in all panes; an empty text stands nowhere."""
        raise NotImplementedError

    def refocus(self) -> None:
        """Back to the pane that had the focus last."""
        raise NotImplementedError

    # Stepping.

    def _step(self, step: Callable[[EpisodeView], object]) -> None:
        if self.view:
            step(self.view)
            self.moved()

    def action_event_back(self) -> None:
        self._step(lambda view: view.move(-1))

    def action_event_on(self) -> None:
        self._step(lambda view: view.move(1))

    def action_turn_back(self) -> None:
        self._step(lambda view: view.move_turn(-1))

    def action_turn_on(self) -> None:
        self._step(lambda view: view.move_turn(1))

    def action_begin(self) -> None:
        self._step(lambda view: view.go(-1))

    def action_end(self) -> None:
        self._step(lambda view: view.end())

    def action_follow(self) -> None:
        self._step(lambda view: view.follow(not view.following))

    def action_next_failure(self) -> None:
        self._next(1)

    def action_previous_failure(self) -> None:
        self._next(-1)

    def _next(self, delta: int) -> None:
        """The next match while something is being found, else the next failure."""
        view = self.view
        if view is None:
            return
        finding = self._finding
        seq = view.seek(finding.found, delta) if finding.wanted else view.next_failure(delta)
        if seq is None:
            what = f"match of “{finding.wanted}”" if finding.wanted else "failure"
            console(self).notify_text(f"No {what} {'after' if delta > 0 else 'before'} this event")
            return
        self.moved()

    def action_blind_turn(self) -> None:
        """To the first code that was written about something which nobody knew."""
        view = self.view
        if view is None:
            return
        turn = blind_turn(view.causes)
        written = next((one.changed_at for one in view.latest.turns if one.number == turn), -1)
        if written < 0:
            judged = view.judging is not None and view.judging.ended is not None
            why = "None of the failed slots was built blind" if judged else "It is not judged yet; that tells what failed"
            console(self).notify_text(why)
            return
        view.go(written)
        self.moved()

    # Playing.

    def action_play(self) -> None:
        if self._player.speed:
            self._player.pause()
        elif self.view:
            if self.view.index == len(self.view.rows) - 1:
                self.view.go(-1)
            self._player.start()
        self.tell()

    def action_slower(self) -> None:
        self._player.faster(-1)
        self.tell()

    def action_faster(self) -> None:
        self._player.faster(1)
        self.tell()

    def _play_on(self) -> bool:
        view = self.view
        if view is None:
            return False
        more = view.move(1) and not view.following
        if not more:
            self._player.pause()
        self.moved()
        return more

    # Finding.

    def action_find(self) -> None:
        self.query_one(FindBar).open()

    @on(FindBar.GivenUp)
    def _given_up(self) -> None:
        self.refocus()

    @on(FindBar.Asked)
    def _asked(self, message: FindBar.Asked) -> None:
        self.refocus()
        self._look_for(message.text)
        if self.view and message.text:
            self._find(self.view)
        self.tell()

    def _look_for(self, text: str) -> None:
        """Find this from now on; an empty text ends the finding."""
        self._finding = Finding(text)
        self.mark_found(text)

    def _find(self, view: EpisodeView) -> None:
        """Find in what was read by now; what is read later is looked through then."""
        finding = self._finding
        if finding.look(view):
            self.moved()
        if not finding.found and not self.reading:
            self._look_for("")
            console(self).notify_text(f"“{finding.wanted}” stands nowhere in this episode")
        self.tell()
