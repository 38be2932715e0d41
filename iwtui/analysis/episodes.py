"""The episodes that count, from the index."""

from collections.abc import Sequence

import duckdb
import polars as pl

from iwtui.archive.index import Index

_EPISODES = """
SELECT episodes.*, negatives.missed AS negative_missed
FROM episodes
LEFT JOIN (
    SELECT episode, bool_or(verdict <> 'passed') AS missed
    FROM verdicts
    WHERE is_primary AND assertion = 'NEGATIVE'
    GROUP BY episode
) AS negatives USING (episode)
WHERE list_contains(?, run)
ORDER BY episode
"""


def load_episodes(index: Index, runs: Sequence[str]) -> pl.DataFrame:
    """The table `episodes` for some runs, and `negative_missed`: was a NEGATIVE slot not passed, by the primary judging?

    Raises IndexBusyError, IndexFaultError.
    """

    def rows(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        return pl.DataFrame(con.sql(_EPISODES, params=[list(runs)]).to_arrow_table())

    return index.read(rows)
