"""Episodes made of a few events, to be asked why their slots failed: no agent, no browser, no store."""

import hashlib
from collections.abc import Mapping
from typing import Any

from iwtui.bench.blame import Blame, blames
from iwtui.bench.case import Case
from iwtui.bench.events import (
    ActionChosen,
    Blob,
    BrowserStepped,
    ClientReplied,
    EpisodeEnded,
    FileChange,
    FilesChanged,
    JudgingEnded,
    JudgingStarted,
    Known,
    Record,
    SlotJudged,
    TurnStarted,
    Verified,
)
from iwtui.bench.fold import EpisodeState, JudgingState, fold, fold_judging
from iwtui.bench.longtext import keep
from iwtui.bench.manifest import encode_manifest

REASON = "it is not there"


class Shelf:
    """Blobs in memory."""

    def __init__(self) -> None:
        self.kept: dict[Blob, bytes] = {}

    def put(self, content: bytes) -> Blob:
        blob = hashlib.sha256(content).hexdigest()
        self.kept[blob] = content
        return blob

    def get(self, blob: Blob) -> bytes:
        try:
            return self.kept[blob]
        except KeyError:
            raise LookupError(blob) from None


class Told:
    """An episode of a case, told turn by turn."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.blobs = Shelf()
        self._records: list[Record] = []
        self._manifest: dict[str, tuple[Blob, int]] = {}
        self._turn = 0
        self._verdicts: dict[int, tuple[str, str]] = {}

    def _turn_of(self, action: str, *events: Known) -> "Told":
        self._turn += 1
        message = self.case.instruction if self._turn == 1 else "Go on."
        happened: list[Known] = [TurnStarted(message=message), ActionChosen(action=action), *events]
        for event in happened:
            self._add(event)
        return self

    def _add(self, event: Known) -> None:
        self._records.append(Record(len(self._records), float(len(self._records)), self._turn, event))

    def asks(self, question: str, reply: str, *disclosed: int, **more: Any) -> "Told":
        return self._turn_of(
            "clarify", ClientReplied(question=question, reply=keep(self.blobs, reply), disclosed=disclosed, **more)
        )

    def writes(self, files: Mapping[str, str] | str) -> "Told":
        files = {"index.html": files} if isinstance(files, str) else files
        changes = []
        for path, content in files.items():
            blob = self.blobs.put(content.encode())
            self._manifest[path] = (blob, len(content))
            changes.append(FileChange(path, "add", blob, len(content)))
        manifest = self.blobs.put(encode_manifest(self._manifest))
        changed = FilesChanged(manifest=manifest, files=len(self._manifest), lines=1, changes=tuple(changes))
        return self._turn_of("implement", changed)

    def looks(self, criteria: str, status: str = "success", report: str = "", thought: str = "") -> "Told":
        step = BrowserStepped(phase="verify", step=1, action="click", thought=thought)
        verified = Verified(path="/", criteria=criteria, status=status, report=report, steps=1, streak=0)
        return self._turn_of("verify", step, verified)

    def submits(self) -> "Told":
        self._turn_of("submit")
        self._add(EpisodeEnded(status="played", stop_reason="submitted"))
        return self

    def judged(self, slot: int, verdict: str = "failed", reason: str = REASON) -> "Told":
        self._verdicts[slot] = (verdict, reason)
        return self

    @property
    def episode(self) -> EpisodeState:
        return fold(self._records)

    def judging(self, status: str | None = "scored") -> JudgingState:
        manifest = self.episode.manifest or self.blobs.put(b"{}")
        events: list[Known] = [JudgingStarted(judge="checks", slots=99, manifest=manifest, turn_judged=1)]
        for slot, (verdict, reason) in self._verdicts.items():
            events.append(BrowserStepped(phase="judging", step=slot, action="see", slot=slot))
            events.append(SlotJudged(slot=slot, verdict=verdict, reason=reason, evidence=len(events) - 1))
        events += [JudgingEnded(status=status)] if status else []
        return fold_judging(Record(seq, float(seq), 1, event) for seq, event in enumerate(events))

    def causes(self, status: str | None = "scored") -> tuple[Blame, ...]:
        return blames(self.case, self.episode, self.judging(status), self.blobs)

    def cause(self, slot: int) -> Blame:
        """Of a slot that fails."""
        self.judged(slot)
        return next(blame for blame in self.causes() if blame.slot == slot)

    def kind(self, seq: int) -> str:
        """What sort of event stands there in the episode's log."""
        return self._records[seq].kind
