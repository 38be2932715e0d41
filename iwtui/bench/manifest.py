"""What a workspace holds at some moment: for each path the blob with its content and its size in bytes."""

import msgspec

from iwtui.bench.events import Blob

Manifest = dict[str, tuple[Blob, int]]

_decoder = msgspec.json.Decoder(Manifest)


def encode_manifest(manifest: Manifest) -> bytes:
    """The manifest as the bytes of its blob; equal workspaces give equal bytes."""
    return msgspec.json.encode(dict(sorted(manifest.items())))


def decode_manifest(content: bytes) -> Manifest:
    """The manifest in a blob. Raises msgspec.MsgspecError when it is none."""
    return _decoder.decode(content)
