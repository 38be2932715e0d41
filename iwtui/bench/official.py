"""How the benchmark's own analyser reads a message of a builder; by substrings, not by tags.

It stands beside our parser, which says what was carried out: the two disagree where a message is odd (a question in single
quotes is asked, and counts as a format error here). Source: result_analyze.py and evaluate_intent_and_ask.py of
InteractWeb-Bench.
"""

import re

from iwtui.bench.actions import ActionKind

_MARKS = {
    ActionKind.CLARIFY: re.compile(r'<boltAction type="ask_user"'),
    ActionKind.VERIFY: re.compile(r'<boltAction type="screenshot_validated"'),
    ActionKind.SUBMIT: re.compile(r'<boltAction type="finish"'),
    ActionKind.IMPLEMENT: re.compile(r"<boltArtifact|<boltAction\s+type=[\"'](?:file|shell|start)[\"']"),
}
_QUESTION = re.compile(r'<boltAction type="ask_user">(.*?)</boltAction>', re.DOTALL)


def kinds(text: str) -> tuple[str, ...]:
    """The kinds of action in a message, each once, in the order in which they begin; none is a format error."""
    begins = {kind: found.start() for kind, mark in _MARKS.items() if (found := mark.search(text))}
    return tuple(kind.value for kind in sorted(begins, key=lambda kind: begins[kind]))


def questions(text: str) -> int:
    """The questions in a message that its judge of questions is shown."""
    return len(_QUESTION.findall(text))
