"""An episode told as a story: who said what, which files changed, what the browser saw, why each slot passed or failed.

Pure: states of the fold in, lines out. All text of others is made visible here; `reader` gives the whole of a long one.
"""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from iwtui.bench.case import Case
from iwtui.bench.events import ActionChosen, BrowserStepped, ClientReplied, CommandRan, FilesChanged, SiteProbed, Text
from iwtui.bench.fold import PERSON, EpisodeState, JudgingState, Turn
from iwtui.bench.score import Score
from iwtui.bench.status import Status
from iwtui.bench.text import one_line, visible
from iwtui.bench.weights import weights
from iwtui.cli.output import counted
from iwtui.tui.state.signs import ACTION_GLYPHS, PENDING, STATUS_TONES, VERDICT_GLYPHS, VERDICT_TONES
from iwtui.tui.state.words import tries

LAID_OUT = 20_000
"""Characters of a text that are laid out at most when it is folded."""

Reader = Callable[[Text], str]


class Line(msgspec.Struct, frozen=True):
    """One line, fit to be printed. `tone` is heading, good, bad, warn, dim or nothing."""

    text: str
    tone: str = ""


class Telling(msgspec.Struct, frozen=True):
    """How to tell it: `width` characters a line, at most `lines` of a long text (None: all of it)."""

    reader: Reader
    width: int = 100
    lines: int | None = 6

    def passage(self, label: str, text: Text | str, tone: str = "", indent: int = 2) -> Iterator[Line]:
        """A labelled text, wrapped and folded; nothing when it is empty."""
        whole = self.reader(text).strip()
        if not whole:
            return
        shown = visible(whole if self.lines is None else whole[:LAID_OUT])
        lead = " " * indent + (f"{label}: " if label else "")
        rest = " " * (indent + 2)
        wrapped = [piece for line in shown.split("\n") for piece in self._wrap(line)]
        kept = wrapped if self.lines is None or len(wrapped) <= self.lines + 1 else wrapped[: self.lines]
        for number, piece in enumerate(kept):
            yield Line((lead if number == 0 else rest) + piece, tone)
        if self.lines is not None and len(whole) > LAID_OUT:
            yield Line(f"{rest}(the beginning of {len(whole)} characters, --full shows them)", "dim")
        elif len(kept) < len(wrapped):
            yield Line(f"{rest}({len(wrapped) - len(kept)} more lines, --full shows them)", "dim")

    def _wrap(self, line: str) -> list[str]:
        return textwrap.wrap(line.expandtabs(4), self.width, replace_whitespace=False) or [""]

    def several(self, label: str, texts: Sequence[str], tone: str = "dim", indent: int = 4) -> Iterator[Line]:
        """A few short texts, one a line."""
        kept = texts if self.lines is None else texts[: self.lines]
        for text in kept:
            yield Line(f"{' ' * indent}{label}: {one_line(text, self.width * 2)}", tone)
        if len(kept) < len(texts):
            yield Line(f"{' ' * indent}({len(texts) - len(kept)} more of {label}, --full shows them)", "dim")


class Subject(msgspec.Struct, frozen=True):
    """What a story is about. `case` is None when the run's own copy of it is lost; `judging` when there is none yet.

    `upto`: the story ends after this event, of which the log has more.
    """

    name: str
    case: Case | None
    episode: EpisodeState
    status: Status
    score: Score
    judging: JudgingState | None = None
    judging_name: str = ""
    upto: int | None = None


def story(subject: Subject, telling: Telling) -> Iterator[Line]:
    """The whole story, heading first."""
    yield from _heading(subject)
    first = subject.episode.turns[0].message if subject.episode.turns else ""
    if asked := subject.case.instruction if subject.case else telling.reader(first):
        yield Line("")
        yield Line("The client asks", "heading")
        yield from telling.passage("", asked)
    for turn in subject.episode.turns:
        yield Line("")
        yield from _turn(turn, subject.case, telling)
    yield Line("")
    yield from _end(subject, telling)
    if subject.judging and subject.case and subject.upto is None:
        yield Line("")
        yield from _verdicts(subject.judging, subject.case, subject.judging_name, telling)
        yield Line("")
        yield from _score(subject.score)


