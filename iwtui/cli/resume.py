"""`iwtui resume` and `iwtui retry`: finish a run that was broken off; play again what a fault of ours ended."""

import click

from iwtui.cli.options import open_store, settings


@click.command()
@click.argument("run")
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Episodes played at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print the run and its episodes as JSON.")
@click.pass_context
def resume(ctx: click.Context, run: str, jobs: int | None, as_json: bool) -> None:
    """Go on with RUN (a name, a unique part of one, or `last`) from the last whole turn of each episode."""
    from iwtui.cli import running
    from iwtui.cli.assignments import unfinished

    config, store = settings(jobs=jobs), open_store()
    folder = store.resolve_run(run)
    ctx.exit(running.play_again(store, folder, unfinished, config, as_json))


@click.command()
@click.argument("run")
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Episodes played at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print the run and its episodes as JSON.")
@click.pass_context
def retry(ctx: click.Context, run: str, jobs: int | None, as_json: bool) -> None:
    """Play the episodes of RUN that ended as `infra` once more, as new attempts; the old ones are kept."""
    from iwtui.cli import running
    from iwtui.cli.assignments import faulty

    config, store = settings(jobs=jobs), open_store()
    folder = store.resolve_run(run)
    ctx.exit(running.play_again(store, folder, faulty, config, as_json))
