"""Pausing and cancelling what another process plays: asked of it, and told when it has taken the order."""

from dataclasses import dataclass
from functools import partial

from textual import on
from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from iwtui.archive.asking import ask
from iwtui.archive.control import What
from iwtui.archive.errors import StoreError
from iwtui.bench.names import EpisodeName
from iwtui.tui.actions import key_of
from iwtui.tui.answers import EpisodeLine
from iwtui.tui.app_protocol import console
from iwtui.tui.rows import RunRow
from iwtui.tui.screens.sure import SureScreen
from iwtui.tui.steerable import pause_or_go_on


class Steering(Widget):
    """Shows nothing; that an order was taken, or why it was not, is told in a note."""

    DEFAULT_CSS = "Steering { display: none; }"

    @dataclass
    class _Taken(Message):
        what: What
        run: str
        episode: EpisodeName | None

    @dataclass
    class _Refused(Message):
        of: str
        why: str

    def pause(self, row: RunRow, line: EpisodeLine | None) -> None:
        """Hold a run, or one episode of it, before its next model call; or let it go on."""
        what, held = pause_or_go_on(row, line)
        self._ask(what, row.name, held.name if held else None)

    def cancel(self, row: RunRow, line: EpisodeLine | None) -> None:
        """End one episode of a run, or all that are being played, when the reader is sure."""
        if line is None:
            title, what = "Cancel the run?", f"{row.running} episodes of {row.name} that are being played"
            yes = "Cancel all: they end as cancelled, and no other begins"
        else:
            title, what = "Cancel the episode?", line.name.stem
            yes = "Cancel it: it ends as cancelled, the others go on"
        text = f"{what}. `{key_of(self.screen, 'home.stop')}` lets the run finish its turns instead, to be resumed later."
        name = line.name if line else None

        def answered(sure: bool | None) -> None:
            if sure:
                self._ask("cancel", row.name, name)

        self.app.push_screen(SureScreen(title, text, yes, "Go on"), answered)

    def _ask(self, what: What, run: str, episode: EpisodeName | None) -> None:
        name = str(episode or run)
        work = partial(self._ask_in_thread, what, run, episode)
        self.run_worker(work, name=name, group="orders", thread=True, exit_on_error=False)

    def _ask_in_thread(self, what: What, run: str, episode: EpisodeName | None) -> None:
        store = console(self).store
        try:
            ask(store, store.run(run), what, episode)
        except (StoreError, OSError) as error:
            self.post_message(self._Refused(str(episode or run), str(error)))
        else:
            self.post_message(self._Taken(what, run, episode))

    @on(_Taken)
    def _taken(self, message: _Taken) -> None:
        message.stop()
        key = key_of(self.screen, "home.pause")
        told = {
            "pause": f"paused before its next model call; {key} lets it go on",
            "go on": "goes on",
            "cancel": "cancelled" if message.episode else "all its episodes are cancelled, and no other begins",
        }
        name = message.episode.stem if message.episode else message.run
        console(self).notify_text(told[message.what], title=name)

    @on(_Refused)
    def _refused(self, message: _Refused) -> None:
        message.stop()
        console(self).notify_text(message.why, title=f"Nothing was changed: {message.of}", severity="error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            self.post_message(self._Refused(event.worker.name, str(event.worker.error)))
