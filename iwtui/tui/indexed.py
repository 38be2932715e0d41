"""What the index says, as the plain data that Home and Metrics show. Each asks one open connection."""

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from iwtui.analysis.columns import Bound
from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import Figures, Table
from iwtui.analysis.official import official_figures
from iwtui.analysis.pages import COLUMNS, Order, count, page
from iwtui.analysis.plots import plots
from iwtui.analysis.policy import Policy
from iwtui.analysis.repeats import Repeats, repeats
from iwtui.archive.errors import IndexNewerError
from iwtui.archive.schema import is_current
from iwtui.bench.names import parse_name
from iwtui.tui.answers import Cell, EpisodeLine, Grid, Label, Margin, Names, Page, Part, cell_filter

GRIDS = ("difficulty", "builder")
"""The columns of the grids by persona."""


def overview(con: duckdb.DuckDBPyConnection, runs: Sequence[str]) -> tuple[dict[str, Figures], Names]:
    """Of each run its figures under the default policy, with intervals; and the episodes that are over."""
    asked = Asked(tuple(runs), forks=True)
    table = Table(con, asked, ["run"], Policy.DEFAULT, bounded=True)
    figures = {str(group.label[0]): group.figures for group in table.by(["run"])}
    bound = Bound()
    query = f"SELECT episode FROM ({asked.sql(['episode', 'status'], bound)}) WHERE status <> 'running'"  # noqa: S608
    return figures, Names(name for (name,) in con.execute(query, bound.values).fetchall())


def is_ours(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether the tables are those that this version asks; a newer one may only have added to them."""
    try:
        return is_current(con)
    except IndexNewerError:
        return True


def _runs(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """The runs that count in what several have together: forks and replays stay out."""
    found = con.execute("SELECT run FROM runs WHERE kind NOT IN ('fork', 'replay') ORDER BY run").fetchall()
    return tuple(run for (run,) in found)


def is_played_again(con: duckdb.DuckDBPyConnection, run: str) -> bool:
    """Whether a run is a fork or a replay, which stays out of what several runs have together."""
    return con.execute("SELECT kind FROM runs WHERE run = ?", [run]).fetchone() in (("fork",), ("replay",))


def metrics(con: duckdb.DuckDBPyConnection, asked: Asked, policy: Policy, by: str, bounded: bool) -> dict[str, Any]:
    """The parts of `Metrics` that the index knows, by name."""
    table = Table(con, asked, list(dict.fromkeys(["persona", *GRIDS, by])), policy, bounded)
    return {
        "runs": asked.runs if asked.runs is not None else _runs(con),
        "figures": table.by([])[0].figures,
        "by_difficulty": _grid(table, "difficulty"),
        "by_builder": _grid(table, "builder"),
        "breakdown": tuple(Part(_label(value), figures, cell_filter({by: value})) for (value,), figures in table.by([by])),
        "points": plots(con, asked, policy),
        "repeats": repeats(con, asked, [], policy).get((), Repeats()) if bounded else None,
        "official": official_figures(con, asked, [])[()] if bounded and policy is Policy.OFFICIAL else None,
    }


def cell(con: duckdb.DuckDBPyConnection, asked: Asked, order: Order, offset: int, limit: int) -> Page:
    """A page of the episodes, with how many there are in all."""
    return Page(lines(con, asked, order, offset, limit), count(con, asked), offset)


def lines(
    con: duckdb.DuckDBPyConnection, asked: Asked, order: Order, offset: int, limit: int | None
) -> tuple[EpisodeLine, ...]:
    """The episodes in an order, from the one at `offset` on."""
    rows = (dict(zip(COLUMNS, row, strict=True)) for row in page(con, asked, order, offset, limit))
    return tuple(filter(None, map(_line, rows)))


_TEXTS = "persona difficulty stop_reason actions seed application_type category language pack judge".split()
_AS_THEY_ARE = (
    "status turns tcr seconds cost hallucinated passed slots tokens clarifies implements verifies malformed conflicts "
    "tcr_clean tcr_human sr ias chr vbr layout creative_alignment aesthetics question_cost leaks loc"
).split()


def _line(row: Mapping[str, Any]) -> EpisodeLine | None:
    name = parse_name(row["episode"])
    if name is None:
        return None  # its log could not bear such a name, so there is nothing to open
    told: dict[str, Any] = {text: row[text] or "" for text in _TEXTS} | {figure: row[figure] for figure in _AS_THEY_ARE}
    return EpisodeLine(
        name=name,
        case_id=row["case_id"] or name.case,
        builder=row["builder"] or name.builder,
        scripted=bool(row["scripted"]),
        unpriced=row["unpriced_calls"],
        **told,
    )


def _grid(table: Table, column: str) -> Grid:
    cells: dict[tuple[Label, Label], Cell] = {}
    for by in ([], ["persona"], [column], ["persona", column]):
        for group in table.by(by):
            values = dict(zip(by, group.label, strict=True))
            place = tuple(_label(values[name]) if name in by else Margin.ALL for name in ("persona", column))
            figures = group.figures
            low, high = figures.interval("tcr")
            cells[place[0], place[1]] = Cell(figures.tcr, figures.n, figures.episodes, low, high)
    rows = sorted({row for row, _ in cells}, key=_order)
    columns = sorted({value for _, value in cells}, key=_order)
    return Grid(column, tuple(rows), tuple(columns), cells)


def _label(value: object) -> Label:
    return None if value is None else str(value)


def _order(label: Label) -> tuple[int, int, str]:
    if isinstance(label, Margin):
        return (0, 0, "")
    return (2 if label is None else 1, {"easy": 0, "middle": 1, "hard": 2}.get(label or "", 3), label or "")
