"""Output files and folders that take their place in one step, once they are whole."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from iwtui.archive.result_files import replacing


@contextmanager
def placed_file(output: Path) -> Iterator[Path]:
    """A file beside the output that takes its place once it is whole; what stood there is whole until then."""
    with ExitStack() as stack:
        try:
            aside = stack.enter_context(replacing(output))
        except OSError as error:
            raise click.UsageError(f"{output} cannot be written: {error.strerror}") from error
        yield aside


@contextmanager
def placed_folder(output: Path) -> Iterator[Path]:
    """An empty folder beside the output that takes its place once it is whole. One that holds anything is never replaced."""
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise click.UsageError(f"{output} is there already: name a folder that is new or empty")
    try:
        aside = Path(tempfile.mkdtemp(prefix=f".{output.name}-", dir=output.absolute().parent))
    except OSError as error:
        raise click.UsageError(f"{output} cannot be written: {error.strerror}") from error
    try:
        aside.chmod(0o777 & ~_umask())
        yield aside
        aside.rename(output)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
