"""The models of an episode that was played before: each call is answered from its record, and nothing is requested.

A call is found by the builder's turn, the role and the ordinal within the turn. Where it asks something else than it did
then, that is told once, as the first divergence; pictures and the ports of sites may differ.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from iwtui.bench.events import Blob, ModelCalled
from iwtui.bench.fold import EpisodeState, Message
from iwtui.bench.longtext import read
from iwtui.bench.protocols import Blobs
from iwtui.bench.settings import Settings
from iwtui.bench.text import one_line
from iwtui.models.call import Call, Listener, Reply
from iwtui.models.errors import ModelFaultError

_PORT = re.compile(r"(?<=127\.0\.0\.1:)\d+|(?<=localhost:)\d+")
_AROUND = 40
"""Characters shown on each side of the first difference."""

_Plain = tuple[str, str, int]
"""A message as it is compared: role, text without ports, number of pictures."""


def calls_of(episode: EpisodeState) -> Iterator[tuple[int, ModelCalled]]:
    """The calls of an episode that count, each with its turn."""
    for turn in episode.turns:
        for call in turn.calls:
            yield turn.number, call


class Recorded:
    """Answers calls as `calls` (each with its turn) have them; `blobs` hold their requests and long replies."""

    def __init__(self, calls: Iterable[tuple[int, ModelCalled]], blobs: Blobs, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._calls = {(turn, call.role, call.ordinal): call for turn, call in calls if not _void(call)}
        self._blobs = blobs
        self._diverged = False

    async def ask(self, call: Call, listener: Listener) -> Reply:
        """The recorded answer, at no cost. Raises the recorded ModelFaultError, or one of kind `record ended`.

        Raises LookupError when a blob of the record is missing or damaged.
        """
        found = self._calls.get((call.turn, call.role, call.ordinal))
        where = f"turn {call.turn}, {call.role}, call {call.ordinal + 1}"
        if found is None:
            raise ModelFaultError("record ended", f"the record has no such call: {where}", cost=0.0)
        if not self._diverged and (difference := self._difference(call.messages, found.request)):
            self._diverged = True
            listener.diverged(one_line(f"first divergence from the record, {where}: {difference}", 1_000))
        if found.fault is not None:
            raise ModelFaultError(found.fault_kind or "server", found.fault, cost=0.0, finish_reason=found.finish_reason)
        text, reasoning = read(self._blobs, found.reply), read(self._blobs, found.reasoning)
        if reasoning:
            listener.thought(reasoning)
        listener.wrote(text)
        return Reply(
            text=text,
            reasoning=reasoning,
            finish_reason=found.finish_reason,
            answered_by=found.answered_by,
            tokens_in=found.tokens_in,
            tokens_out=found.tokens_out,
            cost=0.0,
            seconds=0.0,
            replayed=True,
        )

    def _difference(self, asked: Sequence[Mapping[str, Any]], request: Sequence[Blob]) -> str:
        """What differs first, in words; empty when nothing does."""
        if len(asked) != len(request):
            return f"{len(asked)} messages are asked, the record has {len(request)}"
        for number, (message, blob) in enumerate(zip(asked, request, strict=True), 1):
            now, then = _plain(message), self._recorded(blob)
            if now == then:
                continue
            if now[1] == then[1]:
                return f"message {number}: {now[0]} with {now[2]} pictures, in the record {then[0]} with {then[2]}"
            at = _first_difference(now[1], then[1])
            return f"message {number} at character {at:,}: “{_piece(now[1], at)}”, in the record “{_piece(then[1], at)}”"
        return ""

    def _recorded(self, blob: Blob) -> _Plain:
        message = msgspec.json.decode(self._blobs.get(blob), type=Message)
        return message.role, _PORT.sub("*", read(self._blobs, message.text)), int(message.picture is not None)


def _void(call: ModelCalled) -> bool:
    """Whether another attempt followed, or a person broke it off."""
    return call.retried or call.fault_kind == "stopped"


def _plain(message: Mapping[str, Any]) -> _Plain:
    content = message["content"]
    if isinstance(content, str):
        return message["role"], _PORT.sub("*", content), 0
    text = "\n".join(part["text"] for part in content if part["type"] == "text")
    return message["role"], _PORT.sub("*", text), sum(part["type"] != "text" for part in content)


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _piece(text: str, at: int) -> str:
    return text[max(0, at - _AROUND) : at + _AROUND]
