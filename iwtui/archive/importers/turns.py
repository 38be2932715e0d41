"""From the messages and snapshots of an official log to the events of an episode.

Each message of the builder is a turn; what the harness did with it is taken from the harness's own notes, and what stood
in it from our reading of the tags. Nothing is invented: the calls have no tokens, no cost and no request.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from iwtui.archive.importers.histories import History, Said, Snapshot
from iwtui.bench.actions import ActionKind, Parsed
from iwtui.bench.disclosure import disclosed
from iwtui.bench.events import (
    ActionChosen,
    Blob,
    BrowserStepped,
    ClientReplied,
    CommandRan,
    EpisodeEnded,
    Event,
    FileChange,
    FilesChanged,
    ModelCalled,
    SiteProbed,
    TurnStarted,
    Verified,
)
from iwtui.bench.lines import line_changes
from iwtui.bench.longtext import keep, read
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.parser import parse
from iwtui.bench.protocols import Blobs

MAX_CHANGES = 40
"""Changes that stand in the event itself; the manifest has them all."""

MAX_STEPS = 200
_NOTHING = Snapshot({}, 0)
_ASKED = re.compile(r"<boltAction\s+type\s*=\s*[\"']ask_user[\"'][^>]*>(.*?)(?:</boltAction>|\Z)", re.DOTALL)
_STATUS = re.compile(r"^(?:Status|Visual audit):\s*(\w+)", re.MULTILINE)
_OWN = re.compile(r"\AVisual audit: \w+\n")
"""How this program's own reports of a Verify begin, in a run that it exported."""

_ACTION = re.compile(r"\s*([A-Za-z_]+)\s*;?\s*(.*)", re.DOTALL)
_STOPS = {"submitted": "submitted", "max_turns_reached": "turns", "verification_deadlock": "deadlock"}

Told = tuple[int, Event]
"""A turn's number, 0 before the first, and an event in it."""


