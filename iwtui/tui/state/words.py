"""Events in words: each as one line of the timeline, with its glyph and its tone."""

import msgspec

from iwtui.bench.events import (
    ActionChosen,
    BrowserStepped,
    ClientReplied,
    CommandRan,
    Controlled,
    EpisodeEnded,
    EpisodeForked,
    EpisodeMeasured,
    EpisodeResumed,
    EpisodeStarted,
    FilesChanged,
    JudgingEnded,
    JudgingStarted,
    ModelCalled,
    Record,
    SiteProbed,
    SlotJudged,
    Text,
    TurnStarted,
    Unknown,
    Verified,
    Warned,
    head,
)
from iwtui.bench.fold import PERSON
from iwtui.bench.score import Verdict
from iwtui.bench.text import one_line
from iwtui.tui.state.shapes import Row, judging_seq
from iwtui.tui.state.signs import ACTION_GLYPHS, PENDING, VERDICT_GLYPHS, VERDICT_TONES

LONGEST = 160
"""Characters of a row's text at most."""


class _Said(msgspec.Struct):
    glyph: str
    text: str
    tone: str = ""
    failed: bool = False


def row_of(record: Record, *, judging: bool = False, slot_before: int | None = None) -> Row:
    """The row of an event. `slot_before`: the slot that the judging looked at before it."""
    said = _said(record)
    slot = record.event.slot if isinstance(record.event, BrowserStepped | SlotJudged) and judging else None
    opens = slot is not None and slot != slot_before if judging else isinstance(record.event, TurnStarted)
    return Row(
        seq=judging_seq(record.seq) if judging else record.seq,
        number=record.seq,
        turn=record.turn,
        kind=one_line(record.kind, 40) if isinstance(record.event, Unknown) else record.kind,
        glyph=said.glyph,
        text=one_line(said.text[: 4 * LONGEST], LONGEST),
        tone=said.tone,
        t=record.t,
        failed=said.failed,
        opens=opens or isinstance(record.event, JudgingStarted),
        judging=judging,
        slot=slot,
    )


