"""The scripted client: it looks up the facts that a question asks for, and puts the facts it is handed into words."""

import json
import re

from iwtui.bench.conflict import is_challenge
from iwtui.models.scripted.fragments.base import Fragment, Topic
from iwtui.models.scripted.fragments.look import Colour
from iwtui.models.scripted.messages import Messages, section, texts
from iwtui.models.scripted.questions import topics
from iwtui.models.scripted.reading import read
from iwtui.models.scripted.sentences import content_words
from iwtui.models.scripted.voices import spoken

_LOOK_UP = re.compile(r'\{"facts":\s*\[numbers\]\}')
_NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_ALL_COLOURS = re.compile(r"\b(?:parts|palette|scheme|colours|colors)\b", re.IGNORECASE)
_COMMON = content_words("page site website show shows list name web app visitor user colour should exactly text button item")
_TOLD = 0.6
"""Share of a fact's words by which an earlier answer, or a question, is taken to hold it."""


def reply(messages: Messages) -> str:
    """Which of the two stages is asked for is told by the system message."""
    system, request = " ".join(texts(messages, "system")), "\n\n".join(texts(messages, "user"))
    facts = dict(_NUMBERED.findall(section(request, "FACTS", "EARLIER")))
    if _LOOK_UP.search(system):
        question = section(request, "QUESTION")
        picked = _picked({int(n): fact for n, fact in facts.items()}, section(request, "EARLIER", "QUESTION"), question)
        return json.dumps({"facts": picked})
    holds = section(request, "STANCE", "QUESTION") == "hold"
    return spoken(system, section(request, "QUESTION", "FACTS"), list(facts.values()), holds)


def _picked(facts: dict[int, str], earlier: str, question: str) -> list[int]:
    asked = topics(question)
    if Topic.ELSE in asked:
        return [n for n, fact in facts.items() if not _covered(fact, earlier, question)][:1]
    named = [n for n, fact in facts.items() if any(key in question for key in read(fact).keys)]
    if named and is_challenge(question):
        return named
    wanted = content_words(question) - _COMMON
    return [
        n
        for n, fact in facts.items()
        if n in named
        or any(_asks_for(question, asked, fragment) for fragment in read(fact).fragments)
        or len(wanted & content_words(fact)) >= 3
    ]


def _asks_for(question: str, asked: frozenset[Topic], fragment: Fragment) -> bool:
    """Whether a fragment is of a topic asked for; where one part's colour is asked for, it must be that part's."""
    if fragment.about not in asked:
        return False
    if fragment.about is Topic.PARTS and isinstance(fragment, Colour) and not _ALL_COLOURS.search(question):
        return fragment.of_part.split()[-1] in question
    return True


def _covered(fact: str, earlier: str, question: str) -> bool:
    """Whether a fact was told before, or stands in the question by its name."""
    keys = read(fact).keys
    if keys and all(key in question for key in keys):
        return True
    told = [line.removeprefix("A: ") for line in earlier.splitlines() if not line.startswith("Q: ")]
    held = content_words(fact)
    places = told if keys else [*told, question]
    return any(len(held & content_words(place)) >= _TOLD * len(held) for place in places)
