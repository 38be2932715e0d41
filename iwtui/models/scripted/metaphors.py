"""Metaphor for colours and numbers: the client speaks it, the builder understands a part of it."""

import re
from functools import cache

from iwtui.models.scripted.colours import colours, lexicon


def veiled(text: str, asked_before: int) -> str:
    """The text with its colours and number words put into pictures; another picture each time the matter is asked about.

    Quotations, and colours that the lexicon has no picture for, stay as they are.
    """
    pictures = {_css(name): _spoken(known, asked_before) for name, known in _known("colour").items()}
    for start, end, css in reversed(list(colours(text))):
        if css in pictures:
            text = f"{text[:start]}the colour of {pictures[css]}{text[end:]}"
    for word, known in _known("number").items():
        counted = re.compile(rf'\b{word}\b (\w+)(?=[^"]*(?:"[^"]*"[^"]*)*$)', re.IGNORECASE)
        text = counted.sub(rf"\1, as many as {_spoken(known, asked_before)},", text)
    return text


def unveiled(text: str) -> str:
    """The text with each picture that the builder understands replaced by the colour or number it stands for."""
    for name, pattern in _understood():
        text = pattern.sub(name, text)
    return text


@cache
def _understood() -> list[tuple[str, re.Pattern[str]]]:
    """With what leads up to a picture from "the colour of" on, unless another colour stands between."""
    lead = r"(?:\bthe colou?rs? of\b(?:(?!\bcolou?r)[^.;]){1,40}?)?"
    return [
        (name, re.compile(rf"{lead}\b{re.escape(picture)}\b", re.IGNORECASE))
        for kind in ("colour", "number")
        for name, known in _known(kind).items()
        for picture in known["understood"]
    ]


def _known(kind: str) -> dict[str, dict[str, list[str]]]:
    return {name: known for name, known in lexicon()[kind].items() if isinstance(known, dict)}


def _css(name: str) -> str:
    return next(css for _, _, css in colours(name))


def _spoken(known: dict[str, list[str]], asked_before: int) -> str:
    return known["spoken"][min(asked_before, len(known["spoken"]) - 1)]
