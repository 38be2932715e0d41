"""Plain reading of prose: sentences, quotations, lists, words."""

import re

LONGEST_TEXT = 20_000
LONGEST_SENTENCE = 800
"""Characters. What goes beyond is not read, or read in pieces: a text may be hostile, and patterns cost time."""

_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "\u00a0": " "})
_LIST_COMMA = re.compile(r"\s*[,;]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_QUOTED = re.compile(r'"([^"\n]{1,300})"')
_WORD = re.compile(r"[A-Za-zÀ-ɏ][\w'-]*|\d+(?:[.,:]\d+)*")
_FUNCTION_WORDS = frozenset(
    "a an the this that these those it its is are was were be been am do does did has have had will would shall should can"
    " could may might must of in on at to for from with by as and or but if then than so such not no there here i me my we"
    " our us you your he she they them their his her who which what when where how why while into over under up down out"
    " off about each every any all some one just only also too very please want wants like need needs".split()
)


def straight(text: str) -> str:
    """The text with typographic quotation marks and apostrophes made plain."""
    return text.translate(_STRAIGHT)


def sentences(text: str) -> list[str]:
    """The sentences of a text. A full stop within a number or a quotation does not end one, a line break does."""
    return [
        sentence[start : start + LONGEST_SENTENCE]
        for line in straight(text).splitlines()
        for sentence in _of_line(line)
        for start in range(0, len(sentence), LONGEST_SENTENCE)
    ]


def _of_line(line: str) -> list[str]:
    found: list[str] = []
    start = 0
    quotes = line.count('"') % 2 == 0
    inside = False
    for i, char in enumerate(line):
        if char == '"' and quotes:
            inside = not inside
            ends = not inside and line[i - 1 : i] in (".", "!", "?") and re.match(r"\s+[A-Z]", line[i + 1 :]) is not None
        else:
            ends = char in ".!?;" and not inside and (i + 1 == len(line) or line[i + 1].isspace())
        if ends:
            found.append(line[start : i + 1].strip())
            start = i + 1
    found.append(line[start:].strip())
    return [sentence for sentence in found if sentence]


def quoted(text: str) -> list[str]:
    """Everything between double quotation marks, without a closing full stop."""
    return [phrase.strip() for phrase in _QUOTED.findall(straight(text)) if phrase.strip()]


def split_list(text: str) -> list[str]:
    """The parts of "A, B and C", without quotation marks."""
    return [part.strip(" .\"'") for part in _LIST_COMMA.split(text) if part.strip(" .\"'")]


def words(text: str) -> list[str]:
    """Words and numbers, in lower case."""
    return [word.lower() for word in _WORD.findall(straight(text))]


def content_words(text: str) -> frozenset[str]:
    """The words that carry meaning, roughly stemmed."""
    return frozenset(stem(word) for word in words(text) if word not in _FUNCTION_WORDS)


def stem(word: str) -> str:
    """A word without its commonest English endings."""
    for ending in ("'s", "ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
