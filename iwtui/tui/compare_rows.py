"""The rows of a comparison as cells of tables. Pure."""

from textual.content import Content

from iwtui.tui.columns import Column
from iwtui.tui.look import STATUSES, VERDICTS
from iwtui.tui.state.compare import CompareLine, DifferenceLine, Spread
from iwtui.tui.text import safe_line
from iwtui.tui.written import NOTHING, percent

LINE_COLUMNS = (
    Column("case", 12, grow=1, wish=16, by=lambda line: line.case),
    Column("slot", 4, right=True, by=lambda line: line.slot),
    Column("A", 8, wish=12, grow=1, by=lambda line: line.a),
    Column("B", 8, wish=12, grow=1, by=lambda line: line.b),
    Column("what", 14, grow=2, rank=1, by=lambda line: line.what),
    Column("why", 14, grow=2, rank=2, by=lambda line: line.why),
    Column("W", 5, right=True, rank=3, by=lambda line: line.weight),
    Column("kind", 11, rank=4, by=lambda line: line.kind),
)

DIFFERENCE_COLUMNS = (
    Column("B − A", 14, grow=1, by=lambda line: line.group),
    Column("n", 3, right=True, by=lambda line: line.tcr.n),
    Column("TCR %", 6, right=True, by=lambda line: line.tcr.mean),
    Column("95 %", 14, right=True, by=lambda line: line.tcr.low),
    Column("SR %", 6, right=True, rank=1, by=lambda line: line.sr.mean),
    Column("HR %", 6, right=True, rank=1, by=lambda line: line.hr.mean),
    Column("A TCR", 5, right=True, rank=2, by=lambda line: line.tcr.a),
    Column("B TCR", 5, right=True, rank=2, by=lambda line: line.tcr.b),
    Column("asked %", 7, right=True, rank=3, by=lambda line: line.asked.mean),
    Column("turns", 5, right=True, rank=4, by=lambda line: line.turns.mean),
    Column("$", 7, right=True, rank=5, by=lambda line: line.cost.mean),
)

LOOKS = VERDICTS | STATUSES
_BETTER, _WORSE = "$verdict-passed", "$verdict-failed"


def line_cells(line: CompareLine) -> list[Content]:
    """A slot, or a case apart."""
    return [
        safe_line(line.case, 80),
        Content("" if line.slot is None else str(line.slot)),
        _word(line.a),
        _word(line.b),
        safe_line(line.what, 120),
        safe_line(line.why, 120, "$dim"),
        Content("" if line.weight is None else f"{line.weight:.2f}"),
        safe_line(line.kind, 20, "$dim"),
    ]


def difference_cells(line: DifferenceLine) -> list[Content]:
    """A group of pairs; a difference whose interval does not reach 0 is coloured."""
    return [
        safe_line(line.group, 60),
        Content(str(line.tcr.n)),
        _coloured(line.tcr, better=1),
        Content.styled(interval(line.tcr), "$dim"),
        _coloured(line.sr, better=1),
        _coloured(line.hr, better=-1),
        Content(percent(line.tcr.a)),
        Content(percent(line.tcr.b)),
        Content(points(line.asked.mean)),
        Content(_signed(line.turns.mean, 1)),
        Content(_signed(line.cost.mean, 2)),
    ]


def points(share: float | None) -> str:
    """A difference of shares in points, with its sign."""
    return NOTHING if share is None else f"{100 * share:+.1f}"


def interval(of: Spread) -> str:
    """The 95 % interval in points; a dash where there is none."""
    return NOTHING if of.low is None or of.high is None else f"{points(of.low)} {points(of.high)}"


def _coloured(of: Spread, better: int) -> Content:
    text = points(of.mean)
    if of.low is None or of.high is None or of.low <= 0 <= of.high:
        return Content(text)
    return Content.styled(text, _BETTER if (of.low > 0) == (better > 0) else _WORSE)


def _signed(value: float | None, places: int) -> str:
    return NOTHING if value is None else f"{value:+.{places}f}"


def _word(word: str) -> Content:
    look = LOOKS.get(word)
    return look.worded() if look else safe_line(word or NOTHING, 20, "$dim")
