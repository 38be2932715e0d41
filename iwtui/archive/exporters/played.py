"""The episodes of a run one by one, each as its logs tell it: what exporters that go episode by episode start from."""

from collections.abc import Iterator
from itertools import groupby

import msgspec

from iwtui.archive.choosing import counting_attempt
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.case import Case
from iwtui.bench.events import Text, head
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.longtext import read
from iwtui.bench.names import EpisodeName
from iwtui.bench.protocols import Blobs
from iwtui.bench.score import UNKNOWN, Score
from iwtui.bench.status import Status, episode_score, status


class Played(msgspec.Struct, frozen=True):
    """One episode. `case` is None when the run's own copy of it is lost; `judging` when there is none yet.

    `judgings` are all of them, by name, the primary one too.
    """

    name: EpisodeName
    case: Case | None
    state: EpisodeState
    status: Status
    score: Score
    judging_name: str
    judging: JudgingState | None
    judgings: dict[str, JudgingState]


def played(folder: RunFolder) -> Iterator[Played]:
    """Of each planned episode the attempt that counts, in the order of their names; one is in memory at a time."""
    for _, group in groupby(folder.episodes(), key=lambda name: name.played):
        attempts = list(group)
        if len(attempts) == 1:
            yield read_played(folder, attempts[0])
            continue
        statuses = [(name.attempt, read_played(folder, name).status) for name in attempts]
        chosen = counting_attempt(statuses)
        yield next(read_played(folder, name) for name in attempts if name.attempt == chosen)


def read_played(folder: RunFolder, name: EpisodeName) -> Played:
    """An episode as its logs stand now."""
    state = folder.fold_episode(name)
    judgings = {judging: folder.fold_judging(name, judging) for judging in folder.judgings(name)}
    judging_name, judging = folder.primary_judging(name) or ("", None)
    case = folder.case_of(name)
    score = episode_score(case, state, judging) if case else UNKNOWN
    return Played(name, case, state, status(state, judging), score, judging_name, judging, judgings)


class Texts:
    """Reads long texts whole; of one whose blob is lost, the beginning that the log holds. `lost` counts those."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self.lost = 0

    def __call__(self, text: Text) -> str:
        try:
            return read(self._blobs, text)
        except LookupError:
            self.lost += 1
            return head(text)
