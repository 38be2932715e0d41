"""The plain data that the console's panes are given. All text in it was made visible; it is data still, never markup.

`seq` names an event of the whole view: an event of the episode by its number in the episode's log, one of the judging by
`judging_seq` of its number in the judging's. So one axis holds both, and a name stays the same while a log grows.
"""

import msgspec

from iwtui.bench.case import Assertion, Visibility
from iwtui.bench.events import Blob
from iwtui.bench.score import Score
from iwtui.bench.status import Status

JUDGING_FROM = 1 << 40
"""Events of a judging are named from here on."""


def judging_seq(number: int) -> int:
    """The name of an event of the judging."""
    return JUDGING_FROM + number


def number_of(seq: int) -> int:
    """The number of an event in its own log."""
    return seq - JUDGING_FROM if seq >= JUDGING_FROM else seq


class Row(msgspec.Struct, frozen=True, gc=False):
    """One event on the timeline.

    `number`: in its own log. `text`: one line, without the glyph. `tone`: good, bad, warn, dim, one of the five actions, or
    nothing. `failed`: a stop of next/previous failure. `opens`: a turn begins here, in a judging the look at a slot.
    `discarded`: a resume took it back.
    """

    seq: int
    number: int
    turn: int
    kind: str
    glyph: str
    text: str
    tone: str
    t: float
    failed: bool = False
    opens: bool = False
    judging: bool = False
    slot: int | None = None
    discarded: bool = False


class Block(msgspec.Struct, frozen=True):
    """One thing said. `who`: client, person, agent, feedback, audit or runner.

    `label` says what sort of thing, `glyph` and `tone` as in a row. `reasoning` is what the agent thought, to be folded.
    `notes` are remarks of ours: (tone, line). `blob`: where the whole text is, while only its beginning is known
    here; `chars`: its length if it were whole.
    """

    seq: int
    turn: int
    who: str
    text: str
    label: str = ""
    glyph: str = ""
    tone: str = ""
    reasoning: str = ""
    notes: tuple[tuple[str, str], ...] = ()
    chars: int = 0
    blob: Blob | None = None
    reasoning_blob: Blob | None = None
    discarded: bool = False


class Picture(msgspec.Struct, frozen=True):
    """A picture of the page, as the browser gave it. `marks` is the blob of its marks."""

    seq: int
    turn: int
    blob: Blob
    caption: str
    marks: Blob | None = None
    marks_count: int = 0
    url: str = ""
    slot: int | None = None


class Clue(msgspec.Struct, frozen=True):
    """An event that shows why a slot failed, and what it shows."""

    seq: int
    turn: int
    why: str


class SlotView(msgspec.Struct, frozen=True):
    """A slot (0-based) and what the shown judging says of it.

    `verdict` is empty as long as the judging may still come to it; `weight` is 0 when the case is lost. `decided`: seq of
    the verdict; `evidence`: seq of the browser step that decided it; `steps`: seqs of all browser steps made for it.
    `told`: the turn in which the client told a fact that it needs. `by_turn`: since when it passes, if several turns were
    judged. `cause`: why it failed, with the turn that decided it and the events that show it; empty before that is known.
    `estimated`: told by words where nobody noted it. `before`: of a fork, the verdict in its parent.
    """

    slot: int
    glyph: str
    tone: str
    verdict: str
    weight: float
    component: str
    expected: str = ""
    assertion: Assertion | None = None
    kind: str = ""
    visibility: Visibility | None = None
    reason: str = ""
    decided: int | None = None
    evidence: int | None = None
    steps: tuple[int, ...] = ()
    seconds: float = 0.0
    told: int | None = None
    by_turn: str = ""
    cause: str = ""
    cause_turn: int | None = None
    estimated: bool = False
    clues: tuple[Clue, ...] = ()
    before: str = ""


class FileEntry(msgspec.Struct, frozen=True):
    """A file of the workspace. `op` is add, change or delete when the last change of files touched it, else nothing."""

    path: str
    blob: Blob | None
    size: int
    op: str = ""
    added: int = 0
    removed: int = 0
    elided: bool = False


class Header(msgspec.Struct, frozen=True):
    """Who, what, and where the cursor stands. `event` counts from 1, 0 in an empty view. `limit`: turns, 0 if unknown.

    `judging` is the shown judging's name, empty before there is one; `in_judging`: the cursor stands in it. `curve`: the
    score by turn, a bar each.
    """

    case_id: str
    persona: str
    builder: str
    difficulty: str
    repeat: int
    attempt: int
    scripted: bool
    status: Status
    score: Score
    turn: int
    turns: int
    limit: int
    event: int
    events: int
    judging: str
    in_judging: bool
    curve: str = ""
