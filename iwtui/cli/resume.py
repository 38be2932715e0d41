"""`iwtui resume` and `iwtui retry`: finish a run that was broken off; play again what a fault of ours ended."""

from typing import TYPE_CHECKING

import click

from iwtui.cli.options import JOBS, MAX_COST, NO_PREFLIGHT, open_store, settings

if TYPE_CHECKING:
    from iwtui.cli.running import Left

RUN = click.argument("run")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print the run and its episodes as JSON.")


@click.command()
@RUN
@JOBS
@MAX_COST
@NO_PREFLIGHT
@AS_JSON
@click.pass_context
def resume(
    ctx: click.Context, run: str, jobs: int | None, max_cost: float | None, no_preflight: bool, as_json: bool
) -> None:
    """Go on with RUN (a name, a unique part of one, or `last`) from the last whole turn of each episode."""
    from iwtui.cli.assignments import unfinished

    ctx.exit(_play(run, unfinished, as_json, jobs=jobs, max_cost=max_cost, preflight=False if no_preflight else None))


@click.command()
@RUN
@JOBS
@MAX_COST
@NO_PREFLIGHT
@AS_JSON
@click.pass_context
def retry(ctx: click.Context, run: str, jobs: int | None, max_cost: float | None, no_preflight: bool, as_json: bool) -> None:
    """Play the episodes of RUN that ended as `infra` once more, as new attempts; the old ones are kept."""
    from iwtui.cli.assignments import faulty

    ctx.exit(_play(run, faulty, as_json, jobs=jobs, max_cost=max_cost, preflight=False if no_preflight else None))


def _play(run: str, left: "Left", as_json: bool, **given: object) -> int:
    from iwtui.cli.asking import check_models
    from iwtui.cli.running import play_again

    config, store = settings(**given), open_store()
    folder = store.resolve_run(run)
    folder.check_own()
    if next(left(folder), None) is not None:
        check_models(folder.plan, config)
    return play_again(store, folder, left, config, as_json)
