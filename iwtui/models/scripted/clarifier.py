"""A builder that asks: one question a turn until nothing is missing; then it builds, looks, mends and hands in."""

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from iwtui.models.scripted.answers import Answer, answer, asked_in, exchanges, instruction_of
from iwtui.models.scripted.blind import FINISH, implementation, padded
from iwtui.models.scripted.fragments.acting import StatusButton
from iwtui.models.scripted.fragments.base import Fragment, Topic
from iwtui.models.scripted.fragments.forms import AddForm, MessageForm
from iwtui.models.scripted.fragments.texts import Line
from iwtui.models.scripted.messages import Messages, texts
from iwtui.models.scripted.questions import QUESTIONS, worded, worded_clash
from iwtui.models.scripted.reading import Clash, Reading, read
from iwtui.models.scripted.sentences import quoted

_TURNS = re.compile(r"\bturns \((\d+)\)|\b(\d+) turns\b")
_FEWEST_TURNS = 15
_AFTER_THE_QUESTIONS = 7
"""Turns kept for two mends at most: three times write and look, and hand in."""

_NO_WISH = re.compile(
    r"\bno (?:\w+ )?(?:wish|preference|opinion)\b|\b(?:don't|do not) (?:mind|care)\b|\b(?:doesn't|does not) matter\b"
    r"|\b(?:leave|up)\b[^.]{0,20} to you\b|\bpath is free\b|\bas you like\b",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(r"\bnothing (?:else|more|further)\b|\bthat(?:'s| is| was) (?:all|everything)\b", re.IGNORECASE)
_MENDS = 2
_TIMES_ELSE = 6


class _Audit(msgspec.Struct, frozen=True):
    """What came of a look at the site."""

    status: str
    report: str


class _History(msgspec.Struct, frozen=True):
    """The episode so far, as its messages tell it."""

    instruction: str
    answers: tuple[Answer, ...]
    implemented: int
    audits: tuple[_Audit, ...]
    questions_allowed: int

    @property
    def reading(self) -> Reading:
        return read(self.instruction, *(answer.told for answer in self.answers))


def reply(messages: Messages) -> str:
    """The builder's next message."""
    history = _history(messages)
    if history.implemented == 0:
        question = _next_question(history)
        if question is not None:
            return f'<boltAction type="ask_user">{_untagged(question)}</boltAction>'
        return implementation(_fragments(history))
    if len(history.audits) < history.implemented:
        criteria = _untagged("\n".join(f"- {line}" for line in _criteria(history)))
        return f'<TestCriteria>\n{criteria}\n</TestCriteria>\n<boltAction type="screenshot_validated">/</boltAction>'
    if history.audits[-1].status == "failed" and history.implemented <= _MENDS:
        before = msgspec.structs.replace(history, audits=history.audits[:-1])
        mended = implementation(_fragments(history))
        if mended != implementation(_fragments(before)):
            return mended
    return FINISH


def _history(messages: Messages) -> _History:
    system = " ".join(texts(messages, "system"))
    turns = _TURNS.search(system)
    answers: list[Answer] = []
    audits: list[_Audit] = []
    implemented = 0
    for text, result in exchanges(messages):
        if asked := asked_in(text):
            answers.append(answer(asked, result))
        elif "<boltArtifact" in text:
            implemented += 1
        elif result.startswith("Visual audit:"):
            status, _, report = result.removeprefix("Visual audit:").partition("\n")
            audits.append(_Audit(status.strip(), report))
    return _History(
        instruction=instruction_of(messages),
        answers=tuple(answers),
        implemented=implemented,
        audits=tuple(audits),
        questions_allowed=(int(turns[1] or turns[2]) if turns else _FEWEST_TURNS) - _AFTER_THE_QUESTIONS,
    )


def _next_question(history: _History) -> str | None:
    """Contradictions first, then each topic once, then again what was not answered, then whether there is anything else."""
    left = history.questions_allowed - len(history.answers)
    if left <= 0:
        return None
    for clash in read(history.instruction).clashes:
        if _asked_about(clash, history) == 0 and left > 1:
            return worded_clash(clash)
    times = Counter(topic for answer in history.answers for topic in answer.topics)
    for again in (False, True):
        for topic in _missing(history):
            if times[topic] == int(again) and left > 1:
                return worded(topic, again)
    return _anything_else(history, times[Topic.ELSE])


def _anything_else(history: _History, times: int) -> str | None:
    """Asked as long as it brings news; a client that does not answer it is asked twice."""
    silent = sum(1 for answer in history.answers if Topic.ELSE in answer.topics and not answer.news)
    if _said_nothing_else(history) or silent >= 2 or times >= _TIMES_ELSE:
        return None
    known = "; ".join(fragment.key for fragment in history.reading.fragments)
    summary = f"So far I know of: {known}. " if known else ""
    return summary + QUESTIONS[Topic.ELSE]


def _asked_about(clash: Clash, history: _History) -> int:
    return sum(1 for answer in history.answers if answer.question.startswith(f"About {_untagged(clash.about)} "))


def _untagged(text: str) -> str:
    """The client's words within a tag of ours must not end it."""
    return text.replace("<", "‹")


def _missing(history: _History) -> list[Topic]:
    """The topics that nothing is known about and that the client did not leave open."""
    left_open = {topic for answer in history.answers if _NO_WISH.search(answer.reply) for topic in answer.topics}
    reading = history.reading
    return [topic for topic in _needed(reading) if not reading.has(topic) and topic not in left_open]


def _needed(reading: Reading) -> Iterator[Topic]:
    forms = any(isinstance(fragment, AddForm | MessageForm) for fragment in reading.fragments)
    adds = any(isinstance(fragment, AddForm | StatusButton) for fragment in reading.fragments)
    for topic in QUESTIONS:
        if topic is Topic.ELSE or (topic is Topic.MESSAGES and not forms) or (topic is Topic.LASTING and not adds):
            continue
        yield topic


def _said_nothing_else(history: _History) -> bool:
    return any(
        Topic.ELSE in answer.topics
        and not answer.news
        and (_NOTHING_ELSE.search(answer.reply) or _NO_WISH.search(answer.reply))
        for answer in history.answers
    )


def _fragments(history: _History) -> list[Fragment]:
    """What the site is made of. Where gaps stayed, it is filled as one fills it who never asked."""
    learnt = any(answer.news for answer in history.answers)
    first = read(history.instruction)
    gaps = not all(first.has(topic) for topic in (Topic.NAME, Topic.BACKGROUND, Topic.DATA, Topic.ACTIONS))
    settled = (learnt or not gaps) and (_said_nothing_else(history) or (learnt and not _missing(history)))
    if not settled:
        return padded(history.reading)
    return [*history.reading.fragments, *_mends(history)]


def _criteria(history: _History) -> list[str]:
    """What must hold: every wish that was understood, and what the client said word for word beside."""
    wishes = [fragment.wish for fragment in history.reading.fragments]
    beside = [sentence for answer in history.answers for sentence in read(answer.told).unread if quoted(sentence)]
    return [*wishes, *beside] or ["The page opens and shows a heading."]


def _mends(history: _History) -> Iterator[Line]:
    """The client's own phrases that an audit missed and no fragment shows: they are put on the page as they are."""
    said = " ".join((history.instruction, *(answer.told for answer in history.answers)))
    shown = " ".join(fragment.wish for fragment in history.reading.fragments)
    missed = (phrase for audit in history.audits if audit.status == "failed" for phrase in quoted(audit.report))
    for phrase in dict.fromkeys(missed):
        if f'"{phrase}"' in said and phrase not in shown:
            yield Line("sentence", phrase)
