"""`iwtui setup`: a browser to look at sites with."""

import click

from iwtui.bench.text import one_line
from iwtui.cli.options import settings
from iwtui.web.chromium import find, install


@click.command()
def setup() -> None:
    """Find a browser, or get one: Playwright's Chromium, else the system's package as root."""
    found = find(settings().browser)
    if found:
        click.echo(f"A browser is there: {found.executable} ({found.source}, version {found.version}).", err=True)
        return
    click.echo("There is no browser yet; getting one.", err=True)
    got = install(lambda step: click.echo(f"  {one_line(step)}", err=True))
    click.echo(f"Got {got.executable} ({got.source}, version {got.version}).", err=True)
