"""The slots that a person is to judge: which ones, and in which order."""

import random
from collections.abc import Sequence

import duckdb
import msgspec
import polars as pl

from iwtui.archive.index import Index

_ITEMS = """
WITH differing AS (
    -- Slots of which the judgings of one site do not say the same.
    SELECT v.episode, coalesce(j.manifest, '') AS manifest, v.slot
    FROM verdicts v JOIN judgings j USING (episode, judging)
    WHERE j.status = 'scored' AND v.verdict <> 'unjudged'
    GROUP BY ALL HAVING count(DISTINCT v.verdict = 'passed') > 1
)
SELECT v.episode, v.judging, v.slot, v.judge, j.model, v.is_primary, v.component, v.kind, v.verdict, v.reason, v.weight,
    coalesce(h.passes, 0) AS passes, coalesce(h.fails, 0) AS fails, coalesce(h.unsures, 0) AS unsures,
    coalesce(h.disputed, false) AS disputed, mine.verdict AS mine, mine.note AS my_note, d.slot IS NOT NULL AS judges_differ,
    coalesce(h.verdict IS NOT NULL AND (h.verdict = 'passed') <> (v.verdict = 'passed'), false) AS overruled
FROM verdicts v JOIN judgings j USING (episode, judging)
LEFT JOIN human_verdicts h USING (episode, judging, slot)
LEFT JOIN differing d ON d.episode = v.episode AND d.manifest = coalesce(j.manifest, '') AND d.slot = v.slot
LEFT JOIN annotations mine ON mine.episode = v.episode AND mine.judging = v.judging AND mine.slot = v.slot
    AND mine.kind = 'verdict' AND mine.holds AND mine.author = $author
WHERE list_contains($runs, v.run) AND j.status = 'scored'
ORDER BY v.episode, v.judging, v.slot
"""


class Item(msgspec.Struct, frozen=True, gc=False):
    """A slot (0-based) of a judging, what the judge says of it, and what people do.

    `mine` and `my_note` are the asking author's. `passes`, `fails`, `unsures`: authors who say so. `judges_differ`: another
    judging of the same site says otherwise. `overruled`: most people do; `disputed`: as many say pass as fail.
    """

    episode: str
    judging: str
    slot: int
    judge: str
    model: str | None
    component: str
    kind: str
    verdict: str
    reason: str
    weight: float | None
    passes: int
    fails: int
    unsures: int
    disputed: bool
    mine: str | None
    my_note: str | None
    judges_differ: bool
    overruled: bool


class Wanted(msgspec.Struct, frozen=True):
    """Which slots. `judge`: of the judgings of that judge, or with that name, else of the primary ones.

    `kinds`, `verdicts`: any when empty. `differing`: only those on which judges differ, or people differ with them or with
    each other. `undecided`: only those on which the author said nothing yet. `sample`: so many of all that fit, drawn by
    `seed` from those that fit apart from `undecided`, so that a sample stays the same while it is worked through.
    """

    judge: str | None = None
    kinds: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    differing: bool = False
    undecided: bool = False
    sample: int | None = None
    seed: int = 0


def load_items(index: Index, runs: Sequence[str], author: str) -> pl.DataFrame:
    """All slots of the judgings of some runs that came to a result, as rows of an `Item` and `is_primary`.

    Raises IndexBusyError, IndexFaultError.
    """

    def read(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
        return pl.DataFrame(con.sql(_ITEMS, params={"runs": list(runs), "author": author}).to_arrow_table())

    return index.read(read)


def choose(items: pl.DataFrame, episodes: pl.DataFrame, wanted: Wanted) -> list[Item]:
    """Those that are wanted, of these episodes, by episode, judging and slot."""
    found = items.join(episodes.select("episode"), on="episode", how="semi", maintain_order="left")
    if wanted.judge is None:
        found = found.filter("is_primary")
    else:
        found = found.filter((pl.col("judge") == wanted.judge) | (pl.col("judging") == wanted.judge))
    if wanted.kinds:
        found = found.filter(pl.col("kind").is_in(wanted.kinds))
    if wanted.verdicts:
        found = found.filter(pl.col("verdict").is_in(wanted.verdicts))
    if wanted.differing:
        found = found.filter(pl.any_horizontal("judges_differ", "overruled", "disputed"))
    if wanted.sample is not None and wanted.sample < len(found):
        drawn = random.Random(wanted.seed).sample(range(len(found)), wanted.sample)  # noqa: S311 - a sample, no secret
        found = found[sorted(drawn)]
    if wanted.undecided:
        found = found.filter(pl.col("mine").is_null())
    return [_item(row) for row in found.iter_rows(named=True)]


def _item(row: dict[str, object]) -> Item:
    texts = {name: row[name] or "" for name in ("judge", "component", "kind", "reason")}
    return msgspec.convert({name: row[name] for name in Item.__struct_fields__} | texts, Item)