def _heading(subject: Subject) -> Iterator[Line]:
    episode, started = subject.episode, subject.episode.started
    yield Line(one_line(subject.name), "heading")
    if started:
        label = " · scripted" if started.scripted else ""
        parts = [started.case_id, started.builder, started.persona, started.difficulty]
        yield Line(
            " · ".join(one_line(part) for part in parts if part)
            + f" · repeat {started.repeat}, attempt {started.attempt}{label}"
        )
    turns = f"turn {episode.turn}" + (f" of {started.turns}" if started else "")
    upto = "" if subject.upto is None else f" · up to event {subject.upto}"
    yield Line(f"{subject.status.value} · TCR {percent(subject.score.tcr)} · {turns}{upto}", STATUS_TONES[subject.status])
    spent = episode.spent
    if spent.calls:
        cost = "cost unknown" if spent.unpriced == spent.calls else f"${spent.cost:.4f}"
        cost += f" and {counted(spent.unpriced, 'call')} of unknown cost" if 0 < spent.unpriced < spent.calls else ""
        told = spent.untold < spent.calls
        tokens = f"{spent.tokens_in} tokens in, {spent.tokens_out} out" if told else "tokens unknown"
        took = episode.t - episode.began
        time = f"{took:.1f} s" if took else "time unknown"
        yield Line(f"{counted(spent.calls, 'model call')} · {tokens} · {cost} · {time}", "dim")
    if forked := episode.forked:
        where = f"at turn {forked.at_turn}, by {one_line(forked.way)}"
        yield Line(f"a fork of {one_line(forked.parent)} {where}; it counts in no mean", "warn")
    if episode.resumes:
        yield Line(f"resumed {counted(episode.resumes, 'time')}; {counted(episode.discarded, 'event')} discarded", "dim")
    if episode.unknown:
        yield Line(f"{counted(episode.unknown, 'event')} of a kind that this version does not know", "warn")
    yield from (Line(f"warning: {one_line(f'{w.where}: {w.text}')}", "warn") for w in episode.warnings)


def _turn(turn: Turn, case: Case | None, telling: Telling) -> Iterator[Line]:
    action = turn.action
    word = one_line(action.action) if action else "waiting for the builder"
    yield Line(f"Turn {turn.number} {ACTION_GLYPHS.get(word, PENDING)} {word}   (event {turn.seq})", "heading")
    for call in turn.calls:
        if call.fault:
            again = f" in attempt {call.attempt}, asked again" if call.retried else tries(call)
            text = f"  {one_line(call.role)}'s model failed{again}: {one_line(call.fault)}"
            yield Line(text, "warn" if call.retried else "bad")
        elif call.replayed:
            yield Line(f"  {one_line(call.role)}'s answer is from the record", "dim")
    if action:
        if action.by == PERSON:
            yield Line("  a person put this in the builder's place", "warn")
        yield from _action(action, telling)
    if turn.reply:
        yield from _reply(turn.reply, case, telling)
    if turn.files:
        yield from _files(turn.files, telling)
    for command in turn.commands:
        result = _came_of(command)
        yield Line(
            f"  ran: {one_line(telling.reader(command.command))} — {one_line(result)}", "warn" if command.refused else ""
        )
        yield from telling.passage("output", command.output, "dim", 4)
    for probe in turn.probes:
        yield from _probe(probe, telling)
    for step in turn.steps:
        yield from browser_step(step, telling)
    if turn.verified:
        verified = turn.verified
        tone = "good" if verified.status == "success" else "bad"
        streak = f", {verified.streak} in a row" if verified.streak > 1 else ""
        yield Line(f"  the audit: {one_line(verified.status)} after {counted(verified.steps, 'step')}{streak}", tone)
        yield from telling.passage("report", verified.report, indent=4)
    yield from (Line(f"  warning: {one_line(f'{w.where}: {w.text}')}", "warn") for w in turn.warnings)


