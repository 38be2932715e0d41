"""The events of an episode and of a judging: everything that happened, in order. Everything else is derived from them.

A log line is one JSON object: the envelope `{v, seq, t, turn, kind}` and the fields of its kind. `seq` counts the lines of
a log from 0; `t` is seconds since the epoch; `turn` is the builder's turn the event belongs to, 0 before the first.
"""

from typing import Annotated

import msgspec

VERSION = 1
INLINE = 2_000
"""Characters of a text that stand in the log itself; a longer one goes to a blob."""

MAX_LINE = 16_000
"""No line of a log is longer, in bytes."""

Blob = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""The sha256 of some stored bytes."""


class LongText(msgspec.Struct, frozen=True):
    """A text kept in a blob. `head` is its beginning, `chars` its whole length in characters."""

    blob: Blob
    chars: int
    head: str


Text = str | LongText

Outcome = Annotated[str, msgspec.Meta(pattern="^(played|crashed|infra|cancelled)$")]
JudgingOutcome = Annotated[str, msgspec.Meta(pattern="^(scored|crashed|infra|cancelled)$")]
VerdictWord = Annotated[str, msgspec.Meta(pattern="^(passed|failed|unobserved|unjudged)$")]
SlotIndex = Annotated[int, msgspec.Meta(ge=0)]


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag=True):
    """Base of all kinds."""


class EpisodeStarted(Event, frozen=True, kw_only=True):
    """`models` maps a role (builder, copilot, client, judge) to a LiteLLM model string."""

    case_id: str
    persona: str
    builder: str
    repeat: int
    attempt: int
    difficulty: str
    turns: int
    failed_verifies: int
    verify_steps: int
    models: dict[str, str]
    system: Text
    scripted: bool


class EpisodeResumed(Event, frozen=True, kw_only=True):
    """A new runner goes on after `kept_turns` whole turns; the events from `discards_from` up to here no longer count."""

    kept_turns: int
    discards_from: int


class GivenFile(msgspec.Struct, frozen=True):
    """A file that a person put into a workspace."""

    path: str
    blob: Blob


class EpisodeForked(Event, frozen=True, kw_only=True):
    """The first line of a fork's log: it goes on from the episode `parent`, at turn `at_turn`, in another way (`forks.Way`).

    The events after this one, up to the one whose seq is `inherits`, are the parent's own: `kept` turns of it. They bear
    their own times, and what they cost is not counted again. `message` and `picture` are what the builder is told at the
    beginning of the first turn of the fork's own. `text` is the question or the answer that a person puts in, or the new
    system prompt; `files` are those of an edit.
    """

    parent: str
    at_turn: int
    way: str
    kept: int
    inherits: int
    message: Text = ""
    picture: Blob | None = None
    text: Text = ""
    files: tuple[GivenFile, ...] = ()


class TurnStarted(Event, frozen=True, kw_only=True):
    """`message` is what the builder is told: the client's instruction first, then what came of the turn before."""

    message: Text
    picture: Blob | None = None


class ModelCalled(Event, frozen=True, kw_only=True):
    """One call of one model. `request` names one blob a message (JSON); `ordinal` counts the role's calls in the turn.

    `fault` is a fault of ours or the provider's, in words; the tokens and the cost (US dollars) are None when unknown.
    `attempt` counts from 1; `retried` marks a failed attempt that another followed, with the same ordinal. `replayed` marks
    an answer from the record of an earlier call.
    """

    role: str
    model: str
    ordinal: int
    request: tuple[Blob, ...]
    reply: Text = ""
    reasoning: Text = ""
    answered_by: str | None = None
    finish_reason: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    seconds: float = 0.0
    fault: str | None = None
    fault_kind: str | None = None
    attempt: int = 1
    retried: bool = False
    replayed: bool = False


