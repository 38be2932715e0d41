"""Episodes as a polars frame, for what is worked out episode by episode."""

import duckdb
import polars as pl

from iwtui.analysis.columns import Bound
from iwtui.analysis.episodes import Asked
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
