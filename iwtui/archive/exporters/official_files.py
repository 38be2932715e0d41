"""The workspaces of an episode: as a folder, and as texts within history.json."""

from pathlib import Path, PurePosixPath
from typing import BinaryIO

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.bench.events import Blob
from iwtui.bench.manifest import Manifest, decode_manifest

MAX_FILES = 5_000
MAX_WORKSPACE = 200_000_000
"""Bytes of one workspace that are written."""

MAX_HISTORY = 2_000_000_000
"""Bytes of all workspaces of an episode that go into its history.json."""

_MAX_PATH = 500


class Workspaces:
    """The workspaces of one episode. A manifest may come from anybody: its paths are confined, its size is bounded."""

    def __init__(self, blobs: BlobStore, folder: Path) -> None:
        self._blobs = blobs
        self._folder = folder
        self._written = 0
        self._told: dict[str, None] = {}

    @property
    def left_out(self) -> list[str]:
        """What was not written, each thing once."""
        return list(self._told)

    def write(self, manifest: Blob | None) -> None:
        """Write a workspace into the folder."""
        self._folder.mkdir(parents=True)
        for path, (blob, _) in self._manifest(manifest).items():
            content = self._content(path, blob)
            if content is not None:
                target = self._folder.joinpath(*PurePosixPath(path).parts)
                try:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(content)
                except (FileExistsError, NotADirectoryError, IsADirectoryError):
                    self._tell(f"{path[:200]!r}: the same name is a file and a folder")

    def write_texts(self, manifest: Blob | None, out: BinaryIO) -> None:
        """Write a workspace as `{path: text}`; what is no UTF-8 is decoded with replacements, as the harness does."""
        out.write(b"{")
        first = True
        for path, (blob, size) in self._manifest(manifest).items():
            self._written += size
            if self._written > MAX_HISTORY:
                self._tell(f"history.json has no more than {MAX_HISTORY:,} bytes of files; the later ones are left out")
                break
            content = self._content(path, blob)
            if content is not None:
                text = content.decode("utf-8", "replace")
                out.write((b"" if first else b",") + msgspec.json.encode(path) + b":" + msgspec.json.encode(text))
                first = False
        out.write(b"}")

    def _manifest(self, manifest: Blob | None) -> Manifest:
        if manifest is None:
            return {}
        try:
            whole = decode_manifest(self._blobs.get(manifest))
        except (LookupError, msgspec.MsgspecError) as error:
            self._tell(f"a workspace cannot be read: {error}")
            return {}
        kept: Manifest = {}
        total = 0
        for path, (blob, size) in whole.items():
            total += size
            if _confined(path) and len(kept) < MAX_FILES and total <= MAX_WORKSPACE:
                kept[path] = (blob, size)
            else:
                self._tell(f"{path[:200]!r}: no path within a workspace, or beyond the limits of one")
        return kept

    def _content(self, path: str, blob: Blob) -> bytes | None:
        try:
            return self._blobs.get(blob)
        except LookupError as error:
            self._tell(f"{path[:200]!r}: {error}")
            return None

    def _tell(self, text: str) -> None:
        if len(self._told) < 100:
            self._told[text] = None


def _confined(path: str) -> bool:
    parts = path.split("/")
    odd = "\\" in path or "\0" in path or ":" in parts[0] or len(path) > _MAX_PATH
    return not odd and all(parts) and not {".", ".."}.intersection(parts) and all(len(part.encode()) < 256 for part in parts)
