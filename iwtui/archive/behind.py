"""Writing behind: what a disk takes its time for is done in threads, and waited for where it must be there.

An event loop that waits for a disk holds up every episode of a run.
"""

import hashlib
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path

from iwtui.archive.blobs import BlobStore
from iwtui.bench.events import Blob

THREADS = 4


@cache
def disk() -> ThreadPoolExecutor:
    """The threads that wait for disks, one set for the process."""
    return ThreadPoolExecutor(THREADS, thread_name_prefix="disk")


class BlobsBehind:
    """The blobs as one log reaches them (a `bench.protocols.Blobs`): `put` returns before the disk has them.

    `settle` comes before an event that names one, directly or through another blob.
    """

    def __init__(self, store: BlobStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._coming: dict[Blob, tuple[bytes, Future[Blob]]] = {}

    def put(self, content: bytes) -> Blob:
        """Have the bytes stored, and return their address."""
        blob = hashlib.sha256(content).hexdigest()
        with self._lock:
            if blob not in self._coming and not self._store.has(blob, len(content)):
                self._coming[blob] = content, disk().submit(self._store.put, content)
        return blob

    def get(self, blob: Blob) -> bytes:
        """The bytes at an address. Raises LookupError when they are missing or damaged."""
        with self._lock:
            coming = self._coming.get(blob)
        return coming[0] if coming else self._store.get(blob)

    def settle(self) -> None:
        """Wait until all that was put is durable. Raises OSError for what could not be written; it is to be put again."""
        with self._lock:
            coming, self._coming = self._coming, {}
        faults = [fault for _, future in coming.values() if (fault := future.exception())]
        if faults:
            raise faults[0]


class NewestBehind:
    """A small file that always holds the newest of what it is given; what comes too fast is passed over."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._aside = path.with_name(f".{path.name}")
        self._lock = threading.Lock()
        self._next: bytes | None = None
        self._busy = False
        self._writing: Future[None] | None = None

    def put(self, content: bytes) -> None:
        """Have it stand in the file soon. Raises OSError when a writing before failed."""
        with self._lock:
            self._next = content
            if self._busy:
                return
            before, self._writing = self._writing, disk().submit(self._write)
            self._busy = True
        if before and (fault := before.exception()):
            raise fault

    def remove(self) -> None:
        """Take the file away, and write it no more."""
        with self._lock:
            self._next, writing = None, self._writing
        if writing:
            writing.exception()
        self._path.unlink(missing_ok=True)
        self._aside.unlink(missing_ok=True)

    def _write(self) -> None:
        while (content := self._taken()) is not None:
            try:
                self._aside.write_bytes(content)
                self._aside.replace(self._path)
            except OSError:
                with self._lock:
                    self._busy = False
                raise

    def _taken(self) -> bytes | None:
        with self._lock:
            content, self._next = self._next, None
            self._busy = content is not None
        return content
