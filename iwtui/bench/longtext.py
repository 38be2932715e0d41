"""Long texts: short ones stand in the log, longer ones in a blob with their beginning beside it."""

import msgspec

from iwtui.bench.events import INLINE, Event, LongText, Text
from iwtui.bench.protocols import Blobs
from iwtui.bench.text import storable

HEAD = 500
"""Characters of a long text that stand in the log itself."""

SHORT_HEAD = 120
"""The same, in an event that would not fit on a line otherwise."""


def keep(blobs: Blobs, text: str, inline: int = INLINE, head: int = HEAD) -> Text:
    """The text as an event may bear it: itself up to `inline` characters, else its blob and its beginning."""
    clean, _ = storable(text)
    if len(clean) <= inline:
        return clean
    return LongText(blobs.put(clean.encode()), len(clean), clean[:head])


def read(blobs: Blobs, text: Text) -> str:
    """The whole text. Raises LookupError when its blob is missing or damaged."""
    return text if isinstance(text, str) else blobs.get(text.blob).decode("utf-8", "replace")


def shortened(blobs: Blobs, event: Event) -> Event:
    """The event with all its texts moved to blobs that can be, for one whose texts are too much together for a line."""
    changes: dict[str, Text] = {}
    for field in msgspec.structs.fields(event):
        value = getattr(event, field.name)
        if field.type != Text:
            continue
        if isinstance(value, LongText):
            changes[field.name] = msgspec.structs.replace(value, head=value.head[:SHORT_HEAD])
        else:
            changes[field.name] = keep(blobs, value, inline=SHORT_HEAD, head=SHORT_HEAD)
    return msgspec.structs.replace(event, **changes)