def _action(action: ActionChosen, telling: Telling) -> Iterator[Line]:
    if len(action.stood) > 1:
        yield Line(f"  in one message stood: {one_line(', '.join(action.stood))}", "warn")
    yield from telling.passage("thinks", action.reasoning, "dim")
    yield from telling.passage("says", action.prose)
    yield from telling.passage("asks", action.question)
    if action.action == "verify":
        yield from telling.passage("wants audited", action.criteria)
    if action.cut:
        yield Line("  the answer was cut by the output limit", "warn")
    for oddity in action.oddities:
        detail = f": {one_line(oddity.detail)}" if oddity.detail else ""
        yield Line(f"  odd: {one_line(oddity.kind)}{detail}", "warn")


def _reply(reply: ClientReplied, case: Case | None, telling: Telling) -> Iterator[Line]:
    yield from telling.passage("client" if reply.by == "client" else "a person answers for the client", reply.reply)
    if reply.challenged:
        yield Line("    challenged: the question says that wishes clash", "dim")
    asked_for = [fact for fact in reply.disclosed if fact not in reply.leaked]
    yield from (Line(f"    told: {_fact(case, fact)}", "dim") for fact in asked_for)
    yield from (Line(f"    leaked without being asked: {_fact(case, fact)}", "warn") for fact in reply.leaked)
    if reply.held:
        yield from (Line(f"    held back: {_fact(case, fact)}", "dim") for fact in reply.held)
    if not reply.answered:
        yield Line("    not answered: the client's questions are used up", "warn")
    elif not reply.disclosed:
        yield Line("    told: no fact", "dim")


def _fact(case: Case | None, fact: int) -> str:
    known = case is not None and 0 <= fact < len(case.facts)
    return f"fact {fact + 1}" + (f", {one_line(case.facts[fact], 120)}" if case and known else "")


def _files(files: FilesChanged, telling: Telling) -> Iterator[Line]:
    for change in files.changes:
        lines = f"+{change.added} −{change.removed}" if change.added or change.removed else f"{change.size} bytes"
        elided = "  possible elision: the rewrite seems to leave code out" if change.elided else ""
        yield Line(f"  {one_line(change.op)} {one_line(change.path)}  {lines}{elided}", "warn" if elided else "")
    if files.more_changes:
        yield Line(f"  and changes of {counted(files.more_changes, 'file')} more", "dim")
    yield from telling.several("refused", [f"{r.path} — {r.reason}" for r in files.refused], "bad", 2)
    yield Line(f"  the workspace: {counted(files.files, 'file')}, {counted(files.lines, 'line')}", "dim")


def _probe(probe: SiteProbed, telling: Telling) -> Iterator[Line]:
    if probe.ok:
        after = f" after {probe.seconds:.1f} s" if probe.seconds else ""
        title = f": “{one_line(probe.title)}”" if probe.title else ""
        yield Line(f"  the site answers{after}{title}")
    else:
        whose = {"site": "its own fault", "infra": "our fault"}.get(probe.fault or "", "")
        yield Line(f"  the site does not run{f' ({whose})' if whose else ''}: {one_line(probe.reason)}", "bad")
    yield from _seen(probe, telling)


def browser_step(step: BrowserStepped, telling: Telling) -> Iterator[Line]:
    """What was done in the browser, and what came of it."""
    target = f" {one_line(step.target)}" if step.target else ""
    result = f" → {one_line(step.result)}" if step.result else ""
    yield Line(f"  browser {step.step}: {one_line(step.action)}{target}{result}")
    yield from telling.passage("thought", step.thought, "dim", 4)
    answered = [f"{dialog.type} “{dialog.message}” answered with {dialog.answer}" for dialog in step.dialogs]
    yield from telling.several("dialog", answered, "warn")
    yield from _seen(step, telling)


