"""All columns that the episodes of Metrics can be shown with. Pure; names in them are data."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from textual.content import Content

from iwtui.tui.answers import EpisodeLine
from iwtui.tui.choosable import Choosable
from iwtui.tui.columns import Cell, Column
from iwtui.tui.look import STATUSES, action_string
from iwtui.tui.text import safe_line
from iwtui.tui.written import NOTHING, dollars, number, percent, thousands

Line = Choosable[EpisodeLine]
Cells = Callable[[EpisodeLine], Cell]


def _column(title: str, asks: str, meaning: str, cell: Cells, width: int, **more: Any) -> Line:
    by = attrgetter(asks) if asks in EpisodeLine.__slots__ else attrgetter("name")
    return Choosable(Column(title, width, by=by, **more), cell, meaning, asks)


def _text(title: str, asks: str, meaning: str, width: int = 12) -> Line:
    value = attrgetter(asks)
    return _column(title, asks, meaning, lambda line: safe_line(value(line), 60), width, rank=12)


def _number(title: str, asks: str, meaning: str, write: Callable[[Any], str] = str, width: int = 6, rank: int = 9) -> Line:
    value = attrgetter(asks)

    def cell(line: EpisodeLine) -> Content:
        found = value(line)
        return Content(NOTHING if found is None else write(found))

    return _column(title, asks, meaning, cell, width, right=True, rank=rank)


def _flag(value: bool) -> str:
    return "yes" if value else "no"


def _case(line: EpisodeLine) -> Content:
    attempt = f" ·{line.name.attempt}" if line.name.attempt > 1 else ""
    return safe_line(line.case_id, 60) + attempt


def _status(line: EpisodeLine) -> Content:
    return STATUSES[line.status].worded()


def _dollars(line: EpisodeLine) -> Content:
    return Content(dollars(line.cost, line.unpriced))


def _actions(line: EpisodeLine) -> Content:
    return action_string(line.actions)


def _slots(line: EpisodeLine) -> Content:
    return Content("" if line.slots is None else f"{line.passed}/{line.slots}")


EPISODE_CHOICES: tuple[Line, ...] = (
    _column("case", "case_id", "seed and persona", _case, 16, grow=1),
    _column("builder", "builder", "the model that builds", lambda line: safe_line(line.builder, 60), 18, grow=1),
    _column("run", "run", "the run it was played in", lambda line: safe_line(line.name.run, 60), 14, rank=11),
    _text("persona", "persona", "the client's persona", 8),
    _text("difficulty", "difficulty", "easy, middle or hard", 10),
    _text("seed", "seed", "what the case was made from"),
    _text("type", "application_type", "the application type of the case"),
    _text("category", "category", "the category of the case"),
    _text("language", "language", "the language of the instruction", 8),
    _text("pack", "pack", "the task pack"),
    _column("repeat", "repeat", "which repeat", lambda line: Content(str(line.name.repeat)), 6, right=True, rank=10),
    _column("status", "status", "scored, crashed, infra, cancelled or running", _status, 13),
    _text("ended by", "stop_reason", "why it ended"),
    _text("judge", "judge", "who judged it"),
    _number("turn", "turns", "turns that were played", width=5, rank=2),
    _column("slots", "passed", "slots passed of those that were judged", _slots, 6, right=True, rank=3),
    _number("TCR %", "tcr", "task completion rate", percent, rank=0),
    _number("POSITIVE %", "tcr_clean", "TCR over the POSITIVE slots, as the published table has it", percent, 10),
    _number("people %", "tcr_human", "TCR with people's verdicts", percent, 8),
    _number("SR", "sr", "all slots passed", _flag, 3),
    _number("HR", "hallucinated", "something nobody asked for was built", _flag, 3, rank=8),
    _number("IAS", "ias", "intent alignment, 1 to 5", lambda value: number(value, 2)),
    _number("CHR %", "chr", "conflicts handled", percent),
    _number("VBR %", "vbr", "visual bug rate", percent),
    _number("layout", "layout", "layout, 1 to 5", lambda value: number(value, 1)),
    _number("creative", "creative_alignment", "creative alignment, 1 to 5", lambda value: number(value, 1), 8),
    _number("looks", "aesthetics", "aesthetics, 1 to 5", lambda value: number(value, 1)),
    _number("s", "seconds", "seconds that it took", lambda value: number(value, 0), 5, rank=4),
    _number("asks", "clarifies", "questions to the client", width=5, rank=7),
    _number("builds", "implements", "turns that wrote code"),
    _number("checks", "verifies", "turns that verified"),
    _number("bad", "malformed", "turns that could not be read", width=4),
    _number("both", "conflicts", "turns with more than one action", width=4),
    _number("leaks", "leaks", "requirements that the client told unasked", width=5),
    _number("Δask", "question_cost", "what the questions cost, in points of TCR", lambda value: number(100 * value)),
    _number("LOC", "loc", "lines of code"),
    _number("tokens", "tokens", "tokens sent and received", thousands, rank=6),
    _column("$", "cost", "US dollars; + where a price is unknown", _dollars, 6, right=True, rank=5),
    _number("script", "scripted", "whether a script played the builder", _flag),
    _column("actions", "actions", "what was done, turn by turn", _actions, 14, grow=4, rank=1, wish=26),
)  # fmt: skip
"""In the order in which they stand side by side."""

USUAL_EPISODE = ("case", "builder", "status", "turn", "slots", "TCR %", "s", "asks", "HR", "tokens", "$", "actions")
