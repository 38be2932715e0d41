"""`iwtui weights`: scores and ranks under other weights than the paper's."""

import sys
from typing import TYPE_CHECKING

import click
import msgspec

from iwtui.bench.filters import parse
from iwtui.cli.options import fresh_index, open_store
from iwtui.cli.output import WRITERS, Written, to_json

if TYPE_CHECKING:
    from iwtui.analysis.weights import Point, Stability, Standing, Weighting

COLUMNS = "group n paper now rank_paper rank".split()
POINT = "c1 c2 c3 delta tau same_winner".split()


@click.command()
@click.argument("run", nargs=-1)
@click.option("--c", nargs=3, type=float, default=(1, 2, 3), metavar="C1 C2 C3", help="What c_tech 1, 2 and 3 weigh.")
@click.option("--delta", type=float, default=0.5, metavar="D", help="The bonus for slots that share a component (else 0.5).")
@click.option("--by", default="builder", metavar="COLUMN", help="What is ranked (else builder).")
@click.option("--where", "filter_text", default="", metavar="FILTER", help="Only these episodes: persona:P-MIN tcr<0.3")
@click.option("--clean", is_flag=True, help="Over POSITIVE slots only, as the official table.")
@click.option("--grid", is_flag=True, help="Print each weighting of the grid that the ranks are tried on.")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="table")
def weights(
    run: tuple[str, ...],
    c: tuple[float, float, float],
    delta: float,
    by: str,
    filter_text: str,
    clean: bool,
    grid: bool,
    form: str,
) -> None:
    """Mean TCR of each RUN (else of all) by other weights beside the paper's, and how far the ranks depend on them.

    W = c(c_tech) · (1 + δ · (N−1)) / N. The ranks are compared with the paper's over a grid: c2 from 1 to 4 and c3 from that
    to 6 by 0.5, with c1 = 1, as only ratios matter; δ from 0 to 1 by 0.1.
    """
    from iwtui.analysis.episodes import Asked
    from iwtui.analysis.frames import load_frame
    from iwtui.analysis.weights import Weighting, load_slots, points, stability, standings, tallies

    terms, weighting = parse(filter_text), Weighting(c, delta)
    store = open_store()
    known = store.runs()
    runs = [store.resolve_run(name).name for name in run] if run else known
    index = fresh_index(store)
    episodes = load_frame(index, Asked(tuple(runs), terms, known[-1] if known else None))
    counts = tallies(load_slots(index, runs), episodes, by, clean)
    rows, tried = standings(counts, weighting), points(counts)
    found = stability(tried)
    if form == "json":
        asked = {"c": c, "delta": delta, "by": by, "where": filter_text, "clean": clean, "runs": runs}
        whole = {**asked, "rows": [msgspec.structs.asdict(row) for row in rows], "stability": _whole(found)}
        if grid:
            whole["grid"] = [dict(zip(POINT, _point(point), strict=True)) for point in tried]
        click.echo(to_json(whole, indent=2))
        return
    if grid:
        WRITERS[form](POINT, [_point(point) for point in tried], sys.stdout)
    elif form == "csv":
        WRITERS[form](COLUMNS, [[getattr(row, column) for column in COLUMNS] for row in rows], sys.stdout)
    else:
        titles = [by, "n", "TCR % (paper)", "TCR % (these)", "change", "rank (paper)", "rank (these)"]
        WRITERS[form](titles, [_cells(row) for row in rows], sys.stdout)
    if form in ("table", "markdown"):
        click.echo(f"\n{told(weighting, found)}")


def told(weighting: "Weighting", found: "Stability") -> str:
    """The weights, and how far the ranks depend on such, in a sentence or two."""
    said = f"c_tech {_numbers(weighting)}; the paper has 1/2/3, δ 0.5."
    if found.same_winner is None:
        return f"{said} There is nothing to rank."
    tau = "undefined" if found.tau is None else f"{found.tau:.3f}"
    low = "" if found.lowest is None else f", lowest {found.lowest.tau:.3f} at {_numbers(found.lowest.weighting)}"
    return (
        f"{said} Over {found.points} weightings: the same best in {100 * found.same_winner:.1f} %; "
        f"Kendall's τ of the ranks with the paper's {tau} on average{low}."
    )


def _numbers(weighting: "Weighting") -> str:
    return f"{'/'.join(f'{value:g}' for value in weighting.c)}, δ {weighting.delta:g}"


def _cells(row: "Standing") -> list[object]:
    return [
        row.group,
        row.n,
        Written(f"{100 * row.paper:.1f}"),
        Written(f"{100 * row.now:.1f}"),
        Written(f"{100 * (row.now - row.paper):+.1f}"),
        row.rank_paper,
        row.rank,
    ]


def _point(point: "Point") -> list[object]:
    return [*point.weighting.c, point.weighting.delta, point.tau, point.same_winner]


def _whole(found: "Stability") -> dict[str, object]:
    lowest = None if found.lowest is None else dict(zip(POINT, _point(found.lowest), strict=True))
    return {"points": found.points, "tau": found.tau, "same_winner": found.same_winner, "lowest": lowest}