def _seen(seen: SiteProbed | BrowserStepped, telling: Telling) -> Iterator[Line]:
    yield from telling.several("console", seen.console)
    yield from telling.several("blocked", seen.blocked, "warn")


def _end(subject: Subject, telling: Telling) -> Iterator[Line]:
    ended = subject.episode.ended
    for control in subject.episode.controls:
        yield Line(f"{one_line(control.by)}: {one_line(control.what)}", "dim")
    if subject.upto is not None:
        yield Line(f"So it stood after event {subject.upto}.", "dim")
    elif ended is None:
        yield Line("The episode is not over: its log has no end yet.", "warn")
    else:
        yield Line(f"The end: {one_line(ended.status)}, {one_line(ended.stop_reason)}", "heading")
        yield from telling.passage("", ended.text)


def _verdicts(judging: JudgingState, case: Case, name: str, telling: Telling) -> Iterator[Line]:
    judge = judging.started.judge if judging.started else name
    status = judging.ended.status if judging.ended else "not over yet"
    yield Line(f"Judged by {one_line(judge)}: {one_line(status)}", "heading")
    if judging.ended and judging.ended.text:
        yield from telling.passage("", judging.ended.text)
    for probe in judging.probes:
        yield from _probe(probe, telling)
    reasons = {judged.slot: judged for judged in judging.verdicts}
    steps = dict(judging.steps)
    rows = zip(case.slots, weights(case.slots), judging.slot_verdicts(len(case.slots)), strict=True)
    for number, (slot, weight, verdict) in enumerate(rows):
        yield Line(
            f"  {VERDICT_GLYPHS[verdict]} {verdict.value:<10} {weight:>5.2f}  slot {number}, {one_line(slot.component)}"
            f" ({slot.assertion.value.lower()})",
            VERDICT_TONES[verdict],
        )
        yield from telling.passage("expected", slot.expected, "dim", 6)
        judged = reasons.get(number)
        if judged is None:
            yield Line("      because: the judge never looked", "dim")
            continue
        yield from telling.passage("because", judged.reason, indent=6)
        step = None if judged.evidence is None else steps.get(judged.evidence)
        if step:
            did = f"{step.action} {step.target}".strip()
            yield Line(f"      seen at event {judged.evidence} of the judging: {one_line(did)}", "dim")
    yield from _measures(judging, telling)
    yield from (Line(f"  warning: {one_line(f'{w.where}: {w.text}')}", "warn") for w in judging.warnings)


def _measures(judging: JudgingState, telling: Telling) -> Iterator[Line]:
    for measure in judging.measures:
        value = "unknown" if measure.value is None else f"{measure.value:g}"
        yield Line(f"  {one_line(measure.metric)}: {value}")
        yield from telling.passage("because", measure.reason, "dim", 4)


def _score(score: Score) -> Iterable[Line]:
    said = {True: "yes", False: "no", None: "unknown"}
    return (
        Line(f"TCR {percent(score.tcr)}   over POSITIVE slots {percent(score.tcr_clean)}", "heading"),
        Line(f"every slot passed: {said[score.sr]}   something unrequested: {said[score.hallucinated]}"),
    )


def percent(share: float | None) -> str:
    """A share of 1 in per cent; a dash when it is unknown."""
    return "—" if share is None else f"{100 * share:.1f} %"


def _came_of(command: CommandRan) -> str:
    """How a command ended, or that it serves."""
    if command.refused:
        return f"not run: {command.refused}"
    ended = "no exit code" if command.exit_code is None else f"exit {command.exit_code}"
    how = "; ".join(filter(None, ("serving" if command.serving else ended, command.why)))
    return f"{how}, {command.seconds:.1f} s"
