"""What is compared: a run, or the episodes that a filter fits; each is one side."""

import re
from collections.abc import Sequence

import duckdb
import msgspec
import polars as pl

from iwtui.analysis import episodes
from iwtui.analysis.frames import load_brought, load_frame
from iwtui.analysis.policy import Policy
from iwtui.archive.errors import NotFoundError
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.filters import Term, parse
from iwtui.bench.names import EpisodeName

_FILTER = re.compile(r"[:<>=]")
"""What stands in every term of a filter, and in no name."""

_JUDGES = "SELECT episode, model AS judge_model FROM judgings WHERE is_primary AND list_contains($runs, run)"


class ComparisonError(ValueError):
    """These two cannot be compared; the message says why and what to give instead."""


class Asked(msgspec.Struct, frozen=True):
    """A side as it was asked for: `text` as written; a `run`, or the `terms` of a filter, or one `episode`."""

    text: str
    run: str | None = None
    terms: tuple[Term, ...] = ()
    episode: EpisodeName | None = None


def asked(store: Store, text: str) -> Asked:
    """What a text names: a filter if it has a term, else a run, else an episode.

    Raises FilterError, NotFoundError, AmbiguousError.
    """
    if _FILTER.search(text):
        return Asked(text, terms=parse(text))
    if "/" in text:
        return Asked(text, episode=store.resolve_episode(text))
    try:
        return Asked(text, run=store.resolve_run(text).name)
    except NotFoundError:
        return Asked(text, episode=store.resolve_episode(text))


SCORES = ("tcr", "tcr_clean", "sr", "hr")
"""What an episode brings to a mean, which depends on the policy."""


def load_side(index: Index, store: Store, side: Asked, policy: Policy) -> pl.DataFrame:
    """The episodes of a side, as `load_frame` gives them, and the model of each primary judge as `judge_model`.

    `counts`: whether it is in a mean under the policy; SCORES are what it brings to it. Forks and replays are there when
    their run is named. Raises IndexBusyError, IndexFaultError.
    """
    known = store.runs()
    runs = known if side.run is None else [side.run]
    forks = side.run is not None or _names_runs(side.terms)
    wanted = episodes.Asked(tuple(runs), side.terms, known[-1] if known else None, forks)
    frame = load_frame(index, wanted).drop("tcr", "tcr_clean", "sr")
    brings = load_brought(index, wanted, policy, SCORES)

    def judges(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        return pl.DataFrame(con.sql(_JUDGES, params={"runs": list(runs)}).to_arrow_table())

    for more in (brings, index.read(judges)):
        frame = frame.join(more, on="episode", how="left", maintain_order="left")
    return frame


def _names_runs(terms: Sequence[Term]) -> bool:
    return any(term.field == "run" and not term.negated for term in terms)
