"""The dialogue: what client, agent, persons and the harness said to each other."""

import msgspec

from iwtui.bench.events import ActionChosen, ClientReplied, EpisodeEnded, ModelCalled, Record, Text, TurnStarted, Verified
from iwtui.bench.fold import PERSON, EpisodeState
from iwtui.bench.text import one_line
from iwtui.tui.state.shapes import Block
from iwtui.tui.state.signs import ACTION_GLYPHS
from iwtui.tui.state.texts import Texts
from iwtui.tui.state.words import counted, tries

Notes = tuple[tuple[str, str], ...]


_DOES = {"submit": "hands the site in", "verify": "wants the site audited", "malformed": "did nothing that could be used"}


def block_of(record: Record, before: EpisodeState, texts: Texts) -> Block | None:
    """What an event says, or None. `before` is the state before the event.

    What a turn begins with was mostly said before, by the client or the audit, and is not said twice.
    """
    event = record.event
    match event:
        case TurnStarted():
            last = before.turns[-1] if before.turns else None
            if last is None:
                return _block(record, texts, "client", event.message, label="instruction")
            if last.reply or last.verified:
                return None
            return _block(record, texts, "feedback", event.message, tone="dim")
        case ActionChosen():
            return _action(record, event, texts)
        case ClientReplied():
            who = "client" if event.by == "client" else "person"
            return _block(record, texts, who, event.reply, notes=_told(event))
        case Verified():
            good = event.status == "success"
            label = f"{one_line(event.status, 40)} after {counted(event.steps, 'step')}"
            glyph, tone = ("✓", "good") if good else ("✗", "bad")
            return _block(record, texts, "audit", event.report, label=label, glyph=glyph, tone=tone)
        case ModelCalled() if event.fault is not None:
            again = f" in attempt {event.attempt}, and is asked again" if event.retried else tries(event)
            glyph, tone = ("↻", "warn") if event.retried else ("✗", "bad")
            text = f"the {event.role}'s model failed{again}: {event.fault}"
            return _block(record, texts, "runner", text, glyph=glyph, tone=tone)
        case EpisodeEnded():
            label = one_line(event.status, 40)
            text = event.text or f"the end: {event.stop_reason}"
            return _block(record, texts, "runner", text, label=label, tone="" if event.status == "played" else "bad")
    return None


def filled_in(block: Block, record: Record, before: EpisodeState, texts: Texts) -> Block:
    """The block anew, after more of its texts came in."""
    anew = block_of(record, before, texts)
    assert anew is not None
    return msgspec.structs.replace(anew, discarded=block.discarded)


def _action(record: Record, event: ActionChosen, texts: Texts) -> Block:
    said: Text = event.prose
    asked: Text = {"clarify": event.question, "verify": event.criteria}.get(event.action, "")
    does = f"writes {', '.join(event.files)}" if event.files else _DOES.get(event.action, "")
    main = asked or said or one_line(does)
    notes: list[tuple[str, str]] = [("warn", "a person put this in the agent's place")] if event.by == PERSON else []
    if asked and said:
        notes.append(("dim", one_line(texts.show(said)[0])))
    if event.files and (asked or said):
        notes.append(("dim", one_line(does)))
    notes += [("dim", one_line(f"runs {command}")) for command in event.commands[:5]]
    if len(event.stood) > 1:
        notes.append(("warn", one_line(f"in one message stood: {', '.join(event.stood)}")))
    if event.cut:
        notes.append(("warn", "the answer was cut by the output limit"))
    notes += [("warn", one_line(f"odd: {odd.kind} {odd.detail}")) for odd in event.oddities]
    return _block(
        record,
        texts,
        "agent",
        main,
        label=one_line(event.action, 40),
        glyph=ACTION_GLYPHS.get(event.action, ""),
        tone=event.action if event.action in ACTION_GLYPHS else "",
        notes=tuple(notes),
        reasoning=event.reasoning,
    )


def _told(event: ClientReplied) -> Notes:
    asked_for = [fact for fact in event.disclosed if fact not in event.leaked]
    notes = [("dim", f"told: fact {', '.join(str(fact + 1) for fact in asked_for)}")] if asked_for else []
    if event.challenged:
        notes.insert(0, ("dim", "challenged: the question says that wishes clash"))
    if event.leaked:
        notes.append(("warn", f"leaked without being asked: fact {', '.join(str(fact + 1) for fact in event.leaked)}"))
    if event.held:
        notes.append(("dim", f"held back: fact {', '.join(str(fact + 1) for fact in event.held)}"))
    if not event.answered:
        notes.append(("warn", "not answered: the client's questions are used up"))
    elif not event.disclosed:
        notes.append(("dim", "told: no fact"))
    return tuple(notes)


def _block(
    record: Record,
    texts: Texts,
    who: str,
    text: Text,
    *,
    label: str = "",
    glyph: str = "",
    tone: str = "",
    notes: Notes = (),
    reasoning: Text = "",
) -> Block:
    shown, chars, blob = texts.show(text)
    thought, _, thought_blob = texts.show(reasoning)
    return Block(
        seq=record.seq,
        turn=record.turn,
        who=who,
        text=shown,
        label=label,
        glyph=glyph,
        tone=tone,
        reasoning=thought,
        notes=notes,
        chars=chars,
        blob=blob,
        reasoning_blob=thought_blob,
    )
