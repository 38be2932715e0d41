"""`iwtui report`: scores with their n and intervals, and who was left out of them."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from iwtui.bench.filters import parse
from iwtui.bench.text import one_line
from iwtui.cli.options import fresh_index, open_store
from iwtui.cli.output import WRITERS, Written, to_json
from iwtui.cli.paper import write_paper

if TYPE_CHECKING:
    from iwtui.analysis.episodes import Asked
    from iwtui.analysis.figures import Figures
    from iwtui.analysis.policy import Policy
    from iwtui.analysis.report import Row
    from iwtui.archive.index import Index

POLICIES = {
    "default": "crashed sites count 0; faults of ours and cancelled episodes are left out",
    "strict": "every episode that ended counts, as 0 where it has no score",
    "scored": "only scored episodes count",
    "official": "as the benchmark's own code counts",
}
STATUSES = ("scored", "crashed", "infra", "cancelled", "running")
FIGURES = ("n", "TCR %", "95 %", "POSITIVE %", "SR %", "HR %", "turns", "asked %", "s", "$")
DATA = ("json", "csv")
"""Formats with nothing but the data."""

DEFAULT_BY = "builder,persona"
ALL = "all"
LAYOUTS = ("figures", "paper")


@click.command()
@click.argument("run", nargs=-1)
@click.option("--by", default=DEFAULT_BY, metavar="COLUMNS", help=f"What to group by, with commas (else {DEFAULT_BY}).")
@click.option("--where", "filter_text", default="", metavar="FILTER", help="Only these: persona:P-MIN status:scored tcr<0.3")
@click.option("--policy", type=click.Choice(list(POLICIES)), default="default", help="Who counts, and as what.")
@click.option(
    "--layout", type=click.Choice(LAYOUTS), default=LAYOUTS[0], help="figures, or the paper's table: a row a builder."
)
@click.option("--published", is_flag=True, help="The published figures too, in rows of their own; needs --layout paper.")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="table")
def report(run: tuple[str, ...], by: str, filter_text: str, policy: str, layout: str, published: bool, form: str) -> None:
    """Scores of the episodes of each RUN (else of all runs): all together first, then by builder and persona.

    Each mean has its n and a 95 % interval (bootstrap over seeds; none with fewer than two). Forks, and attempts that a
    later one took the place of, never count.
    """
    from iwtui.analysis.episodes import Asked
    from iwtui.analysis.policy import Policy

    if published and layout != "paper":
        raise click.UsageError("--published needs --layout paper")
    terms = parse(filter_text)
    columns = [column.strip() for column in by.split(",") if column.strip()]
    store = open_store()
    known = store.runs()
    runs = [store.resolve_run(name).name for name in run] if run else known
    asked = Asked(tuple(runs), terms, known[-1] if known else None)
    index = fresh_index(store)
    question: dict[str, object] = {"policy": policy, "where": filter_text, "runs": runs}
    if layout == "paper":
        write_paper(index, asked, Policy(policy), question, published, form)
    else:
        _write_figures(index, asked, Policy(policy), question | {"by": columns}, columns, form)
    if form not in DATA:
        plans = [store.run(name).plan for name in runs] if run else []
        again = [f"forks {plan.forks}" if plan.forks else plan.replays and f"report {plan.replays}" for plan in plans]
        click.echo(f"\npolicy {policy}: {POLICIES[policy]}. {_advice(index, asked, known, again)}".rstrip())


def _write_figures(
    index: "Index", asked: "Asked", policy: "Policy", question: dict[str, object], by: Sequence[str], form: str
) -> None:
    from iwtui.analysis.flat import sheet, whole_row
    from iwtui.analysis.report import report as report_by

    rows = index.read(lambda con: report_by(con, asked, by, policy))
    if form == "json":
        click.echo(to_json(question | {"rows": [whole_row(row, by) for row in rows]}, indent=2))
    elif form == "csv":
        WRITERS[form](*sheet([whole_row(row, by) for row in rows]), sys.stdout)
    else:
        WRITERS[form](*_readable(rows, by), sys.stdout)


def _readable(rows: Sequence["Row"], by: Sequence[str]) -> tuple[list[str], list[list[object]]]:
    """A table for people. Statuses that do not occur have no column, nor have repeats where each case was played once."""
    from iwtui.analysis.figures import played_by

    whole = rows[0].figures
    asked = ["questions cost %"] if whole.question_cost is not None else []
    occurring = [name for name in (*STATUSES, "unknown") if getattr(whole, name)]
    most = rows[0].repeats.repeats
    repeated = ["± repeats", f"pass@{most} %", f"pass^{most} %"] if most > 1 else []
    columns = [*by, *FIGURES, *asked, *repeated, *occurring, "played by"]
    return columns, [
        [
            *_names(row, by),
            *_cells(row.figures),
            *(_written(row.figures.question_cost, 100) for _ in asked),
            *(_repeated(row, most) if repeated else []),
            *(getattr(row.figures, name) for name in occurring),
            played_by(row.figures) or "—",
        ]
        for row in rows
    ]


def _repeated(row: "Row", most: int) -> list[object]:
    """The spread of the repeats, and how often some and all of `most` repeats succeed."""
    passes = next((one for one in row.repeats.passes if one.k == most), None)
    return [
        _written(row.repeats.tcr_spread, 100),
        _written(passes.pass_at, 100) if passes else None,
        _written(passes.pass_all, 100) if passes else None,
    ]


def _names(row: "Row", by: Sequence[str]) -> list[object]:
    return [row.group[column] if row.group else ALL for column in by]


def _cells(figures: "Figures") -> list[object]:
    return [
        figures.n,
        _written(figures.tcr, 100),
        _interval(*figures.interval("tcr")),
        _written(figures.tcr_clean, 100),
        _written(figures.sr, 100),
        _hallucinated(figures),
        _written(figures.turns),
        _written(figures.ask_rate, 100),
        _written(figures.seconds),
        _cost(figures),
    ]


def _written(value: float | None, factor: int = 1) -> Written | None:
    return None if value is None else Written(f"{factor * value:.1f}")


def _interval(low: float | None, high: float | None) -> Written | None:
    return None if low is None or high is None else Written(f"{100 * low:.1f}–{100 * high:.1f}")


def _hallucinated(figures: "Figures") -> Written | None:
    """Its n is said where it is not that of the other figures."""
    written = _written(figures.hr, 100)
    return (
        written if written is None or figures.known["hr"] == figures.n else Written(f"{written} (n {figures.known['hr']})")
    )


def _cost(figures: "Figures") -> Written | None:
    """A plus says that calls of unknown price come on top."""
    return None if figures.cost is None else Written(f"{figures.cost:.2f}{'+' if figures.unpriced else ''}")


def _advice(index: "Index", asked: "Asked", runs: Sequence[str], again: Sequence[str | None]) -> str:
    """`again`: for each run that was asked for, the command that tells of what it replays or forks, if it does."""
    from iwtui.analysis.pages import count

    if not runs:
        return "The store is empty: `iwtui demo` plays the first run."
    if command := next(filter(None, again), None):
        return f"A replay or a fork counts in no mean: `iwtui {one_line(command)}` tells of what it goes back to."
    if index.read(lambda con: count(con, asked)) == 0:
        return "No episode fits."
    return f"{one_line(runs[-1])} is the newest run." if len(runs) > 1 else ""
