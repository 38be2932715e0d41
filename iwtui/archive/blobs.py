"""Content-addressed bytes: pictures as the browser gave them, file contents, messages of requests."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from iwtui.archive.durable import make_folder, sync_folder, write_durably
from iwtui.bench.events import Blob

_ADDRESS = re.compile(r"[0-9a-f]{64}")


class BlobStore:
    """Blobs in files `ab/abcdef…` under `root`, each named by the sha256 of its bytes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._durable: set[Blob] = set()

    def path(self, blob: Blob) -> Path:
        """Where the blob stands, or would stand. Raises LookupError for what is no address."""
        if not _ADDRESS.fullmatch(blob):
            raise LookupError(f"{blob[:80]!r} is not the address of a blob")
        return self.root / blob[:2] / blob

    def put(self, content: bytes) -> Blob:
        """Store the bytes durably and return their address; the same bytes again cost nothing."""
        blob = hashlib.sha256(content).hexdigest()
        path = self.path(blob)
        if _is_whole(path, len(content)):
            if blob not in self._durable:
                sync_folder(path.parent)
        else:
            make_folder(path.parent)
            write_durably(path, content)
        self._durable.add(blob)
        return blob

    def has(self, blob: Blob, size: int) -> bool:
        """Whether this process knows the blob of that size to be durable."""
        return blob in self._durable and _is_whole(self.path(blob), size)

    def get(self, blob: Blob) -> bytes:
        """The bytes at an address. Raises LookupError, naming the file, when they are missing or damaged."""
        path = self.path(blob)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise LookupError(f"blob missing: {path} ({error.strerror})") from error
        if hashlib.sha256(content).hexdigest() != blob:
            raise LookupError(f"blob damaged: {path}")
        return content

    def addresses(self) -> Iterator[Blob]:
        """Every blob that is there."""
        if self.root.is_dir():
            for folder in self.root.iterdir():
                if folder.is_dir():
                    yield from (file.name for file in folder.iterdir() if _ADDRESS.fullmatch(file.name))


def _is_whole(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size == size
    except FileNotFoundError:
        return False
