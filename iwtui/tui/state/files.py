"""The workspace at some event: which files there are, and what the last change of files did to them."""

from collections.abc import Mapping, Sequence

import msgspec

from iwtui.bench.events import Blob, FileChange, FilesChanged
from iwtui.bench.fold import EpisodeState
from iwtui.bench.manifest import Manifest
from iwtui.bench.text import one_line
from iwtui.tui.state.shapes import FileEntry


class Workspace(msgspec.Struct, frozen=True):
    """`files`: by path, those deleted by the last change among them. `turn`: the one that changed files last, 0 if none did.

    `before`: where each file of the workspace was before that change. `whole`: False when more files changed at some time
    than an event names; `manifest` (a blob) then tells all: `listed` makes the entries of it.
    """

    files: tuple[FileEntry, ...] = ()
    turn: int = 0
    manifest: Blob | None = None
    manifest_before: Blob | None = None
    before: Mapping[str, Blob] = {}
    refused: tuple[tuple[str, str], ...] = ()
    whole: bool = True


def workspace(state: EpisodeState) -> Workspace:
    """The workspace after the events that make up a state."""
    writes = [(turn.number, turn.files) for turn in state.turns if turn.files]
    if not writes:
        return Workspace()
    before: dict[str, tuple[Blob, int]] = {}
    for _, files in writes[:-1]:
        _apply(before, files)
    number, last = writes[-1]
    now = dict(before)
    _apply(now, last)
    return Workspace(
        files=entries(now, last.changes),
        turn=number,
        manifest=last.manifest,
        manifest_before=writes[-2][1].manifest if len(writes) > 1 else None,
        before={path: blob for path, (blob, _) in before.items()},
        refused=tuple((one_line(r.path), one_line(r.reason)) for r in last.refused),
        whole=not any(files.more_changes for _, files in writes),
    )


def listed(manifest: Manifest, manifest_before: Manifest, changes: Sequence[FileChange]) -> tuple[FileEntry, ...]:
    """All files of a workspace, for one of which more changed than the event names."""
    known = {change.path: change for change in changes}
    further = [
        FileChange(path, "add" if path not in manifest_before else "change", *manifest[path])
        for path in manifest
        if path not in known and manifest_before.get(path) != manifest[path]
    ]
    further += [
        FileChange(path, "delete", None, 0) for path in manifest_before if path not in manifest and path not in known
    ]
    return entries(manifest, [*changes, *further])


def entries(manifest: Manifest, changes: Sequence[FileChange]) -> tuple[FileEntry, ...]:
    """The files by path, each with what the changes did to it; deleted ones as well."""
    by_path = {change.path: change for change in changes}
    found = []
    for path, (blob, size) in manifest.items():
        change = by_path.get(path)
        if change is None or change.op == "delete":
            found.append(FileEntry(path, blob, size))
        else:
            found.append(FileEntry(path, blob, size, change.op, change.added, change.removed, change.elided))
    found += [
        FileEntry(change.path, None, 0, change.op, change.added, change.removed)
        for change in by_path.values()
        if change.op == "delete" and change.path not in manifest
    ]
    return tuple(sorted(found, key=lambda entry: entry.path))


def _apply(files: dict[str, tuple[Blob, int]], event: FilesChanged) -> None:
    for change in event.changes:
        if change.blob is None:
            files.pop(change.path, None)
        else:
            files[change.path] = (change.blob, change.size)
