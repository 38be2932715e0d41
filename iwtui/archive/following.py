"""Following the logs of a run that another process writes: by polling its files, without a lock."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from iwtui.archive.log import Live, LogFollower, read_live
from iwtui.archive.run_folder import JUDGING_NAME, RunFolder
from iwtui.bench.events import Record
from iwtui.bench.names import EpisodeName


@dataclass(frozen=True, slots=True)
class Growth:
    """New events of a log: an episode's own (`judging` is empty) or one of its judgings.

    `restarted`: another file stands there now, so that what came before is void.
    """

    episode: EpisodeName
    judging: str
    records: tuple[Record, ...]
    restarted: bool = False


@dataclass(frozen=True, slots=True)
class Polled:
    """What one look at the files brought. `more`: there is more at once."""

    growths: tuple[Growth, ...] = ()
    live: tuple[tuple[EpisodeName, Live | None], ...] = ()
    more: bool = False


class Logs:
    """Follows the logs of some episodes of a run, and of their judgings.

    `wanted` says which, asked anew each second; a log that is not wanted any more is let go of.
    """

    def __init__(self, folder: RunFolder, wanted: Callable[[], Iterable[EpisodeName]]) -> None:
        self._folder = folder
        self._wanted = wanted
        self._followers: dict[tuple[EpisodeName, str], LogFollower] = {}
        self._live: dict[EpisodeName, Live | None] = {}

    @classmethod
    def of(cls, folder: RunFolder, episode: EpisodeName) -> "Logs":
        """One episode with all its judgings."""
        return cls(folder, lambda: (episode,))

    def look(self) -> None:
        """Look for logs that are new. Raises OSError."""
        wanted = set(self._wanted())
        for key in [key for key in self._followers if key[0] not in wanted]:
            del self._followers[key]
        for episode in sorted(wanted):
            self._followers.setdefault((episode, ""), LogFollower(self._folder.episode_log(episode)))
            for judging in self._folder.judgings(episode):
                key = (episode, judging)
                if key not in self._followers and JUDGING_NAME.fullmatch(judging):
                    self._followers[key] = LogFollower(self._folder.judging_log(episode, judging))

    def poll(self) -> Polled:
        """What is new in the logs, at most about a MiB of each. Raises OSError."""
        growths: list[Growth] = []
        doing: list[tuple[EpisodeName, Live | None]] = []
        more = False
        for (episode, judging), follower in self._followers.items():
            before = follower.offset
            records = follower.poll(chunks=1)
            more = more or follower.offset != before
            if records or follower.restarted:
                growths.append(Growth(episode, judging, tuple(records), follower.restarted))
            if not judging:
                now = self._now(episode, follower)
                if now != self._live.get(episode):
                    self._live[episode] = now
                    doing.append((episode, now))
        return Polled(tuple(growths), tuple(doing), more)

    def _now(self, episode: EpisodeName, follower: LogFollower) -> Live | None:
        """What is being done: by the judge if there is one at work, else by the runner."""
        judged = [each for (name, judging), each in self._followers.items() if name == episode and judging]
        found = (read_live(each.path) for each in (*judged, follower))
        return next((live for live in found if live is not None), None)


def merged(growths: Sequence[Growth]) -> tuple[Growth, ...]:
    """The growths of each log as one, in the order in which the logs first grew."""
    found: dict[tuple[EpisodeName, str], Growth] = {}
    for growth in growths:
        key = (growth.episode, growth.judging)
        before = found.get(key)
        if before is None or growth.restarted:
            found[key] = growth
        else:
            found[key] = Growth(*key, before.records + growth.records, before.restarted)
    return tuple(found.values())
