"""`iwtui rm` and `iwtui index`: what keeps the store in order."""

import sys

import click

from iwtui.cli.options import open_store
from iwtui.cli.output import counted


@click.command()
@click.argument("run")
@click.option("--yes", is_flag=True, help="Do not ask.")
def rm(run: str, yes: bool) -> None:
    """Remove RUN: its logs, and the pictures and files that no other run needs."""
    store = open_store()
    folder = store.resolve_run(run)
    name, episodes = folder.name, counted(len(folder.episodes()), "episode")
    if not yes and not sys.stdin.isatty():
        raise click.UsageError(f"{name} has {episodes}; nobody is here to ask: give --yes to remove it")
    if not yes and not click.confirm(f"Remove {name} with {episodes} from {store.root}?", err=True):
        click.echo("nothing was removed", err=True)
        return
    store.remove_run(name)
    freed = store.collect_blobs()
    later = "; its files and pictures stay while other runs are written" if freed.busy else f", {freed.bytes / 1e6:.1f} MB"
    click.echo(f"removed {name}{later}", err=True)


@click.group()
def index() -> None:
    """The index: a DuckDB file that is made from the logs."""


@index.command()
def rebuild() -> None:
    """Make the index anew from the logs of every run."""
    from iwtui.archive.index import Index

    done = Index(open_store()).rebuild()
    click.echo(f"{done.events} events of {done.logs} logs in {done.seconds:.1f} s", err=True)
