"""`iwtui import`: bundles of ours, and logs of the official harness as runs that replay and count like our own."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from iwtui.bench.text import one_line
from iwtui.cli.options import open_store
from iwtui.cli.output import counted, to_json

if TYPE_CHECKING:
    from iwtui.archive.importers.official import ImportedRun

LEFT_OUT = 1
SHOWN = 20


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--tasks", type=click.Path(path_type=Path), metavar="FILE", help="The benchmark's task file, for the cases.")
@click.option("--json", "as_json", is_flag=True, help="What was done, as one object.")
@click.pass_context
def import_logs(ctx: click.Context, path: Path, tasks: Path | None, as_json: bool) -> None:
    """Take PATH into the store: a bundle of ours, or the official harness's logs.

    A bundle brings its run as it was, with what it names; a run of the same name but other content is kept apart. Nothing
    is taken of one that is damaged.

    Of the official harness's logs (a model's folder, its `logs`, a folder with several models, or a tar file) each model
    becomes a run of kind `import`. Without --tasks the cases are what the logs themselves say of them. The logs hold no
    times, tokens or costs: events bear the time of their file, the rest is unknown. Exit code 1 when a part of the logs
    could not be read; what is whole was taken.

    PATH is not changed, and what is there already adds nothing.
    """
    import msgspec

    from iwtui.archive.importers.bundle import is_zip
    from iwtui.archive.importers.official import described
    from iwtui.archive.importers.official import import_logs as take
    from iwtui.packs import shipped_personas

    def tell(text: str) -> None:
        click.echo(one_line(text), err=True)

    if tasks is not None and not tasks.is_file():
        raise click.BadParameter(f"{tasks}: no such file", param_hint="--tasks")
    if is_zip(path):
        if tasks is not None:
            raise click.UsageError("--tasks is for logs of the official harness: a bundle brings its own cases")
        _import_bundle(path, as_json)
        return
    done = take(path, tasks, open_store(), shipped_personas(), tell)
    faults = [*done.faults, *(fault for run in done.runs for fault in run.faults)]
    if as_json:
        click.echo(to_json(msgspec.to_builtins(done), indent=2))
    else:
        for fault in faults[:SHOWN]:
            click.echo(one_line(described(fault), 400), err=True)
        if len(faults) > SHOWN:
            click.echo(f"and {len(faults) - SHOWN} more; --json has them all", err=True)
        for run in done.runs:
            click.echo(_told(run))
        if any(run.added for run in done.runs):
            click.echo(f"next: `iwtui report {done.runs[0].run} --policy official`", err=True)
    ctx.exit(LEFT_OUT if faults else 0)


def _import_bundle(path: Path, as_json: bool) -> None:
    import msgspec

    from iwtui.archive.importers.bundle import import_bundle

    done = import_bundle(path, open_store())
    if as_json:
        click.echo(to_json(msgspec.to_builtins(done), indent=2))
        return
    if done.run != done.named:
        click.echo(one_line(f"there is another run {done.named}: this one is kept apart, as {done.run}", 500), err=True)
    if done.missing:
        click.echo(f"{counted(len(done.missing), 'blob')} that it names were lost before it was written", err=True)
    new = f"{counted(done.blobs, 'blob')} and {counted(done.annotations, 'annotation')} added"
    click.echo(one_line(f"run {done.run}: {'' if done.added else 'there already, '}{new}", 500))


def _told(run: "ImportedRun") -> str:
    known = f", {run.known} there already" if run.known else ""
    faults = f", {counted(len(run.faults), 'fault')}" if run.faults else ""
    return one_line(f"run {run.run}: {counted(run.added, 'episode')} added{known}{faults}")
