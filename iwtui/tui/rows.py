"""Runs and episodes as rows of a table: their columns, and a row's cells. Pure; all names in them are data."""

from collections.abc import Callable, Container, Iterable, Mapping, Set
from dataclasses import dataclass, replace

from textual.content import Content

from iwtui.bench.names import EpisodeName
from iwtui.bench.status import Status
from iwtui.tui.answers import EpisodeLine, RunLine
from iwtui.tui.board import IDLE, Going, Playing, Progress
from iwtui.tui.columns import Column
from iwtui.tui.look import STATUSES, action_string
from iwtui.tui.text import safe_line
from iwtui.tui.to_go import to_go
from iwtui.tui.written import NOTHING, about, bar, dollars, margin, moment, number, percent, thousands

BAR = 9


def _figure(name: str) -> Callable[["RunRow"], float | None]:
    """A figure of a run; None as long as there are none."""
    return lambda row: getattr(row.line.figures, name, None)


RUN_COLUMNS = (
    Column("run", 28, grow=1, by=lambda row: row.name),
    Column("state", 15, rank=1, by=lambda row: _state(row).plain),
    Column("played", BAR + 10, by=lambda row: row.over / row.line.planned if row.line.planned else None),
    Column("to go", 7, right=True, rank=3, by=lambda row: row.to_go),
    Column("TCR %", 6, right=True, by=_figure("tcr")),
    Column("±95 %", 5, right=True, rank=4),
    Column("n", 4, right=True, rank=3, by=_figure("n")),
    Column("SR %", 5, right=True, rank=5, by=_figure("sr")),
    Column("HR %", 5, right=True, rank=6, by=_figure("hr")),
    Column("$", 7, right=True, rank=8, by=_figure("cost")),
    Column("begun", 12, right=True, rank=2, by=lambda row: row.line.created or None),
    Column("builders", 20, grow=2, rank=7, by=lambda row: row.line.builders),
)

EPISODE_COLUMNS = (
    Column("case", 16, grow=1, by=lambda line: line.case_id),
    Column("builder", 18, grow=1, by=lambda line: line.builder),
    Column("status", 13, by=lambda line: line.status),
    Column("turn", 5, right=True, rank=2, by=lambda line: line.turns),
    Column("slots", 6, right=True, rank=3, by=lambda line: line.passed),
    Column("TCR %", 6, right=True, by=lambda line: line.tcr),
    Column("s", 5, right=True, rank=4, by=lambda line: line.seconds),
    Column("asks", 5, right=True, rank=7, by=lambda line: line.actions.count("C")),
    Column("HR", 3, right=True, rank=8, by=lambda line: line.hallucinated),
    Column("tokens", 6, right=True, rank=6, by=lambda line: line.tokens),
    Column("$", 6, right=True, rank=5, by=lambda line: line.cost),
    Column("actions", 14, grow=4, rank=1, wish=26, by=lambda line: line.actions),
)

ASIDE = {"fork": "↳ fork", "import": "⇥ import"}
"""Kinds of runs that nothing goes on with by itself, and what is said of them."""

REPLAY = "↻ replay"
"""What is said of a run that was played from the record of another, once it is over."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run, how it is played, how many of its episodes are over, and how many are under way.

    `starting`: a process that is to play it was started a moment ago. `to_go`: seconds until it is over, as far as one can
    tell. `reading`: how far it is, is not known yet.
    """

    line: RunLine
    going: Going
    over: int
    running: int
    starting: bool = False
    to_go: float | None = None
    reading: bool = False

    @property
    def name(self) -> str:
        return self.line.run

    @property
    def idle(self) -> bool:
        """Nobody plays it, nor is about to."""
        return self.going.playing is Playing.IDLE and not self.starting

    @property
    def broken_off(self) -> bool:
        """Nobody plays it, and something is left to play: never so of a fork or of what was imported."""
        left = self.over < self.line.planned and not self.reading
        return self.idle and left and not self.line.trouble and self.line.kind not in ASIDE

    @property
    def paused(self) -> str:
        """Why the whole run is paused; empty when it is not."""
        return self.going.runner.paused if self.going.runner else ""

    @property
    def faulty(self) -> bool:
        """It is over, and a fault of ours ended some of it."""
        figures = self.line.figures
        over = self.idle and not self.broken_off and not self.reading and self.line.kind not in ASIDE
        return over and figures is not None and figures.infra > 0


def run_rows(
    lines: Iterable[RunLine],
    over: Set[EpisodeName],
    going: Mapping[str, Going],
    progress: Mapping[EpisodeName, Progress],
    starting: Container[str] = (),
    now: float = 0.0,
    reading: bool = False,
) -> list[RunRow]:
    """The runs with what is known of their being played. `reading`: the index has not told of them yet."""
    ended: dict[str, int] = {}
    running: dict[str, list[float]] = {}
    for name, one in progress.items():
        if one.status is Status.RUNNING:
            running.setdefault(name.run, []).append(max(0.0, now - one.began))
        elif name not in over:
            ended[name.run] = ended.get(name.run, 0) + 1
    rows = []
    for line in lines:
        played = going.get(line.run, IDLE)
        done = min(line.over + ended.get(line.run, 0), max(line.planned, line.over))
        elapsed = running.get(line.run, []) if line.run in going else []
        begins = line.run in starting and line.run not in going
        row = RunRow(line, played, done, len(elapsed), begins, reading=reading)
        mean = line.figures.seconds if line.figures else None
        left = None if row.paused or row.idle else to_go(mean, line.planned - done - len(elapsed), elapsed)
        rows.append(replace(row, to_go=left))
    return rows


