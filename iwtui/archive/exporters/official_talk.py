"""The messages of an episode as the official harness keeps them, with its notes on what it did with each."""

import base64
from collections.abc import Iterator
from typing import Any

from iwtui.archive.exporters.official_pictures import Frames
from iwtui.archive.exporters.played import Played, Texts
from iwtui.bench.events import BrowserStepped, SiteProbed
from iwtui.bench.fold import Turn

Said = dict[str, Any]

_NOTES: dict[str, Said] = {
    "clarify": {"is_question": True},
    "submit": {"is_finish": True},
    "malformed": {"is_format_error": True},
}


def trajectory(episode: Played, texts: Texts, frames: Frames) -> Iterator[Said]:
    """The system prompt, then what the builder was told and what it answered, turn by turn.

    A turn without an answer, which a fault ended, is left out. What came of the last turn is told though no turn followed.
    """
    started = episode.state.started
    yield {"role": "system", "content": texts(started.system) if started else ""}
    before: Turn | None = None
    for turn in episode.state.turns:
        if turn.answer is None:
            continue
        note = {} if before is None else _came_of(before, texts, frames)
        yield {"role": "user", "content": _content(turn, texts, frames), **note}
        action = turn.action.action if turn.action else ""
        yield {"role": "assistant", "content": texts(turn.answer), "debug_info": _NOTES.get(action, {})}
        before = turn
    if before is not None and (last := _last(before, texts)) is not None:
        yield {"role": "user", "content": last, **_came_of(before, texts, frames)}


def _content(turn: Turn, texts: Texts, frames: Frames) -> Any:
    text = texts(turn.message)
    picture = frames.content(turn.picture) if turn.picture else None
    if picture is None:
        return text
    kind = "png" if picture.startswith(b"\x89PNG") else "jpeg" if picture.startswith(b"\xff\xd8") else "webp"
    url = f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
    return [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": url, "detail": "low"}}]


def _last(turn: Turn, texts: Texts) -> str | None:
    """What came of the last turn, in words; None when nothing did, or when it handed the site in."""
    action = turn.action.action if turn.action else ""
    if turn.reply:
        return texts(turn.reply.reply)
    if turn.verified:
        return f"Visual audit: {turn.verified.status}\n{texts(turn.verified.report)}"
    if action == "implement" and (probe := _probe(turn, "implement")):
        return "Execution feedback:\n" + ("The site runs." if probe.ok else f"The site does not run: {probe.reason}.")
    return None


def _came_of(turn: Turn, texts: Texts, frames: Frames) -> Said:
    """The note on the message that follows a turn: none on an answer of the client."""
    action = turn.action.action if turn.action else ""
    if action == "malformed":
        return {"debug_info": {"is_correction": True}}
    if turn.verified:
        trace = [_step(number, step, texts, frames) for number, step in enumerate(turn.steps)]
        return {"debug_info": {"internal_test_trace": trace}}
    if action == "implement":
        return {"debug_info": {"environment_feedback": environment(turn, _probe(turn, "implement"), texts, "")}}
    return {}


def _step(number: int, step: BrowserStepped, texts: Texts, frames: Frames) -> Said:
    return {
        "step": number,
        "thought": texts(step.thought),
        "action": f"{step.action} {step.target}".strip(),
        "logs": step.result,
        "screenshot_path": frames.verify_frame(number, step.picture),
    }


def environment(turn: Turn | None, probe: SiteProbed | None, texts: Texts, picture: str) -> Said:
    """What became of the site."""
    failed = [texts(c.output) or c.why for c in turn.commands if c.exit_code not in (0, None)] if turn else []
    ok = probe is None or probe.ok
    return {
        "install_error": [text for text in failed if text],
        "start_results": "Success" if ok else (probe.reason if probe else ""),
        "start_error": not ok,
        "screenshot_path": picture,
    }


def _probe(turn: Turn, phase: str) -> SiteProbed | None:
    return next((probe for probe in reversed(turn.probes) if probe.phase == phase), None)
