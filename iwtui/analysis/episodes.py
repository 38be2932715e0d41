"""Which episodes are asked about, as SQL on the index."""

from collections.abc import Collection

import msgspec

from iwtui.analysis.columns import Bound, column, joins
from iwtui.analysis.where import where
from iwtui.bench.filters import Term

_AGAIN = "SELECT run FROM runs WHERE kind IN ('fork', 'replay')"
_WITH_FORKS = f"""(
    SELECT * FROM attempts WHERE counts
    UNION ALL
    SELECT * FROM attempts WHERE run IN ({_AGAIN})
    QUALIFY attempt = max(attempt) OVER (PARTITION BY run, case_id, builder, repeat)
)"""


class Asked(msgspec.Struct, frozen=True):
    """The episodes of `runs` (None: of all) that fit all `terms`; `last_run` is what `run:last` means.

    Of several attempts the one that counts. Forks and replays are left out, but with `forks`, which takes their latest
    attempts.
    """

    runs: tuple[str, ...] | None = None
    terms: tuple[Term, ...] = ()
    last_run: str | None = None
    forks: bool = False

    def sql(self, columns: Collection[str], bound: Bound) -> str:
        """A SELECT of these columns, one row an episode; it reads nothing that is not needed for them."""
        needed = {*columns, *(term.field for term in self.terms)}
        wanted = ", ".join(f"{column(name)} AS {name}" for name in columns)
        conditions = [] if self.forks else ["a.counts"]
        if self.runs is not None:
            conditions.append(f"a.run IN ({', '.join(map(bound, self.runs))})" if self.runs else "false")
        conditions.append(where(self.terms, self.last_run, bound))
        source = _WITH_FORKS if self.forks else "attempts"
        return f"SELECT {wanted} FROM {source} AS a {joins(needed)} WHERE {' AND '.join(conditions)}"
