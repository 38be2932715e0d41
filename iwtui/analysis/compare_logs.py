"""Reading two episodes so that they can be compared. Takes its time: reads whole logs and texts."""

from collections.abc import Sequence

import msgspec

from iwtui.analysis.compare import scripted
from iwtui.analysis.compare_episodes import (
    Divergence,
    FileDifference,
    Moment,
    PicturePair,
    Said,
    dialogues,
    file_differences,
    first_divergence,
    moments,
    picture_pairs,
    verdict_moments,
)
from iwtui.analysis.compare_sides import ComparisonError
from iwtui.archive.log import read_log
from iwtui.archive.store import Store
from iwtui.bench.events import Blob, Record, Text, head
from iwtui.bench.fold import EpisodeState, JudgingState, fold
from iwtui.bench.longtext import read
from iwtui.bench.manifest import Manifest, decode_manifest
from iwtui.bench.names import EpisodeName
from iwtui.bench.status import status


class EpisodeRead(msgspec.Struct, frozen=True):
    """An episode whose log was read. `judging` is the primary one, None before there is one."""

    name: EpisodeName
    records: tuple[Record, ...]
    moments: tuple[Moment, ...]
    state: EpisodeState
    judging: JudgingState | None
    judging_name: str

    @property
    def status(self) -> str:
        return status(self.state, self.judging).value

    def manifest_at(self, moment: Moment | None) -> Blob | None:
        """The workspace at the end of the moment's turn; at the very end for one of its judging, or where it was over."""
        if moment is None or moment.judging:
            return self.state.manifest
        turns = [turn for turn in self.state.turns if turn.number <= moment.turn]
        return next((turn.files.manifest for turn in reversed(turns) if turn.files), None)


class EpisodeComparison(msgspec.Struct, frozen=True):
    """Two episodes of a case. `divergence` is None when they did the same from beginning to end.

    `files` differ at the end, `files_then` at the end of the turn in which they part. `warnings`: what makes the two hard to
    compare. `unread`: what the store lacks, so that nothing is said about it.
    """

    a: EpisodeRead
    b: EpisodeRead
    divergence: Divergence | None
    files: tuple[FileDifference, ...]
    files_then: tuple[FileDifference, ...]
    pictures: tuple[PicturePair, ...]
    dialogue: tuple[tuple[int, Said | None, Said | None], ...]
    warnings: tuple[str, ...]
    unread: tuple[str, ...]


def compare_episodes(store: Store, a: EpisodeName, b: EpisodeName) -> EpisodeComparison:
    """Compare two episodes. Raises StoreError, OSError; ComparisonError for episodes of different cases."""
    texts = _Texts(store)
    one, two = (_read(store, name, texts) for name in (a, b))
    cases = [episode.state.started.case_id if episode.state.started else episode.name.case for episode in (one, two)]
    if cases[0] != cases[1]:
        raise ComparisonError(f"these are episodes of two cases, {cases[0]} and {cases[1]}: give two of one case")
    parting = first_divergence(one.moments, two.moments)
    return EpisodeComparison(
        a=one,
        b=two,
        divergence=parting,
        files=texts.files(one.state.manifest, two.state.manifest),
        files_then=texts.files(one.manifest_at(parting.a), two.manifest_at(parting.b)) if parting else (),
        pictures=picture_pairs(one.state, two.state),
        dialogue=tuple(dialogues(one.state, two.state, texts.whole)),
        warnings=tuple(_warnings(one, two)),
        unread=tuple(texts.unread),
    )


class _Texts:
    """Texts and manifests of a store; what cannot be read is noted once."""

    def __init__(self, store: Store) -> None:
        self._blobs = store.blobs
        self.unread: dict[str, None] = {}

    def whole(self, text: Text) -> str:
        try:
            return read(self._blobs, text)
        except LookupError as error:
            self.unread[str(error)] = None
            return head(text)

    def files(self, a: Blob | None, b: Blob | None) -> tuple[FileDifference, ...]:
        """None are said to differ when one of the manifests cannot be read."""
        one, two = self._manifest(a), self._manifest(b)
        return () if one is None or two is None else file_differences(one, two)

    def _manifest(self, blob: Blob | None) -> Manifest | None:
        if blob is None:
            return {}
        try:
            return decode_manifest(self._blobs.get(blob))
        except (LookupError, msgspec.MsgspecError) as error:
            self.unread[f"manifest: {error}"] = None
            return None


def _read(store: Store, name: EpisodeName, texts: _Texts) -> EpisodeRead:
    folder = store.run(name.run)
    records = tuple(record for _, record in read_log(folder.episode_log(name)))
    judging_name, judging = folder.primary_judging(name) or ("", None)
    judged: Sequence[Record] = ()
    if judging is not None:
        judged = [record for _, record in read_log(folder.judging_log(name, judging_name))]
    done = (*moments(records, texts.whole), *verdict_moments(judging, judged))
    return EpisodeRead(name, records, done, fold(records), judging, judging_name)


def _warnings(a: EpisodeRead, b: EpisodeRead) -> list[str]:
    said = []
    judges = [episode.judging.started if episode.judging else None for episode in (a, b)]
    names = [(judge.judge, judge.model) if judge else None for judge in judges]
    if None not in names and names[0] != names[1]:
        said.append(f"THE JUDGES DIFFER: {_judge(names[0])} and {_judge(names[1])}")
    sides = (("A", a), ("B", b))
    said += scripted([(name, int(bool(one.state.started and one.state.started.scripted)), 1) for name, one in sides])
    said += [f"{name} is not over: compared as far as it went" for name, one in sides if one.status == "running"]
    return said


def _judge(name: tuple[str, str | None] | None) -> str:
    return "" if name is None else f"{name[0]} ({name[1]})" if name[1] else name[0]
