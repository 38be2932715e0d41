"""What the commands share that keep what a person says."""

import getpass
from typing import TYPE_CHECKING

import click

from iwtui.cli.options import settings

if TYPE_CHECKING:
    from iwtui.archive.annotations import Annotation, Said
    from iwtui.archive.run_folder import RunFolder
    from iwtui.archive.store import Store
    from iwtui.bench.names import EpisodeName
    from iwtui.config import Config

AUTHOR = click.option("--author", metavar="NAME", help="Under which name (IWTUI_AUTHOR), else that of the account.")


def author_named(given: str | None) -> str:
    """The name that verdicts and notes are kept under. Raises click.UsageError when there is none to be had."""
    named = given or author_of(settings())
    if not named:
        raise click.UsageError("this account has no name; give --author NAME")
    return named


def author_of(config: "Config") -> str:
    """The name in the settings, else that of the account; empty when it has none."""
    if config.author:
        return config.author
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


def keep(store: "Store", author: str, said: "Said") -> "Annotation":
    """Write one annotation. Raises click.UsageError for what cannot be kept; ReadOnlyError."""
    from iwtui.archive.annotations_writing import AnnotationWriter

    try:
        with AnnotationWriter(store, author) as writer:
            return writer.add(said)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def judging_named(folder: "RunFolder", episode: "EpisodeName", named: str | None) -> str:
    """The judging of an episode that is meant: by its name or a part of it, else the primary one.

    Raises NotFoundError, AmbiguousError.
    """
    from iwtui.archive.errors import AmbiguousError, NotFoundError
    from iwtui.bench.names import matching

    names = folder.judgings(episode)
    if named is None:
        primary = folder.primary_judging(episode)
        if primary is None:
            raise NotFoundError(f"{episode} was not judged yet; `iwtui judge` judges a site")
        return primary[0]
    found = matching(named, names)
    if not found:
        raise NotFoundError(f"no judging {named[:100]!r} of {episode}; there are {', '.join(names) or 'none'}")
    if len(found) > 1:
        raise AmbiguousError(named, found)
    return found[0]
