"""What Home and Metrics show, as plain data: runs, episodes, groups of episodes and their figures."""

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Self

from iwtui.bench.names import EpisodeName
from iwtui.bench.plan import Plan

if TYPE_CHECKING:
    from iwtui.analysis.figures import Figures


@dataclass(frozen=True, slots=True)
class EpisodeLine:
    """An episode in a list. `actions` is the action string, `C C I V S`; `passed` of `slots` is None until judged.

    `tokens`: sent and received; `unpriced`: calls of unknown price. Of one that is going on: `limit` is the turns it may
    take, `doing` what is being done, `state` whether it generates, waits or is idle; `paused`: it is held before its next
    model call; `idle`: nobody is at it.
    """

    name: EpisodeName
    case_id: str
    persona: str
    difficulty: str
    builder: str
    status: str
    stop_reason: str
    actions: str
    turns: int
    tcr: float | None
    seconds: float | None
    cost: float | None
    passed: int | None = None
    slots: int | None = None
    limit: int = 0
    doing: str = ""
    state: str = ""
    idle: bool = False
    hallucinated: bool | None = None
    tokens: int | None = None
    unpriced: int = 0
    paused: bool = False


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run in a list: what was asked, and its figures under the default policy (None: nothing of it is indexed yet).

    `trouble` says why its own files cannot be read.
    """

    run: str
    pack: str = ""
    builders: tuple[str, ...] = ()
    created: float = 0.0
    planned: int = 0
    kind: str = "run"
    scripted: bool = False
    figures: "Figures | None" = None
    trouble: str = ""

    @classmethod
    def of(cls, run: str, plan: Plan, figures: "Figures | None" = None) -> Self:
        """The line of a run that was asked for so."""
        planned = len(plan.case_ids) * len(plan.builders) * plan.repeats
        return cls(run, plan.pack, plan.builders, plan.created, planned, plan.kind, plan.scripted, figures)

    @property
    def over(self) -> int:
        """Episodes that need not be played any more."""
        figures = self.figures
        return figures.scored + figures.crashed + figures.infra + figures.cancelled if figures else 0


@dataclass(frozen=True, slots=True)
class Age:
    """`seconds` since the index held all that the logs do (None: never), and why it is not newer."""

    seconds: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Overview:
    """All runs, the newest first. `over` names the episodes that need not be watched."""

    runs: tuple[RunLine, ...] = ()
    over: frozenset[EpisodeName] = frozenset()
    age: Age = Age()


class Margin(Enum):
    """The row or column of a grid that stands for all of them."""

    ALL = "all"


Label = str | None | Margin
"""Of a row or column; None is "unknown"."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One group of episodes: the mean TCR (0 to 1) of the `n` that count among all `episodes`."""

    tcr: float | None
    n: int
    episodes: int


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells by persona and another column of the episodes. The margins come first; they are left out when nothing is in."""

    column: str
    rows: tuple[Label, ...] = ()
    columns: tuple[Label, ...] = ()
    cells: dict[tuple[Label, Label], Cell] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Metrics:
    """The figures of some runs under a policy, and the episodes they come from, the lowest TCR first."""

    runs: tuple[str, ...]
    policy: str
    figures: "Figures"
    by_difficulty: Grid
    by_builder: Grid
    episodes: tuple[EpisodeLine, ...]
    age: Age = Age()

    def within(self, column: str, row: Label, value: Label) -> tuple[EpisodeLine, ...]:
        """The episodes of one cell of the grid by persona and `column`."""
        return tuple(line for line in self.episodes if _is(row, line.persona) and _is(value, str(getattr(line, column))))


def _is(label: Label, value: str) -> bool:
    return label is Margin.ALL or (label or "") == value
