"""`iwtui rm`, `iwtui compact` and `iwtui index`: what keeps the store in order."""

import sys

import click

from iwtui.bench.text import one_line
from iwtui.cli.options import open_store
from iwtui.cli.output import counted, to_json


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


@click.command()
@click.option("--json", "as_json", is_flag=True, help="What was done, as one object.")
@click.pass_context
def compact(ctx: click.Context, as_json: bool) -> None:
    """Give back the room that nothing in the store needs: blobs that no run names, what a break has left, air in the index.

    While logs are being written the blobs stay; the exit code is 1 then.
    """
    import msgspec

    from iwtui.archive.compacting import compact as give_back
    from iwtui.archive.index import Index

    store = open_store()
    if not store.root.is_dir():
        click.echo(f"there is no store at {one_line(str(store.root), 500)} yet", err=True)
        return
    done = give_back(store, Index(store))
    if as_json:
        click.echo(to_json(msgspec.to_builtins(done), indent=2))
    else:
        if done.busy:
            click.echo("logs are being written just now: blobs stay until `iwtui compact` is run again", err=True)
        if done.index:
            click.echo(f"the index was left as it is: {one_line(done.index, 300)}", err=True)
        given = f"{(done.before - done.after) / 1e6:.1f} MB given back"
        parts = [counted(done.blobs, "blob"), counted(done.leavings, "leaving"), "index made anew" if done.rebuilt else ""]
        click.echo(f"{given} ({', '.join(filter(None, parts))}); the store has {done.after / 1e6:.1f} MB")
    ctx.exit(1 if done.busy or done.index else 0)


@click.group()
def index() -> None:
    """The index: a DuckDB file that is made from the logs."""


@index.command()
def rebuild() -> None:
    """Make the index anew from the logs of every run."""
    from iwtui.archive.index import Index

    done = Index(open_store()).rebuild()
    click.echo(f"{done.events} events of {done.logs} logs in {done.seconds:.1f} s", err=True)
