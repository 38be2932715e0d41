"""`iwtui agreement`: how far a judge agrees with people, or two judges with each other."""

import sys
from typing import TYPE_CHECKING

import click
import msgspec

from iwtui.bench.filters import parse
from iwtui.cli.options import fresh_index, open_store
from iwtui.cli.output import WRITERS, Written, to_json

if TYPE_CHECKING:
    from iwtui.analysis.agreement import Agreement, Row
    from iwtui.analysis.pairs import Side

COUNTS = ("n", "left_out", "both_pass", "fp", "fn", "both_fail")
SHARES = ("agree", "kappa", "tau")
TITLES = {"left_out": "left out", "both_pass": "both pass", "fp": "FP", "fn": "FN", "both_fail": "both fail"}
UNDEFINED = "undefined"


@click.command()
@click.argument("run", nargs=-1)
@click.option(
    "--judges",
    nargs=2,
    default=("any", "human"),
    metavar="A B",
    help="Who is held against whom: human, human:AUTHOR, a judge (checks, voyager), JUDGE:MODEL, or a judging by its name. "
    "Else any judge against people.",
)
@click.option("--by", default="judge", metavar="COLUMNS", help="What to group by, with commas (else judge): persona,kind,..")
@click.option("--where", "filter_text", default="", metavar="FILTER", help="Only these episodes: persona:P-MIN tcr<0.3")
@click.option("--same-site", is_flag=True, help="Let people's verdicts count for every judging of the same site.")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="table")
def agreement(run: tuple[str, ...], judges: tuple[str, str], by: str, filter_text: str, same_site: bool, form: str) -> None:
    """Agreement of judge A with judge B, slot by slot, over the episodes of each RUN (else of all).

    FP: A passes what B does not. FN: A does not pass what B does. κ is Cohen's, τ Kendall's τ-b; either is undefined where
    a side says the same of every slot and there is nothing to tell apart. Left out: slots that a side has not decided.
    """
    from iwtui.analysis.agreement import agreements
    from iwtui.analysis.episodes import Asked
    from iwtui.analysis.frames import load_frame
    from iwtui.analysis.pairs import Side, load_said, pairs

    terms = parse(filter_text)
    columns = [column.strip() for column in by.split(",") if column.strip()]
    store = open_store()
    known = store.runs()
    runs = [store.resolve_run(name).name for name in run] if run else known
    index = fresh_index(store)
    episodes = load_frame(index, Asked(tuple(runs), terms, known[-1] if known else None))
    first, second = (Side(text) for text in judges)
    rows = agreements(pairs(load_said(index, runs), episodes, first, second, same_site), columns)
    if form == "json":
        asked = {"judges": judges, "by": columns, "where": filter_text, "same_site": same_site, "runs": runs}
        click.echo(to_json({**asked, "rows": [_whole(row, columns) for row in rows]}, indent=2))
        return
    if form == "csv":
        objects = [_whole(row, columns) for row in rows]
        WRITERS[form](list(objects[0]), [list(each.values()) for each in objects], sys.stdout)
        return
    titles = [*columns, *(TITLES.get(name, name) for name in COUNTS), "agree %", "κ", "τ"]
    cells = [[*_names(row, columns), *_cells(row.agreement)] for row in rows]
    WRITERS[form](titles, cells, sys.stdout)
    click.echo(f"\n{first.text} against {second.text}. {_advice(rows[0].agreement, first, second)}".rstrip())


def _whole(row: "Row", by: list[str]) -> dict[str, object]:
    return {column: row.group.get(column) for column in by} | msgspec.structs.asdict(row.agreement)


def _names(row: "Row", by: list[str]) -> list[object]:
    return [row.group[column] if row.group else "all" for column in by]


def _cells(figures: "Agreement") -> list[object]:
    counts: list[object] = [getattr(figures, name) for name in COUNTS]
    if not figures.n:
        return [*counts, None, None, None]
    agree = None if figures.agree is None else Written(f"{100 * figures.agree:.1f}")
    return [*counts, agree, _coefficient(figures.kappa), _coefficient(figures.tau)]


def _coefficient(value: float | None) -> Written:
    return Written(UNDEFINED if value is None else f"{value:.3f}")


def _advice(figures: "Agreement", *sides: "Side") -> str:
    if figures.n or figures.left_out:
        return ""
    if any(side.human for side in sides):
        return "Nobody has judged a slot of these yet: `iwtui adjudicate` lists what there is to judge."
    return "No site was judged by both: `iwtui judge RUN --judge JUDGE` judges one again."
