"""Reasoning that stands in the answer itself, in think tags, taken out of it."""

import re

_TAG = re.compile(r"<(/?)think(?:ing)?\b[^<>]*+>", re.IGNORECASE)


def apart(text: str) -> tuple[str, str]:
    """The answer without what stands in think tags, and that.

    All up to a closing tag that nothing opened is thought, and so is all after an opening tag that nothing closes.
    """
    said: list[str] = []
    thought: list[str] = []
    position, thinking = 0, False
    for tag in _TAG.finditer(text):
        piece = text[position : tag.start()]
        position = tag.end()
        if tag[1] and not thinking:
            thought += [*said, piece]
            said.clear()
        else:
            (thought if thinking else said).append(piece)
        thinking = not tag[1]
    (thought if thinking else said).append(text[position:])
    if not thought:
        return text, ""
    return "".join(said).strip(), "\n".join(part.strip() for part in thought if part.strip())
