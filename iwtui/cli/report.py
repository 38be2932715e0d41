"""`iwtui report`: scores with their n and intervals, and who was left out of them."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from iwtui.bench.filters import parse
from iwtui.bench.text import one_line
from iwtui.cli.options import fresh_index, open_store
from iwtui.cli.output import WRITERS, Written, to_json

if TYPE_CHECKING:
    from iwtui.analysis.figures import Figures, Row

POLICIES = {
    "default": "crashed sites count 0; faults of ours and cancelled episodes are left out",
    "strict": "every episode that ended counts, as 0 where it has no score",
    "scored": "only scored episodes count",
    "official": "as the benchmark's own code counts",
}
STATUSES = ("scored", "crashed", "infra", "cancelled", "running")
FIGURES = ("n", "TCR %", "95 %", "POSITIVE %", "SR %", "HR %", "turns", "asked %", "s", "$")
DEFAULT_BY = "builder,persona"
ALL = "all"


@click.command()
@click.argument("run", nargs=-1)
@click.option("--by", default=DEFAULT_BY, metavar="COLUMNS", help=f"What to group by, with commas (else {DEFAULT_BY}).")
@click.option("--where", "filter_text", default="", metavar="FILTER", help="Only these: persona:P-MIN status:scored tcr<0.3")
@click.option("--policy", type=click.Choice(list(POLICIES)), default="default", help="Who counts, and as what.")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="table")
def report(run: tuple[str, ...], by: str, filter_text: str, policy: str, form: str) -> None:
    """Scores of the episodes of each RUN (else of all runs): all together first, then by builder and persona.

    Each mean has its n and a 95 % interval (bootstrap over seeds; none with fewer than two). Forks, and attempts that a
    later one took the place of, never count.
    """
    from iwtui.analysis.episodes import load_episodes
    from iwtui.analysis.figures import report as figures_by
    from iwtui.analysis.official import load_turns
    from iwtui.analysis.policy import Policy
    from iwtui.analysis.where import where

    terms = parse(filter_text)
    columns = [column.strip() for column in by.split(",") if column.strip()]
    store = open_store()
    known = store.runs()
    runs = [store.resolve_run(name).name for name in run] if run else known
    index = fresh_index(store)
    episodes = load_episodes(index, runs).filter(where(terms, known[-1] if known else None))
    turns = load_turns(index, runs) if policy == Policy.OFFICIAL else None
    rows = figures_by(episodes, columns, Policy(policy), turns)
    if form == "json":
        asked = {"policy": policy, "by": columns, "where": filter_text, "runs": runs}
        click.echo(to_json({**asked, "rows": [_whole(row, columns) for row in rows]}, indent=2))
    elif form == "csv":
        objects = [dict(_flat(_whole(row, columns))) for row in rows]
        WRITERS[form](list(objects[0]), [list(each.values()) for each in objects], sys.stdout)
    else:
        WRITERS[form](*_readable(rows, columns), sys.stdout)
        plans = [store.run(name).plan for name in runs] if run else []
        again = [f"forks {plan.forks}" if plan.forks else plan.replays and f"report {plan.replays}" for plan in plans]
        click.echo(f"\npolicy {policy}: {POLICIES[policy]}. {_advice(rows[0].figures, known, again)}".rstrip())


def _whole(row: "Row", by: Sequence[str]) -> dict[str, object]:
    """The figures as one object; the official analyser's own under the key `official`."""
    figures = row.figures
    whole = {column: row.group.get(column) for column in by} | {
        field: getattr(figures, field) for field in figures.__struct_fields__
    }
    return whole if row.official is None else whole | {"official": msgspec.structs.asdict(row.official)}


def _flat(whole: Mapping[str, object], under: str = "") -> Iterator[tuple[str, object]]:
    """Every figure under one name: `official.means.asks`."""
    for name, value in whole.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{under}{name}.")
        else:
            yield f"{under}{name}", value


def _readable(rows: Sequence["Row"], by: Sequence[str]) -> tuple[list[str], list[list[object]]]:
    """A table for people. Statuses that do not occur have no column."""
    asked = ["questions cost %"] if rows[0].figures.question_cost is not None else []
    occurring = [name for name in (*STATUSES, "unknown") if getattr(rows[0].figures, name)]
    columns = [
        *by,
        "n",
        "TCR %",
        "95 %",
        "POSITIVE %",
        "SR %",
        "HR %",
        "turns",
        "asked %",
        "s",
        "$",
        *asked,
        *occurring,
        "played by",
    ]
    return columns, [
        [
            *_names(row, by),
            *_cells(row.figures),
            *(_written(row.figures.question_cost, 100) for _ in asked),
            *(getattr(row.figures, name) for name in occurring),
            _played_by(row.figures),
        ]
        for row in rows
    ]


def _names(row: "Row", by: Sequence[str]) -> list[object]:
    return [row.group[column] if row.group else ALL for column in by]


def _cells(figures: "Figures") -> list[object]:
    return [
        figures.n,
        _written(figures.tcr, 100),
        _interval(figures.tcr_low, figures.tcr_high),
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
    return written if written is None or figures.hr_n == figures.n else Written(f"{written} (n {figures.hr_n})")


def _cost(figures: "Figures") -> Written | None:
    """A plus says that calls of unknown price come on top."""
    return None if figures.cost is None else Written(f"{figures.cost:.2f}{'+' if figures.unpriced else ''}")


def _played_by(figures: "Figures") -> str:
    if figures.scripted_episodes == 0:
        return "models" if figures.episodes else "—"
    return "scripted" if figures.scripted_episodes == figures.episodes else "partly scripted"


def _advice(figures: "Figures", runs: Sequence[str], again: Sequence[str | None]) -> str:
    """`again`: for each run that was asked for, the command that tells of what it replays or forks, if it does."""
    if not runs:
        return "The store is empty: `iwtui demo` plays the first run."
    if command := next(filter(None, again), None):
        return f"A replay or a fork counts in no mean: `iwtui {one_line(command)}` tells of what it goes back to."
    if figures.episodes == 0:
        return "No episode fits."
    return f"{one_line(runs[-1])} is the newest run." if len(runs) > 1 else ""
