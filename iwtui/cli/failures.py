"""Errors that a user can cause or mend, as one clear line each: what happened, and what to do next."""

import errno
import sys
from typing import IO, Any

import click

WRONG_USE, NOT_FOUND = 2, 3

_RUNS = "`iwtui report --by run` lists the runs of the store."

EXPECTED: dict[str, tuple[int, str]] = {
    "iwtui.config.ConfigError": (WRONG_USE, ""),
    "iwtui.packs.PackMissingError": (NOT_FOUND, "`iwtui tasks list` shows the packs and their cases."),
    "iwtui.packs.PackError": (WRONG_USE, "`iwtui tasks list` shows the packs and their cases."),
    "iwtui.bench.filters.FilterError": (WRONG_USE, "Example: persona:P-MIN status:scored builder:qwen* tcr<0.3"),
    "iwtui.analysis.figures.GroupError": (WRONG_USE, ""),
    "iwtui.bench.forks.ForkError": (WRONG_USE, "`iwtui show EPISODE` tells its turns."),
    "iwtui.analysis.agreement.AgreementError": (WRONG_USE, ""),
    "iwtui.analysis.weights.WeightingError": (WRONG_USE, ""),
    "iwtui.analysis.compare_sides.ComparisonError": (WRONG_USE, ""),
    "iwtui.archive.errors.NotFoundError": (NOT_FOUND, _RUNS),
    "iwtui.archive.errors.AmbiguousError": (WRONG_USE, "Give more of the name."),
    "iwtui.archive.errors.RunBusyError": (WRONG_USE, "Wait for it to end, or end that process first."),
    "iwtui.archive.errors.IndexFaultError": (WRONG_USE, "`iwtui index rebuild` makes it again from the logs."),
    "iwtui.archive.errors.QueryError": (WRONG_USE, "`iwtui sql` without a query lists the tables and saved queries."),
    "iwtui.archive.errors.StoreError": (WRONG_USE, ""),
    "iwtui.web.sandbox.SandboxMissingError": (WRONG_USE, '`iwtui doctor` says why; sandbox = "reaper" does without it.'),
    "iwtui.web.chromium.BrowserMissingError": (WRONG_USE, "`iwtui setup` gets one; `iwtui doctor` says what else lacks."),
}
"""The exit code of each, and what to do next. By name, so that nothing heavy is loaded for it."""


MACHINE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR}
"""Faults of a disk, of permissions or of a path, wherever they are met."""


class Failure(click.ClickException):
    """What went wrong, in words, on stderr."""

    exit_code = WRONG_USE

    def show(self, file: IO[Any] | None = None) -> None:
        from iwtui.bench.text import visible

        click.echo(f"iwtui: {visible(self.message)}", file=file or sys.stderr)


class NotFound(Failure):
    """What was named is not there."""

    exit_code = NOT_FOUND


def expected(error: Exception) -> Failure | None:
    """The line for an error that is foreseen; None for a fault of the program."""
    for kind in type(error).__mro__:
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name in EXPECTED:
            code, hint = EXPECTED[name]
            return (NotFound if code == NOT_FOUND else Failure)(f"{error}\n{hint}".strip())
    if isinstance(error, OSError) and error.errno in MACHINE:
        return Failure(
            f"{error.filename or 'the output'}: {error.strerror}\n`iwtui doctor` looks at the store and its room."
        )
    return None
