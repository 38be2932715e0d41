"""What is printed when a run is over: its episodes, as a table or as JSON."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.case import Case
from iwtui.bench.plan import Plan
from iwtui.cli.output import counted, objects, to_json, write_table
from iwtui.engine.estimate import Estimate, Range

COLUMNS = (
    "episode case_id persona difficulty builder repeat attempt scripted status stop_reason tcr tcr_clean sr hallucinated "
    "turns clarifies implements verifies malformed actions loc seconds tokens_in tokens_out cost"
).split()
"""The fields of an episode in the JSON of `run` and `demo`, in this order."""

SHOWN = "builder persona actions turns clarifies loc tcr tcr_clean sr hallucinated seconds status".split()

LABEL = "scripted: the agents of this run are scripts; the figures show the program at work, not a model"


def episode_rows(store: Store, plan: Plan) -> list[dict[str, object]]:
    """The run's episodes (latest attempts that count) as the index has them, in the order of their names.

    Of a replay, which counts nowhere, all attempts.
    """
    table = "episodes" if plan.kind == "run" else "attempts"
    query = f"select {', '.join(COLUMNS)} from {table} where run = ? order by episode"  # noqa: S608 - our own names
    rows = Index(store).read(lambda connection: connection.execute(query, [plan.run]).fetchall())
    return objects(COLUMNS, rows)


def print_run(plan: Plan, rows: Sequence[dict[str, object]], as_json: bool) -> None:
    """The documented JSON, or a table for people."""
    if as_json:
        click.echo(to_json({"run": plan.run, "scripted": plan.scripted, "episodes": list(rows)}, indent=2))
        return
    write_table(SHOWN, [[row[column] for column in SHOWN] for row in rows], sys.stdout)
    if plan.scripted:
        click.echo(LABEL)
    if plan.replays:
        click.echo(f"a replay of {plan.replays}: it counts in no mean")
    report = f"forks {plan.forks}" if plan.forks else f"report {plan.replays or plan.run}"
    told = f"`iwtui {report}`, `iwtui show {rows[0]['episode'] if rows else 'last'}`"
    click.echo(f"run {plan.run}; next: {told}")


def print_dry_run(
    cases: Sequence[Case], builders: Sequence[str], repeats: int, expected: Estimate, max_cost: float | None, as_json: bool
) -> None:
    """What would be played, and what it would take. `max_cost` is in US dollars."""
    if as_json:
        listed = [{"case_id": case.id, "persona": case.persona.id, "difficulty": case.difficulty} for case in cases]
        whole = {"cases": listed, "builders": list(builders), "repeats": repeats, "episodes": expected.episodes}
        bounds = {"calls": _bounds(expected.calls), "cost": _bounds(expected.cost), "unpriced": list(expected.unpriced)}
        click.echo(to_json({**whole, **bounds, "max_cost": max_cost}, indent=2))
        return
    columns = ["case", "persona", "difficulty", "slots"]
    write_table(columns, [[c.id, c.persona.id, c.difficulty, len(c.slots)] for c in cases], sys.stdout)
    parts = " × ".join((counted(len(cases), "case"), counted(len(builders), "builder"), counted(repeats, "repeat")))
    click.echo(f"{parts} = {counted(expected.episodes, 'episode')}")
    click.echo(f"calls of models: {expected.calls.least:,.0f} to {expected.calls.most:,.0f}, without those made again")
    unpriced = ", ".join(expected.unpriced)
    if unpriced and not expected.cost.most:
        click.echo(f"cost: unknown; there is no price for {unpriced}")
    else:
        click.echo(f"cost: ${expected.cost.least:,.2f} to ${expected.cost.most:,.2f}")
        if unpriced:
            click.echo(f"of unknown price, which comes on top: {unpriced}")
    if max_cost is not None:
        click.echo(f"the run stops when it has spent ${max_cost:,.2f}")


def _bounds(range_: Range) -> dict[str, float]:
    return {"least": range_.least, "most": range_.most}


def print_detached(run: str, pid: int, log: Path, as_json: bool) -> None:
    """Where a run that was started on its own can be followed."""
    if as_json:
        click.echo(to_json({"run": run, "pid": pid, "log": str(log)}))
        return
    click.echo(f"run {run} is played by process {pid}; its output goes to {log}")
