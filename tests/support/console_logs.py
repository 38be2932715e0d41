"""Logs as a test writes them."""

from collections.abc import Iterable

from iwtui.bench.events import (
    ActionChosen,
    BrowserStepped,
    ClientReplied,
    EpisodeEnded,
    EpisodeStarted,
    Event,
    FileChange,
    FilesChanged,
    JudgingEnded,
    JudgingStarted,
    LongText,
    ModelCalled,
    Record,
    SiteProbed,
    SlotJudged,
    Text,
    TurnStarted,
    Unknown,
    Verified,
)

A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)


def log(*events: tuple[int, Event | Unknown], first: int = 0) -> list[Record]:
    """A log from (turn, event)."""
    return [Record(first + i, 100.0 + i, turn, event) for i, (turn, event) in enumerate(events)]  # type: ignore[arg-type]


def started(turns: int = 15) -> EpisodeStarted:
    return EpisodeStarted(
        case_id="bakery_P-MIN",
        persona="P-MIN",
        builder="scripted/blind",
        repeat=1,
        attempt=1,
        difficulty="easy",
        turns=turns,
        failed_verifies=6,
        verify_steps=8,
        models={},
        system="build",
        scripted=True,
    )


def files(manifest: str, *changes: FileChange, more: int = 0) -> FilesChanged:
    return FilesChanged(manifest=manifest, files=len(changes), lines=1, changes=changes, more_changes=more)


def step(number: int, picture: str | None = None, slot: int | None = None, phase: str = "verify") -> BrowserStepped:
    return BrowserStepped(phase=phase, step=number, action="click", target="[2] button", picture=picture, slot=slot)


def long(blob: str, head: str, chars: int = 5_000) -> LongText:
    return LongText(blob, chars, head)


def episode(question: Text = "Which colour?") -> list[Record]:
    """Three turns: asks (1-3), writes (4-7), verifies in vain and ends (8-13)."""
    return log(
        (0, started()),
        (1, TurnStarted(message="Make a site for my bakery.")),
        (1, ActionChosen(action="clarify", question=question, reasoning="no colour is named")),
        (1, ClientReplied(question="?", reply="Ivory.", disclosed=(1,))),
        (2, TurnStarted(message="Ivory.")),
        (2, ActionChosen(action="implement", files=("index.html",))),
        (2, files(C, FileChange("index.html", "add", A, 10, added=3))),
        (2, SiteProbed(phase="implement", ok=True, title="Crumb", picture=A)),
        (3, TurnStarted(message="Execution feedback: it runs.", picture=A)),
        (3, ActionChosen(action="verify", criteria="ivory")),
        (3, step(1, B)),
        (3, step(2, C)),
        (3, Verified(path="/", criteria="ivory", status="failed", report="white", steps=2, streak=1, picture=C)),
        (3, EpisodeEnded(status="played", stop_reason="submitted")),
    )


def judging(
    judge: str = "checks", verdicts: Iterable[str] = ("passed", "failed"), end: str | None = "scored"
) -> list[Record]:
    """Two events a slot after the first event: a step with a picture, and the verdict it led to."""
    events: list[tuple[int, Event]] = [(3, JudgingStarted(judge=judge, slots=4, manifest=C, turn_judged=3))]
    for slot, verdict in enumerate(verdicts):
        events.append((3, step(1, D, slot, "judging")))
        events.append((3, SlotJudged(slot=slot, verdict=verdict, reason=f"because {slot}", evidence=len(events) - 1)))
    if end:
        events.append((3, JudgingEnded(status=end)))
    return log(*events)


def many(count: int) -> list[Record]:
    """A long episode: 25 turns of browser steps and model calls."""
    events: list[tuple[int, Event]] = [(0, started(25))]
    for i in range(1, count):
        turn = 1 + 25 * i // count
        if turn > events[-1][0]:
            events.append((turn, TurnStarted(message="words " * 300)))
        elif i % 3:
            events.append((turn, step(i, f"{i:064x}")))
        else:
            events.append((turn, ModelCalled(role="copilot", model="m", ordinal=i, request=(A,) * 20, reply="word " * 300)))
    return log(*events)
