"""Rows of a query into files, in a thread."""

from functools import partial
from pathlib import Path
from threading import Event

from textual.widget import Widget
from textual.worker import Worker, WorkerState

from iwtui.archive.errors import StoreError
from iwtui.archive.index import Index
from iwtui.archive.query import Query, Result
from iwtui.archive.result_files import write_result
from iwtui.tui.app_protocol import console
from iwtui.tui.copying import new_file
from iwtui.tui.screens.export import Wish
from iwtui.tui.screens.sure import SureScreen

WAIT = 10.0
"""Seconds to wait for others who hold the index."""


class SqlFiles(Widget):
    """Shows nothing. `result`: the rows that are shown."""

    DEFAULT_CSS = "SqlFiles { display: none; }"

    def __init__(self) -> None:
        super().__init__()
        self.result: Result | None = None
        self._over = Event()

    def on_unmount(self) -> None:
        """A query that is asked for a file is not asked any more."""
        self._over.set()

    def write(self, wish: Wish, sql: str | None) -> None:
        """The rows that are shown, or those of a query; over another file only when the reader is sure."""

        def answered(sure: bool | None) -> None:
            if sure:
                self._start(wish.form, wish.path, sql)

        if wish.path.exists():
            said = f"{wish.path} is there already."
            self.app.push_screen(SureScreen("Write over it?", said, "Write over it", "Leave it"), answered)
        else:
            answered(True)

    def copy(self) -> None:
        """The rows that are shown, into a file of the user's cache folder; its path goes to the clipboard."""
        if self.result is not None:
            self.run_worker(partial(self._copy, self.result), thread=True, group="files", exit_on_error=False)

    def _start(self, form: str, path: Path, sql: str | None) -> None:
        if self.result is not None:
            self.run_worker(
                partial(self._write, self.result, form, path, sql), thread=True, group="files", exit_on_error=False
            )

    def _write(self, shown: Result, form: str, path: Path, sql: str | None) -> None:
        """In a thread."""
        try:
            result = Query(Index(console(self).store), self._over).run(sql, None, None, WAIT) if sql else shown
            write_result(result, path, form)
        except (StoreError, OSError) as error:
            self._tell(str(error), "Not written", severe=True)
            return
        self._tell(f"{result.arrow.num_rows:,} rows, {path.stat().st_size:,} bytes: {path}", "Written")

    def _copy(self, shown: Result) -> None:
        """In a thread."""
        try:
            file = new_file("rows", ".csv")
            write_result(shown, file, "csv")
        except OSError as error:
            self._tell(str(error), "Not copied", severe=True)
            return
        self.app.call_from_thread(self.app.copy_to_clipboard, str(file))
        self._tell(f"the rows are in {file}, whose path is on the clipboard", "Copied")

    def _tell(self, text: str, title: str, severe: bool = False) -> None:
        tell = partial(console(self).notify_text, text, title=title, severity="error" if severe else "information")
        self.app.call_from_thread(tell)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            console(self).notify_text(str(event.worker.error), title="Not written", severity="error")
