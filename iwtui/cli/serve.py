"""`iwtui serve`: an episode's site as it was, on a local port."""

import asyncio
import getpass
import os
import socket
import tempfile
from contextlib import suppress
from pathlib import Path

import click

from iwtui.bench.manifest import decode_manifest
from iwtui.bench.text import visible
from iwtui.cli.failures import NotFound
from iwtui.cli.options import open_store, settings
from iwtui.resources import cache_folder
from iwtui.web.grounds import Grounds
from iwtui.web.processes import Ran
from iwtui.web.site import Site, SiteDownError
from iwtui.web.sweep import our_mark
from iwtui.web.workspace import Workspace


@click.command()
@click.argument("episode", default="last")
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="At the end of turn N; else as it was at last.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; else any that is free.")
def serve(episode: str, turn: int | None, port: int) -> None:
    """Serve the site of EPISODE until Ctrl-C, as it was at the end of a turn."""
    store = open_store()
    name = store.resolve_episode(episode)
    state = store.run(name.run).fold_episode(name)
    if turn is not None and turn > len(state.turns):
        raise click.BadParameter(f"{name} has {len(state.turns)} turns", param_hint="--turn")
    manifest = state.kept(turn).manifest if turn is not None else state.manifest
    if manifest is None:
        raise click.UsageError(f"{name} had written no file" + (f" by the end of turn {turn}" if turn else ""))
    with tempfile.TemporaryDirectory(prefix=f"iwtui-serve-{our_mark()}-") as folder:
        root = Path(folder)
        try:
            Workspace(root, store.blobs).restore(decode_manifest(store.blobs.get(manifest)))
        except LookupError as error:
            raise NotFound(f"{name}: a file of the site is not in the store any more: {error}") from error
        click.echo(f"{name}, {f'turn {turn}' if turn else 'as it was at last'}; Ctrl-C ends it", err=True)
        with suppress(KeyboardInterrupt):  # the way to end it
            asyncio.run(_serve(root, port, Grounds(cache_folder(), settings().sandbox)))


async def _serve(root: Path, port: int, grounds: Grounds) -> None:
    async with Site(root, grounds, _tell) as site:
        try:
            url = await site.up(port)
        except SiteDownError as error:
            raise click.UsageError(f"the site does not run: {error.reason}") from error
        except OSError as error:
            raise click.UsageError(f"port {port} cannot be used: {error.strerror}") from error
        click.echo(url)
        if os.environ.get("SSH_CONNECTION"):
            click.echo(f"from your own machine: {tunnel(url)}", err=True)
        await site.ended()
        click.echo(visible(await site.died()), err=True)


def _tell(ran: Ran) -> None:
    how = ran.refused or ran.why or ("" if ran.code is None else f"exit code {ran.code}")
    click.echo(f"{visible(ran.command)}: {visible(how)} ({ran.seconds:.1f} s)", err=True)


def tunnel(url: str) -> str:
    """The ssh command that brings the URL's port to the reader's own machine."""
    port = url.rstrip("/").rsplit(":", 1)[1]
    return visible(f"ssh -N -L {port}:127.0.0.1:{port} {getpass.getuser()}@{socket.gethostname()}")
