"""`iwtui note` and `iwtui primary`: what else people keep beside the logs."""

from typing import TYPE_CHECKING

import click

from iwtui.cli.options import open_store
from iwtui.cli.people import AUTHOR, author_named, judging_named, keep

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("episode")
@click.argument("text", default="")
@click.option("--event", type=click.IntRange(0), metavar="N", help="On this event of the episode's log.")
@click.option("--judging", metavar="NAME", help="On a judging; with --event, on that event of the judging's log.")
@AUTHOR
def note(episode: str, text: str, event: int | None, judging: str | None, author: str | None) -> None:
    """Keep a note on EPISODE, or on one event of it. Without TEXT the event is bookmarked."""
    from iwtui.archive.annotations import Noted

    if not text.strip() and event is None:
        raise click.UsageError("give a TEXT, or an --event to be bookmarked")
    store = open_store()
    name = store.resolve_episode(episode)
    folder = store.run(name.run)
    of = None if judging is None else judging_named(folder, name, judging)
    if event is not None:
        _refuse_missing(folder.episode_log(name) if of is None else folder.judging_log(name, of), event)
    kept = keep(store, author_named(author), Noted(episode=str(name), text=text.strip(), event=event, judging=of))
    click.echo(kept.id)


def _refuse_missing(log: "Path", event: int) -> None:
    from iwtui.archive.errors import NotFoundError
    from iwtui.archive.log import read_log

    if all(record.seq != event for _, record in read_log(log)):
        raise NotFoundError(f"there is no event {event} in {log}")


@click.command()
@click.argument("episode")
@click.argument("judging")
@AUTHOR
def primary(episode: str, judging: str, author: str | None) -> None:
    """Let the score of EPISODE be that of JUDGING from now on."""
    from iwtui.archive.annotations import PrimaryChosen

    store = open_store()
    name = store.resolve_episode(episode)
    chosen = judging_named(store.run(name.run), name, judging)
    keep(store, author_named(author), PrimaryChosen(episode=str(name), judging=chosen))
    click.echo(f"{name}: the score is now that of the judging {chosen}", err=True)
