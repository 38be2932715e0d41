"""Takes a bundle into the store. It is looked through whole before anything is written: it may come from anybody."""

import contextlib
import hashlib
import os
import shutil
import uuid
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from iwtui.archive.behind import BlobsBehind
from iwtui.archive.bundle_format import ANNOTATIONS, FORMAT, MANIFEST, MEMBER, RUN, VERSION, Contents
from iwtui.archive.durable import make_folder, sync_folder, write_durably
from iwtui.archive.errors import StoreError
from iwtui.archive.exporters.annotations import moved, only_of
from iwtui.archive.run_files import CASES, PLAN, content_digest, renamed, run_files
from iwtui.archive.run_folder import FOREIGN, RUN_NAME, hold_blobs
from iwtui.archive.store import ASIDE, Store
from iwtui.bench.events import Blob
from iwtui.bench.plan import Plan
from iwtui.packs import PackError, read_cases

MAX_MEMBERS = 2_000_000
MAX_MEMBER = 500_000_000
MAX_WHOLE = 250_000_000
"""Bytes of a file that is read whole: the manifest, the plan, the cases, a file of annotations."""

MAX_TOTAL = 50_000_000_000
"""Bytes of all members, unpacked."""

SPARE = 100_000_000
"""Bytes that an import leaves free on the disk."""

MAX_WAITING = 16_000_000
"""Bytes that wait for the disk at a time."""

_PIECE = 1 << 20


class ImportedBundle(msgspec.Struct, frozen=True):
    """What became of a bundle. `run` is the name in this store, `named` the one in the bundle.

    `added` is false when the run was there already. `blobs` were new; `missing` were not in the bundle's own store either.
    """

    run: str
    named: str
    added: bool
    blobs: int
    annotations: int
    missing: tuple[Blob, ...]


def is_zip(path: Path) -> bool:
    """Whether a file begins as a zip file does."""
    try:
        with path.open("rb") as file:
            return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")
    except (FileNotFoundError, IsADirectoryError):
        return False


def import_bundle(path: Path, store: Store) -> ImportedBundle:
    """Take the run of a bundle, its blobs and its annotations. A run that is there already adds nothing.

    A run of the same name and other content is kept apart, under its name with a hash. Raises StoreError for what is no
    bundle, is damaged or too large, and then nothing was taken; OSError.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            checked = _Checked(path, archive)
            checked.check(store)
            return _take(checked, store)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: no bundle, or a damaged one: {error}; nothing was imported") from error


class _Checked:
    """A bundle whose members were held against its manifest."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path = path
        self._archive = archive
        self.blobs: dict[Blob, str] = {}
        """The member of each blob."""
        self._members = self._confined()
        self.contents = self._manifest()
        self.plan = self.whole(RUN + PLAN)
        self.digest = ""

    def _fault(self, text: str) -> StoreError:
        return StoreError(f"{self._path}: {text}; nothing was imported")

    def _confined(self) -> dict[str, zipfile.ZipInfo]:
        members: dict[str, zipfile.ZipInfo] = {}
        listed = self._archive.infolist()
        if MANIFEST not in self._archive.NameToInfo:
            raise self._fault(f"no bundle of this program: {MANIFEST} is not in it")
        if len(listed) > MAX_MEMBERS:
            raise self._fault(f"it has more than {MAX_MEMBERS:,} members")
        for member in listed:
            name = member.filename
            known = MEMBER.fullmatch(name)
            if name != MANIFEST and not known:
                raise self._fault(f"no bundle holds a member {name[:200]!r}")
            if name in members:
                raise self._fault(f"{name} is in it twice")
            if member.file_size > MAX_MEMBER:
                raise self._fault(f"{name} has more than {MAX_MEMBER:,} bytes")
            if member.flag_bits & 1 or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise self._fault(f"{name} is encrypted, or compressed in a way that no bundle is")
            members[name] = member
            if known and known["blob"]:
                self.blobs[known["blob"]] = name
        if sum(member.file_size for member in listed) > MAX_TOTAL:
            raise self._fault(f"it would unpack to more than {MAX_TOTAL:,} bytes")
        return members

    def _manifest(self) -> Contents:
        try:
            contents = msgspec.json.decode(self.whole(MANIFEST), type=Contents)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise self._fault(f"its manifest cannot be read: {error}") from error
        if contents.format != FORMAT or contents.version > VERSION:
            raise self._fault(
                f"its format is {contents.format[:40]!r} {contents.version}, this program reads {FORMAT} {VERSION}"
            )
        if not RUN_NAME.fullmatch(contents.run):
            raise self._fault(f"{contents.run[:100]!r} is no name for a run")
        return contents

    def check(self, store: Store) -> None:
        """Hold every member against its hash, and the run against what a run is. Raises StoreError."""
        self._check_room(store)
        files = self._members.keys() - set(self.blobs.values()) - {MANIFEST}
        if files != self.contents.files.keys() or len(self.blobs) != self.contents.blobs:
            raise self._fault("its members are not those of its manifest")
        for name, digest in [*self.contents.files.items(), *((name, blob) for blob, name in self.blobs.items())]:
            if self._hash(name) != digest:
                raise self._fault(f"{name} is damaged")
        try:
            plan = msgspec.json.decode(self.plan, type=Plan)
            read_cases(self.whole(RUN + CASES))
        except (msgspec.MsgspecError, PackError, RecursionError) as error:
            raise self._fault(f"its run cannot be read: {error}") from error
        if plan.run != self.contents.run:
            raise self._fault(f"its run.json is that of {plan.run[:100]!r}")
        self.digest = content_digest(self.plan, {name.removeprefix(RUN): d for name, d in self.run_files.items()})

    def _check_room(self, store: Store) -> None:
        there = next(folder for folder in (store.root, *store.root.parents) if folder.exists())
        needed = sum(member.file_size for member in self._members.values()) + SPARE
        if (free := shutil.disk_usage(there).free) < needed:
            raise self._fault(f"it needs {needed / 1e6:,.0f} MB, and {there} has {free / 1e6:,.0f} MB left")

    @property
    def run_files(self) -> dict[str, str]:
        """The digests of the run's own files, by member."""
        return {name: digest for name, digest in self.contents.files.items() if name.startswith(RUN)}

    def whole(self, name: str) -> bytes:
        """A member that is read whole. Raises StoreError."""
        if name not in self._members:
            raise self._fault(f"{name} is not in it")
        if self._members[name].file_size > MAX_WHOLE:
            raise self._fault(f"{name} has more than {MAX_WHOLE:,} bytes")
        return self._archive.read(self._members[name])

    def pieces(self, name: str) -> Iterator[bytes]:
        """The bytes of a member."""
        with self._archive.open(self._members[name]) as file:
            while piece := file.read(_PIECE):
                yield piece

    def _hash(self, name: str) -> str:
        digest = hashlib.sha256()
        for piece in self.pieces(name):
            digest.update(piece)
        return digest.hexdigest()


