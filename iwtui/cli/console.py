"""`iwtui` without a command: the console, in a child of a parent that mends the terminal after a crash; `iwtui reset`."""

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from iwtui.cli.options import open_store, settings

if TYPE_CHECKING:
    from iwtui.archive.store import Store
    from iwtui.config import Config


def fits() -> bool:
    """Whether the console can be shown: a person's terminal on all three streams, and one that can move its cursor."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)) and os.environ.get(
        "TERM", ""
    ) not in ("", "dumb")


def open_console(
    run: str | None = None, pid: int | None = None, store: "Store | None" = None, watching: bool = False
) -> int:
    """Show the store (else the one that the options name), beginning with `run`, which process `pid` plays for it.

    `watching`: begin with what is being played, of whatever store. Returns the exit code when it is left.

    Raises ConfigError.
    """
    from iwtui.cli.supervise import supervised

    if click.get_current_context().color is False:
        os.environ["NO_COLOR"] = "1"
    os.environ.setdefault("TEXTUAL_FPS", "120")  # read by Textual when it is imported: half the wait from a key to its paint
    return supervised(partial(_show, store or open_store(), settings(), run, pid, watching))


def _show(store: "Store", config: "Config", run: str | None, pid: int | None, watching: bool) -> int:
    from iwtui.cli.people import author_of
    from iwtui.config import ConfigError
    from iwtui.tui.actions import checked_keymap
    from iwtui.tui.app import ConsoleApp
    from iwtui.tui.remembered import Remembered
    from iwtui.tui.terminal import choose, keys
    from iwtui.tui.themes import choose_theme, load_themes

    try:
        theme, keymap = choose_theme(config.theme, load_themes()), checked_keymap(config.keys)
    except ConfigError as error:
        from iwtui.cli.failures import Failure

        failure = Failure(str(error))
        failure.show()
        return failure.exit_code
    pictures = choose(config.images)
    remembered = Remembered.read()
    pids = () if pid is None else (pid,)
    typed, author, why = keys(pictures.typed), author_of(config), pictures.why
    app = ConsoleApp(store, theme, pictures.mode, run, keymap, pids, typed, remembered, why, author, watching)
    app.run()
    try:
        remembered.write()
    except OSError as error:
        click.echo(f"iwtui: the console cannot remember where you were: {error}", err=True)
    if app.fault:
        click.echo(f"iwtui: {app.fault}", err=True)
    return app.return_code or 0


@click.command()
def reset() -> None:
    """Put the terminal right after a program crashed in it: mouse, alternate screen, paste, cursor, colours, echo.

    When you cannot see what you type, type it blindly and press Enter; Ctrl-J if Enter does nothing.
    """
    from iwtui.cli.supervise import reset_terminal

    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError as error:
        raise click.UsageError(f"there is no terminal to reset: {error.strerror}") from error
    try:
        reset_terminal(terminal)
    finally:
        os.close(terminal)
