"""The personas' voices: the same facts in a few words, amid chatter, in metaphor, rigidly, or plainly."""

import re
import zlib
from collections.abc import Sequence

from iwtui.bench.conflict import is_challenge
from iwtui.models.scripted.colours import colours
from iwtui.models.scripted.fragments.base import Topic
from iwtui.models.scripted.fragments.look import Colour, SiteName
from iwtui.models.scripted.metaphors import veiled
from iwtui.models.scripted.questions import is_repeated, topics
from iwtui.models.scripted.reading import read

CHATTER = (
    "Oh, I am glad you write, I was just chasing the cat off the sofa.",
    "My aunt always said that a kettle knows more than a parliament.",
    "You should have heard the wind last night, it sang in the chimney like a choir.",
    "The neighbour's dog has taken my left slipper again, and he looks proud of it.",
    "My knees are telling me that it will rain before the evening.",
    "When I was young we walked to school along the river, and nobody ever hurried.",
    "My uncle once waited a whole night for a train that had been there all along.",
    "I still hum the tune that the postman whistles, it will not leave me alone.",
    "But what do I understand of such machines, my grandson laughs at me for it.",
    "They mended the church clock at last, and now it is wrong in a new way.",
    "My sister makes a soup that could wake a stone, you must taste it one day.",
    "The swallows are late this year, and the whole street is worried about them.",
    "I lost my spectacles this morning and found them on my own nose.",
    "Where was I, my thoughts run about like hens today.",
    "The dentist told me such a long story that I forgot to be afraid.",
    "Anyway, the tea is getting cold and somebody is at the door.",
    "My cousin has bought a boat, and she cannot even swim.",
    "It was so foggy on the hill that the sheep bumped into each other.",
)
_IRRELEVANT_SHARE = 0.7
_DROPPED = frozenset("a an the exactly these this please use show write build".split())
_QUOTED_OR_WORD = re.compile(r'"[^"]*"\S*|\S+')

_VOICES = (
    (re.compile(r"\brefuse\b|\bnever answer\b|\bdo not answer\b", re.IGNORECASE), "silent"),
    (re.compile(r"\bmetaphors?\b", re.IGNORECASE), "metaphor"),
    (re.compile(r"\birrelevant\b|\brambl", re.IGNORECASE), "rambling"),
    (re.compile(r"\bshortest\b|\bfew(?:est)? words\b", re.IGNORECASE), "minimal"),
    (re.compile(r"\bcontradiction\b", re.IGNORECASE), "rigid"),
)
_NONE = {
    "metaphor": ("The path is free there, walk it as you like.", "The song ends here; nothing else is wanted."),
    "rambling": ("I leave that to you.", "No, nothing else comes to my mind."),
    "minimal": ("Doesn't matter.", "No, nothing else."),
    "rigid": ("I have no wish there.", "Nothing else."),
    "plain": ("I have no wish in that matter.", "No, nothing else is wanted."),
}
"""With no fact to tell: to any question, and to the one whether anything else is wanted."""


HOLDS = "I meant every word of it, and I stand by what I said."
"""What a client says that does not give up a wish yet."""


def spoken(system: str, question: str, facts: Sequence[str], holds: bool = False) -> str:
    """The facts as the persona whose rules stand in the system message would say them in answer to the question.

    One that `holds` on to a wish says so first, and nothing else when it was handed no fact.
    """
    if holds:
        return " ".join([HOLDS, *([spoken(system, question, facts)] if facts else [])])
    voice = next((name for pattern, name in _VOICES if pattern.search(system)), "plain")
    if voice == "silent":
        return "I would rather not say."
    if not facts:
        said = _NONE[voice][Topic.ELSE in topics(question)]
        return _amid_chatter([said], question) if voice == "rambling" else said
    match voice:
        case "metaphor":
            return "Close your eyes and see it. " + " ".join(veiled(fact, int(is_repeated(question))) for fact in facts)
        case "rambling":
            return _amid_chatter(facts, question)
        case "minimal":
            return "; ".join(_shortest(fact, question).rstrip(".") for fact in facts)
        case "rigid" if is_challenge(question):
            return "I meant every word of it. The truth is this. " + " ".join(facts)
    return " ".join(facts)


def _amid_chatter(said: Sequence[str], question: str) -> str:
    """The answer in the middle of enough talk about something else."""
    wanted = sum(len(fact.split()) for fact in said) * _IRRELEVANT_SHARE / (1 - _IRRELEVANT_SHARE)
    start = zlib.crc32(question.encode()) % len(CHATTER)
    before: list[str] = []
    after: list[str] = []
    words = 0
    for i in range(len(CHATTER)):
        if words >= wanted:
            break
        sentence = CHATTER[(start + i) % len(CHATTER)]
        words += len(sentence.split())
        (after if i % 2 else before).append(sentence)
    return " ".join([*before, *said, *after])


def _shortest(fact: str, question: str) -> str:
    """A bare value where the question names what it is of, else the fact without its small words."""
    fragments = read(fact).fragments
    if len(fragments) == 1:
        only = fragments[0]
        if isinstance(only, SiteName) and Topic.NAME in topics(question):
            return f'"{only.name}"'
        if isinstance(only, Colour) and only.of_part in question and " or " not in question:
            start, end, _ = next(colours(fact))
            return fact[start:end]
    return " ".join(word for word in _QUOTED_OR_WORD.findall(fact) if word.lower() not in _DROPPED)
