"""What is left to play of a run, and where each episode's records go in the store."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from iwtui.archive.run_folder import RunFolder
from iwtui.bench.case import Case
from iwtui.bench.fold import EpisodeState, JudgingState
from iwtui.bench.names import EpisodeName, episode_name
from iwtui.bench.plan import Planned, planned
from iwtui.bench.protocols import Recorder
from iwtui.bench.status import Status, status
from iwtui.cli.forking import begin_again


@dataclass
class StoredAssignment:
    """One attempt at one episode of a run. `again` judges once more what an infra fault kept from being judged."""

    folder_of_run: RunFolder
    episode: EpisodeName
    case: Case
    builder: str
    again: bool = False

    @property
    def name(self) -> str:
        return str(self.episode)

    @property
    def repeat(self) -> int:
        return self.episode.repeat

    @property
    def attempt(self) -> int:
        return self.episode.attempt

    def fold(self) -> EpisodeState:
        begun = self.folder_of_run.episode_log(self.episode).exists()
        return self.folder_of_run.fold_episode(self.episode) if begun else EpisodeState()

    def judging(self) -> JudgingState | None:
        state = _judging(self.folder_of_run, self.episode)
        if self.again and state is not None and state.ended and state.ended.status == "infra":
            return None
        return state

    def record(self) -> AbstractContextManager[Recorder]:
        return self.folder_of_run.record_episode(self.episode)

    def record_judging(self, judge: str) -> AbstractContextManager[Recorder]:
        number = len(self.folder_of_run.judgings(self.episode)) + 1
        return self.folder_of_run.record_judging(self.episode, f"{judge}-{number}")

    def judged_by(self) -> frozenset[str]:
        """The judges that are done with the episode."""
        states = [self.folder_of_run.fold_judging(self.episode, one) for one in self.folder_of_run.judgings(self.episode)]
        over = [s.started.judge for s in states if s.started and s.ended and s.ended.status in ("scored", "crashed")]
        return frozenset(over)

    def folder(self) -> Path:
        return self.folder_of_run.path


def _judging(folder: RunFolder, episode: EpisodeName) -> JudgingState | None:
    primary = folder.primary_judging(episode)
    return primary[1] if primary else None


def unfinished(folder: RunFolder) -> Iterator[StoredAssignment]:
    """What a resume plays: episodes not begun, broken off, not judged yet, or not measured by all that are to do so."""
    measures = {role for role in ("intent", "visual") if getattr(folder.plan.roles, role)}
    for one, episode, state in latest(folder):
        assignment = StoredAssignment(folder, episode, one.case, one.builder)
        unmeasured = measures and state in (Status.SCORED, Status.CRASHED) and not measures <= assignment.judged_by()
        if state is Status.RUNNING or unmeasured:
            yield assignment


def faulty(folder: RunFolder) -> Iterator[StoredAssignment]:
    """What a retry plays: episodes that ended by a fault of ours, as a new attempt; those only unjudged are judged again.

    A retry that was broken off itself goes on with the attempts that it had begun.
    """
    for one, episode, state in latest(folder):
        if state is Status.RUNNING and episode.attempt > 1:
            yield StoredAssignment(folder, episode, one.case, one.builder)
        if state is not Status.INFRA:
            continue
        ended = folder.fold_episode(episode).ended
        if ended is not None and ended.status == "played":
            yield StoredAssignment(folder, episode, one.case, one.builder, again=True)
        else:
            following = episode_name(folder.name, one.case.id, one.builder, one.repeat, episode.attempt + 1)
            if folder.plan.forks is not None:
                begin_again(folder, episode, following)
            yield StoredAssignment(folder, following, one.case, one.builder)


def latest(folder: RunFolder) -> Iterator[tuple[Planned, EpisodeName, Status]]:
    """Every planned episode with the name of its latest attempt (the first, if there is none) and its status."""
    cases = [folder.cases[case_id] for case_id in folder.plan.case_ids]
    for one in planned(folder.plan, cases):
        attempts = folder.attempts(one.case.id, one.builder, one.repeat)
        if attempts:
            latest = attempts[-1]
            yield one, latest, status(folder.fold_episode(latest), _judging(folder, latest))
        else:
            yield one, episode_name(folder.name, one.case.id, one.builder, one.repeat, 1), Status.RUNNING
