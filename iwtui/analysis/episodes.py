"""The episodes that count, from the index."""

from collections.abc import Sequence

import duckdb
import polars as pl

from iwtui.archive.index import Index

_EPISODES = """
WITH chosen AS (
    SELECT * FROM episodes
    UNION ALL BY NAME
    SELECT * EXCLUDE (counts) FROM attempts
    WHERE $forks AND run IN (SELECT run FROM runs WHERE kind IN ('fork', 'replay'))
    QUALIFY attempt = max(attempt) OVER (PARTITION BY run, case_id, builder, repeat)
)
SELECT chosen.*, negatives.missed AS negative_missed, cases.application_type, cases.category
FROM chosen
LEFT JOIN cases USING (run, case_id)
LEFT JOIN (
    SELECT episode, bool_or(verdict <> 'passed') AS missed
    FROM verdicts
    WHERE is_primary AND assertion = 'NEGATIVE'
    GROUP BY episode
) AS negatives USING (episode)
WHERE list_contains($runs, run)
ORDER BY episode
"""


def load_episodes(index: Index, runs: Sequence[str], forks: bool = False) -> pl.DataFrame:
    """The table `episodes` for some runs, and `negative_missed`: was a NEGATIVE slot not passed, by the primary judging?

    And the case's `application_type` and `category`.
    With `forks` also the latest attempts of those runs that are forks or replays, which are no part of the table.

    Raises IndexBusyError, IndexFaultError.
    """

    def rows(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        return pl.DataFrame(con.sql(_EPISODES, params={"runs": list(runs), "forks": forks}).to_arrow_table())

    return index.read(rows)