def _take(bundle: _Checked, store: Store) -> ImportedBundle:
    make_folder(store.root / "runs")
    name, there = _name(bundle, store)
    held = hold_blobs(store.root)
    try:
        new = _put_blobs(bundle, store)
        if not there:
            _put_run(bundle, store, name)
        added = _put_annotations(bundle, store, name)
    except BaseException:
        os.close(held)
        # What was put and is named by nothing goes again, unless somebody writes just now; then at the next `compact`.
        with contextlib.suppress(OSError):
            store.collect_blobs()
        raise
    os.close(held)
    return ImportedBundle(name, bundle.contents.run, not there, new, added, bundle.contents.missing)


def _name(bundle: _Checked, store: Store) -> tuple[str, bool]:
    """Under which name the run is kept, and whether it is there already."""
    named = bundle.contents.run
    apart = f"{named[:180]}-{bundle.digest[:8]}"
    known = set(store.runs())
    for name in (named, apart):
        if name in known and _digest(store, name) == bundle.digest:
            return name, True
    return (apart if named in known else named), False


def _digest(store: Store, name: str) -> str:
    folder = store.run(name)
    return content_digest((folder.path / PLAN).read_bytes(), {file.name: file.digest() for file in run_files(folder)})


def _put_blobs(bundle: _Checked, store: Store) -> int:
    """How many were new. Those of a run that is there are put again: one that was lost or damaged is whole then."""
    behind = BlobsBehind(store.blobs)
    waiting = new = 0
    for blob, member in bundle.blobs.items():
        new += not store.blobs.path(blob).exists()
        content = b"".join(bundle.pieces(member))
        behind.put(content)
        waiting += len(content)
        if waiting > MAX_WAITING:
            behind.settle()
            waiting = 0
    behind.settle()
    return new


def _put_run(bundle: _Checked, store: Store, name: str) -> None:
    runs = store.root / "runs"
    aside = runs / f"{ASIDE}{name}-{uuid.uuid4().hex[:8]}"
    try:
        for room in ("episodes", "judgings", "control"):
            make_folder(aside / room)
        for member in bundle.run_files:
            _write(aside / member.removeprefix(RUN), bundle.pieces(member))
        if name != bundle.contents.run:
            write_durably(aside / PLAN, renamed(bundle.plan, name))
        write_durably(aside / FOREIGN, f"{bundle.digest}\n".encode())
        for folder in (aside / "episodes", aside / "judgings", aside):
            sync_folder(folder)
        aside.rename(runs / name)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    sync_folder(runs)


def _write(path: Path, pieces: Iterator[bytes]) -> None:
    with path.open("xb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())


def _put_annotations(bundle: _Checked, store: Store, run: str) -> int:
    """How many lines were new; those about other runs are left out.

    A file has one writer: lines for one that has others in it go to a file beside it.
    """
    members = [name for name in bundle.contents.files if name.startswith(ANNOTATIONS)]
    named = bundle.contents.run
    given = {name.removeprefix(ANNOTATIONS): only_of(bundle.whole(name), named) for name in members}
    if run != named:
        given = {name: moved(lines, named, run) for name, lines in given.items()}
    return sum(_put_lines(store.root / "annotations", name, lines) for name, lines in given.items())


def _put_lines(folder: Path, name: str, lines: bytes) -> int:
    make_folder(folder)
    stem = name.removesuffix(".jsonl")
    known = {line for file in folder.glob(f"{stem}*.jsonl") for line in file.read_bytes().splitlines()}
    new = b"".join(line + b"\n" for line in lines.splitlines() if line and line not in known)
    if not new:
        return 0
    target = folder / name
    if target.exists():
        target = folder / f"{stem}-{hashlib.sha256(new).hexdigest()[:8]}.jsonl"
    write_durably(target, new)
    return new.count(b"\n")
