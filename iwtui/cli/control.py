"""`iwtui pause`, `continue` and `cancel`: asked of the process that plays the run, whichever it is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from iwtui.cli.options import open_store

if TYPE_CHECKING:
    from iwtui.archive.control import What
    from iwtui.archive.run_folder import RunFolder
    from iwtui.bench.names import EpisodeName

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
    from iwtui.archive.asking import NotPlayedError, ask
    from iwtui.cli.assignments import unfinished
    from iwtui.cli.failures import Failure

    store = open_store()
    folder = store.resolve_run(run)
    name = _unfinished_episode(folder, episode) if episode else None
    try:
        ask(store, folder, what, name)
    except NotPlayedError:
        if next(unfinished(folder), None) is None:
            raise Failure(f"run {folder.name} is over: nothing of it is left to be played") from None
        raise
    click.echo(f"{name or f'run {folder.name}'} {done}")


def _unfinished_episode(folder: "RunFolder", text: str) -> "EpisodeName":
    """The episode that a unique part of its name stands for. Raises NotFound, AmbiguousError, Failure."""
    from iwtui.archive.errors import AmbiguousError
    from iwtui.bench.names import matching
    from iwtui.bench.status import Status
    from iwtui.cli.assignments import latest
    from iwtui.cli.failures import Failure, NotFound

    episodes = {str(name): (name, state) for _, name, state in latest(folder)}
    found = matching(text, list(episodes))
    if not found:
        raise NotFound(f"no episode {text[:200]!r} in run {folder.name}\nIts episodes are {_some(list(episodes))}.")
    if len(found) > 1:
        raise AmbiguousError(text, found)
    name, state = episodes[found[0]]
    if state is not Status.RUNNING:
        raise Failure(f"{name} is over: it ended as {state}")
    return name


def _some(episodes: Sequence[str]) -> str:
    shown = ", ".join(name.partition("/")[2] for name in episodes[:8])
    return shown + (f" and {len(episodes) - 8} more" if len(episodes) > 8 else "")
