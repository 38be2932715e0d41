"""The one fold: from events to the state of an episode or of a judging.

Replay is the fold up to an event; resume is the fold of an unfinished log, then going on; a fork is the fold up to a turn,
then going on differently. States are immutable, so a reader may keep any of them.
"""

from collections.abc import Iterable
from typing import Self

import msgspec

from iwtui.bench.events import (
    ActionChosen,
    Blob,
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
)
from iwtui.bench.score import Verdict

PERSON = "person"
"""Who an action or an answer is by that a human being put in."""


class Message(msgspec.Struct, frozen=True):
    """One message to a model. `role` is user or assistant; `marks` is a list of marks to be drawn on the picture."""

    role: str
    text: Text
    picture: Blob | None = None
    marks: Blob | None = None


class Spent(msgspec.Struct, frozen=True):
    """What the model calls took, discarded ones too. `cost` covers the priced calls only; `unpriced` counts the rest.

    `untold` counts the calls of which no tokens are known.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    unpriced: int = 0
    untold: int = 0

    def plus(self, call: ModelCalled) -> "Spent":
        return Spent(
            self.calls + 1,
            self.tokens_in + (call.tokens_in or 0),
            self.tokens_out + (call.tokens_out or 0),
            self.cost + (call.cost or 0.0),
            self.unpriced + (call.cost is None),
            self.untold + (call.tokens_in is None and call.tokens_out is None),
        )


class Turn(msgspec.Struct, frozen=True):
    """One turn of the builder and what it caused. `replied_at`, `changed_at`, `verified_at`: the seqs of those events."""

    number: int
    seq: int
    t: float
    message: Text = ""
    picture: Blob | None = None
    calls: tuple[ModelCalled, ...] = ()
    action: ActionChosen | None = None
    reply: ClientReplied | None = None
    files: FilesChanged | None = None
    commands: tuple[CommandRan, ...] = ()
    probes: tuple[SiteProbed, ...] = ()
    steps: tuple[BrowserStepped, ...] = ()
    verified: Verified | None = None
    warnings: tuple[Warned, ...] = ()
    replied_at: int = -1
    changed_at: int = -1
    verified_at: int = -1

    @property
    def answer(self) -> Text | None:
        """The builder's own words, or those that a person put in its place, once they are there."""
        if self.action and self.action.by == PERSON:
            return self.action.said
        return next((call.reply for call in self.calls if call.role == "builder" and call.fault is None), None)


class EpisodeState(msgspec.Struct, frozen=True):
    """An episode after some events. `seq` is the last event's, -1 before the first."""

    seq: int = -1
    t: float = 0.0
    started: EpisodeStarted | None = None
    began: float = 0.0
    turns: tuple[Turn, ...] = ()
    spent: Spent = Spent()
    resumes: int = 0
    discarded: int = 0
    warnings: tuple[Warned, ...] = ()
    controls: tuple[Controlled, ...] = ()
    ended: EpisodeEnded | None = None
    unknown: int = 0
    forked: EpisodeForked | None = None

    @property
    def turn(self) -> int:
        """The number of the current turn, 0 before the first."""
        return self.turns[-1].number if self.turns else 0

    @property
    def whole_turns(self) -> int:
        """Turns that are over: a turn is whole once the next has started or the episode has ended.

        Those that a fork was given are, too, as long as it has not gone on.
        """
        if self.forked and not self.went_own_way:
            return self.forked.kept
        return len(self.turns) if self.ended else max(0, len(self.turns) - 1)

    @property
    def went_own_way(self) -> bool:
        """Whether a turn of its own has begun: always, but in a fork that was only given its parent's."""
        return not self.forked or (bool(self.turns) and not self.inherits(self.turns[-1].seq))

    def inherits(self, seq: int) -> bool:
        """Whether the event of that seq is the parent's own, in the log of a fork."""
        return self.forked is not None and seq <= self.forked.inherits

    @property
    def manifest(self) -> Blob | None:
        """The workspace as it stands."""
        return next((turn.files.manifest for turn in reversed(self.turns) if turn.files), None)

    @property
    def failed_verifies(self) -> int:
        """Failed Verifies in a row; new code does not end the row, a success does."""
        last = next((turn.verified for turn in reversed(self.turns) if turn.verified), None)
        return last.streak if last else 0

    @property
    def dialogue(self) -> tuple[ClientReplied, ...]:
        """The client's answers so far, each with its question."""
        return tuple(turn.reply for turn in self.turns if turn.reply)

    @property
    def conversation(self) -> tuple[Message, ...]:
        """What the builder was told and what it said, in order."""
        messages: list[Message] = []
        for turn in self.turns:
            messages.append(Message("user", turn.message, turn.picture))
            if turn.answer is not None:
                messages.append(Message("assistant", turn.answer))
        return tuple(messages)

    def kept(self, turns: int) -> Self:
        """The state with only its first `turns` turns; what the rest cost still counts."""
        return msgspec.structs.replace(self, turns=self.turns[:turns], ended=None)


