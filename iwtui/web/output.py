"""What a process printed: its beginning and its end, never more, without escape codes."""

import re

HEAD = 6_000
TAIL = 18_000
"""Bytes kept of the beginning and of the end."""

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours and movements
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\)"  # OSC, DCS and their like, to their end
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)


class Output:
    """Bytes as they come, of which the first HEAD and the last TAIL are kept. `total` counts all of them."""

    def __init__(self) -> None:
        self.total = 0
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, chunk: bytes) -> None:
        self.total += len(chunk)
        room = HEAD - len(self._head)
        self._head += chunk[: max(0, room)]
        self._tail += chunk[max(0, room) :]
        if len(self._tail) > 2 * TAIL:
            del self._tail[:-TAIL]

    def text(self) -> str:
        """What was kept, with a line that says how much is left out."""
        tail = self._tail[-TAIL:]
        left_out = self.total - len(self._head) - len(tail)
        gap = f"\n… {left_out:,} bytes left out …\n".encode() if left_out else b""
        return plain(bytes(self._head + gap + tail).decode("utf-8", "replace"))


def plain(text: str) -> str:
    """The text without escape codes, and with a line that was overwritten by carriage returns as it was seen at last."""
    lines = _ESCAPES.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


def last_lines(text: str, count: int) -> str:
    """The last lines that are not blank."""
    return "\n".join([line.rstrip() for line in text.split("\n") if line.strip()][-count:])
