"""`iwtui pause`, `continue` and `cancel`: asked of the process that plays the run, whichever it is."""

import time
from typing import TYPE_CHECKING

import click

from iwtui.cli.options import open_store

if TYPE_CHECKING:
    from iwtui.archive.control import Given, What
    from iwtui.archive.run_folder import RunFolder
    from iwtui.archive.store import Store
    from iwtui.bench.names import EpisodeName

PATIENCE = 10.0
"""Seconds to wait until the runner has taken an order; it looks twice a second."""

LOOK = 0.05

RUN = click.argument("run")
EPISODE = click.argument("episode", required=False)


@click.command()
@RUN
@EPISODE
def pause(run: str, episode: str | None) -> None:
    """Hold RUN, or only EPISODE of it, before its next model call. What is under way in the browser comes to its end."""
    _ask(run, episode, "pause", "is paused before its next model call")


@click.command("continue")
@RUN
@EPISODE
def go_on(run: str, episode: str | None) -> None:
    """Let RUN go on after a pause, or only EPISODE of it."""
    _ask(run, episode, "go on", "goes on")


@click.command()
@RUN
@EPISODE
def cancel(run: str, episode: str | None) -> None:
    """End EPISODE of RUN at once, as `cancelled`; without EPISODE, end all that are being played, and begin no other."""
    _ask(run, episode, "cancel", "is cancelled")


def _ask(run: str, episode: str | None, what: "What", done: str) -> None:
    from iwtui.archive.control import give

    store = open_store()
    folder = store.resolve_run(run)
    name = _unfinished_episode(folder, episode) if episode else None
    if not _is_played(store, folder):
        raise _not_played(folder)
    given = give(folder, what, name)
    if not _taken(store, folder, given):
        given.take()
        raise _not_played(folder)
    click.echo(f"{name or f'run {folder.name}'} {done}")


def _taken(store: "Store", folder: "RunFolder", given: "Given") -> bool:
    """Wait until the runner has it; False when there is no runner any more. Raises Failure when it does not look."""
    from iwtui.cli.failures import Failure

    ends = time.monotonic() + PATIENCE
    while not given.taken:
        if not _is_played(store, folder):
            return given.taken
        if time.monotonic() > ends:
            given.take()
            raise Failure(f"run {folder.name}: its process has not answered for {PATIENCE:g} s; nothing was changed")
        time.sleep(LOOK)
    return True


def _is_played(store: "Store", folder: "RunFolder") -> bool:
    from iwtui.archive.registry import live_runs

    here = str(store.root.resolve())
    return any(
        live.alive is not False and (live.runner.store, live.runner.run) == (here, folder.name) for live in live_runs()
    )


def _not_played(folder: "RunFolder") -> click.ClickException:
    from iwtui.cli.failures import Failure

    return Failure(f"run {folder.name} is not being played on this machine\n`iwtui resume {folder.name}` goes on with it.")


def _unfinished_episode(folder: "RunFolder", text: str) -> "EpisodeName":
    """The episode that a unique part of its name stands for. Raises NotFoundError, AmbiguousError, Failure."""
    from iwtui.archive.errors import AmbiguousError, NotFoundError
    from iwtui.bench.names import matching
    from iwtui.bench.status import Status
    from iwtui.cli.assignments import latest
    from iwtui.cli.failures import Failure

    episodes = {str(name): (name, state) for _, name, state in latest(folder)}
    found = matching(text, list(episodes))
    if not found:
        raise NotFoundError(f"no episode {text[:200]!r} in run {folder.name}")
    if len(found) > 1:
        raise AmbiguousError(text, found)
    name, state = episodes[found[0]]
    if state is not Status.RUNNING:
        raise Failure(f"{name} is over: it ended as {state}")
    return name
