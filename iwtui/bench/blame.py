"""Why a slot failed, told from the events: what the builder could know of it when it wrote the code, and what it looked at.

What a Verify covers, and whether code holds what a slot asks for, is told by words (`blame_words`): an estimate of the same
kind for every episode. Pure: the same case, events and blobs give the same causes.
"""

import re
from enum import StrEnum
from itertools import chain

import msgspec

from iwtui.bench.blame_code import Code
from iwtui.bench.blame_known import Told, answer_that_told, asked_in_vain, missing_facts, told_at_first
from iwtui.bench.blame_words import (
    Traits,
    Words,
    held_values,
    holds_it,
    names_it,
    prose,
    share_of_words,
    speaks_of,
    traits_of,
)
from iwtui.bench.case import Case, SlotKind, Visibility
from iwtui.bench.events import SlotJudged, Text, head
from iwtui.bench.fold import EpisodeState, JudgingState, Turn
from iwtui.bench.lexical import words_of
from iwtui.bench.longtext import read
from iwtui.bench.protocols import Blobs
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status
from iwtui.bench.text import one_line


class Cause(StrEnum):
    """Why a failed slot failed.

    `never asked`: the instruction left it out, veiled or contradicted it, and no question got it out of the client: blind
    execution proper. `answer ignored`: the client told it in an answer, and the code does not have it. `missed`: the
    instruction stated it plainly, and the code does not have it. `not verified`: it was built, and no Verify looked at it
    since. `verified wrong`: a Verify looked at it and let it pass. `hallucinated`: the site holds what nobody asked for:
    something to be used (`functional`), something to be looked at (`decorative`), or the judge does not say what.
    """

    NEVER_ASKED = "never asked"
    ANSWER_IGNORED = "answer ignored"
    MISSED = "missed"
    NOT_VERIFIED = "not verified"
    VERIFIED_WRONG = "verified wrong"
    HALLUCINATED_FUNCTIONAL = "hallucinated functional"
    HALLUCINATED_DECORATIVE = "hallucinated decorative"
    HALLUCINATED = "hallucinated"


class Evidence(msgspec.Struct, frozen=True):
    """An event that shows it: its seq in the episode's log, or in the judging's (`judging`), and what it shows."""

    seq: int
    why: str
    turn: int = 0
    judging: bool = False


class Blame(msgspec.Struct, frozen=True):
    """The cause of one failed slot (0-based). `turn`: the builder's turn that decided it, None when no turn did.

    For `never asked` that is the blind turn: the first that wrote code about the slot, else the first that wrote any.
    `estimated`: nobody noted how the instruction shows the slot; it was told by words.
    """

    slot: int
    cause: Cause
    turn: int | None
    estimated: bool
    evidence: tuple[Evidence, ...]


SHOWN = {
    Visibility.STATED: "the instruction states it",
    Visibility.MISSING: "the instruction leaves it out",
    Visibility.METAPHOR: "the instruction veils it",
    Visibility.CONTRADICTED: "the instruction contradicts it",
}

