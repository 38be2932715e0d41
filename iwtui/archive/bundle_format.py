"""What a bundle is: a zip file with one run, the annotations that bear on it, and the blobs that it names.

`iwtui-bundle.json`, `run/run.json`, `run/cases.jsonl`, `run/episodes/*.jsonl`, `run/judgings/*.jsonl`,
`annotations/*.jsonl`, `blobs/ab/abcdef…`.
"""

import re

import msgspec

from iwtui.archive.exporters.secrets import Scanned
from iwtui.bench.events import Blob

FORMAT, VERSION = "iwtui-bundle", 1
MANIFEST = "iwtui-bundle.json"
RUN, ANNOTATIONS, BLOBS = "run/", "annotations/", "blobs/"

MEMBER = re.compile(
    r"run/(?:run\.json|cases\.jsonl|episodes/[A-Za-z0-9_+.-]{1,240}\.jsonl|judgings/[A-Za-z0-9_+.-]{1,240}\.jsonl)"
    r"|annotations/[A-Za-z0-9_+][A-Za-z0-9_+.@-]{0,199}\.jsonl"
    r"|blobs/(?P<head>[0-9a-f]{2})/(?P<blob>(?P=head)[0-9a-f]{62})"
)
"""The names that a bundle may hold, beside its manifest; no other is written anywhere."""


class Contents(msgspec.Struct, frozen=True):
    """The manifest of a bundle. `files` maps each member but the blobs to the sha256 of its bytes.

    `missing` are blobs that the run names and that its store did not have. `scanned`: what was looked through for secrets.
    """

    format: str
    version: int
    run: str
    kind: str
    iwtui: str
    files: dict[str, str]
    blobs: int
    blob_bytes: int
    missing: tuple[Blob, ...]
    scanned: Scanned


def blob_member(blob: Blob) -> str:
    """The name under which a bundle holds a blob."""
    return f"{BLOBS}{blob[:2]}/{blob}"
