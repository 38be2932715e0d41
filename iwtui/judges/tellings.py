"""Whether the personas tell a seed as they should. Word ranges: the texts of InteractWeb-Bench (arXiv 2604.27419)."""

import re
from collections.abc import Iterator

from iwtui.bench.case import Case
from iwtui.judges.colours import colour_names

RANGES = {"P-MIN": (4, 8), "P-RAM": (150, 270), "P-INT": (50, 170), "P-CON": (27, 123)}
"""Words that a persona's instruction may have."""

RATIOS = {"P-RAM": (1.78, 4.12), "P-INT": (0.89, 1.93), "P-CON": (0.35, 1.48)}
"""The same as parts of the golden text's words: one of unusual length may be told at these ratios instead."""

_QUOTED = re.compile(r'"([^"]+)"')
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMERALS = "one two three four five six seven eight nine ten eleven twelve".split()


def telling_faults(case: Case) -> Iterator[str]:
    """What is wrong with one persona's telling, in words."""
    persona, text = case.persona.id, case.instruction
    if len(case.visibility) != len(case.slots):
        yield f"{persona}: {len(case.visibility)} visibility notes for {len(case.slots)} slots"
    if persona in RANGES:
        yield from _length_fault(persona, len(text.split()), len(case.golden.split()))
    present = {value for value in literals(case.golden) if contains(text, value)}
    if persona == "P-RAM":
        for value in sorted(literals(case.golden) - present):
            yield f"{persona}: the value {value!r} of the golden text is lost"
    if persona == "P-INT":
        numerals = {word for word in _NUMERALS[1:] if contains(case.golden, word) and contains(text, word)}
        for value in sorted(present | numerals):
            yield f"{persona}: the golden text's {value!r} stands there plainly"
    if persona == "P-BASE" and text != case.golden:
        yield f"{persona}: it must be the golden text (leave the instruction empty)"


def _length_fault(persona: str, words: int, golden: int) -> Iterator[str]:
    least, most = RANGES[persona]
    lowest, highest = RATIOS.get(persona, (1.0, 0.0))
    if not least <= words <= most and not lowest * golden <= words <= highest * golden:
        other = f", nor {lowest:.0%} to {highest:.0%} of the golden text's {golden}" if persona in RATIOS else ""
        yield f"{persona}: {words} words, not {least} to {most}{other}"


def literals(golden: str) -> set[str]:
    """The values of a golden text: its quoted phrases, numbers and colours."""
    return set(_QUOTED.findall(golden)) | set(_NUMBER.findall(golden)) | set(_colours(golden))


def _colours(text: str) -> Iterator[str]:
    """CSS colours as people write them: ivory, dark green."""
    words = re.findall(r"[a-z]+", text.casefold())
    names = colour_names()
    place = 0
    while place < len(words):
        pair = words[place : place + 2]
        if len(pair) == 2 and "".join(pair) in names:
            yield " ".join(pair)
            place += 2
            continue
        if words[place] in names:
            yield words[place]
        place += 1


def contains(text: str, value: str) -> bool:
    """Whether the value stands in the text as it is, not within a longer word or number."""
    pattern = r"(?<!\w)(?<!\d[.,:])" + r"\s+".join(map(re.escape, value.split())) + r"(?!\w)(?![.,:]\d)"
    return re.search(pattern, text, re.IGNORECASE) is not None
