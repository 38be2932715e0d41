"""What two judges say of the same slots, side by side, for `agreement`. A judge may be a model, a check, or people."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import duckdb
import msgspec
import polars as pl

from iwtui.archive.index import Index
from iwtui.bench.score import Verdict
from iwtui.bench.votes import Word, rule

HUMAN = "human"
ANY = "any"
"""Stands for whichever judging people said something of."""

_KEY = ("episode", "judging", "slot")

_VERDICTS = """
SELECT v.episode, v.judging, v.slot, v.verdict, v.kind, v.assertion, v.component, v.judge, j.model,
    coalesce(j.manifest, '') AS manifest, j.started
FROM verdicts v JOIN judgings j USING (episode, judging)
WHERE list_contains($runs, v.run) AND j.status = 'scored'
ORDER BY v.episode, v.judging, v.slot
"""

_WORDS = """
SELECT a.episode, a.judging, a.slot, a.author, a.verdict, coalesce(j.manifest, '') AS manifest
FROM annotations a JOIN judgings j USING (episode, judging)
WHERE list_contains($runs, a.run) AND a.kind = 'verdict' AND a.holds
ORDER BY a.t, a.annotation
"""

_OF_EPISODES = ("episode", "run", "persona", "builder", "difficulty", "seed", "case_id", "pack", "language")


class Side(msgspec.Struct, frozen=True):
    """Who is meant by `human`, `human:NAME` (one author), `any`, a judge, `JUDGE:MODEL`, or the name of a judging."""

    text: str

    @property
    def human(self) -> bool:
        """Whether people are meant."""
        return self.text == HUMAN or self.text.startswith(f"{HUMAN}:")

    @property
    def author(self) -> str | None:
        """The one author who is meant."""
        return self.text.partition(":")[2] or None if self.human else None

    def fits(self) -> pl.Expr:
        """Which verdicts are meant."""
        if self.human or self.text == ANY:
            return pl.lit(value=True)
        judge, _, model = self.text.partition(":")
        named = (pl.col("judge") == judge) & (pl.col("model") == model) if model else pl.col("judge") == judge
        return named.fill_null(value=False) | (pl.col("judging") == self.text)


class Said(NamedTuple):
    """What judges and people said, as the index has it: one row a slot of a judging; one a word of an author."""

    verdicts: pl.DataFrame
    words: pl.DataFrame


def load_said(index: Index, runs: Sequence[str]) -> Said:
    """All that was said of the slots of some runs, by judgings that came to a result and by people.

    Raises IndexBusyError, IndexFaultError.
    """

    def read(con: duckdb.DuckDBPyConnection) -> Said:
        found = [pl.DataFrame(con.sql(sql, params={"runs": list(runs)}).to_arrow_table()) for sql in (_VERDICTS, _WORDS)]
        return Said(*found)

    return index.read(read)


def pairs(said: Said, episodes: pl.DataFrame, first: Side, second: Side, same_site: bool = False) -> pl.DataFrame:
    """One row a slot on which both sides said something: `first` and `second` (passed; null: undecided), and what groups it.

    People's words go with the judging that they name; with `same_site` with every judging of the same site. Of two
    judges, the latest judging of each is taken, where both judged the same site; a judge can be held against itself, its
    latest judging against the one before.
    """
    verdicts = said.verdicts.join(episodes.select(_OF_EPISODES), on="episode", how="inner").with_columns(
        passed=pl.when(pl.col("verdict") != Verdict.UNJUDGED.value).then(pl.col("verdict") == Verdict.PASSED.value)
    )
    if not (first.human or second.human):
        return _judges(verdicts, first, second)
    paired = verdicts.filter(first.fits() & second.fits())
    for name, side in (("first", first), ("second", second)):
        if side.human:
            people = _rulings(said.words, side.author, same_site).rename({"passed": name})
            on = ("episode", "manifest", "slot") if same_site else _KEY
            paired = paired.join(people, on=on, how="inner", maintain_order="left")
        else:
            paired = paired.with_columns(pl.col("passed").alias(name))
    return paired


def _judges(verdicts: pl.DataFrame, first: Side, second: Side) -> pl.DataFrame:
    at = ("episode", "manifest", "slot")
    one = _latest(verdicts.filter(first.fits()))
    others = verdicts.filter(second.fits()).join(
        one.select("episode", "judging").unique(), on=("episode", "judging"), how="anti"
    )
    two = _latest(others).select(*at, pl.col("passed").alias("second"))
    return one.with_columns(first=pl.col("passed")).join(two, on=at, how="inner", maintain_order="left")


def _latest(verdicts: pl.DataFrame) -> pl.DataFrame:
    """The verdicts of each episode's latest judging of each site."""
    order = pl.struct(pl.col("started").fill_null(pl.lit(0).cast(pl.Datetime)), "judging")
    newest = verdicts.group_by("episode", "manifest").agg(pl.col("judging").sort_by(order).last())
    return verdicts.join(newest, on=("episode", "manifest", "judging"), how="semi", maintain_order="left")


def _rulings(words: pl.DataFrame, author: str | None, same_site: bool) -> pl.DataFrame:
    """What people decided together; of an author's words on one slot, the last."""
    last: dict[tuple[Any, ...], dict[str, Word]] = defaultdict(dict)
    for row in words.iter_rows(named=True):
        if author in (None, row["author"]):
            of = row["manifest"] if same_site else row["judging"]
            last[row["episode"], of, row["slot"]][row["author"]] = Word(row["verdict"])
    names = ("episode", "manifest" if same_site else "judging", "slot")
    rows = []
    for key, said in last.items():
        verdict = rule(said.values()).verdict
        rows.append((*key, None if verdict is None else verdict is Verdict.PASSED))
    schema = {names[0]: pl.String, names[1]: pl.String, names[2]: pl.Int64, "passed": pl.Boolean}
    return pl.DataFrame(rows, schema=schema, orient="row")
