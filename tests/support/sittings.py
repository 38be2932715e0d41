"""What a judge is given, in memory: a log that takes only what a real one could hold, and a model that says its lines."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from iwtui.bench.case import Case
from iwtui.bench.codec import decode, encode
from iwtui.bench.events import BrowserStepped, EpisodeMeasured, Event, Record, SlotJudged
from iwtui.bench.fold import EpisodeState, Message
from iwtui.judges.base import Sitting
from iwtui.models.call import Reply
from iwtui.models.errors import ModelFaultError
from iwtui.web.page import SitePage
from tests.support.replies import said


class MemoryLog:
    """A recorder in memory that takes only what a real log could hold."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.kept: dict[str, bytes] = {}

    @property
    def blobs(self) -> "MemoryLog":
        return self

    def put(self, content: bytes) -> str:
        blob = hashlib.sha256(content).hexdigest()
        self.kept[blob] = content
        return blob

    def get(self, blob: str) -> bytes:
        return self.kept[blob]

    def append(self, event: Event, turn: int) -> Record:
        record = decode(encode(Record(len(self.records), 0.0, turn, event)))  # type: ignore[arg-type]
        self.records.append(record)
        return record

    def sync(self) -> None:
        pass

    def progress(self, phase: str, detail: str = "", text: str = "") -> None:
        pass

    def judged(self) -> list[SlotJudged]:
        return [record.event for record in self.records if isinstance(record.event, SlotJudged)]

    def steps(self, slot: int) -> list[tuple[int, BrowserStepped]]:
        return [
            (record.seq, record.event)
            for record in self.records
            if isinstance(record.event, BrowserStepped) and record.event.slot == slot
        ]

    def measured(self) -> list[EpisodeMeasured]:
        return [record.event for record in self.records if isinstance(record.event, EpisodeMeasured)]


Line = str | ModelFaultError


@dataclass
class Lines:
    """A judge's model that says its lines one after the other; `asked` holds what it was shown each time."""

    lines: Sequence[Line] | Callable[[Sequence[Message]], Line]
    asked: list[Sequence[Message]] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    async def __call__(
        self,
        prompt: str,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        **values: object,
    ) -> Reply:
        line = self.lines(messages) if callable(self.lines) else self.lines[len(self.asked)]
        self.asked.append(list(messages))
        self.prompts.append(prompt)
        if isinstance(line, ModelFaultError):
            raise line
        return said(line)


def sitting(
    case: Case,
    log: MemoryLog,
    page: object = None,
    ask: Lines | None = None,
    episode: EpisodeState | None = None,
    turn: int = 1,
) -> Sitting:
    """A sitting over a page (or what stands for one) and a model."""
    return Sitting(case, episode or EpisodeState(), turn, log, cast("SitePage | None", page), ask or Lines([]))
