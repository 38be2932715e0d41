"""A store in which every text of others is hostile, and what must never come of it."""

import itertools
from pathlib import Path

import msgspec

from iwtui.archive.log import LogWriter
from iwtui.bench.events import EpisodeStarted
from iwtui.bench.names import EpisodeName
from iwtui.bench.plan import Plan, Roles
from tests.cli.scribe import BEGAN, SLOTS, Happening, Scribe, make_case, whole_episode, whole_judging

HOSTILE = (
    "\u4f60\u597d\U0001f469\u200d\U0001f4bb\u2764\ufe0f"
    "\x1b]52;c;UFdORUQ=\x07\x1b]0;PWNED\x07\x1b[2J\x1b[?1049h\x1bP1$r\x1b\\\x9b31m\x9d0;PWNED\x9c\x00\x7f\x08\x0e\r"
    "\u202e\u2066 [/] [/ [link=' [@click=app.exit] [bold] \u200e"
)
"""What others might say: wide and joined characters, clipboard, title, clear, device control, C1, bidi, markup."""

NOT_TO_BE_SENT = "[\x00\x07\x08\x0e\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]"
"""A regular expression for characters that no program of a terminal has to send."""

STEM = "bakery_P-MIN.scripted-blind.r1.a1"


def hostile_store(root: Path) -> EpisodeName:
    """One run with a scored episode, and one with an episode that goes on; the name of the first."""
    scribe = Scribe(root)
    slots = tuple(
        msgspec.structs.replace(slot, component=slot.component + HOSTILE, expected=slot.expected + HOSTILE) for slot in SLOTS
    )
    case = msgspec.structs.replace(make_case("bakery", "P-MIN", HOSTILE), slots=slots, difficulty="easy" + HOSTILE)
    builder = "scripted/blind" + HOSTILE
    for run in ("first", "second"):
        plan = Plan(
            run=run,
            pack="test" + HOSTILE,
            builders=(builder,),
            roles=Roles(copilot="scripted/copilot", client="scripted/client"),
            case_ids=(case.id,),
            created=BEGAN,
        )
        scribe.store.create_run(plan, [case])
    happenings = [_foul(happening, builder) for happening in whole_episode(scribe, case, HOSTILE)]
    scribe.episode("first", STEM, happenings)
    scribe.judging("first", STEM, whole_judging(HOSTILE))
    clock = itertools.count(BEGAN)
    folder = scribe.store.run("second")
    name = EpisodeName("second", *_parts())
    with LogWriter(folder.episode_log(name), folder.blobs, clock=lambda: float(next(clock))) as log:
        for turn, event in happenings[:12]:
            log.append(event, turn)
    return EpisodeName("first", *_parts())


def _parts() -> tuple[str, str, int, int]:
    return "bakery_P-MIN", "scripted-blind", 1, 1


def _foul(happening: Happening, builder: str) -> Happening:
    """The events that a writer of logs fills in himself, from plan and case, are foul as well."""
    turn, event = happening
    if isinstance(event, EpisodeStarted):
        event = msgspec.structs.replace(
            event,
            builder=builder,
            persona=event.persona + HOSTILE,
            difficulty="easy" + HOSTILE,
            models={"builder": builder},
        )
    return turn, event
