"""The two histories of an official log, read as streams: texts, pictures and files go to blobs as they come.

`history.json` has the messages after each step and a snapshot of the workspace a step; `interaction_history.json` the
messages and, last, the final evaluation. What memory holds is the list of messages (each at most as long as the log of
ours lets it stand) and a blob's address a file.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from iwtui.archive.importers.walking import Fault, Seen, Walk
from iwtui.bench.events import Blob, Text
from iwtui.bench.longtext import keep
from iwtui.bench.manifest import Manifest
from iwtui.bench.protocols import Blobs
from iwtui.bench.text import storable

MAX_FILES = 5_000
MAX_FILE = 50_000_000
MAX_PATH = 500
MAX_PICTURE = 20_000_000
MAX_MESSAGES = 20_000

INTERACTION, HISTORY = "interaction_history.json", "history.json"

_STEP = re.compile(r"step_(\d{1,6})")
_DATA = re.compile(r"data:image/[a-z.+-]{1,20};base64,", re.IGNORECASE)
_UNCOUNTED = frozenset({"node_modules", "dist", ".next"})


class Said(msgspec.Struct, frozen=True):
    """One message. `info` is the harness's own note on it, with no picture in it."""

    role: str
    text: Text
    pictures: tuple[Blob, ...] = ()
    info: dict[str, Any] = {}


class Snapshot(msgspec.Struct, frozen=True):
    """A workspace. `lines`: of all its files but those of node_modules, dist, .next and package-lock.json."""

    manifest: Manifest
    lines: int


class History(msgspec.Struct, frozen=True):
    """What a task's folder tells. `snapshots` by step, from 0; `workspace` is the newest one, None when there is none."""

    said: tuple[Said, ...]
    snapshots: dict[int, Snapshot]
    workspace: Snapshot | None

    @property
    def final(self) -> dict[str, Any]:
        """The harness's final report, empty when there is none."""
        return next((said.info for said in reversed(self.said) if "evaluation_detail" in said.info), {})


def read_history(folder: Path, blobs: Blobs, faults: list[Fault]) -> History:
    """Both histories of a task's folder as one: of the messages the longer list, the files from `history.json`."""
    spoken = list(read_interaction(folder, blobs, faults))
    told: list[Said] = []
    snapshots: dict[int, Snapshot] = {}
    newest: Snapshot | None = None
    history = folder / HISTORY
    if history.is_file():
        walk = Walk(history, HISTORY, faults)
        events = iter(walk)
        for seen in events:
            match seen.path:
                case ("messages",) if seen.event == "start_array":
                    told = list(_messages(walk, _until_end(events, seen), "messages", "info", blobs))
                case ("workspace_files",) if seen.event == "start_map":
                    newest = _snapshot(walk, seen, events, blobs) or newest
                case ("workspace_snapshots", str(step)) if seen.event == "start_map":
                    number = _STEP.fullmatch(step)
                    if number is None:
                        walk.fault("this snapshot is of no step")
                    elif snapshot := _snapshot(walk, seen, events, blobs):
                        snapshots[int(number[1])] = snapshot
    if newest is None and snapshots:
        newest = snapshots[max(snapshots)]
    return History(tuple(spoken if len(spoken) >= len(told) else told), snapshots, newest)


def read_interaction(folder: Path, blobs: Blobs, faults: list[Fault]) -> Iterator[Said]:
    """The messages of `interaction_history.json`; none when it is not there."""
    if (folder / INTERACTION).is_file():
        walk = Walk(folder / INTERACTION, INTERACTION, faults)
        yield from _messages(walk, iter(walk), "trajectory", "debug_info", blobs)


def _until_end(events: Iterator[Seen], first: Seen) -> Iterator[Seen]:
    yield first
    for seen in events:
        yield seen
        if seen.path == first.path:
            return


