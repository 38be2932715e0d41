"""Giving back the room of blobs that nothing names any more."""

import fcntl
import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.archive.run_folder import WRITERS
from iwtui.bench.events import Blob

_ADDRESS = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_PIECE = 1 << 22


class Collected(msgspec.Struct, frozen=True):
    """`busy`: nothing was done, as logs are being written just now."""

    blobs: int = 0
    bytes: int = 0
    busy: bool = False


def collect(root: Path, blobs: BlobStore) -> Collected:
    """Remove every blob that is named nowhere: not in the store's JSON files, nor in a JSON blob that is named.

    Whatever looks like an address counts as one, so that files of a newer version keep their blobs too. A run that is
    being removed, its folder renamed already, keeps nothing.
    """
    if not root.is_dir():
        return Collected()
    fd = os.open(root / WRITERS, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return _sweep(blobs, _named(root, blobs))
    except BlockingIOError:
        return Collected(busy=True)
    finally:
        os.close(fd)


def _sweep(blobs: BlobStore, named: set[Blob]) -> Collected:
    count = size = 0
    for blob in list(blobs.addresses()):
        if blob not in named:
            path = blobs.path(blob)
            size += path.stat().st_size
            path.unlink()
            count += 1
    return Collected(count, size)


def _named(root: Path, blobs: BlobStore) -> set[Blob]:
    named: set[Blob] = set()
    new = {blob for file in _json_files(root) for blob in _addresses(file)}
    while new:
        named |= new
        new = {inner for blob in new for inner in _inside(blobs.path(blob))} - named
    return named


def _json_files(root: Path) -> Iterator[Path]:
    for pattern in ("runs/[!.]*/**/*.json*", "packs/*.json*", "annotations/*.json*"):
        yield from root.glob(pattern)


def _inside(path: Path) -> Iterator[Blob]:
    try:
        with path.open("rb") as file:
            is_json = file.read(1) in (b"{", b"[")
    except FileNotFoundError:
        return
    if is_json:
        yield from _addresses(path)


def _addresses(path: Path) -> Iterator[Blob]:
    """The addresses in a file, read in pieces that overlap by more than an address."""
    with path.open("rb") as file:
        kept = b""
        while piece := file.read(_PIECE):
            text = kept + piece
            yield from (found.group().decode() for found in _ADDRESS.finditer(text))
            kept = text[-66:]
