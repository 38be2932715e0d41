"""The site of an episode as it was at the end of a turn: served for the reader's own browser, or a picture of it."""

import getpass
import os
import socket
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from iwtui.archive.blobs import BlobStore
from iwtui.bench.events import Blob
from iwtui.bench.names import EpisodeName
from iwtui.resources import cache_folder
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.launch import LaunchError
from iwtui.tui.serve import Served, photographed
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.picture import PictureView
from iwtui.tui.widgets.titled import Titled


class Serving(Widget):
    """Shows nothing. Serves one site at a time, until another is asked for or the episode is left."""

    DEFAULT_CSS = "Serving { display: none; }"

    @dataclass
    class _Up(Message):
        served: Served

    @dataclass
    class _Taken(Message):
        blobs: BlobStore
        blob: Blob
        caption: str

    @dataclass
    class _Failed(Message):
        title: str
        why: str

    def __init__(self) -> None:
        super().__init__()
        self._served: Served | None = None
        self._gone = False

    def serve(self, episode: EpisodeName, turn: int) -> None:
        """Serve the site; where, is told in a note and put on the clipboard."""
        if self._served and self._served.turn == turn:
            self._tell(self._served)
            return
        console(self).notify_text("It is being served …", title=_at(turn))
        self._in_thread(partial(self._serve, episode, turn), "serving")

    def picture(self, episode: EpisodeName, turn: int) -> None:
        """Take a picture of the site, and show it on a screen of its own."""
        console(self).notify_text("A picture of it is being taken …", title=_at(turn))
        self._in_thread(partial(self._take, episode, turn), "picture")

    def on_unmount(self) -> None:
        """What is served is served no more."""
        self._gone = True
        if self._served:
            self._served.end()

    def _in_thread(self, work: "partial[None]", group: str) -> None:
        self.run_worker(work, group=group, thread=True, exclusive=True, exit_on_error=False)

    def _serve(self, episode: EpisodeName, turn: int) -> None:
        try:
            served = Served(console(self).store, episode, turn)
        except (LaunchError, OSError) as error:
            self.post_message(self._Failed("The site cannot be served", str(error)))
            return
        if self._gone or not self.post_message(self._Up(served)):
            served.end()

    def _take(self, episode: EpisodeName, turn: int) -> None:
        blobs = BlobStore(cache_folder() / "pictures")
        try:
            with tempfile.TemporaryDirectory(prefix="iwtui-picture-") as folder:
                blob = blobs.put(photographed(console(self).store, episode, turn, Path(folder) / "picture.webp"))
        except (LaunchError, OSError) as error:
            self.post_message(self._Failed("No picture was taken", str(error)))
        else:
            self.post_message(self._Taken(blobs, blob, f"{_at(turn)}, taken now"))

    @on(_Up)
    def _up(self, message: _Up) -> None:
        message.stop()
        if self._served:
            self._served.end()
        self._served = message.served
        self._tell(message.served)

    def _tell(self, served: Served) -> None:
        console(self).copy_text(served.url, "url")
        said = served.url
        if os.environ.get("SSH_CONNECTION"):
            port = served.url.rstrip("/").rsplit(":", 1)[-1]
            said += f"\nfrom your own machine: ssh -N -L {port}:127.0.0.1:{port} {getpass.getuser()}@{socket.gethostname()}"
        console(self).notify_text(said, title=f"{_at(served.turn)} is served until you leave the episode")

    @on(_Taken)
    def _taken(self, message: _Taken) -> None:
        message.stop()
        self.app.push_screen(FreshPicture(message.blobs, message.blob, message.caption))

    @on(_Failed)
    def _failed(self, message: _Failed) -> None:
        message.stop()
        console(self).notify_text(message.why, title=message.title, severity="error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A thread that failed in a way nobody foresaw is told of."""
        if event.state is WorkerState.ERROR:
            self.post_message(self._Failed(f"{event.worker.group} failed", str(event.worker.error)))


class FreshPicture(Screen[None]):
    """One picture, as large as there is room."""

    TITLE = "fresh picture"
    BINDINGS = bindings_for("picture")
    DEFAULT_CSS = "FreshPicture #fresh { height: 1fr; padding: 0 1; }"

    def __init__(self, blobs: BlobStore, blob: Blob, caption: str) -> None:
        super().__init__()
        self._blobs = blobs
        self._blob = blob
        self._caption = caption

    def compose(self) -> ComposeResult:
        self._view = PictureView(self._blobs, console(self).images)
        yield Crumbs()
        with Titled(self._caption, id="fresh"):
            yield self._view
        yield Keys()

    def on_mount(self) -> None:
        """The picture is drawn."""
        self._view.show(self._blob, None, self._caption)

    def action_open_picture(self) -> None:
        """Where it is stored."""
        path = str(self._view.path)
        console(self).copy_text(path, "picture")
        console(self).notify_text(path, title="The picture is stored in")


def _at(turn: int) -> str:
    return f"the site after turn {turn}" if turn else "the site"
