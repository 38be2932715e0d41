"""Episodes as a polars frame, for what is worked out episode by episode."""

from collections.abc import Sequence

import duckdb
import numpy as np
import polars as pl

from iwtui.analysis.columns import Bound
from iwtui.analysis.cube import cube
from iwtui.analysis.episodes import Asked
from iwtui.analysis.policy import Policy, brought
from iwtui.archive.index import Index


def load_frame(index: Index, asked: Asked) -> pl.DataFrame:
    """The episodes that are asked about, in the order of their names: the columns of `episodes`, and the case's
    `application_type` and `category`.

    Raises IndexBusyError, IndexFaultError.
    """
    bound = Bound()
    query = f"""
        SELECT a.* EXCLUDE (counts), c.application_type, c.category
        FROM attempts AS a LEFT JOIN cases AS c USING (run, case_id)
        WHERE a.episode IN ({asked.sql(["episode"], bound)})
        ORDER BY a.episode
    """

    def rows(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        return pl.DataFrame(con.sql(query, params=bound.values).to_arrow_table())

    return index.read(rows)


def load_brought(index: Index, asked: Asked, policy: Policy, figures: Sequence[str]) -> pl.DataFrame:
    """What each episode that is asked about brings to the means of these figures under a policy.

    The columns: `episode`, `counts` (is it in them at all?), and one for each figure, null where it brings nothing.
    Raises IndexBusyError, IndexFaultError.
    """

    def rows(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        found = cube(con, asked, ["episode"], figures, negatives=policy is Policy.OFFICIAL)
        brings = brought(policy, found, figures)
        values = np.where(brings.known > 0, brings.totals, np.nan)
        columns = {name: values[:, place] for place, name in enumerate(figures)}
        frame = pl.DataFrame({"episode": found.keys["episode"], "counts": brings.counts, **columns}, schema_overrides=_NAME)
        return frame.with_columns(pl.col(figures).fill_nan(None))

    return index.read(rows)


_NAME = {"episode": pl.String, "counts": pl.Boolean}