_FUNCTIONAL = re.compile(
    r"\b(?:button|link|textbox|searchbox|search|checkbox|combobox|listbox|radio|switch|slider|spinbutton|tab|menu\w*|form|"
    r"field|input|log-?in|sign-?(?:up|in)|register|subscri\w+|newsletter|filter\w*|sort\w*|cart|checkout|chat|dialog|"
    r"pop-?up|functionalit\w+|function|feature|control|navigation|download|upload|player|video|audio|frame|map)\b",
    re.IGNORECASE,
)
_DECORATIVE = re.compile(
    r"\b(?:heading|image|picture|photo|banner|animation|icon|badge|gradient|hero|footer|slogan|tagline|text|testimonial\w*|"
    r"quotes?|section|paragraph|decorat\w+|ornament|logo|background|statistics?|label|copyright)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'"([^"]{1,80})"|“([^”]{1,80})”')
_FAULTED = 0.3
"""The part of a slot's words, by weight, that the report of a failed Verify must hold to find fault with the slot."""


def blames(case: Case, episode: EpisodeState, judging: JudgingState, blobs: Blobs) -> tuple[Blame, ...]:
    """The causes of the slots that a judging which came to its end found failed; none of an episode without such a one.

    A slot that was not observed, or not judged, has no cause.
    """
    ended = judging.ended
    if episode.ended is None or ended is None or ended.status != Status.SCORED:
        return ()
    held = judging.slot_verdicts(len(case.slots))
    failed = {judged.slot: judged for judged in judging.verdicts if held[judged.slot : judged.slot + 1] == (Verdict.FAILED,)}
    if not failed:
        return ()
    inquiry = _Inquiry(case, episode, blobs)
    return tuple(inquiry.blame(slot, failed[slot]) for slot in sorted(failed))


def blind_turn(blames: tuple[Blame, ...]) -> int | None:
    """The first turn that committed to a requirement which nobody knew; None when there is no such turn."""
    return min((one.turn for one in blames if one.cause is Cause.NEVER_ASKED and one.turn is not None), default=None)


class _Look:
    """One Verify as it is searched: what it was to look for and did, and what it found."""

    def __init__(self, turn: Turn, inquiry: "_Inquiry") -> None:
        assert turn.verified is not None
        done = chain.from_iterable((step.thought, step.target) for step in turn.steps)
        report = inquiry.text(turn.verified.report)
        self.turn = turn
        self.words = prose("\n".join((inquiry.text(turn.verified.criteria), report, *map(inquiry.text, done))))
        self.found = prose(report) if turn.verified.status == "failed" else Words()

    def faults(self, traits: Traits) -> bool:
        """Whether its report finds fault with the slot."""
        found = self.found
        return bool(held_values(traits, found)) or share_of_words(traits, found) >= _FAULTED or names_it(traits, found)


class _Inquiry:
    """One episode, looked into for each of its failed slots."""

    def __init__(self, case: Case, episode: EpisodeState, blobs: Blobs) -> None:
        self._case = case
        self._turns = episode.turns
        self._blobs = blobs
        self._traits = traits_of(case)
        self._told: Told = told_at_first(case)
        self._code = Code(episode, blobs)
        verified = (turn for turn in episode.turns if turn.verified and turn.verified.status != "error")
        self._looks = [_Look(turn, self) for turn in verified]

    def text(self, text: Text) -> str:
        """A text whole, or its beginning when its blob is not to be had."""
        try:
            return read(self._blobs, text)
        except LookupError:
            return head(text)

    def blame(self, slot: int, judged: SlotJudged) -> Blame:
        if self._case.slots[slot].kind is SlotKind.UNREQUESTED:
            return self._hallucinated(slot, judged)
        shown = self._told.shown[slot]
        missing = missing_facts(self._case.slots[slot], self._told, shown)
        first = self._turns[0].seq if self._turns else 0
        evidence = [Evidence(first, SHOWN[shown], 1)]
        if shown is Visibility.STATED:
            return self._of_known(slot, Cause.MISSED, 0, evidence)
        answer = answer_that_told(missing, self._traits[slot], self._turns, self.text)
        if answer is None:
            return self._never_asked(slot, missing, evidence)
        turn, facts = answer
        named = f" (fact {', '.join(str(fact + 1) for fact in facts)})" if facts else ""
        evidence.append(Evidence(turn.replied_at, f"the client told it{named}", turn.number))
        return self._of_known(slot, Cause.ANSWER_IGNORED, turn.number, evidence)

    def _never_asked(self, slot: int, missing: frozenset[int], evidence: list[Evidence]) -> Blame:
        asked = [turn for turn in self._turns if turn.reply]
        if in_vain := asked_in_vain(missing, self._turns):
            evidence.append(Evidence(in_vain.replied_at, "asked, and the client held on to its words", in_vain.number))
        elif asked:
            last = asked[-1]
            many = "one question was asked" if len(asked) == 1 else f"{len(asked)} questions were asked"
            evidence.append(Evidence(last.replied_at, f"{many}, none got it told", last.number))
        committed = self._code.first_bearing(self._traits[slot]) or next(iter(self._code.implements), None)
        if committed:
            evidence.append(Evidence(committed.changed_at, "code was written without knowing it", committed.number))
        return self._made(slot, Cause.NEVER_ASKED, committed, evidence)

    def _of_known(self, slot: int, unless_built: Cause, known: int, evidence: list[Evidence]) -> Blame:
        """The cause of a slot that the builder could know of from turn `known` on."""
        traits = self._traits[slot]
        later = [turn for turn in self._code.implements if turn.number > known]
        if not later or not holds_it(traits, self._code.last):
            if later:
                last = later[-1]
                evidence.append(Evidence(last.changed_at, "the code does not have it", last.number))
            decided = later[0] if later else next((turn for turn in self._turns if turn.number == known), None)
            return self._made(slot, unless_built, decided, evidence)
        built = self._code.first_bearing(traits, known) or later[0]
        evidence.append(Evidence(built.changed_at, "it was built", built.number))
        looks = [look for look in self._looks if look.turn.number >= built.number and speaks_of(traits, look.words)]
        if not looks:
            return self._made(slot, Cause.NOT_VERIFIED, built, evidence)
        look = looks[-1]
        seen = look.turn
        if not look.faults(traits):
            evidence.append(Evidence(seen.verified_at, "a Verify looked at it and let it pass", seen.number))
            return self._made(slot, Cause.VERIFIED_WRONG, seen, evidence)
        evidence.append(Evidence(seen.verified_at, "a Verify found it wanting", seen.number))
        mended = next((turn for turn in later if turn.number > seen.number), None)
        if mended:
            evidence.append(Evidence(mended.changed_at, "written anew, and not looked at again", mended.number))
            return self._made(slot, Cause.NOT_VERIFIED, mended, evidence)
        return self._made(slot, unless_built, seen, evidence)

    def _hallucinated(self, slot: int, judged: SlotJudged) -> Blame:
        reason = self.text(judged.reason)
        phrases = [" ".join(words_of(one or other)) for one, other in _QUOTED.findall(reason)]
        written = self._code.first_holding(phrases)
        evidence = [Evidence(judged.evidence, one_line(reason, 120), judging=True)] if judged.evidence is not None else []
        if written:
            evidence.append(Evidence(written.changed_at, "it was written here", written.number))
        return self._made(slot, kind_of_extra(reason), written, evidence, estimated=False)

    def _made(
        self, slot: int, cause: Cause, turn: Turn | None, evidence: list[Evidence], estimated: bool | None = None
    ) -> Blame:
        guessed = not self._told.noted if estimated is None else estimated
        return Blame(slot, cause, turn.number if turn else None, guessed, tuple(evidence))


def kind_of_extra(reason: str) -> Cause:
    """What sort of thing nobody asked for, by the judge's reason: what its quotations name is not looked at."""
    said = _QUOTED.sub(" ", reason)
    if _FUNCTIONAL.search(said):
        return Cause.HALLUCINATED_FUNCTIONAL
    return Cause.HALLUCINATED_DECORATIVE if _DECORATIVE.search(said) else Cause.HALLUCINATED
