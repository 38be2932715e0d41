"""The files that make up a run, as they stand at one moment: whole lines only, though its logs may be growing."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from iwtui.archive.errors import RunBrokenError
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.names import parse_stem

PLAN, CASES, EPISODES, JUDGINGS = "run.json", "cases.jsonl", "episodes", "judgings"

_PIECE = 1 << 20


class RunFile(msgspec.Struct, frozen=True):
    """One file of a run. `name` is its path in the run's folder; only its first `size` bytes count."""

    name: str
    path: Path
    size: int

    @property
    def is_log(self) -> bool:
        return "/" in self.name

    def pieces(self) -> Iterator[bytes]:
        """Its bytes. Raises OSError; RunBrokenError when it has become shorter."""
        left = self.size
        with self.path.open("rb") as file:
            while left:
                piece = file.read(min(_PIECE, left))
                if not piece:
                    raise RunBrokenError(f"{self.path} has become shorter while it was read")
                left -= len(piece)
                yield piece

    def whole_lines(self) -> Iterator[bytes]:
        """Its bytes in pieces that end with a line."""
        kept: list[bytes] = []
        for piece in self.pieces():
            end = piece.rfind(b"\n") + 1
            if end:
                yield b"".join([*kept, piece[:end]])
                kept = []
            kept.append(piece[end:])
        if rest := b"".join(kept):
            yield rest

    def lines(self) -> Iterator[bytes]:
        """Its lines, without their newlines."""
        for piece in self.whole_lines():
            yield from piece.removesuffix(b"\n").split(b"\n")

    def digest(self) -> str:
        """The sha256 of its bytes."""
        digest = hashlib.sha256()
        for piece in self.pieces():
            digest.update(piece)
        return digest.hexdigest()


def run_files(folder: RunFolder) -> list[RunFile]:
    """The files of a run in a fixed order: the plan, the cases, then all logs. Raises OSError."""
    files = [RunFile(name, folder.path / name, (folder.path / name).stat().st_size) for name in (PLAN, CASES)]
    for room in (EPISODES, JUDGINGS):
        for path in sorted((folder.path / room).glob("*.jsonl")):
            stem = path.stem if room == EPISODES else path.stem.rpartition(".")[0]
            if parse_stem(folder.name, stem):
                files.append(RunFile(f"{room}/{path.name}", path, _whole(path)))
    return files


def _whole(path: Path) -> int:
    """Where the last whole line of a log ends."""
    with path.open("rb") as file:
        end = file.seek(0, 2)
        while end:
            start = max(0, end - _PIECE)
            file.seek(start)
            newline = file.read(end - start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
    return 0


def renamed(plan: bytes, run: str) -> bytes:
    """The content of a run.json with another name of the run in it, all else as it was. Raises msgspec.MsgspecError."""
    fields = msgspec.json.decode(plan, type=dict[str, object])
    return msgspec.json.format(msgspec.json.encode(fields | {"run": run})) + b"\n"


def content_digest(plan: bytes, digests: Mapping[str, str]) -> str:
    """A digest of what a run holds, whatever its name is; `digests` are those of its files but the plan."""
    whole = hashlib.sha256(renamed(plan, ""))
    for name, digest in sorted(digests.items()):
        if name != PLAN:
            whole.update(f"\0{name}\0{digest}".encode())
    return whole.hexdigest()
