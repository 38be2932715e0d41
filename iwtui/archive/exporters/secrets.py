"""Looks for keys and passwords in what is about to leave the store."""

import re
from collections.abc import Iterator, Mapping

import msgspec

from iwtui.archive.blobs import BlobStore
from iwtui.archive.exporters.named import Named
from iwtui.archive.run_files import RunFile

SHAPES = {
    "private key": rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "key of OpenAI's, Anthropic's or OpenRouter's shape": rb"(?<![\w-])sk-(?=[\w-]*\d)[A-Za-z0-9_-]{20,}",
    "key of Google's shape": rb"(?<![\w-])AIza[A-Za-z0-9_-]{35}(?![\w-])",
    "key of AWS's shape": rb"(?<!\w)A[KS]IA[A-Z0-9]{16}(?!\w)",
    "token of GitHub's shape": rb"(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})",
    "token of GitLab's shape": rb"(?<![\w-])glpat-[A-Za-z0-9_-]{20,}",
    "token of Hugging Face's shape": rb"(?<!\w)hf_[A-Za-z0-9]{30,}",
    "token of Slack's shape": rb"(?<!\w)xox[abeprs]-[A-Za-z0-9-]{10,}",
    "key of Groq's, xAI's or Replicate's shape": rb"(?<![\w-])(?:gsk_|xai-|r8_)[A-Za-z0-9]{35,}",
    "authorization header": (
        rb"(?i:authorization)\\?[\"']?\s*[:=]\s*\\?[\"']?(?i:bearer|basic|token)\s+(?!\\?[\"'$<{])[\w.~+/=-]{12,}"
    ),
    "key in a header": rb"(?i:x-api-key|api-key|x-goog-api-key)\\?[\"']?\s*[:=]\s*\\?[\"']?(?=[\w.-]*\d)[\w.-]{16,}",
    "address with a password": rb"[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>\\]{1,100}:[^\s/@\"'<>\\$\{]{3,200}@[\w.-]",
}
"""What is looked for, as a regular expression each."""

ENVIRONMENT = "value of an environment variable"
SHORTEST = 8
"""Characters of an environment variable's value that is looked for."""

_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)|PASSWORD$", re.IGNORECASE
)
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"RIFF", b"GIF8", b"\x00\x00\x00")


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
    """Looks through bytes for known shapes, and for the values of the environment's variables that hold secrets."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        groups = [b"(?P<s%d>%s)" % (number, shape) for number, shape in enumerate(SHAPES.values())]
        self._shapes = re.compile(b"|".join(groups))
        self._kinds = list(SHAPES)
        self._values: dict[bytes, str] = {}
        for name, value in sorted(environ.items()):
            if _SECRET_NAME.search(name) and len(value) >= SHORTEST:
                plain = value.encode("utf-8", "surrogateescape")
                # As JSON writes it too: within a log a quotation mark or a backslash is escaped.
                self._values[plain] = self._values[plain.replace(b"\\", b"\\\\").replace(b'"', b'\\"')] = name
        self.files = self.bytes = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is looked for."""
        return (*self._kinds, ENVIRONMENT)

    def look(self, content: bytes, place: str) -> Iterator[Secret]:
        """What may be secret in some bytes: each kind once a place."""
        self.bytes += len(content)
        kinds = {self._kinds[int(found.lastgroup[1:])] for found in self._shapes.finditer(content) if found.lastgroup}
        kinds |= {f"{ENVIRONMENT} ({name})" for value, name in self._values.items() if value in content}
        yield from (Secret(kind, place) for kind in sorted(kinds))

    def look_through(self, files: list[RunFile], named: Named, blobs: BlobStore) -> Iterator[Secret]:
        """What may be secret in the files of a run and in the blobs that it names; pictures are passed over."""
        for file in files:
            self.files += 1
            for number, line in enumerate(file.lines(), 1):
                yield from self.look(line, f"{file.name} line {number}")
        for blob, place in named.blobs.items():
            content = blobs.get(blob)
            if not content.startswith(_PICTURES):
                self.files += 1
                yield from self.look(content, f"blob {blob[:12]}, named in {place}")

    def scanned(self, found: int) -> Scanned:
        """What was looked through so far."""
        return Scanned(self.kinds, self.files, self.bytes, found)
