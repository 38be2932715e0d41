"""What Home and Metrics show, as plain data: runs, episodes, groups of episodes and their figures."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Self

from iwtui.bench.filters import written
from iwtui.bench.names import EpisodeName, parse_name
from iwtui.bench.plan import Plan

if TYPE_CHECKING:
    from iwtui.analysis.figures import Figures
    from iwtui.analysis.official import OfficialFigures
    from iwtui.analysis.plots import Plots
    from iwtui.analysis.repeats import Repeats


@dataclass(frozen=True, slots=True)
class EpisodeLine:
    """An episode in a list. `actions` is the action string, `C C I V S`; `passed` of `slots` is None until judged.

    `tokens`: sent and received; `unpriced`: calls of unknown price. Of one that is going on: `limit` is the turns it may
    take, `doing` what is being done, `state` whether it generates, waits or is idle; `paused`: it is held before its next
    model call; `idle`: nobody is at it. The figures at the end are as in the table `episodes`, None where unknown.
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
    seed: str = ""
    application_type: str = ""
    category: str = ""
    language: str = ""
    pack: str = ""
    judge: str = ""
    scripted: bool = False
    clarifies: int | None = None
    implements: int | None = None
    verifies: int | None = None
    malformed: int | None = None
    conflicts: int | None = None
    tcr_clean: float | None = None
    tcr_human: float | None = None
    sr: bool | None = None
    ias: float | None = None
    chr: float | None = None
    vbr: float | None = None
    layout: float | None = None
    creative_alignment: float | None = None
    aesthetics: float | None = None
    question_cost: float | None = None
    leaks: int | None = None
    loc: int | None = None


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


class Names(Set[EpisodeName]):
    """Names of episodes, held as texts: there may be very many, and few are ever looked at."""

    __slots__ = ("_texts",)

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._texts = frozenset(texts)

    @classmethod
    def _from_iterable(cls, it: Iterable[EpisodeName]) -> Set[EpisodeName]:  # type: ignore[override]
        return frozenset(it)  # what is made of these and others

    def __contains__(self, name: object) -> bool:
        return isinstance(name, EpisodeName) and str(name) in self._texts

    def __iter__(self) -> Iterator[EpisodeName]:
        return filter(None, map(parse_name, self._texts))

    def __len__(self) -> int:
        return len(self._texts)


@dataclass(frozen=True, slots=True)
class Overview:
    """All runs, the newest first. `over` names the episodes that need not be watched."""

    runs: tuple[RunLine, ...] = ()
    over: Set[EpisodeName] = field(default_factory=Names)
    age: Age = Age()


class Margin(Enum):
    """The row or column of a grid that stands for all of them."""

    ALL = "all"


Label = str | None | Margin
"""Of a row or column; None is "unknown"."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One group of episodes: the mean TCR (0 to 1) of the `n` that count among all `episodes`.

    `low` to `high` is its 95 % interval; None where it has none, or was not asked for.
    """

    tcr: float | None
    n: int
    episodes: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells by persona and another column of the episodes. The margins come first; they are left out when nothing is in."""

    column: str
    rows: tuple[Label, ...] = ()
    columns: tuple[Label, ...] = ()
    cells: dict[tuple[Label, Label], Cell] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """A bar of a breakdown: what stands in the column, the figures, and the filter that keeps these episodes."""

    label: Label
    figures: "Figures"
    filter: str


@dataclass(frozen=True, slots=True)
class Metrics:
    """The figures of some runs under a policy, all of it over the same episodes.

    `breakdown`: a part for each value of the column `by`, in its order. `points`: what is drawn; each element bears the
    filter that keeps the episodes behind it, to be set beside `filter_text`. `official`: the official analyser's own
    figures, under its policy. `bounded`: the intervals are there too.
    """

    runs: tuple[str, ...]
    policy: str
    filter_text: str
    by: str
    figures: "Figures"
    by_difficulty: Grid
    by_builder: Grid
    breakdown: tuple[Part, ...]
    points: "Plots"
    repeats: "Repeats | None" = None
    official: "OfficialFigures | None" = None
    bounded: bool = False
    age: Age = Age()


@dataclass(frozen=True, slots=True)
class Page:
    """The lines from the one at `offset` on, of `total`."""

    lines: tuple[EpisodeLine, ...]
    total: int
    offset: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of plain values under named columns, to be written to a file."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


def cell_filter(where: Mapping[str, Label]) -> str:
    """The filter that keeps the episodes with these values in these columns; a margin keeps all."""
    return " ".join(written(column, label) for column, label in where.items() if label is not Margin.ALL)
