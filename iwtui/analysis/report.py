"""A report: the figures of all episodes, then of each group of them, with all that is known of each."""

from collections import Counter
from collections.abc import Mapping, Sequence

import duckdb
import msgspec

from iwtui.analysis.ends import UNKNOWN, stop_reasons
from iwtui.analysis.episodes import Asked
from iwtui.analysis.figures import Figures, Table
from iwtui.analysis.lines import against_hallucination
from iwtui.analysis.official import OfficialFigures, official_figures
from iwtui.analysis.policy import Policy
from iwtui.analysis.repeats import Repeats, repeats
from iwtui.analysis.spearman import Correlation


class Row(msgspec.Struct, frozen=True):
    """The figures of one group. `group` maps each column grouped by to its value; it is empty for all episodes.

    `stop_reasons`: the episodes that count by why they ended. `correlation`: of lines of code with hallucination.
    `official` holds the figures of the official analyser, under its policy.
    """

    group: dict[str, object]
    figures: Figures
    stop_reasons: dict[str, int]
    correlation: Correlation
    repeats: Repeats
    official: OfficialFigures | None = None


def report(con: duckdb.DuckDBPyConnection, asked: Asked, by: Sequence[str], policy: Policy) -> list[Row]:
    """All episodes first, then each group in the order of its values. Raises GroupError."""
    table = Table(con, asked, by, policy, bounded=True)
    rows: list[Row] = []
    occurring: Mapping[str | None, int] = {}
    for keys in ([], by) if by else ([],):
        correlations = against_hallucination(con, asked, keys, policy)
        ended = stop_reasons(con, asked, keys, policy)
        occurring = ended.get((), {}) if not keys else occurring
        repeated = repeats(con, asked, keys, policy)
        official = official_figures(con, asked, keys) if policy is Policy.OFFICIAL else {}
        rows += [
            Row(
                dict(zip(keys, group.label, strict=True)),
                group.figures,
                _named(ended.get(group.label, {}), occurring),
                correlations.get(group.label, Correlation()),
                repeated.get(group.label, Repeats()),
                official.get(group.label),
            )
            for group in table.by(keys)
            if group.figures.episodes or not keys
        ]
    return rows


def _named(ended: Mapping[str | None, int], occurring: Mapping[str | None, int]) -> dict[str, int]:
    """All reasons that occur anywhere, the most frequent first."""
    found: Counter[str] = Counter()
    for reason in sorted(occurring, key=lambda each: (-occurring[each], each or "")):
        found[reason or UNKNOWN] += ended.get(reason, 0)
    return dict(found)