def counted(number: int, thing: str) -> str:
    """A number and its noun, in the plural unless it is one."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _start(text: Text) -> str:
    return head(text, 2 * LONGEST)


def _said(record: Record) -> _Said:
    event = record.event
    match event:
        case TurnStarted():
            return _Said("▸", _start(event.message), "dim")
        case ActionChosen():
            return _action(event)
        case ModelCalled():
            return _call(event)
        case ClientReplied():
            return _reply(event)
        case FilesChanged():
            return _files(event)
        case CommandRan():
            return _command(event)
        case SiteProbed():
            return _probe(event)
        case BrowserStepped():
            target = f" {event.target}" if event.target else ""
            return _Said("→", f"{event.step} {event.action}{target}{f' → {event.result}' if event.result else ''}")
        case Verified():
            good = event.status == "success"
            streak = f", {event.streak} in a row" if event.streak > 1 else ""
            text = f"audit: {event.status} after {counted(event.steps, 'step')}{streak}: {_start(event.report)}"
            return _Said("✓" if good else "✗", text, "good" if good else "bad", failed=not good)
        case SlotJudged():
            return _verdict(event)
        case Warned():
            return _Said("△", f"{event.where}: {event.text}", "warn")
        case Controlled():
            return _Said("‖", f"{event.by}: {event.what}", "warn")
        case Unknown():
            return _Said(PENDING, f"an event of a kind that this version does not know: {event.raw[:LONGEST]}", "dim")
    return _frame(event)


def _frame(
    event: EpisodeForked | EpisodeStarted | EpisodeResumed | EpisodeEnded | JudgingStarted | EpisodeMeasured | JudgingEnded,
) -> _Said:
    """What begins, goes on, sums up and ends a log."""
    match event:
        case EpisodeForked():
            kept = counted(event.kept, "turn")
            return _Said("⑂", f"a fork of {event.parent} at turn {event.at_turn}, by {event.way}; {kept} kept", "warn")
        case EpisodeStarted():
            return _Said("┌", f"{event.case_id} by {event.builder}, repeat {event.repeat}, attempt {event.attempt}", "dim")
        case EpisodeResumed():
            return _Said("↻", f"resumed after {counted(event.kept_turns, 'whole turn')}", "warn")
        case EpisodeEnded():
            played = event.status == "played"
            text = f"{event.status}, {event.stop_reason}" + (f": {event.text}" if event.text else "")
            return _Said("└", text, "" if played else "bad", failed=not played)
        case JudgingStarted():
            return _Said("┌", f"judged by {event.judge}: {counted(event.slots, 'slot')}", "dim")
        case EpisodeMeasured():
            value = "unknown" if event.value is None else f"{event.value:g}"
            return _Said("=", f"{event.metric} {value}" + (f": {_start(event.reason)}" if event.reason else ""))
        case JudgingEnded():
            scored = event.status == "scored"
            text = event.status + (f": {event.text}" if event.text else "")
            return _Said("└", text, "" if scored else "bad", failed=not scored)


def _action(event: ActionChosen) -> _Said:
    glyph = ACTION_GLYPHS.get(event.action, PENDING)
    tone = event.action if event.action in ACTION_GLYPHS else ""
    rest = {"clarify": _start(event.question), "verify": _start(event.criteria), "implement": ", ".join(event.files[:8])}
    odd = "; ".join(f"{oddity.kind} {oddity.detail}".strip() for oddity in event.oddities[:3])
    text = rest.get(event.action) or _start(event.prose) if event.action != "malformed" else odd or _start(event.prose)
    said = f"{event.action}{' (person)' if event.by == PERSON else ''}{f': {text}' if text else ''}"
    return _Said(glyph, said, tone, failed=event.action == "malformed")


def _call(event: ModelCalled) -> _Said:
    if event.fault is not None:
        again = f" in attempt {event.attempt}, asked again" if event.retried else tries(event)
        text = f"{event.role}'s model failed{again}: {event.fault}"
        return _Said("↻", text, "warn") if event.retried else _Said("✗", text, "bad", failed=True)
    tokens = "" if event.tokens_out is None else f", {counted(event.tokens_out, 'token')} out"
    replayed = ", from the record" if event.replayed else ""
    return _Said(PENDING, f"{event.role} {event.seconds:.1f} s{tokens}{tries(event)}{replayed}: {event.model}", "dim")


def tries(call: ModelCalled) -> str:
    """How many attempts a call took, if more than one."""
    return f" in attempt {call.attempt}" if call.attempt > 1 else ""


def _reply(event: ClientReplied) -> _Said:
    who = "client" if event.by == "client" else "person"
    said = [f"leaked {counted(len(event.leaked), 'fact')}"] if event.leaked else []
    said += ["challenged"] if event.challenged else []
    said += [f"holds back {counted(len(event.held), 'fact')}"] if event.held else []
    said += [] if event.answered else ["no more questions"]
    note = f" ({', '.join(said)})" if said else ""
    return _Said("“", f"{who}{note}: {_start(event.reply)}", "warn" if event.leaked or not event.answered else "")


def _files(event: FilesChanged) -> _Said:
    added, removed = sum(c.added for c in event.changes), sum(c.removed for c in event.changes)
    paths = ", ".join(change.path for change in event.changes[:8]) or "nothing changed"
    more = f" and {event.more_changes} more" if event.more_changes else ""
    refused = f" — {counted(len(event.refused), 'file')} refused" if event.refused else ""
    elided = " — possible elision" if any(change.elided for change in event.changes) else ""
    return _Said("±", f"+{added} −{removed} {paths}{more}{refused}{elided}", "warn" if refused or elided else "")


def _command(event: CommandRan) -> _Said:
    if event.refused is not None:
        return _Said("$", f"{_start(event.command)} — not run: {event.refused}", "warn")
    bad = event.exit_code != 0 and not event.serving
    ended = "no exit code" if event.exit_code is None else f"exit {event.exit_code}"
    how = "; ".join(filter(None, ("serving" if event.serving else ended, event.why)))
    return _Said("$", f"{_start(event.command)} — {how}, {event.seconds:.1f} s", "bad" if bad else "", failed=bad)


def _probe(event: SiteProbed) -> _Said:
    if event.ok:
        return _Said("○", f"{event.phase}: the site answers after {event.seconds:.1f} s: “{event.title}”")
    whose = {"site": " (its own fault)", "infra": " (our fault)"}.get(event.fault or "", "")
    return _Said("✗", f"{event.phase}: the site does not run{whose}: {event.reason}", "bad", failed=True)


def _verdict(event: SlotJudged) -> _Said:
    verdict = Verdict(event.verdict)
    failed = verdict is not Verdict.PASSED
    text = f"slot {event.slot} {event.verdict}: {_start(event.reason)}"
    return _Said(VERDICT_GLYPHS[verdict], text, VERDICT_TONES[verdict], failed=failed)
