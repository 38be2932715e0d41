"""What every command shares: the global options, the settings and the store."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

CATCH_UP = 20.0
"""Seconds that a command which reads the index may spend on catching up with the logs."""

if TYPE_CHECKING:
    from iwtui.archive.index import Index
    from iwtui.archive.store import Store
    from iwtui.config import Config


class Globals:
    """What the global options said, wherever on the command line they stood."""

    def __init__(self) -> None:
        self.store: str | None = None


def _set_store(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.find_root().ensure_object(Globals).store = value


def _set_colour(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value or os.environ.get("NO_COLOR"):
        ctx.color = False


def global_options() -> list[click.Parameter]:
    """The options that may stand before a command and after it."""
    return [
        click.Option(
            ["--store"],
            metavar="DIR",
            expose_value=False,
            callback=_set_store,
            help="The folder that holds runs and index (IWTUI_STORE).",
        ),
        click.Option(
            ["--no-color"],
            is_flag=True,
            expose_value=False,
            callback=_set_colour,
            help="No colours (also with NO_COLOR set).",
        ),
    ]


def settings(**given: object) -> "Config":
    """The settings for this command; `given` are options of its own, None where not given. Raises ConfigError."""
    from iwtui.config import load_config

    ctx = click.get_current_context()
    return load_config(Path.cwd(), os.environ, store=ctx.find_root().ensure_object(Globals).store, **given)


def open_store() -> "Store":
    """The store that the command works on."""
    from iwtui.archive.store import Store, find_store

    return Store(find_store(settings().store))


def fresh_index(store: "Store") -> "Index":
    """The store's index, caught up with the logs as far as that is quickly done; what is missing is said on stderr."""
    from iwtui.archive.errors import IndexBusyError, IndexNewerError
    from iwtui.archive.index import Index
    from iwtui.bench.text import visible

    index = Index(store)
    try:
        done = index.catch_up(budget=CATCH_UP)
    except (IndexBusyError, IndexNewerError) as error:
        if not index.path.exists():
            raise
        age = index.age()
        since = "" if age is None else f" as of {age:.0f} s ago"
        click.echo(f"iwtui: the index{since} is shown: {visible(str(error))}", err=True)
        return index
    if done.behind:
        click.echo("iwtui: the index is behind the logs still; ask again, or `iwtui index rebuild`", err=True)
    for problem in done.problems:
        click.echo(f"iwtui: left out: {visible(problem)}", err=True)
    return index
