"""`iwtui compare`: two runs, two filters or two episodes."""

import sys
from typing import TYPE_CHECKING

import click

from iwtui.bench.text import one_line
from iwtui.cli.compare_text import write_comparison, write_episodes
from iwtui.cli.options import fresh_index, open_store
from iwtui.cli.output import WRITERS, to_json
from iwtui.cli.report import POLICIES

if TYPE_CHECKING:
    from iwtui.archive.store import Store
    from iwtui.bench.names import EpisodeName

DEFAULT_BY = "persona,difficulty"


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--by", default=None, metavar="COLUMNS", help=f"What to group by, with commas (else {DEFAULT_BY}).")
@click.option("--policy", type=click.Choice(list(POLICIES)), default=None, help="Who counts, and as what.")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="table")
def compare(a: str, b: str, by: str | None, policy: str | None, form: str) -> None:
    """Is B better than A? Each is a run, a filter in quotes ('builder:qwen* run:last'), or both are episodes.

    Cases are paired by seed, persona and repeat, and by builder where a side has several. Slots that fail newly, were fixed
    or fail still are listed; B − A is given with a 95 % interval (bootstrap over seeds). A case that was not played to
    its end on both sides stands apart and counts as no failure.
    """
    from iwtui.analysis.compare import compare as compare_sides
    from iwtui.analysis.compare_sides import ComparisonError, asked
    from iwtui.analysis.policy import Policy

    store = open_store()
    one, two = asked(store, a), asked(store, b)
    if one.episode and two.episode:
        if by is not None or policy is not None:
            raise click.UsageError("--by and --policy are for runs and filters; A and B are episodes")
        _episodes(store, one.episode, two.episode, form)
        return
    if one.episode or two.episode:
        name, text = ("A", a) if one.episode else ("B", b)
        raise ComparisonError(
            f"{name} is an episode ({text!r}), the other is not: give two episodes, or two runs or filters"
        )
    columns = [column.strip() for column in (DEFAULT_BY if by is None else by).split(",") if column.strip()]
    found = compare_sides(fresh_index(store), store, one, two, columns, Policy(policy or "default"))
    if form == "json":
        click.echo(to_json(_plain(found), indent=2))
        return
    _warn(found.warnings, form)
    write_comparison(found, form, sys.stdout)


def _episodes(store: "Store", a: "EpisodeName", b: "EpisodeName", form: str) -> None:
    from iwtui.analysis.compare_logs import compare_episodes
    from iwtui.cli.compare_json import episodes_object

    found = compare_episodes(store, a, b)
    for missing in found.unread:
        click.echo(f"iwtui: nothing is said about what cannot be read: {one_line(missing, 300)}", err=True)
    if form == "json":
        click.echo(to_json(episodes_object(found), indent=2))
        return
    _warn(found.warnings, form)
    write_episodes(found, form, sys.stdout)


def _plain(found: object) -> object:
    import msgspec

    return msgspec.to_builtins(found)


def _warn(warnings: tuple[str, ...], form: str) -> None:
    """Above the tables; a csv has no place for them."""
    for warning in warnings:
        click.echo(f"iwtui: {one_line(warning, 500)}" if form == "csv" else f"! {one_line(warning, 500)}", err=form == "csv")
    if warnings and form != "csv":
        click.echo()
