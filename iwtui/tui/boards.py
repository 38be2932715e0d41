"""What goes on in all stores of this user: a board for each store in which something is played. Watched in a thread."""

from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from iwtui.archive.errors import StoreError
from iwtui.archive.registry import live_runs
from iwtui.archive.store import Store
from iwtui.tui.answers import EpisodeLine, RunLine
from iwtui.tui.board import Board, BoardChanged
from iwtui.tui.rows import RunRow, episode_rows, run_rows


@dataclass(frozen=True, slots=True)
class Sight:
    """A run that is being played, or was until a moment ago, and its episodes as far as they are.

    `store`: the folder of its store.
    """

    store: Path
    row: RunRow
    episodes: tuple[EpisodeLine, ...]

    @property
    def key(self) -> tuple[Path, str]:
        return self.store, self.row.name


@dataclass
class SightsChanged(Message):
    """Something of what is being played is other than before; `boards` are as of the same moment."""

    boards: dict[Path, BoardChanged]
    lines: dict[Path, dict[str, RunLine]]
    """The plans of all runs that were seen live."""

    def sights(self, now: float) -> list[Sight]:
        """Every run that is or was played, the newest first. `now`: seconds since the epoch."""
        found = []
        for store, board in self.boards.items():
            for row in run_rows(self.lines[store].values(), frozenset(), board.runs, board.episodes, now=now):
                mine = [one for one in board.episodes.values() if one.name.run == row.name]
                found.append(Sight(store, row, tuple(episode_rows((), mine, row.idle, now))))
        return sorted(found, key=lambda sight: sight.row.line.created, reverse=True)


class Boards:
    """Watches the stores that the live runs of this user name, and one more, whatever is in it."""

    def __init__(self, own: Store, registry: Path | None = None) -> None:
        self._registry = registry
        self._boards = {own.root.resolve(): Board(own, registry)}
        self._stores = {own.root.resolve(): own}
        self._lines: dict[Path, dict[str, RunLine]] = {own.root.resolve(): {}}

    def look(self) -> bool:
        """Which runs are played now, and which episodes they have; whether anything changed. Raises OSError."""
        for live in live_runs(self._registry):
            root = Path(live.runner.store)
            if live.alive is not False and root not in self._boards:
                store = self._stores[root] = Store(root)
                self._boards[root] = Board(store, self._registry)
                self._lines[root] = {}
        changed = [board.look() for board in self._boards.values()]
        for root, board in self._boards.items():
            for run in board.changed().runs.keys() - self._lines[root].keys():
                self._lines[root][run] = _line(self._stores[root], run)
        return any(changed)

    def poll(self) -> bool:
        """Read what is new in the logs; whether anything was. Raises OSError."""
        polled = [board.poll() for board in self._boards.values()]
        return any(polled)

    def changed(self) -> SightsChanged:
        """What all boards show now."""
        boards = {root: board.changed() for root, board in self._boards.items()}
        return SightsChanged(boards, {root: dict(lines) for root, lines in self._lines.items()})


def _line(store: Store, run: str) -> RunLine:
    try:
        return RunLine.of(run, store.run(run).plan)
    except StoreError as error:
        return RunLine(run, trouble=str(error))
