"""An eye for the local server: it reads the word of a vision probe by comparing the picture with each of the words drawn."""

import base64
from functools import cache

from iwtui.engine.preflight import WORDS, drawn
from tests.support.openai_server import Asked


@cache
def _words() -> dict[bytes, str]:
    return {drawn(word): word for word in WORDS}


def word_in(asked: Asked) -> str | None:
    """The word on the first picture of the request; None when there is none, or another picture."""
    if not asked.pictures:
        return None
    return _words().get(base64.b64decode(asked.pictures[0].partition(",")[2]))
