"""What every command shares: the global options, the settings and the store."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

CATCH_UP = 20.0
"""Seconds that a command which reads the index may spend on catching up with the logs."""

IMAGES = ("auto", "kitty", "sixel", "halfcell", "off")
"""Ways to show a picture; `auto` finds out what the terminal can."""

JOBS = click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Episodes played at a time.")
MAX_COST = click.option(
    "--max-cost",
    type=click.FloatRange(0, min_open=True),
    metavar="USD",
    help="Stop when the run has spent this; what it spent before it was resumed counts.",
)

NO_PREFLIGHT = click.option(
    "--no-preflight", is_flag=True, help="Do not ask the models for a sign of life before the first case."
)

if TYPE_CHECKING:
    from iwtui.archive.index import Index
    from iwtui.archive.store import Store
    from iwtui.config import Config


class Globals:
    """What the global options said, wherever on the command line they stood."""

    def __init__(self) -> None:
        self.store: str | None = None
        self.theme: str | None = None
        self.images: str | None = None


def _remember(ctx: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None and parameter.name is not None:
        setattr(ctx.find_root().ensure_object(Globals), parameter.name, value)


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
            callback=_remember,
            help="The folder that holds runs and index (IWTUI_STORE).",
        ),
        click.Option(
            ["--theme"],
            metavar="NAME",
            expose_value=False,
            callback=_remember,
            help="The console's theme: dark, light, contrast, your own, or a .toml file.",
        ),
        click.Option(
            ["--images"],
            type=click.Choice(IMAGES),
            expose_value=False,
            callback=_remember,
            help="How the console shows pictures.",
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

    said = click.get_current_context().find_root().ensure_object(Globals)
    return load_config(Path.cwd(), os.environ, **vars(said), **given)


def open_store() -> "Store":
    """The store that the command works on. Raises StoreError for a path that can be none."""
    from iwtui.archive.errors import StoreError
    from iwtui.archive.store import Store, find_store

    root = find_store(settings().store)
    there = next(path for path in (root, *root.parents) if path.exists())
    if not there.is_dir():
        raise StoreError(f"{root} can be no store: {there} is not a folder")
    return Store(root)


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
