"""`iwtui serve`: an episode's site as it was, on a local port."""

import asyncio
import getpass
import os
import socket
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import click

from iwtui.bench.manifest import decode_manifest
from iwtui.bench.text import visible
from iwtui.cli.failures import NotFound
from iwtui.cli.options import open_store, settings
from iwtui.cli.running import browser
from iwtui.engine.site import JUDGE_VIEW, opened
from iwtui.resources import cache_folder
from iwtui.web.browser import Browser
from iwtui.web.chromium import Chromium
from iwtui.web.grounds import Grounds
from iwtui.web.processes import Ran
from iwtui.web.site import Site, SiteDownError
from iwtui.web.sweep import our_mark
from iwtui.web.workspace import Workspace


@click.command()
@click.argument("episode", default="last")
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="At the end of turn N; else as it was at last.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; else any that is free.")
@click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path), help="Take a picture of its first page into FILE, and end."
)
@click.option("--tied", is_flag=True, help="End when stdin is closed too, as when the program that asked for it is gone.")
def serve(episode: str, turn: int | None, port: int, picture: Path | None, tied: bool) -> None:
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
        config = settings()
        grounds = Grounds(cache_folder(), config.sandbox)
        if picture is not None:
            asyncio.run(_take(root, grounds, browser(config), picture))
            return
        click.echo(f"{name}, {f'turn {turn}' if turn else 'as it was at last'}; Ctrl-C ends it", err=True)
        with suppress(KeyboardInterrupt):  # the way to end it
            asyncio.run(_serve(root, port, grounds, tied))


async def _take(root: Path, grounds: Grounds, chromium: Chromium, file: Path) -> None:
    """Open the site in a browser, and write what is seen."""
    async with Browser.launch(chromium) as running, Site(root, grounds, _tell) as site:
        try:
            async with opened(site, running, JUDGE_VIEW) as page:
                found = await page.open("/")
                if not found.ok:
                    raise click.UsageError(f"the site does not run: {found.reason}")
                await asyncio.to_thread(file.write_bytes, await page.picture())
        except SiteDownError as error:
            raise click.UsageError(f"the site does not run: {error.reason}") from error
        except OSError as error:
            raise click.UsageError(f"{file} cannot be written: {error.strerror}") from error
    click.echo(visible(str(file)))


async def _serve(root: Path, port: int, grounds: Grounds, tied: bool = False) -> None:
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
        ends = [asyncio.ensure_future(site.ended()), *([asyncio.ensure_future(_closed())] if tied else [])]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if ends[0].done():
                click.echo(visible(await site.died()), err=True)
        finally:
            for end in ends:
                end.cancel()


async def _closed() -> None:
    """Return when nobody holds the other end of stdin any more."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(4096):
        pass


def _tell(ran: Ran) -> None:
    how = ran.refused or ran.why or ("" if ran.code is None else f"exit code {ran.code}")
    click.echo(f"{visible(ran.command)}: {visible(how)} ({ran.seconds:.1f} s)", err=True)


def tunnel(url: str) -> str:
    """The ssh command that brings the URL's port to the reader's own machine."""
    port = url.rstrip("/").rsplit(":", 1)[1]
    return visible(f"ssh -N -L {port}:127.0.0.1:{port} {getpass.getuser()}@{socket.gethostname()}")