class JudgingState(msgspec.Struct, frozen=True):
    """A judging after some events. `steps` are (seq, step)."""

    seq: int = -1
    t: float = 0.0
    began: float = 0.0
    started: JudgingStarted | None = None
    steps: tuple[tuple[int, BrowserStepped], ...] = ()
    probes: tuple[SiteProbed, ...] = ()
    verdicts: tuple[SlotJudged, ...] = ()
    measures: tuple[EpisodeMeasured, ...] = ()
    spent: Spent = Spent()
    warnings: tuple[Warned, ...] = ()
    ended: JudgingEnded | None = None
    unknown: int = 0

    def slot_verdicts(self, slots: int) -> tuple[Verdict, ...]:
        """A verdict for each slot; the last word on a slot counts, and a slot without one was not observed."""
        verdicts = [Verdict.UNOBSERVED] * slots
        for judged in self.verdicts:
            if judged.slot < slots:
                verdicts[judged.slot] = Verdict(judged.verdict)
        return tuple(verdicts)


def fold(records: Iterable[Record], state: EpisodeState = EpisodeState()) -> EpisodeState:  # noqa: B008 - immutable
    """The state after the records."""
    for record in records:
        state = step(state, record)
    return state


def fold_judging(records: Iterable[Record], state: JudgingState = JudgingState()) -> JudgingState:  # noqa: B008
    """The state of a judging after the records."""
    for record in records:
        state = step_judging(state, record)
    return state


def step(state: EpisodeState, record: Record) -> EpisodeState:
    """The state after one more event of an episode's log."""
    event = record.event
    change: dict[str, object] = {"seq": record.seq, "t": record.t}
    match event:
        case EpisodeForked():
            change |= {"forked": event, "began": record.t}
        case EpisodeStarted():
            change |= {"started": event, "began": state.began if state.forked else record.t}
        case EpisodeResumed():
            state = state.kept(event.kept_turns)
            change |= {"resumes": state.resumes + 1, "discarded": state.discarded + record.seq - event.discards_from}
        case TurnStarted():
            turn = Turn(record.turn, record.seq, record.t, event.message, event.picture)
            change["turns"] = (*state.turns, turn)
        case EpisodeEnded():
            change["ended"] = event
        case Controlled():
            change["controls"] = (*state.controls, event)
        case Unknown():
            change["unknown"] = state.unknown + 1
        case Warned() if not state.turns:
            change["warnings"] = (*state.warnings, event)
        case _ if state.turns:
            change["turns"] = (*state.turns[:-1], _in_turn(state.turns[-1], event, record.seq))
    if isinstance(event, ModelCalled) and not state.inherits(record.seq):
        change["spent"] = state.spent.plus(event)
    return msgspec.structs.replace(state, **change)


def _in_turn(turn: Turn, event: object, seq: int) -> Turn:
    match event:
        case ModelCalled():
            return msgspec.structs.replace(turn, calls=(*turn.calls, event))
        case ActionChosen():
            return msgspec.structs.replace(turn, action=event)
        case ClientReplied():
            return msgspec.structs.replace(turn, reply=event, replied_at=seq)
        case FilesChanged():
            return msgspec.structs.replace(turn, files=event, changed_at=seq)
        case CommandRan():
            return msgspec.structs.replace(turn, commands=(*turn.commands, event))
        case SiteProbed():
            return msgspec.structs.replace(turn, probes=(*turn.probes, event))
        case BrowserStepped():
            return msgspec.structs.replace(turn, steps=(*turn.steps, event))
        case Verified():
            return msgspec.structs.replace(turn, verified=event, verified_at=seq)
        case Warned():
            return msgspec.structs.replace(turn, warnings=(*turn.warnings, event))
    return turn


def step_judging(state: JudgingState, record: Record) -> JudgingState:
    """The state after one more event of a judging's log."""
    event = record.event
    change: dict[str, object] = {"seq": record.seq, "t": record.t}
    match event:
        case JudgingStarted():
            change |= {"started": event, "began": record.t}
        case BrowserStepped():
            change["steps"] = (*state.steps, (record.seq, event))
        case SiteProbed():
            change["probes"] = (*state.probes, event)
        case SlotJudged():
            change["verdicts"] = (*state.verdicts, event)
        case EpisodeMeasured():
            change["measures"] = (*state.measures, event)
        case ModelCalled():
            change["spent"] = state.spent.plus(event)
        case Warned():
            change["warnings"] = (*state.warnings, event)
        case JudgingEnded():
            change["ended"] = event
        case Unknown():
            change["unknown"] = state.unknown + 1
    return msgspec.structs.replace(state, **change)
