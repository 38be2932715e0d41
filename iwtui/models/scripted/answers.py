"""What a builder learnt from the client in the conversation so far."""

import re
from collections.abc import Iterator

import msgspec

from iwtui.models.scripted.colours import colours
from iwtui.models.scripted.fragments.base import Topic
from iwtui.models.scripted.fragments.look import PARTS, Colour, SiteName
from iwtui.models.scripted.messages import Messages, text_of
from iwtui.models.scripted.metaphors import unveiled
from iwtui.models.scripted.questions import topics
from iwtui.models.scripted.reading import read
from iwtui.models.scripted.sentences import LONGEST_TEXT, quoted

_ASK = re.compile(r'<boltAction type="ask_user">(.*?)</boltAction>', re.DOTALL)


class Answer(msgspec.Struct, frozen=True):
    """A question and what the client said. `told` is the reply in plain words, with the question's subject put in."""

    question: str
    reply: str
    told: str
    topics: frozenset[Topic]
    news: bool


def instruction_of(messages: Messages) -> str:
    """What the client said first."""
    return next((text_of(message) for message in messages if message.get("role") == "user"), "")


def exchanges(messages: Messages) -> Iterator[tuple[str, str]]:
    """What the builder said, each with what came of it."""
    conversation = [message for message in messages if message.get("role") in ("user", "assistant")]
    for said, came in zip(conversation[1::2], conversation[2::2], strict=False):
        yield text_of(said), text_of(came)


def asked_in(said: str) -> str:
    """The question in a message of the builder, empty when it asks none."""
    asked = _ASK.search(said)
    return asked[1].strip() if asked else ""


def answer(question: str, reply: str) -> Answer:
    """What an answer says, read together with its question."""
    asked = topics(question)
    plain = unveiled(reply[:LONGEST_TEXT])
    told = "\n".join((plain, *_short_answers(question, asked, plain)))
    return Answer(question, reply, told, asked, bool(read(told).fragments))


def _short_answers(question: str, asked: frozenset[Topic], reply: str) -> Iterator[str]:
    """Sentences for what an answer says only together with its question: a bare colour, a bare name."""
    known = read(reply)
    named = [colour for _, _, colour in colours(reply)]
    parts = [part for part in PARTS if re.search(rf"\bcolour\b[^?]*\b{part}\b", question)]
    if named and len(parts) == 1 and f"the colour of the {parts[0]}" not in known.keys:
        yield Colour(parts[0], named[0]).wish
    names = quoted(reply)
    if Topic.NAME in asked and not known.has(Topic.NAME) and names:
        yield SiteName(names[0]).wish
