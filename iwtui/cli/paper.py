"""The layout of the paper's tables in each format, and the published figures in rows of their own."""

import sys
from typing import TYPE_CHECKING

import click
import msgspec

from iwtui.bench.text import one_line
from iwtui.cli.output import WRITERS, Written, to_json

if TYPE_CHECKING:
    from iwtui.analysis.episodes import Asked
    from iwtui.analysis.paper import Line
    from iwtui.analysis.policy import Policy
    from iwtui.archive.index import Index


def write_paper(
    index: "Index", asked: "Asked", policy: "Policy", question: dict[str, object], with_published: bool, form: str
) -> None:
    """A row for each builder; then, where they are asked for, the published figures, with where they are printed."""
    from iwtui.analysis.paper import paper_lines, published_lines
    from iwtui.analysis.published import published

    lines = index.read(lambda con: paper_lines(con, asked, policy))
    figures = index.read(published) if with_published else []
    if form == "json":
        said = {"published": [msgspec.structs.asdict(one) for one in figures]} if with_published else {}
        click.echo(to_json(question | {"layout": "paper", "rows": lines} | said, indent=2))
        return
    columns, rows = _readable([*lines, *published_lines(figures)], with_published)
    WRITERS[form](columns, rows, sys.stdout)
    if with_published and form != "csv":
        sources = ", ".join(sorted({one_line(one.source) for one in figures}))
        click.echo(f"\npublished: as printed in {sources}; TCR there is over POSITIVE slots, as here. In no mean of ours.")


def _readable(lines: "list[Line]", with_source: bool) -> tuple[list[str], list[list[object]]]:
    from iwtui.analysis.paper import FIELDS

    columns = ["builder", "n", *(field.title for field in FIELDS), "played by", *(["source"] if with_source else [])]
    rows: list[list[object]] = []
    for line in lines:
        values = [(line.get(field.name), field) for field in FIELDS]
        cells = [None if value is None else Written(f"{field.factor * value:.{field.digits}f}") for value, field in values]
        rows.append(
            [line["builder"], line["n"], *cells, line.get("played_by"), *([line.get("source")] if with_source else [])]
        )
    return columns, rows