def run_cells(row: RunRow) -> list[Content]:
    """The cells of a run, for RUN_COLUMNS."""
    line, figures = row.line, row.line.figures
    if line.trouble:
        return [safe_line(line.run, 60), Content.styled("✗ unreadable", "$status-crashed"), *[Content("")] * 10]
    cells = [safe_line(line.run, 60), _playing(row), _played(row), Content.styled(about(row.to_go), "$dim")]
    if figures is None:
        cells += [Content.styled(NOTHING, "$dim"), *[Content("")] * 5]
    else:
        cells += [
            Content.styled(percent(figures.tcr), "bold"),
            Content.styled(margin(*figures.interval("tcr")), "$dim"),
            Content(str(figures.n)),
            Content(percent(figures.sr)),
            Content(percent(figures.hr)),
            Content(dollars(figures.cost, figures.unpriced)),
        ]
    builders = safe_line(" ".join(line.builders), 120, "$dim")
    return [*cells, Content.styled(moment(line.created), "$dim"), builders]


def _playing(row: RunRow) -> Content:
    """How it is played, and what did not end with a score."""
    figures = row.line.figures
    counts = [(name, int(getattr(figures, name))) for name in ("crashed", "infra", "cancelled")] if figures else []
    faults = [(f" {STATUSES[name].glyph}{count}", STATUSES[name].style) for name, count in counts if count]
    return Content.assemble(_state(row), *faults)


def _state(row: RunRow) -> Content:
    match row.going.playing:
        case Playing.LIVE if row.paused:
            return Content.styled("‖ paused", "$status-infra")
        case Playing.LIVE:
            return Content.styled("▸ playing", "$status-running")
        case Playing.SILENT:
            return Content.styled(f"▸ silent {row.going.silence} s", "$status-infra")
        case Playing.ELSEWHERE:
            return Content.styled("▸ elsewhere", "$status-running")
    if row.starting:
        return Content.styled("▸ starting", "$dim")
    if row.broken_off:
        return Content.styled("! broken off", "$status-infra")
    if row.line.kind in ASIDE:
        return Content.styled(ASIDE[row.line.kind], "$dim")
    if row.reading:
        return Content.styled("reading …", "$dim")
    if row.line.kind == "replay":
        return Content.styled(REPLAY, "$dim")
    return Content.styled("■ done", "$dim")


def _played(row: RunRow) -> Content:
    over = "…" if row.reading else row.over
    return Content.assemble(bar(row.over, row.running, row.line.planned, BAR), f" {over}/{row.line.planned}")


def episode_rows(
    lines: Iterable[EpisodeLine], progress: Iterable[Progress], idle: bool = False, now: float = 0.0
) -> list[EpisodeLine]:
    """The episodes of the index, and those that it does not know yet or knows as going on, by their own logs.

    `idle`: nobody plays the run, so that none is really going on. `now`: seconds since the epoch.
    """
    found = {line.name.played: line for line in lines}
    for one in progress:
        known = found.get(one.name.played)
        if known is None or known.name.attempt < one.name.attempt or known.status == Status.RUNNING:
            found[one.name.played] = _as_line(one, now)
    if idle:
        broken_off = [line for line in found.values() if line.status == Status.RUNNING]
        found |= {line.name.played: replace(line, idle=True, doing="", state="", paused=False) for line in broken_off}
    return sorted(found.values(), key=lambda line: (line.status != Status.RUNNING, line.case_id, line.builder, line.name))


def _as_line(one: Progress, now: float) -> EpisodeLine:
    return EpisodeLine(
        name=one.name,
        case_id=one.case_id,
        persona=one.persona,
        difficulty=one.difficulty,
        builder=one.builder,
        status=one.status,
        stop_reason="",
        actions=one.actions,
        turns=one.turns,
        tcr=None,
        seconds=None,
        cost=one.spent.cost if one.spent.unpriced < one.spent.calls else None,
        passed=one.passed if one.judged else None,
        slots=one.judged if one.judged else None,
        limit=one.limit,
        doing=one.doing.what,
        state=one.doing.state(now),
        tokens=one.spent.tokens_in + one.spent.tokens_out,
        unpriced=one.spent.unpriced,
        paused=one.doing.paused,
    )


def episode_cells(line: EpisodeLine) -> list[Content]:
    """The cells of an episode, for EPISODE_COLUMNS."""
    status = STATUSES[line.status].worded()
    if line.idle or line.paused:
        status = Content.styled("! broken off" if line.idle else "‖ paused", "$status-infra")
    elif line.state and line.status == Status.RUNNING:
        status = Content.styled(f"{STATUSES[line.status].glyph} {line.state}", STATUSES[line.status].style)
    going_on = line.status == Status.RUNNING
    actions = action_string(line.actions)
    if line.doing and going_on:
        actions = Content.assemble(actions, "  " if line.actions else "", safe_line(line.doing, 80, "$dim"))
    slots = "" if line.slots is None else f"{line.passed}/{line.slots}"
    attempt = f" ·{line.name.attempt}" if line.name.attempt > 1 else ""
    return [
        safe_line(line.case_id, 60) + attempt,
        safe_line(line.builder, 60),
        status,
        Content(f"{line.turns}/{line.limit}" if going_on and line.limit else str(line.turns)),
        Content(slots),
        Content(percent(line.tcr)),
        Content("" if line.seconds is None else number(line.seconds, 0)),
        Content(str(line.actions.count("C"))),
        Content({True: "yes", False: "no", None: NOTHING}[line.hallucinated]),
        Content(thousands(line.tokens)),
        Content(dollars(line.cost, line.unpriced)),
        actions,
    ]


def as_shown(line: EpisodeLine, wanted: str) -> bool:
    """Whether any text of the row holds `wanted`, whatever its case."""
    texts = (line.case_id, line.builder, line.persona, line.difficulty, line.status, line.actions)
    return any(wanted in text.casefold() for text in texts)
