"""The official judge's pass over a site, as a judging of ours: what it looked at, what it said, and its verdicts."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from iwtui.archive.importers.finding import MESSAGES
from iwtui.archive.importers.histories import is_picture
from iwtui.archive.importers.turns import read_action
from iwtui.archive.importers.verdicts import Judged, evidence, read_verdicts
from iwtui.archive.importers.walking import Fault
from iwtui.bench.events import Blob, BrowserStepped, Event, JudgingEnded, JudgingStarted, SlotJudged
from iwtui.bench.longtext import keep
from iwtui.bench.protocols import Blobs
from iwtui.bench.score import Verdict

JUDGE = "official"
JUDGING = "official-1"
MAX_PICTURE = 20_000_000
MAX_MESSAGES = 64_000_000
MAX_STEPS = 500
_ERROR = "The action you have chosen cannot be executed"


class Talk(msgspec.Struct, frozen=True):
    """What the judge was told and what it said: (role, text)."""

    messages: tuple[tuple[str, str], ...] = ()

    @property
    def told(self) -> str:
        """Its task: all that it was told before it first spoke."""
        first = next((place for place, (role, _) in enumerate(self.messages) if role == "assistant"), len(self.messages))
        return "\n".join(text for _, text in self.messages[:first])

    @property
    def said(self) -> list[tuple[str, str]]:
        """Each of its answers, with what it was told next."""
        pairs: list[tuple[str, str]] = []
        for place, (role, text) in enumerate(self.messages):
            if role == "assistant":
                following = self.messages[place + 1] if place + 1 < len(self.messages) else ("", "")
                pairs.append((text, following[1] if following[0] == "user" else ""))
        return pairs[:MAX_STEPS]


def read_talk(task: Path, final: Mapping[str, Any], faults: list[Fault]) -> Talk:
    """The judge's messages: as the final report has them, else from the judge's own file."""
    detail = final.get("evaluation_detail")
    metrics = detail.get("raw_metrics") if isinstance(detail, dict) else None
    listed = metrics.get("Raw_Trajectory") if isinstance(metrics, dict) else None
    if not isinstance(listed, list):
        listed = _own_file(task, faults)
    messages = [(str(m.get("role", "")), _text(m.get("content", ""))) for m in listed if isinstance(m, dict)]
    return Talk(tuple(messages))


def _own_file(task: Path, faults: list[Fault]) -> list[Any]:
    for file in sorted(task.glob(f"eval_webvoyager/*/{MESSAGES}")):
        if file.stat().st_size > MAX_MESSAGES:
            faults.append(Fault(MESSAGES, f"left out: longer than {MAX_MESSAGES:,} bytes"))
            continue
        try:
            found = msgspec.json.decode(file.read_bytes())
        except (msgspec.MsgspecError, RecursionError) as error:
            faults.append(Fault(MESSAGES, f"left out: {error}"))
            continue
        if isinstance(found, list):
            return found
        faults.append(Fault(MESSAGES, "left out: no list of messages"))
    return []


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict) and part.get("type") == "text")


def read_pictures(task: Path, blobs: Blobs, faults: list[Fault]) -> dict[str, Blob]:
    """The frames of a task's folder by name; the judge's as `judge/<n>`, n being the place of the answer, from 1."""
    found: dict[str, Blob] = {}
    judges = sorted(task.glob("eval_webvoyager/*/screenshot*.png"))
    named = [(file.name, file) for file in sorted(task.glob("visual_step_*.png"))]
    named += [(f"judge/{file.stem.removeprefix('screenshot')}", file) for file in judges]
    for name, file in named:
        if file.is_symlink() or not file.is_file():
            continue
        content = file.read_bytes() if file.stat().st_size <= MAX_PICTURE else b""
        if is_picture(content):
            found[name] = blobs.put(content)
        else:
            faults.append(Fault(str(file.relative_to(task)), "left out: no picture, or too large"))
    return found


def judging_events(
    final: Mapping[str, Any], talk: Talk, slots: int, manifest: Blob, turn: int, pictures: Mapping[str, Blob], blobs: Blobs
) -> Iterator[Event]:
    """The judging's events; a site that crashed has none. `ERROR`, a judge that broke off, is a fault of the harness."""
    detail = final.get("evaluation_detail")
    if not isinstance(detail, dict) or str(detail.get("status", "")).upper() == "CRASHED":
        return
    yield JudgingStarted(judge=JUDGE, slots=slots, manifest=manifest, turn_judged=turn)
    said = talk.said
    yield from _steps(said, pictures, blobs)
    if str(detail.get("status", "")).upper() == "ERROR":
        yield JudgingEnded(status="infra", text=str(detail.get("text", ""))[:2_000])
        return
    verdicts = read_verdicts(detail.get("raw_metrics"), slots)
    yield from _judged(verdicts, [text for text, _ in said], blobs)
    yield JudgingEnded(status="scored")


def _steps(said: Sequence[tuple[str, str]], pictures: Mapping[str, Blob], blobs: Blobs) -> Iterator[Event]:
    for number, (text, told) in enumerate(said, 1):
        thought, _, action = text.rpartition("Action:")
        word, target = read_action(action if thought else "")
        yield BrowserStepped(
            phase="judging",
            step=number,
            action=word or "say",
            target=target,
            thought=keep(blobs, (thought or text).strip().removeprefix("Thought:").strip()),
            result=told[:1_000] if told.startswith(_ERROR) else "",
            picture=pictures.get(f"judge/{number}"),
        )
    for number in range(len(said) + 1, MAX_STEPS):
        if picture := pictures.get(f"judge/{number}"):
            yield BrowserStepped(phase="judging", step=number, action="look", result="no answer came", picture=picture)


def _judged(verdicts: Sequence[Judged], thoughts: Sequence[str], blobs: Blobs) -> Iterator[Event]:
    for slot, judged in enumerate(verdicts):
        if judged.verdict is Verdict.UNOBSERVED:
            continue
        step = evidence(thoughts, slot, judged.verdict)
        reason = keep(blobs, judged.reason)
        # The judging's log has one event before the steps.
        seq = None if step is None else step + 1
        yield SlotJudged(slot=slot, verdict=judged.verdict.value, reason=reason, evidence=seq)
