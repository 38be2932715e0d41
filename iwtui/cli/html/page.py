"""The page of a run: its figures, what failed and why, and every episode in words."""

import tomllib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
import markupsafe
import msgspec

from iwtui import __version__
from iwtui.analysis.episodes import Asked
from iwtui.analysis.frames import load_frame
from iwtui.analysis.policy import Policy
from iwtui.analysis.report import Row, report
from iwtui.archive.index import Index
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.names import parse_stem
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status
from iwtui.bench.text import one_line, visible
from iwtui.cli.html.gathering import Gatherer
from iwtui.cli.html.pictures import Pictures
from iwtui.cli.output import counted
from iwtui.cli.summary import LABEL
from iwtui.resources import shipped
from iwtui.tui.state.signs import ACTION_GLYPHS, STATUS_GLYPHS, VERDICT_GLYPHS

GROUPINGS = (("builder",), ("builder", "persona"), ("builder", "difficulty"))
HEAT = ("builder", "persona", "difficulty")
LETTERS = {"C": "clarify", "I": "implement", "V": "verify", "S": "submit", "M": "malformed"}
DIFFICULTIES = ("easy", "middle", "hard")
MAX_ROWS = 5_000
"""Episodes in the table of all."""

_COLOURS = ("foreground", "background", "accent", "panel", "success", "warning", "error")
_COLUMNS = "episode persona difficulty builder actions status stop_reason tcr sr hallucinated turns cost seconds".split()


class Page(msgspec.Struct, frozen=True):
    """What a page holds, and what it had no room for."""

    episodes: int
    bytes: int
    pictures_left_out: int
    slots_left_out: int
    episodes_not_told: int


def write_report(index: Index, folder: RunFolder, target: Path) -> Page:
    """Write the page of a run. Raises IndexBusyError, IndexFaultError, OSError."""
    forks = folder.plan.kind in ("fork", "replay")
    asked = Asked((folder.name,), forks=forks)
    episodes = load_frame(index, asked)
    tables = {by: index.read(partial(report, asked=asked, by=by, policy=Policy.DEFAULT)) for by in (*GROUPINGS, HEAT)}
    stems = [str(name).partition("/")[2] for name in episodes["episode"].to_list()]
    names = [name for stem in stems if (name := parse_stem(folder.name, stem))]
    pictures = Pictures(folder.blobs)
    gatherer = Gatherer(folder, names, pictures)
    context = {
        "version": __version__,
        "plan": folder.plan,
        "label": LABEL if folder.plan.scripted else "",
        "figures": tables[HEAT][0].figures,
        "tables": [_grouped(tables[by], by) for by in GROUPINGS],
        "heat": _heat(tables[HEAT]),
        "outcomes": _outcomes(tables[("builder",)]),
        "statuses": {status.value: STATUS_GLYPHS[status] for status in Status},
        "episodes": episodes.select(_COLUMNS).head(MAX_ROWS).to_dicts(),
        "rows_left_out": max(0, len(episodes) - MAX_ROWS),
        "gatherer": gatherer,
        "pictures": pictures,
        "letters": LETTERS,
        "actions": ACTION_GLYPHS,
        "verdicts": {verdict.value: VERDICT_GLYPHS[verdict] for verdict in Verdict},
        "light": _colours("light"),
        "dark": _colours("dark"),
    }
    with target.open("w", encoding="utf-8") as out:
        for piece in _environment().get_template("report.html").generate(context):
            out.write(piece)
    size = target.stat().st_size
    return Page(len(episodes), size, pictures.left_out, gatherer.failed_left_out, gatherer.told_left_out)


def _environment() -> jinja2.Environment:
    """Every value is made visible and escaped, wherever the template puts it."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"line": one_line, "counted": counted, "percent": percent, "places": places, "names": _names}
    return made


def _visible(value: object) -> object:
    if isinstance(value, markupsafe.Markup):
        return value
    return visible(value) if isinstance(value, str) else "—" if value is None else value


def percent(value: float | None) -> str:
    """A share in percent, with one place."""
    return "—" if value is None else f"{100 * value:.1f}"


def places(value: float | None, number: int = 1) -> str:
    """A number with so many places."""
    return "—" if value is None else f"{value:,.{number}f}"


def _names(value: dict[str, str]) -> str:
    return ", ".join(f"{name} {text}" for name, text in sorted(value.items()))


def _grouped(rows: Sequence[Row], by: tuple[str, ...]) -> dict[str, Any]:
    """The first of the rows is over all."""
    named = [{"names": [row.group[column] for column in by], "figures": row.figures} for row in rows[1:]]
    return {"by": by, "rows": named}


def _heat(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For each builder the personas down, the difficulties across; a cell is None where nothing was played."""
    found = {tuple(row.group.values()): row.figures for row in rows[1:]}
    known = {difficulty for _, _, difficulty in found}
    across = [name for name in (*DIFFICULTIES, *sorted(map(str, known - {*DIFFICULTIES, None})), None) if name in known]
    maps: list[dict[str, Any]] = []
    for builder in sorted({builder for builder, _, _ in found}, key=str):
        personas = sorted({persona for made, persona, _ in found if made == builder}, key=str)
        down = [
            {"persona": persona, "cells": [found.get((builder, persona, name)) for name in across]} for persona in personas
        ]
        maps.append({"builder": builder, "across": across, "rows": down})
    return maps


def _outcomes(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """How the episodes of each builder ended, with how many of each."""
    return [
        {
            "builder": row.group["builder"],
            "episodes": row.figures.episodes,
            "counts": {status.value: getattr(row.figures, status.value) for status in Status},
        }
        for row in rows[1:]
    ]


def _colours(theme: str) -> dict[str, str]:
    """The colours of one of the console's themes, by name."""
    whole = tomllib.loads((shipped("themes") / f"{theme}.toml").read_text(encoding="utf-8"))
    named = {name: whole[name] for name in _COLOURS} | whole["variables"]
    return {name: value for name, value in named.items() if value.startswith("#")}
