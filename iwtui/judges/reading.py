"""The text of the page, as the expectations of a check read it."""

import re
from typing import TypeVar

import msgspec

from iwtui.judges.locate import FLAGS
from iwtui.judges.reader import look
from iwtui.web.page import SitePage
from iwtui.web.seen import MAX_BYTES, MAX_LINES, Seen

T = TypeVar("T")

LONGEST = 20_000
"""Characters of a page's text that patterns are searched in."""


class Reading:
    """What a page says, what its dialogs said since the last action, and the numbers that were read from it."""

    def __init__(self, page: SitePage) -> None:
        self._page = page
        self._numbers: dict[str, float] = {}
        self._dialogs: list[str] = []
        self._seen = Seen()

    def heard(self) -> Seen:
        """What happened around the page since this was last asked."""
        self._listen()
        seen, self._seen = self._seen, Seen()
        return seen

    def forget_dialogs(self) -> None:
        """An action begins: what dialogs said before it is no longer to be seen."""
        self._listen()
        self._dialogs.clear()

    def _listen(self) -> None:
        new, old = self._page.drain(), self._seen
        self._dialogs += [dialog.message for dialog in new.dialogs]
        self._seen = Seen(
            _few(old.dialogs + new.dialogs),
            _few(old.console + new.console),
            _few(old.blocked + new.blocked),
            _few(old.notes + new.notes),
        )

    @staticmethod
    def found(pattern: str, text: str) -> bool:
        return re.search(pattern, text, FLAGS) is not None

    async def text(self) -> str:
        """Visible text; the browser's bubble at an invalid field and the messages of dialogs count as visible."""
        self._listen()
        told = str(await look(self._page.raw, "() => reader.told()"))
        return "\n".join([told[:LONGEST], *self._dialogs]).replace("\xa0", " ")

    async def number(self, pattern: str) -> float | None:
        """The first number that the pattern captures: in the text, else in the names of what shows no text of its own."""
        for text in (await self.text(), str(await look(self._page.raw, "() => reader.named()"))):
            for match in re.finditer(pattern, text, FLAGS):
                captured = next((group for group in match.groups() if group), None)
                if captured and (value := _float(captured)) is not None:
                    return value
        return None

    async def remember(self, pattern: str) -> str | None:
        """Keep the number for later; what is wrong when there is none."""
        value = await self.number(pattern)
        if value is None:
            return "no such number is to be seen"
        self._numbers[pattern] = value
        return None

    def last(self, pattern: str) -> float:
        """The number last read by that pattern. Raises KeyError."""
        return self._numbers[pattern]


def _few(entries: tuple[T, ...]) -> tuple[T, ...]:
    """As many as a line of the log has room for."""
    size = 0
    for place, entry in enumerate(entries):
        size += len(msgspec.json.encode(entry))
        if place == MAX_LINES or size > MAX_BYTES:
            return entries[:place]
    return entries


def _float(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None
