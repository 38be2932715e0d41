"""The files of one generated site: written inside a root and nowhere else, taken down as a manifest, put back byte for byte.

Paths come from a model and the tree may be changed by the site's own processes, so every step opens folders one below the
other without following links. A name is kept exactly as given (dot-files, trailing dots, `con`, composed and decomposed
accents are names like any other); only its separators are made `/`.
"""

import hashlib
import os
import re
import secrets
import shutil
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from iwtui.bench.events import Blob, FileChange, Refusal
from iwtui.bench.lines import as_text, line_changes
from iwtui.bench.manifest import Manifest
from iwtui.bench.protocols import Blobs

MAX_FILE = 2_000_000
"""Bytes of one file that may be written."""
MAX_FILES = 400
MAX_TOTAL = 20_000_000

MAX_SCANNED_FILE = 10_000_000
"""Bytes of one file that a scan takes in; what a site's own processes write may be larger than what a model may."""
MAX_SCANNED_FILES = 4_000
MAX_SCANNED_TOTAL = 100_000_000
MAX_LEFT_OUT = 50

HOME = "/home/project"
"""The folder that the builder is told it works in."""

UNKEPT = frozenset("node_modules .git .vite .vite-temp .next .cache .npm .parcel-cache .turbo __pycache__".split())
"""Folders that no manifest holds: they can be made again."""

_UNCOUNTED = frozenset(("node_modules", "dist", ".next"))
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_MAX_NAME = 255
_MAX_PATH = 1_000


class _Blocked(Exception):  # noqa: N818  never leaves this module
    """Something that stands in a file's way."""


def safe_path(path: str) -> str | Refusal:
    """The path relative to the workspace with `/` between its parts, or why it is refused.

    `/home/project/x` is x. Nothing is decoded: `%2e%2e` and `\\u0061` are names.
    """
    if reason := _fault(path):
        return Refusal(path.encode("utf-8", "replace").decode()[:300], reason)
    parts: list[str] = []
    for part in _relative(path).split("/"):
        if part == ".." and not parts:
            return Refusal(path, "it leads outside the workspace")
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if not parts:
        return Refusal(path, "it names the workspace itself")
    if reason := _rooted("/".join(parts)):
        return Refusal(path, reason)
    if unkept := UNKEPT.intersection(parts):
        return Refusal(path, f"{min(unkept)} is not kept: it is made anew from the other files")
    return "/".join(parts)


def _relative(path: str) -> str:
    slashed = path.replace("\\", "/")
    return slashed[len(HOME) + 1 :] if slashed.startswith(HOME + "/") else slashed


def _rooted(path: str) -> str | None:
    if path.startswith("/") or _DRIVE.match(path):
        return "it is an absolute path"
    return "it begins in a home folder" if path.startswith("~") and "/" in path else None


def _fault(path: str) -> str | None:
    if any("\ud800" <= char <= "\udfff" for char in path):
        return "its name is not valid text"
    if _CONTROL.search(path):
        return "its name holds a control character"
    relative = _relative(path)
    if reason := _rooted(relative):
        return reason
    if not relative or relative.endswith("/"):
        return "it names no file"
    if any(len(part.encode()) > _MAX_NAME for part in relative.split("/")):
        return f"its name is longer than {_MAX_NAME} bytes"
    if len(relative.encode()) > _MAX_PATH:
        return f"it is longer than {_MAX_PATH} bytes"
    return None


