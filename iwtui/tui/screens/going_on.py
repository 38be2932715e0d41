"""Going on with runs and stopping them. A run is played by a process of its own, which outlives the console."""

from dataclasses import dataclass
from functools import partial

from textual import on
from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.bench.text import one_line
from iwtui.tui.actions import key_of
from iwtui.tui.app_protocol import console
from iwtui.tui.board import ask_to_stop
from iwtui.tui.launch import Launched, LaunchError, go_on
from iwtui.tui.rows import RunRow


class GoingOn(Widget):
    """Shows nothing; what it did, or why it did not, is told in a note."""

    DEFAULT_CSS = "GoingOn { display: none; }"

    @dataclass
    class Begun(Message):
        """A process is being started for this run."""

        run: str

    @dataclass
    class Started(Message):
        """A process plays the run."""

        launched: Launched

    @dataclass
    class Failed(Message):
        """No process could go on with the run."""

        run: str

    @dataclass
    class _Refused(Message):
        run: str
        why: str

    def resume(self, row: RunRow) -> None:
        """Go on with a run, or play again what faults of ours ended."""
        starting = partial(self._go_on, row.name, row.faulty)
        self.run_worker(starting, name=row.name, group="resume", thread=True, exit_on_error=False)
        self.post_message(self.Begun(row.name))

    def _go_on(self, run: str, retry: bool) -> None:
        """In a thread."""
        store = console(self).store
        try:
            self.post_message(self.Started(go_on(store, store.run(run), retry)))
        except (LaunchError, StoreError) as error:
            self.post_message(self._Refused(run, str(error)))

    @on(_Refused)
    def _refused(self, message: _Refused) -> None:
        message.stop()
        self.post_message(self.Failed(message.run))
        console(self).notify_text(message.why, title=f"{one_line(message.run)} does not go on", severity="error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            self.post_message(self._Refused(event.worker.name, str(event.worker.error)))

    def stop(self, row: RunRow) -> None:
        """Ask the process that plays a run to finish its turns and stop."""
        runner = row.going.runner
        if runner is None or not ask_to_stop(runner):
            console(self).notify_text("no process of this machine plays it any more", title=row.name)
            return
        console(self).notify_text(
            f"it finishes the current turns, then stops; {key_of(self.screen, 'home.resume')} goes on with it later",
            title=row.name,
        )
