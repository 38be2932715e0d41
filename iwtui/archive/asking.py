"""Asking something of the process that plays a run, and waiting until it has taken it."""

import time

from iwtui.archive.control import Given, What, give
from iwtui.archive.errors import StoreError
from iwtui.archive.registry import live_runs
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName

PATIENCE = 10.0
"""Seconds to wait until the runner has taken an order; it looks twice a second."""

LOOK = 0.05


class NotPlayedError(StoreError):
    """No process of this machine plays the run; nothing was changed."""


class NoAnswerError(StoreError):
    """The process that plays the run did not take the order in time; it was withdrawn."""


def ask(store: Store, folder: RunFolder, what: What, episode: EpisodeName | None = None) -> None:
    """Ask it of the process that plays the run; returns when that has taken it.

    Raises NotPlayedError, NoAnswerError, OSError.
    """
    if not _is_played(store, folder):
        raise _not_played(folder)
    given = give(folder, what, episode)
    if not _taken(store, folder, given):
        given.take()
        raise _not_played(folder)


def _taken(store: Store, folder: RunFolder, given: Given) -> bool:
    """Wait until the runner has it; False when there is no runner any more."""
    ends = time.monotonic() + PATIENCE
    while not given.taken:
        if not _is_played(store, folder):
            return given.taken
        if time.monotonic() > ends:
            given.take()
            raise NoAnswerError(f"run {folder.name}: its process has not answered for {PATIENCE:g} s; nothing was changed")
        time.sleep(LOOK)
    return True


def _is_played(store: Store, folder: RunFolder) -> bool:
    here = str(store.root.resolve())
    return any(
        live.alive is not False and (live.runner.store, live.runner.run) == (here, folder.name) for live in live_runs()
    )


def _not_played(folder: RunFolder) -> NotPlayedError:
    return NotPlayedError(
        f"run {folder.name} is not being played on this machine\n`iwtui resume {folder.name}` goes on with it."
    )
