"""Figures as flat rows: the same names in JSON, in CSV and in what the console writes."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from iwtui.analysis.cube import MEANS
from iwtui.analysis.figures import Figures
from iwtui.analysis.report import Row


def flat_figures(figures: Figures) -> dict[str, object]:
    """Every figure by its name; of each mean also its 95 % interval as `_low` and `_high`, and as `_n` how many it is of."""
    found: dict[str, object] = {}
    for name in figures.__struct_fields__:
        if name in ("known", "bounds"):
            continue
        found[name] = getattr(figures, name)
        if name in MEANS:
            low, high = figures.interval(name)
            found |= {f"{name}_low": low, f"{name}_high": high, f"{name}_n": figures.known[name]}
    return found


def whole_row(row: Row, by: Sequence[str]) -> dict[str, object]:
    """A row of a report as one object; what is grouped by comes first, null in the row over all."""
    found = {column: row.group.get(column) for column in by} | flat_figures(row.figures)
    found |= {"actions": row.figures.distribution, "stop_reasons": row.stop_reasons}
    found |= {"spearman": row.correlation.rho, "spearman_p": row.correlation.p, "spearman_n": row.correlation.n}
    found |= {name: value for name, value in msgspec.to_builtins(row.repeats).items() if name != "passes"}
    found["passes"] = {
        str(one.k): {"cases": one.cases, "pass_at": one.pass_at, "pass_all": one.pass_all} for one in row.repeats.passes
    }
    return found if row.official is None else found | {"official": msgspec.structs.asdict(row.official)}


def flat(found: Mapping[str, object], under: str = "") -> Iterator[tuple[str, object]]:
    """Every figure under one name: `official.means.asks`."""
    for name, value in found.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{under}{name}.")
        else:
            yield f"{under}{name}", value


def sheet(objects: Sequence[Mapping[str, object]]) -> tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]:
    """Objects as columns and rows; what one lacks that another has is None."""
    rows = [dict(flat(each)) for each in objects]
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    return columns, tuple(tuple(row.get(name) for name in columns) for row in rows)
