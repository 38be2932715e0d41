"""Annotations on their way into the index: their rows, what they make of a score, and which are not in it yet.

The files are small and read whole. The rows of an episode are a pure function of what was said of it; a digest of that
tells whether the index has them.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import duckdb
import msgspec

from iwtui.archive.annotations import Noted, PrimaryChosen, SlotDecided
from iwtui.archive.annotations_read import Annotations, EpisodeAnnotations, Kept, read_annotations
from iwtui.archive.rows import Row, Rows, moment
from iwtui.archive.scan import Stamp
from iwtui.bench.case import Case
from iwtui.bench.fold import JudgingState
from iwtui.bench.score import score
from iwtui.bench.status import Status
from iwtui.bench.votes import Ruling, overruled, rule

ANNOTATED = ("annotations", "human_verdicts")
"""The tables that are made from annotations alone."""


class KeptAnnotations:
    """The annotations as they were read last, for as long as their files stay as they are."""

    def __init__(self) -> None:
        self._read: tuple[Path, dict[str, Stamp], Annotations] | None = None

    def at(self, root: Path, files: dict[str, Stamp]) -> Annotations:
        """Those of the store at `root`; `files`: its files of annotations by their stamps."""
        if self._read is None or self._read[:2] != (root, files):
            self._read = root, files, read_annotations(root) if files else Annotations()
        return self._read[2]


class People:
    """What people said, for one batch of the index; `write` brings its tables up to it."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        root: Path,
        files: dict[str, Stamp],
        known: dict[str, Stamp],
        kept: KeptAnnotations,
    ) -> None:
        self._con = con
        self._files = files
        self._changed = files != known
        self._annotations = kept.at(root, files)
        self._digests: dict[str, str] = {}
        self._behind: set[str] = set()
        self._done: set[str] = set()
        if self._changed:
            self._digests = {name: _digest(one) for name, one in self._annotations.by_episode.items()}
            had = dict(con.execute("SELECT episode, digest FROM internal.annotated").fetchall())
            self._behind = {name for name in had.keys() | self._digests.keys() if had.get(name) != self._digests.get(name)}

    def is_behind(self, episode: str) -> bool:
        """Whether other things were said of the episode than the index knows."""
        return episode in self._behind

    def of(self, episode: str) -> EpisodeAnnotations:
        """What was said of an episode, the rest of which is brought up to it in this batch."""
        self._done.add(episode)
        return self._annotations.of(episode)

    def write(self, whole: bool) -> None:
        """Write the tables anew for the episodes that were asked for; `whole`: the batch took all, so for all of them."""
        if not self._changed:
            return
        rows = Rows()
        for episode in sorted(self._behind if whole else self._behind & self._done):
            for table in (*ANNOTATED, "internal.annotated"):
                self._con.execute(f"DELETE FROM {table} WHERE episode = ?", [episode])
            if episode in self._digests:
                said = self._annotations.of(episode)
                rows.extend("annotations", [_row(episode, one) for one in said.kept])
                rows.extend("human_verdicts", _ruling_rows(episode, said))
                self._con.execute("INSERT INTO internal.annotated VALUES (?, ?)", [episode, self._digests[episode]])
        rows.write(self._con)
        if whole:
            self._con.execute("DELETE FROM internal.annotation_files")
            for file, stamp in self._files.items():
                self._con.execute("INSERT INTO internal.annotation_files VALUES (?, ?, ?)", [file, *stamp])


def indexed_files(con: duckdb.DuckDBPyConnection) -> dict[str, Stamp]:
    """The files of annotations that the index has read, as they were then."""
    found = con.execute("FROM internal.annotation_files").fetchall()
    return {file: Stamp(size, changed) for file, size, changed in found}


def human_row(case: Case | None, judging: JudgingState | None, status: str, rulings: Mapping[int, Ruling]) -> Row:
    """What people make of a score, for `attempts`: the primary judging's verdicts with theirs in their place."""
    if case is None or judging is None or status != Status.SCORED:
        return {"tcr_human": None, "n_human": 0, "n_overridden": 0, "n_disputed": 0}
    verdicts = judging.slot_verdicts(len(case.slots))
    decided = {slot: one for slot, one in rulings.items() if slot < len(verdicts) and (one.verdict or one.disputed)}
    after = overruled(verdicts, decided)
    return {
        "tcr_human": score(case.slots, after).tcr if decided else None,
        "n_human": len(decided),
        "n_overridden": sum(one is not other for one, other in zip(verdicts, after, strict=True)),
        "n_disputed": sum(one.disputed for one in decided.values()),
    }


def _digest(said: EpisodeAnnotations) -> str:
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


def _row(episode: str, kept: Kept) -> Row:
    annotation = kept.annotation
    row: Row = {
        "annotation": annotation.id,
        "episode": episode,
        "run": _run(episode),
        "author": annotation.author,
        "host": annotation.host,
        "t": moment(annotation.t),
        "undone": kept.undone,
        "holds": kept.holds,
    }
    match annotation.said:
        case SlotDecided() as said:
            row |= {"kind": "verdict", "judging": said.judging, "slot": said.slot, "verdict": said.verdict.value}
            row |= {"note": said.note or None, "blind": said.blind}
        case PrimaryChosen() as chosen:
            row |= {"kind": "primary", "judging": chosen.judging}
        case Noted() as noted:
            row |= {"kind": "note" if noted.text else "bookmark", "judging": noted.judging, "event": noted.event}
            row |= {"note": noted.text or None}
    return row


def _ruling_rows(episode: str, said: EpisodeAnnotations) -> list[Row]:
    rows = []
    for (judging, slot), words in sorted(said.words.items()):
        ruling = rule(words.values())
        rows.append(
            {
                "episode": episode,
                "judging": judging,
                "run": _run(episode),
                "slot": slot,
                "verdict": ruling.verdict.value if ruling.verdict else None,
                "disputed": ruling.disputed,
                "passes": ruling.passes,
                "fails": ruling.fails,
                "unsures": ruling.unsures,
                "authors": sorted(words),
            }
        )
    return rows


def _run(episode: str) -> str:
    return episode.partition("/")[0]
