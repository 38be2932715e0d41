"""What a question is about: how the builder words its questions, and how both sides take one."""

import re

from iwtui.models.scripted.fragments.base import Topic
from iwtui.models.scripted.reading import Clash
from iwtui.models.scripted.sentences import LONGEST_SENTENCE

QUESTIONS: dict[Topic, str] = {
    Topic.NAME: "What is the name of the site?",
    Topic.BACKGROUND: "Which colour should the page background have?",
    Topic.PARTS: "Which colours should other parts have, such as the header bar, the main heading or the buttons?",
    Topic.DATA: "Which items or data should the site show at the start, and with which details exactly?",
    Topic.ACTIONS: "What can visitors do on the page, and what happens then?",
    Topic.TEXTS: "Which texts should stand on the page word for word, such as opening hours, an address or a slogan?",
    Topic.MESSAGES: "Which messages should appear when input is empty or wrong?",
    Topic.LASTING: "What must still be there after the page is reloaded?",
    Topic.ELSE: "Does the site need anything else?",
}
"""In the order in which they are asked."""

_AGAIN = "I did not understand that, so in plainer words:"

_SITE = r"(?:site|website|page|app|application|business|shop|project|company|it)"
_ABOUT = {
    Topic.NAME: rf"\b(?:name|title)\b[^?]{{0,30}}\b{_SITE}\b|\b{_SITE}\b[^?]{{0,20}}\b(?:named?|called|title)\b",
    Topic.BACKGROUND: r"\bbackground\b|\bcolou?r (?:scheme|palette)\b|\bpalette\b",
    Topic.PARTS: (
        r"\bcolou?r\w*\b[^?]*\b(?:header|heading|headline|buttons?|parts?|links?|footer|text|accents?|other|table)\b"
        r"|\b(?:header|heading|headline|buttons?|parts?|links?|footer|text|accents?|table)\b[^?]*\bcolou?r"
        r"|\bcolou?r (?:scheme|palette)\b|\bpalette\b"
    ),
    Topic.DATA: r"\b(?:items?|data|products?|entries|rows?|columns?|records|list(?:ed)?|table|contents?|prices?)\b",
    Topic.ACTIONS: (
        r"\b(?:visitors?|users?|people|customers?|one|they)\b[^?]*\b(?:do|can|able)\b|\bcan (?:visitors?|users?|people)\b"
        r"|\bfeatures?\b|\bfunction(?:s|ality)?\b|\binteract\w*|\bwhat happens\b|\bbuttons?\b[^?]*\bdo\b"
    ),
    Topic.TEXTS: r"\btexts?\b|\bword for word\b|\bhours\b|\baddress\b|\bphone\b|\bcontact details\b|\bslogan\b|\bwording\b",
    Topic.MESSAGES: r"\b(?:messages?|errors?|empty|invalid|wrong|validat\w+)\b",
    Topic.LASTING: r"\b(?:reload\w*|refresh\w*|persist\w*|saved?|stored|lasts?|still be there|kept|remember\w*)\b",
}
_PATTERNS = {topic: re.compile(text, re.IGNORECASE) for topic, text in _ABOUT.items()}
_ELSE = re.compile(
    r"\b(?:anything|something|what) (?:else|more|further)\b|\bother (?:wishes|requirements|needs)\b"
    r"|\bdid I (?:miss|forget)\b",
    re.IGNORECASE,
)
_REPEATED = re.compile(
    r"\bdid not understand\b|\bplain(?:er)? words\b|\bonce more\b|\bclearer\b|\bmore literal", re.IGNORECASE
)
_COLOUR = re.compile(r"\bcolou?r", re.IGNORECASE)


def worded(topic: Topic, again: bool) -> str:
    """The question about a topic; asked again, it says why."""
    question = QUESTIONS[topic]
    return f"{_AGAIN} {question[0].lower()}{question[1:]}" if again else question


def worded_clash(clash: Clash) -> str:
    """A question that points a contradiction out."""
    if clash.first == clash.second:
        return f"About {clash.about} your words contradict each other: '{clash.first}' What holds?"
    return f"About {clash.about} your words contradict each other: '{clash.first}' and '{clash.second}' What holds?"


def topics(question: str) -> frozenset[Topic]:
    """What a question asks for. One for anything else asks for nothing in particular, whatever it mentions."""
    question = question[-LONGEST_SENTENCE:]
    if _ELSE.search(question):
        return frozenset({Topic.ELSE})
    found = {topic for topic, pattern in _PATTERNS.items() if pattern.search(question)}
    if _COLOUR.search(question):
        found.discard(Topic.TEXTS)
    return frozenset(found)


def is_repeated(question: str) -> bool:
    """Whether the question says that the last answer was not understood."""
    return _REPEATED.search(question) is not None