class Oddity(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something in a message that the strict reading of the tags does not allow, or that looks like a mistake."""

    kind: str
    detail: str = ""


class ActionChosen(Event, frozen=True, kw_only=True):
    """What the builder did with its turn. `stood` lists the kinds of all actions in the message, in their order.

    `by` is `person` when a human being put it in the builder's place; `said` is the message then, as the builder sees it.

    `files` are the paths it gave, as written; `commands` its shell lines; `cut` says that the model hit its output limit.
    """

    action: str
    stood: tuple[str, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    question: Text = ""
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    path: str = ""
    criteria: Text = ""
    reasoning: Text = ""
    prose: Text = ""
    cut: bool = False
    by: str = "builder"
    said: Text = ""


class ClientReplied(Event, frozen=True, kw_only=True):
    """`retrieved`: facts (0-based) that the first stage picked. `disclosed`: facts found in the reply by the audit.

    `leaked`: disclosed, but not handed over for the question, nor told before. `by` is `person` when a human being wrote the
    reply. `challenged`: the question said that wishes clash. `held`: facts that were picked and are not given up yet.
    `answered` is false when the client had no more time for questions.
    """

    question: Text
    reply: Text
    retrieved: tuple[int, ...] = ()
    disclosed: tuple[int, ...] = ()
    leaked: tuple[int, ...] = ()
    by: str = "client"
    challenged: bool = False
    held: tuple[int, ...] = ()
    answered: bool = True


class FileChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """One file against the turn before. `op` is add, change or delete; `added`, `removed` count lines of text files.

    `elided` marks a rewrite that seems to stand for code it leaves out ("rest of the code remains the same").
    """

    path: str
    op: str
    blob: Blob | None
    size: int
    added: int = 0
    removed: int = 0
    elided: bool = False


class Refusal(msgspec.Struct, frozen=True):
    """A file that was not written."""

    path: str
    reason: str


class FilesChanged(Event, frozen=True, kw_only=True):
    """`manifest` is a blob: JSON `{path: [blob, size]}` of the whole workspace. At most 40 changes stand in the event."""

    manifest: Blob
    files: int
    lines: int
    changes: tuple[FileChange, ...] = ()
    more_changes: int = 0
    refused: tuple[Refusal, ...] = ()


class CommandRan(Event, frozen=True, kw_only=True):
    """A shell line of the builder, or one of ours. `refused` says why it was not run.

    `serving`: a server, which answered and runs on. `why`: what a command without an exit code was ended for, or what
    else is to be known.
    """

    command: Text
    exit_code: int | None = None
    seconds: float = 0.0
    output: Text = ""
    refused: str | None = None
    why: str = ""
    serving: bool = False


class SiteProbed(Event, frozen=True, kw_only=True):
    """Was the site there? `fault` is `site` when it is the site's own, `infra` when it is ours."""

    phase: str
    ok: bool
    url: str = ""
    seconds: float = 0.0
    title: str = ""
    reason: str = ""
    fault: str | None = None
    console: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    picture: Blob | None = None


class Dialog(msgspec.Struct, frozen=True):
    """A dialog the page opened, and how it was answered."""

    type: str
    message: str
    answer: str


class BrowserStepped(Event, frozen=True, kw_only=True):
    """One action in the browser. `phase` is `verify` or `judging`; `marks` is a blob: the page's marks as JSON.

    The picture is the one that the action was chosen from, with those marks; where a check acts, what the step found. No
    marks are drawn on it.
    """

    phase: str
    step: int
    action: str
    target: str = ""
    thought: Text = ""
    result: str = ""
    url: str = ""
    slot: int | None = None
    picture: Blob | None = None
    marks: Blob | None = None
    marks_count: int = 0
    dialogs: tuple[Dialog, ...] = ()
    console: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    seconds: float = 0.0


class Verified(Event, frozen=True, kw_only=True):
    """The end of a Verify. `status` is success, failed or error; `streak` counts failed Verifies in a row."""

    path: str
    criteria: Text
    status: str
    report: Text
    steps: int
    streak: int
    picture: Blob | None = None


PAUSED = "paused"
"""What a Controlled event says when an episode has come to a halt; what follows it is idle time."""

QUEUED = "waits for its turn in the browser"
"""What the progress of an episode says that waits for a seat."""


class Controlled(Event, frozen=True, kw_only=True):
    """What was asked of the episode (`pause`, `go on`, `cancel`) by a person or by the run itself, or what came of it."""

    what: str
    by: str = "person"


class Warned(Event, frozen=True, kw_only=True):
    """Something that should not be, and that did no harm."""

    where: str
    text: str


class EpisodeEnded(Event, frozen=True, kw_only=True):
    """`status`: `played` (then judged), `crashed`, `infra` or `cancelled`.

    `stop_reason`: submitted, turns, deadlock, site, model, browser, machine or person.
    """

    status: Outcome
    stop_reason: str
    text: str = ""


class JudgingStarted(Event, frozen=True, kw_only=True):
    """One pass of one judge. `manifest` is the workspace it judges; `model` is the judge's, None when it has none."""

    judge: str
    slots: int
    manifest: Blob
    turn_judged: int
    model: str | None = None


class SlotJudged(Event, frozen=True, kw_only=True):
    """A verdict on one slot (0-based), with the `seq` of the browser step that decided it, in the judging's own log.

    A judge may think again: the last verdict on a slot counts, the earlier ones stay.
    """

    slot: SlotIndex
    verdict: VerdictWord
    reason: Text
    evidence: int | None = None
    seconds: float = 0.0


class EpisodeMeasured(Event, frozen=True, kw_only=True):
    """A figure about the whole episode (ias, chr, vbr, ..), or the part of it that one `slot` has. None is "unknown"."""

    metric: str
    value: float | None
    reason: Text = ""
    slot: SlotIndex | None = None


class JudgingEnded(Event, frozen=True, kw_only=True):
    """`status`: `scored`, `crashed`, `infra` or `cancelled`."""

    status: JudgingOutcome
    text: str = ""


class Unknown(msgspec.Struct, frozen=True):
    """A line of a kind, or of a shape, that this version does not know; kept as it is."""

    kind: str
    raw: str


Known = (
    EpisodeForked
    | EpisodeStarted
    | EpisodeResumed
    | TurnStarted
    | ModelCalled
    | ActionChosen
    | ClientReplied
    | FilesChanged
    | CommandRan
    | SiteProbed
    | BrowserStepped
    | Verified
    | Controlled
    | Warned
    | EpisodeEnded
    | JudgingStarted
    | SlotJudged
    | EpisodeMeasured
    | JudgingEnded
)


class Record(msgspec.Struct, frozen=True):
    """An event with its envelope."""

    seq: int
    t: float
    turn: int
    event: Known | Unknown

    @property
    def kind(self) -> str:
        return self.event.kind if isinstance(self.event, Unknown) else type(self.event).__name__


def head(text: Text, limit: int = INLINE) -> str:
    """The text, or as much of a long one as the log itself holds."""
    return (text if isinstance(text, str) else text.head)[:limit]
