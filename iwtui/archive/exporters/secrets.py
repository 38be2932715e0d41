"""Looks for keys and passwords in what is about to leave the store."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.archive.exporters.named import Named
from iwtui.archive.run_files import RunFile


class Shape(msgspec.Struct, frozen=True):
    """What a kind of secret looks like. `anchors`: it holds one of these, in lower case; they are quick to look for."""

    kind: str
    anchors: tuple[bytes, ...]
    pattern: bytes


SHAPES = (
    Shape("private key", (b"private key-----",), rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
    Shape(
        "key of OpenAI's, Anthropic's or OpenRouter's shape",
        (b"sk-",),
        rb"(?<![\w-])sk-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{20,}",
    ),
    Shape("key of Google's shape", (b"aiza",), rb"(?<![\w-])AIza[A-Za-z0-9_-]{35}(?![\w-])"),
    Shape("key of AWS's shape", (b"akia", b"asia"), rb"(?<!\w)A[KS]IA[A-Z0-9]{16}(?!\w)"),
    Shape(
        "token of GitHub's shape",
        (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_"),
        rb"(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})",
    ),
    Shape("token of GitLab's shape", (b"glpat-",), rb"(?<![\w-])glpat-[A-Za-z0-9_-]{20,}"),
    Shape("token of Hugging Face's shape", (b"hf_",), rb"(?<!\w)hf_[A-Za-z0-9]{30,}"),
    Shape("token of Slack's shape", (b"xox",), rb"(?<!\w)xox[abeprs]-[A-Za-z0-9-]{10,}"),
    Shape(
        "key of Groq's, xAI's or Replicate's shape",
        (b"gsk_", b"xai-", b"r8_"),
        rb"(?<![\w-])(?:gsk_|xai-|r8_)[A-Za-z0-9]{35,}",
    ),
    Shape(
        "authorization header",
        (b"authorization",),
        rb"(?i:authorization)\\?[\"']?\s*[:=]\s*\\?[\"']?(?i:bearer|basic|token)\s+(?!\\?[\"'$<{])[\w.~+/=-]{12,}",
    ),
    Shape(
        "key in a header",
        (b"api-key",),
        rb"(?i:api-key)\\?[\"']?\s*[:=]\s*\\?[\"']?(?=[A-Za-z_.-]{0,60}\d)[\w.-]{16,}",
    ),
    Shape(
        "address with a password",
        (b"://",),
        rb"://[^\s/:@\"'<>\\]{1,100}:[^\s/@\"'<>\\$\{]{3,200}@[\w.-]",
    ),
)

ENVIRONMENT = "value of an environment variable"
SHORTEST = 8
"""Characters of an environment variable's value that is looked for."""

_SECRET_NAME = re.compile(r"(?:^|_)(?:(?:API)?KEY|TOKEN|SECRET|PASS(?:WORD|WD)?|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"RIFF", b"GIF8", b"\x00\x00\x00")

NEWLINE = b"\n"

Where = Callable[[int], str]
"""The name of the place that stands at an offset."""


class Secret(msgspec.Struct, frozen=True):
    """What may be a secret, and where it stands; never the secret itself."""

    kind: str
    place: str


class Scanned(msgspec.Struct, frozen=True):
    """What was looked through, and for what; `found` is how much of it was found and let through."""

    for_: tuple[str, ...] = msgspec.field(name="for")
    files: int
    bytes: int
    found: int


class Looker:
    """Looks through bytes for known shapes, and for the values of the environment's variables that hold secrets.

    Those are the ones with such a name, and those `named` besides.
    """

    def __init__(self, environ: Mapping[str, str], named: Collection[str] = ()) -> None:
        self._shapes = [(shape, re.compile(shape.pattern)) for shape in SHAPES]
        self._values: dict[bytes, str] = {}
        for name, value in sorted(environ.items()):
            if (name in named or _SECRET_NAME.search(name)) and len(value) >= SHORTEST:
                plain = value.encode("utf-8", "surrogateescape")
                # As JSON writes it too: within a log a quotation mark or a backslash is escaped.
                self._values[plain] = self._values[plain.replace(b"\\", b"\\\\").replace(b'"', b'\\"')] = name
        self.files = self.bytes = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is looked for."""
        return (*(shape.kind for shape in SHAPES), ENVIRONMENT)

    def look(self, content: bytes, where: Where) -> Iterator[Secret]:
        """What may be secret in some bytes: each kind once a place."""
        self.bytes += len(content)
        lower = content.lower()
        found: dict[Secret, None] = {}
        for shape, pattern in self._shapes:
            if any(anchor in lower for anchor in shape.anchors):
                found |= {Secret(shape.kind, where(match.start())): None for match in pattern.finditer(content)}
        for value, name in self._values.items():
            if (at := content.find(value)) >= 0:
                found[Secret(f"{ENVIRONMENT} ({name})", where(at))] = None
        yield from found

    def look_through(self, files: Sequence[RunFile], named: Named, blobs: BlobStore) -> Iterator[Secret]:
        """What may be secret in the files of a run and in the blobs that it names; pictures are passed over."""
        for file in files:
            self.files += 1
            line = 1
            for lines in file.whole_lines():
                yield from self.look(lines, _line(file, line, lines))
                line += lines.count(NEWLINE)
        for blob, place in named.blobs.items():
            content = blobs.get(blob)
            if not content.startswith(_PICTURES):
                self.files += 1
                yield from self.look(content, always(f"blob {blob[:12]}, named in {place}"))

    def scanned(self, found: int) -> Scanned:
        """What was looked through so far."""
        return Scanned(self.kinds, self.files, self.bytes, found)


def always(place: str) -> Where:
    """One place, whatever the offset."""
    return lambda _: place


def _line(file: RunFile, first: int, lines: bytes) -> Where:
    """The lines of a log, `first` being the number of the first of these."""
    return lambda at: f"{file.name} line {first + lines.count(NEWLINE, 0, at)}"