def _messages(walk: Walk, events: Iterator[Seen], key: str, note: str, blobs: Blobs) -> Iterator[Said]:
    """The messages of the list under a key, or of a file that is the bare list."""
    count = 0
    for seen in events:
        match seen.path:
            case (str(at), int()) if at == key:
                pass
            case (int(),):
                pass
            case _:
                continue
        if seen.event in ("end_map", "end_array"):
            continue
        found = walk.whole(seen, events)
        if found is None:
            continue
        count += 1
        if count > MAX_MESSAGES:
            walk.fault(f"messages beyond the first {MAX_MESSAGES:,} are left out", seen.path)
            return
        said = _said(found, note, blobs, partial(walk.fault, key=seen.path))
        if said:
            yield said


def _said(found: Any, note: str, blobs: Blobs, fault: Callable[[str], None]) -> Said | None:
    if not isinstance(found, dict) or not isinstance(found.get("role"), str):
        fault("no message: it has no role")
        return None
    texts, pictures = _content(found.get("content", ""), blobs, fault)
    info = found.get(note, {})
    if not isinstance(info, dict):
        fault(f"its {note} is no object")
        info = {}
    return Said(found["role"], keep(blobs, "\n".join(texts)), tuple(pictures), _bare(info))


def _content(content: Any, blobs: Blobs, fault: Callable[[str], None]) -> tuple[list[str], list[Blob]]:
    if isinstance(content, str):
        return [content], []
    texts: list[str] = []
    pictures: list[Blob] = []
    for part in content if isinstance(content, list) else [content]:
        match part:
            case {"type": "text", "text": str(text)}:
                texts.append(text)
            case {"type": "image_url", "image_url": {"url": str(url)}}:
                if blob := _picture(url, blobs):
                    pictures.append(blob)
                else:
                    fault("a picture in it cannot be read")
            case _:
                fault("a part of it is neither text nor picture")
    return texts, pictures


def _picture(url: str, blobs: Blobs) -> Blob | None:
    head = _DATA.match(url)
    if head is None or len(url) > MAX_PICTURE * 4 // 3:
        return None
    try:
        content = base64.b64decode(url[head.end() :], validate=True)
    except (binascii.Error, ValueError):
        return None
    return blobs.put(content) if is_picture(content) else None


def is_picture(content: bytes) -> bool:
    """Whether the bytes begin as a PNG, JPEG or WebP does."""
    return content.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")) or (
        content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    )


def _bare(value: Any) -> Any:
    """The value without the pictures in it."""
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_bare(item) for item in value]
    return "" if isinstance(value, str) and _DATA.match(value) else value


def _snapshot(walk: Walk, first: Seen, events: Iterator[Seen], blobs: Blobs) -> Snapshot | None:
    """The workspace that begins with `first`; None where the file ends within it."""
    manifest: Manifest = {}
    lines = 0
    for seen in events:
        if seen.path == first.path and seen.event == "end_map":
            return Snapshot(manifest, lines)
        if seen.event in ("map_key", "end_map", "end_array") or len(seen.path) != len(first.path) + 1:
            continue
        name = str(seen.path[-1])
        if reason := _refused(name, seen, len(manifest)):
            walk.fault(reason, seen.path)
            continue
        content = storable(seen.value)[0].encode()
        path = name.replace("\\", "/").removeprefix("./")
        manifest[path] = (blobs.put(content), len(content))
        *folders, last = path.split("/")
        if last != "package-lock.json" and not _UNCOUNTED.intersection(folders):
            lines += len(seen.value.splitlines())
    return None


def _refused(name: str, seen: Seen, files: int) -> str:
    if seen.event != "string":
        return "left out: not the text of a file"
    parts = name.replace("\\", "/").removeprefix("./").split("/")
    if len(name) > MAX_PATH or not all(parts) or {".", ".."}.intersection(parts) or ":" in parts[0] or "\0" in name:
        return "left out: no path within a workspace"
    if len(seen.value) > MAX_FILE:
        return f"left out: longer than {MAX_FILE:,} characters"
    return f"left out: beyond the first {MAX_FILES:,} files" if files >= MAX_FILES else ""