class Telling:
    """Tells an episode from its log. `pictures` are the frames in the task's folder, by their names."""

    def __init__(
        self, history: History, blobs: Blobs, builder: str, facts: Sequence[str], pictures: Mapping[str, Blob]
    ) -> None:
        self._history = history
        self._blobs = blobs
        self._builder = builder
        self._facts = facts
        self._pictures = pictures
        self._before = _NOTHING
        self._streak = 0
        self._frames: dict[tuple[int, int], Blob] = {}
        self.turns = 0

    @property
    def instruction(self) -> str:
        """What the builder was told first; empty when the log does not have it."""
        first = next((said for said in self._history.said if said.role == "user"), None)
        return read(self._blobs, first.text) if first else ""

    @property
    def system(self) -> str:
        """The builder's system prompt; empty when the log does not have it."""
        first = next((said for said in self._history.said if said.role == "system"), None)
        return read(self._blobs, first.text) if first else ""

    @property
    def manifest(self) -> Blob:
        """The workspace as it was handed in."""
        return self._blobs.put(encode_manifest((self._history.workspace or _NOTHING).manifest))

    def events(self) -> Iterator[Told]:
        """The turns in their order, then how the episode ended."""
        said = [message for message in self._history.said if message.role in ("user", "assistant")]
        self._frames = self._last_frames(said)
        waiting: list[Said] = []
        for place, message in enumerate(said):
            if message.role == "user":
                waiting.append(message)
                continue
            self.turns += 1
            following = said[place + 1] if place + 1 < len(said) else None
            after = following if following and following.role == "user" and not _is_final(following) else None
            for event in self._turn(waiting, message, after, last=_is_last(said, place)):
                yield self.turns, event
            waiting = []
        yield from ((self.turns, event) for event in self._ending())

    def _turn(self, told: list[Said], answer: Said, after: Said | None, last: bool) -> Iterator[Event]:
        text = read(self._blobs, answer.text)
        message = "\n".join(read(self._blobs, each.text) for each in told)
        shown = [picture for each in told for picture in each.pictures]
        yield TurnStarted(message=keep(self._blobs, message), picture=shown[-1] if shown else None)
        yield ModelCalled(role="builder", model=self._builder, ordinal=0, request=(), reply=answer.text)
        parsed = parse(text)
        action = _action(answer, after, parsed)
        question = (parsed.question or _question(text)) if action is ActionKind.CLARIFY else ""
        yield ActionChosen(
            action=action.value,
            stood=parsed.stood[:100],
            oddities=parsed.oddities[:20],
            question=keep(self._blobs, question),
            files=tuple(file.path[:200] for file in parsed.files[:40]),
            commands=tuple(command[:200] for command in parsed.commands[:10]),
            path=parsed.path[:500],
            criteria=keep(self._blobs, parsed.criteria),
            reasoning=keep(self._blobs, parsed.reasoning),
            prose=keep(self._blobs, parsed.prose),
        )
        yield from self._files({file.path for file in parsed.files if file.elided}, last)
        if after is None:
            return
        if action is ActionKind.CLARIFY:
            reply = read(self._blobs, after.text)
            gave = disclosed(self._facts, reply) if self._facts else ()
            yield ClientReplied(question=keep(self._blobs, question), reply=after.text, disclosed=gave)
        elif action is ActionKind.VERIFY:
            yield from self._verify(parsed, after)
        elif isinstance(state := after.info.get("environment_feedback"), dict):
            yield from self._state("implement", state)

    def _files(self, elided: set[str], last: bool) -> Iterator[Event]:
        now = self._history.snapshots.get(self.turns - 1)
        if now is None:
            now = self._history.workspace if last and self._history.workspace else self._before
        if now.manifest == self._before.manifest:
            return
        changes = list(self._changes(now, elided))
        yield FilesChanged(
            manifest=self._blobs.put(encode_manifest(now.manifest)),
            files=len(now.manifest),
            lines=now.lines,
            changes=tuple(changes[:MAX_CHANGES]),
            more_changes=max(0, len(changes) - MAX_CHANGES),
        )
        self._before = now

    def _changes(self, now: Snapshot, elided: set[str]) -> Iterator[FileChange]:
        before = self._before.manifest
        for path in sorted(before.keys() | now.manifest.keys()):
            old, new = before.get(path), now.manifest.get(path)
            if old == new:
                continue
            op = "add" if old is None else "delete" if new is None else "change"
            added, removed = line_changes(*(self._blobs.get(entry[0]) if entry else b"" for entry in (old, new)))
            blob, size = new or (None, 0)
            yield FileChange(path, op, blob, size, added, removed, path in elided)

    def _verify(self, parsed: Parsed, after: Said) -> Iterator[Event]:
        trace = _trace(after)
        for number, step in enumerate(trace):
            action, target = read_action(str(step.get("action", "")))
            yield BrowserStepped(
                phase="verify",
                step=number + 1,
                action=action,
                target=target,
                thought=keep(self._blobs, str(step.get("thought", ""))),
                result=str(step.get("logs", ""))[:1_000],
                picture=self._frames.get((id(after), number)),
            )
        report = read(self._blobs, after.text)
        found = _STATUS.search(report)
        status = found[1].lower() if found and found[1].lower() in ("success", "failed") else "error"
        self._streak = 0 if status == "success" else self._streak + 1
        yield Verified(
            path=parsed.path[:500],
            criteria=keep(self._blobs, parsed.criteria),
            status=status,
            report=keep(self._blobs, _OWN.sub("", report)),
            steps=len(trace),
            streak=self._streak,
            picture=after.pictures[-1] if after.pictures else None,
        )

    def _last_frames(self, said: Sequence[Said]) -> dict[tuple[int, int], Blob]:
        """Each Verify writes its frames over those of the one before: a frame is of the last Verify that had its step."""
        frames: dict[str, tuple[int, int]] = {}
        for message in said:
            for number, step in enumerate(_trace(message)):
                frames[PurePosixPath(str(step.get("screenshot_path", ""))).name] = (id(message), number)
        return {place: self._pictures[name] for name, place in frames.items() if name in self._pictures}

    def _state(self, phase: str, state: Mapping[str, Any]) -> Iterator[Event]:
        """What became of the site: `{install_error: [text], start_results, start_error, screenshot_path}`."""
        install = state.get("install_error")
        if faults := [str(line) for line in install] if isinstance(install, list) else []:
            yield CommandRan(
                command="npm install", output=keep(self._blobs, "\n".join(faults)), why="npm said that something is wrong"
            )
        broken = bool(state.get("start_error"))
        picture = self._pictures.get(PurePosixPath(str(state.get("screenshot_path", ""))).name)
        yield SiteProbed(
            phase=phase,
            ok=not broken,
            reason=str(state.get("start_results", ""))[:1_500] if broken else "",
            fault="site" if broken else None,
            picture=picture,
        )

    def _ending(self) -> Iterator[Event]:
        final = self._history.final
        detail = final.get("evaluation_detail")
        if not isinstance(detail, dict):
            yield EpisodeEnded(status="infra", stop_reason="machine", text="the log holds no final evaluation")
            return
        if isinstance(state := final.get("final_env_state"), dict):
            yield from self._state("final", state)
        status = str(detail.get("status", "")).upper()
        reason = str(final.get("stop_reason", ""))
        crashed = status == "CRASHED"
        yield EpisodeEnded(
            status="crashed" if crashed else "played",
            stop_reason=_STOPS.get(reason, reason[:100]),
            text=str(detail.get("text", ""))[:2_000] if crashed or status == "ERROR" else "",
        )


def read_action(text: str) -> tuple[str, str]:
    """The word of a browser action, and what it is done to: `Click ["Browse"]` is `click`, `["Browse"]`."""
    found = _ACTION.match(text)
    return (found[1].lower()[:40], found[2].strip()[:500]) if found else (text.strip()[:40], "")


def _action(answer: Said, after: Said | None, parsed: Parsed) -> ActionKind:
    """What the harness did with a message, by its notes; where it left none, by the feedback, then by our reading."""
    for note, action in (
        ("is_question", ActionKind.CLARIFY),
        ("is_finish", ActionKind.SUBMIT),
        ("is_format_error", ActionKind.MALFORMED),
    ):
        if answer.info.get(note):
            return action
    if after is not None:
        if "internal_test_trace" in after.info:
            return ActionKind.VERIFY
        if "environment_feedback" in after.info:
            return ActionKind.IMPLEMENT
        if after.info.get("is_correction"):
            return ActionKind.MALFORMED
    return parsed.action


def _question(text: str) -> str:
    """The harness also takes a question that is not closed."""
    found = _ASKED.search(text)
    return found[1].strip() if found else ""


def _trace(message: Said) -> list[dict[str, Any]]:
    trace = message.info.get("internal_test_trace")
    return [step for step in trace[:MAX_STEPS] if isinstance(step, dict)] if isinstance(trace, list) else []


def _is_final(message: Said) -> bool:
    return "evaluation_detail" in message.info


def _is_last(said: Sequence[Said], place: int) -> bool:
    return all(message.role != "assistant" for message in said[place + 1 :])
