"""Imported task packs: `<store>/packs/<name>.jsonl`, one row a line, each as it came."""

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import filelock
import msgspec

from iwtui.archive.durable import make_folder, write_durably
from iwtui.archive.errors import StoreError
from iwtui.bench.case import Persona
from iwtui.bench.rows import RowError, read_object, read_row
from iwtui.packs import ROWS, numbered_lines

PACK_NAME = re.compile(r"[A-Za-z0-9_+][A-Za-z0-9_+-]{0,79}")

LARGEST_PACK = 200_000_000
"""Bytes of a pack, and of a file that is read for one; the official task set has 3.5 million."""

_COMPRESSED = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")
"""How files of gzip, zip, bzip2, xz, zstd and 7z begin."""

_BUSY = 30.0
"""Seconds to wait for another import into the same store."""


class Said(msgspec.Struct, frozen=True):
    """Something about one line of the file that was read, counted from 1."""

    line: int
    text: str


class Imported(msgspec.Struct, frozen=True):
    """What an import did. `bad` lines were left out; `differing` ones were taken, by the formula and not as they say."""

    path: Path
    added: int
    known: int
    bad: tuple[Said, ...]
    differing: tuple[Said, ...]


def import_rows(source: BinaryIO, folder: Path, name: str, personas: Mapping[str, Persona]) -> Imported:
    """Add the good rows of a file to a pack that is there or is made; each line is kept byte for byte.

    A row that the pack has already adds nothing; one with the id of another row of the pack is bad. Raises StoreError.
    """
    text = _Bounded(source)
    if not PACK_NAME.fullmatch(name):
        raise StoreError(f"{name[:100]!r} is no name for a pack: letters, digits, _, + and - only, 80 at most")
    make_folder(folder)
    target = folder / f"{name}{ROWS}"
    lock = filelock.FileLock(folder / ".lock", timeout=_BUSY)
    try:
        with lock:
            return _add(text, target, name, personas)
    except filelock.Timeout as error:
        raise StoreError(f"{folder}: another import has been going on for {_BUSY:g} s") from error


class _Bounded:
    """The lines of a file of text, up to so many bytes. Raises StoreError for what is no text, is empty, or is too much."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._read = 0

    def readline(self, limit: int) -> bytes:
        line = self._source.readline(limit)
        if self._read == 0:
            _check_beginning(line)
        self._read += len(line)
        if self._read > LARGEST_PACK:
            raise StoreError(f"the file has more than {LARGEST_PACK:,} bytes; nothing was imported")
        return line


def _check_beginning(line: bytes) -> None:
    if not line:
        raise StoreError("the file is empty; nothing was imported")
    if line.startswith(_COMPRESSED):
        raise StoreError("the file is compressed: unpack it first; nothing was imported")
    if b"\x00" in line:
        raise StoreError("the file is no text in UTF-8; nothing was imported")
    if line.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        raise StoreError("the file is a JSON list; JSON Lines are wanted, one object a line. Nothing was imported")


def _add(source: _Bounded, target: Path, name: str, personas: Mapping[str, Persona]) -> Imported:
    before = target.read_bytes() if target.exists() else b""
    there = _rows(target, before)
    lines: list[bytes] = []
    size = len(before)
    known = 0
    seen: dict[str, int] = {}
    bad: list[Said] = []
    differing: list[Said] = []
    for number, line in numbered_lines(source):
        try:
            row = read_row(line, personas, name)
            case = row.case.id
            if case in seen:
                raise RowError(f"the id {case!r} stands in line {seen[case]} already")
            seen[case] = number
            if case in there:
                if read_object(line) != there[case]:
                    raise RowError(f"the pack has another case with the id {case!r}")
                known += 1
            else:
                lines.append(line)
                size += len(line) + 1
                if size > LARGEST_PACK:
                    raise StoreError(f"the pack {name} would pass {LARGEST_PACK:,} bytes; nothing was imported")
            differing += [Said(number, f"{case}: {note}") for note in row.notes]
        except RowError as error:
            bad.append(Said(number, str(error)))
    if lines:
        if before and not before.endswith(b"\n"):
            before += b"\n"
        write_durably(target, before + b"".join(line + b"\n" for line in lines))
    return Imported(target, len(lines), known, tuple(bad), tuple(differing))


def _rows(pack: Path, content: bytes) -> dict[str, dict[str, Any]]:
    """The rows of a pack as they stand there, by id. Raises StoreError."""
    found: dict[str, dict[str, Any]] = {}
    for number, line in numbered_lines(BytesIO(content)):
        try:
            row = read_object(line)
            found[str(row["id"])] = row
        except (RowError, KeyError) as error:
            raise StoreError(f"{pack}: line {number}: {error}; mend or remove it first") from error
    return found
