"""Writes one run as a bundle: the same run gives the same bytes, whenever and wherever it is written."""

import hashlib
import zipfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from iwtui import __version__
from iwtui.archive.bundle_format import ANNOTATIONS, FORMAT, MANIFEST, RUN, VERSION, Contents, blob_member
from iwtui.archive.exporters.leaving import Leaving
from iwtui.archive.exporters.secrets import Scanned

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time that every member bears; zip knows no earlier one."""

_PACKED = (b"\x89PNG", b"\xff\xd8\xff", b"RIFF", b"PK\x03\x04", b"\x1f\x8b", b"wOF2")
"""How contents begin that are compressed already."""


def write_bundle(leaving: Leaving, scanned: Scanned, target: Path) -> Contents:
    """Write the bundle to a file that is made or replaced. Raises OSError, LookupError for a damaged blob."""
    digests = {RUN + file.name: file.digest() for file in leaving.files}
    digests |= {ANNOTATIONS + name: hashlib.sha256(lines).hexdigest() for name, lines in leaving.annotations.items()}
    blobs = sorted(leaving.named.blobs)
    store = leaving.folder.blobs
    contents = Contents(
        format=FORMAT,
        version=VERSION,
        run=leaving.folder.name,
        kind=leaving.folder.plan.kind,
        iwtui=__version__,
        files=digests,
        blobs=len(blobs),
        blob_bytes=sum(store.path(blob).stat().st_size for blob in blobs),
        missing=tuple(sorted(leaving.named.missing)),
        scanned=scanned,
    )
    with zipfile.ZipFile(target, "w", allowZip64=True) as archive:
        _write(archive, MANIFEST, [msgspec.json.format(msgspec.json.encode(contents)) + b"\n"], 0)
        for file in leaving.files:
            _write(archive, RUN + file.name, file.pieces(), file.size)
        for name, lines in leaving.annotations.items():
            _write(archive, ANNOTATIONS + name, [lines], len(lines))
        for blob in blobs:
            content = store.get(blob)
            _write(archive, blob_member(blob), [content], len(content), packed=content.startswith(_PACKED))
    return contents


def _write(archive: zipfile.ZipFile, name: str, pieces: Iterable[bytes], size: int, packed: bool = False) -> None:
    member = zipfile.ZipInfo(name, _EPOCH)
    member.create_system = 3
    member.external_attr = 0o644 << 16
    member.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
    member.file_size = size
    with archive.open(member, "w") as file:
        for piece in pieces:
            file.write(piece)
