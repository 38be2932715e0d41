"""What can be asked of a run, of the episode at the cursor, and why not. Pure."""

from iwtui.archive.control import What
from iwtui.bench.status import Status
from iwtui.tui.answers import EpisodeLine
from iwtui.tui.board import Playing
from iwtui.tui.rows import RunRow


def why_not(action: str, row: RunRow | None, line: EpisodeLine | None) -> str:
    """Why an action on runs is not possible now; empty when it is. `line`: the episode that the cursor is on, if on any."""
    match action:
        case "home.resume":
            return _why_not_resumed(row)
        case "home.stop" | "home.cancel_all":
            return _why_not_asked(row)
        case "home.pause":
            held = row is not None and bool(row.paused)
            return _why_not_asked(row) or ("" if line is None or held else _why_not_played(line))
        case "home.cancel":
            return _why_not_asked(row) or (_why_not_played(line) if line else "no episode of it is chosen")
    return ""


def pause_or_go_on(row: RunRow, line: EpisodeLine | None) -> tuple[What, EpisodeLine | None]:
    """What the one key for both asks, and of which episode (None: of the run). A run that is paused goes on as a whole."""
    if row.paused:
        return "go on", None
    return ("go on" if line is not None and line.paused else "pause"), line


def _why_not_asked(row: RunRow | None) -> str:
    """Why nothing can be asked of the process that plays the run."""
    if row is None:
        return "there is no run"
    if row.going.playing is Playing.ELSEWHERE:
        return f"it is played on another machine, {row.going.host}"
    if row.going.runner is None:
        return "it is only being started" if row.starting else "nobody plays it"
    return ""


def _why_not_played(line: EpisodeLine) -> str:
    return "" if line.status == Status.RUNNING and not line.idle else "this episode is over"


def _why_not_resumed(row: RunRow | None) -> str:
    if row is None:
        return "there is no run"
    if row.broken_off or row.faulty:
        return ""
    if row.starting or row.going.playing is not Playing.IDLE:
        return "it is being played"
    if row.reading:
        return "it is still being read"
    match row.line.kind:
        case "import":
            return "it was imported: it is not played here"
        case "fork":
            return "it is a fork: `iwtui fork` makes another"
    return row.line.trouble or "nothing is left to play"