class Workspace:
    """One site's folder. `left_out` tells what the last scan found and did not take in."""

    def __init__(self, root: Path, blobs: Blobs) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root.resolve()
        self.left_out: tuple[Refusal, ...] = ()
        self._blobs = blobs

    def write(self, files: Sequence[tuple[str, str]]) -> tuple[Refusal, ...]:
        """Write (path, content) pairs, the last of one path winning; what was not written comes back with its reason."""
        refused: list[Refusal] = []
        sizes = dict(self._sizes())
        for given, content in files:
            path = safe_path(given)
            if isinstance(path, Refusal):
                refused.append(path)
                continue
            body = content.encode("utf-8", "replace")
            after = {**sizes, path: len(body)}
            reason = _over_limit(len(body), after)
            if reason is None:
                try:
                    self._put(path, body)
                    sizes = after
                    continue
                except _Blocked as blocked:
                    reason = str(blocked)
            refused.append(Refusal(given, reason))
        return tuple(refused)

    def scan(self, before: Manifest, elided: Collection[str] = ()) -> tuple[Manifest, tuple[FileChange, ...]]:
        """What the folder holds now, its contents in blobs, and what changed since `before`.

        Links inside the root count as the file they lead to; links out of it, sockets and names that are not text are
        left out, and so is what exceeds the limits. `elided` are paths whose rewrite seems to leave code out.
        """
        kept = {blob for blob, _ in before.values()}
        now: Manifest = {}
        left_out: list[Refusal] = []
        links: list[str] = []
        total = 0
        for path, name, folder in self._walk():
            reason: str | None = None
            content: bytes | None = None
            if not _is_text_name(path):
                path, reason = os.fsencode(path).decode("utf-8", "replace"), "its name is not valid text"
            elif len(now) >= MAX_SCANNED_FILES:
                reason = f"there are more than {MAX_SCANNED_FILES} files"
            else:
                content, reason = _read(name, folder, min(MAX_SCANNED_FILE, MAX_SCANNED_TOTAL - total))
            if content is not None:
                total += len(content)
                blob = hashlib.sha256(content).hexdigest()
                now[path] = (blob if blob in kept else self._blobs.put(content), len(content))
            elif reason is None:
                links.append(path)
            elif len(left_out) < MAX_LEFT_OUT:
                left_out.append(Refusal(path, reason))
        for path in links:
            target = os.path.relpath(os.path.realpath(self.root / path), self.root)
            if target in now:
                now[path] = now[target]
            else:
                left_out.append(Refusal(path, "it is a link to no file of the workspace"))
        self.left_out = tuple(left_out[:MAX_LEFT_OUT])
        return now, tuple(self._changes(before, now, frozenset(elided)))

    def restore(self, manifest: Manifest) -> None:
        """Make the folder hold what the manifest says and nothing else; file modes and empty folders are not kept.

        Raises LookupError when a blob is missing and ValueError for a path that leaves the root, both before anything is
        touched.
        """
        for path in manifest:
            if any(part in ("", ".", "..") for part in path.split("/")) or "\0" in path:
                raise ValueError(f"a manifest names {path!r}, which is no path inside a workspace")
        contents = {path: self._blobs.get(blob) for path, (blob, _) in manifest.items()}
        for entry in os.scandir(self.root):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                Path(entry.path).unlink()
        for path, content in contents.items():
            try:
                self._put(path, content)
            except _Blocked as blocked:
                raise ValueError(f"a manifest's {path!r} cannot be put back: {blocked}") from blocked

    def _changes(self, before: Manifest, now: Manifest, elided: frozenset[str]) -> Iterator[FileChange]:
        for path in sorted(before.keys() | now.keys()):
            old, new = before.get(path), now.get(path)
            if old == new:
                continue
            op = "add" if old is None else "delete" if new is None else "change"
            added, removed = line_changes(self._content(old), self._content(new))
            blob, size = new if new else (None, 0)
            yield FileChange(path, op, blob, size, added, removed, path in elided)

    def _content(self, entry: tuple[Blob, int] | None) -> bytes:
        return self._blobs.get(entry[0]) if entry else b""

    def _walk(self) -> Iterator[tuple[str, str, int]]:
        """Each file's path, its name, and a descriptor of its folder that is open until the next one is asked for."""
        for place, folders, names, folder in os.fwalk(self.root, follow_symlinks=False):
            folders[:] = sorted(name for name in folders if name not in UNKEPT)
            within = os.path.relpath(place, self.root)
            for name in sorted(names):
                yield (name if within == "." else f"{within}/{name}"), name, folder

    def _sizes(self) -> Iterator[tuple[str, int]]:
        for path, name, folder in self._walk():
            with suppress(FileNotFoundError):  # the site's own processes come and go with their files
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
                yield path, found.st_size if stat.S_ISREG(found.st_mode) else 0

    def _put(self, path: str, content: bytes) -> None:
        """Replace the file in one step. Raises _Blocked when something stands in its way."""
        *folders, name = path.split("/")
        with _folder(self.root, folders) as folder:
            temporary = f".iwtui-{secrets.token_hex(8)}"
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644, dir_fd=folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException as error:
                os.unlink(temporary, dir_fd=folder)
                if isinstance(error, IsADirectoryError):
                    raise _Blocked("a folder of that name stands there") from error
                raise


@contextmanager
def _folder(root: Path, parts: Sequence[str]) -> Iterator[int]:
    """A descriptor of the folder below the root, made where it is missing, reached without following a link."""
    current = os.open(root, _FOLDER)
    try:
        for part in parts:
            with suppress(FileExistsError):  # it is opened next, and must be a folder
                os.mkdir(part, 0o755, dir_fd=current)
            try:
                below = os.open(part, _FOLDER, dir_fd=current)
            except OSError as error:
                raise _Blocked(f"a file or link stands where the folder {part} should be") from error
            os.close(current)
            current = below
        yield current
    finally:
        os.close(current)


def _over_limit(size: int, after: Mapping[str, int]) -> str | None:
    if size > MAX_FILE:
        return f"it has {size:,} bytes, more than {MAX_FILE:,}"
    if len(after) > MAX_FILES:
        return f"the workspace would hold more than {MAX_FILES} files"
    if sum(after.values()) > MAX_TOTAL:
        return f"the workspace would hold more than {MAX_TOTAL:,} bytes"
    return None


def _read(name: str, folder: int, limit: int) -> tuple[bytes | None, str | None]:
    """The content of a file, or why it is not read; neither for a link."""
    try:
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return None, None
        with os.fdopen(os.open(name, _FILE, dir_fd=folder), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return None, "it is no regular file"
            content = file.read(limit + 1)
    except OSError as error:
        return None, f"it cannot be read: {error.strerror}"
    return (content, None) if len(content) <= limit else (None, f"it is larger than the {limit:,} bytes left for it")


def _is_text_name(path: str) -> bool:
    return not any("\udc80" <= char <= "\udcff" for char in path)


def lines_of_code(manifest: Manifest, blobs: Blobs) -> int:
    """Lines of all text files but those in node_modules, dist and .next and package-lock.json (the published count)."""
    counted = 0
    for path, (blob, _) in manifest.items():
        *folders, name = path.split("/")
        if name == "package-lock.json" or _UNCOUNTED.intersection(folders):
            continue
        text = as_text(blobs.get(blob))
        counted += len(text.splitlines()) if text is not None else 0
    return counted
