"""The published figures, and ours beside them, as the official analyser reads them. Neither is ever mixed into the other."""

from collections.abc import Sequence
from typing import Any

import duckdb
import msgspec

from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import Figures, Table
from iwtui.analysis.official import OfficialFigures, official_figures
from iwtui.analysis.policy import Policy
from iwtui.bench.filters import Term, Value, written

PERCENT = "percent"
_PLACES = ("persona", "difficulty")


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """One published figure, in its own unit; None in a column: over all of them.

    `statistic`: value, or min or max over the models.
    """

    model: str | None
    metric: str
    persona: str | None
    difficulty: str | None
    statistic: str
    value: float
    unit: str
    source: str
    note: str | None


class Compared(msgspec.Struct, frozen=True):
    """A published figure with ours, in its unit: of the `n` episodes by builders that bear the model's name, none scripted.

    Where there is none, `ours` and `difference` (ours less published) are None. `filter` keeps our episodes.
    """

    published: Published
    ours: float | None
    n: int
    difference: float | None
    filter: str


def published(con: duckdb.DuckDBPyConnection) -> list[Published]:
    """All published figures, in the order in which they are kept."""
    found = con.execute("FROM published")
    titles = [told[0] for told in found.description or ()]
    return [Published(**dict(zip(titles, row, strict=True))) for row in found.fetchall()]


def compared(con: duckdb.DuckDBPyConnection, asked: Asked) -> list[Compared]:
    """Each published figure beside ours, of these episodes, under the official policy."""
    builders = [builder for (builder,) in con.execute("SELECT DISTINCT builder FROM attempts ORDER BY builder").fetchall()]
    ours: dict[str, _Ours] = {}
    rows: list[Compared] = []
    for one in published(con):
        named = [builder for builder in builders if builder and one.model and one.model.casefold() in builder.casefold()]
        if not named or one.model is None:
            rows.append(Compared(one, None, 0, None, ""))
            continue
        if one.model not in ours:
            ours[one.model] = _Ours(con, asked, named)
        rows.append(ours[one.model].beside(one))
    return rows


class _Ours:
    """The figures of some builders, as far as a published one may ask for them."""

    def __init__(self, con: duckdb.DuckDBPyConnection, asked: Asked, builders: Sequence[str]) -> None:
        own = Term("builder", "=", tuple(Value(builder, literal=True) for builder in builders))
        played = Term("scripted", "=", (Value("no"),))
        asked = msgspec.structs.replace(asked, terms=(*asked.terms, own, played))
        self._filters = [
            "builder:" + ",".join(written("builder", name).partition(":")[2] for name in builders),
            "scripted:no",
        ]
        table = Table(con, asked, _PLACES, Policy.OFFICIAL)
        keys: list[list[str]] = [[], ["persona"], ["difficulty"], list(_PLACES)]
        self._figures = {(tuple(by), group.label): group.figures for by in keys for group in table.by(by)}
        self._official = {(tuple(by), label): row for by in keys for label, row in official_figures(con, asked, by).items()}

    def beside(self, one: Published) -> Compared:
        by = tuple(name for name in _PLACES if getattr(one, name) is not None)
        place = by, tuple(getattr(one, name) for name in by)
        kept = " ".join([*self._filters, *(written(name, getattr(one, name)) for name in by)])
        figures, official = self._figures.get(place), self._official.get(place)
        if figures is None or official is None:
            return Compared(one, None, 0, None, kept)
        value, n = _read(one.metric, figures, official)
        if value is None:
            return Compared(one, None, n, None, kept)
        value *= 100 if one.unit == PERCENT else 1
        return Compared(one, value, n, value - one.value, kept)


def _read(metric: str, figures: Figures, official: OfficialFigures) -> tuple[Any, int]:
    """Our figure for a published metric, and its n; what the official analyser makes of turns is taken from there."""
    match metric:
        case "clarifies":
            return official.means["asks"], official.evaluated
        case "vci":
            return official.vci, official.evaluated
        case "loc":
            return official.loc, official.evaluated
    return getattr(figures, metric), figures.known[metric]
