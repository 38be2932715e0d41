"""A run that is about to leave the store: its files as they stand, the blobs that they name, and no secret among them."""

import re
from collections.abc import Mapping

import msgspec

from iwtui.archive.errors import StoreError
from iwtui.archive.exporters.annotations import bearing_on
from iwtui.archive.exporters.named import Named, named_blobs
from iwtui.archive.exporters.secrets import Looker, Scanned, Secret, always
from iwtui.archive.run_files import PLAN, RunFile, run_files
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.settings import FROM_ENVIRONMENT

SHOWN = 20
_FROM_ENVIRONMENT = re.compile(rf"\"{FROM_ENVIRONMENT}(\w+)\"")
"""The variables that a plan takes keys and headers from."""


class SecretsFoundError(StoreError):
    """There may be secrets in what was to leave. `secrets` has them all, by kind and place."""

    def __init__(self, run: str, secrets: tuple[Secret, ...]) -> None:
        listed = [f"{secret.place}: {secret.kind}" for secret in secrets[:SHOWN]]
        if len(secrets) > SHOWN:
            listed.append(f"and {len(secrets) - SHOWN} more")
        super().__init__("\n".join([f"{run} may hold secrets, so nothing was written:", *listed]))
        self.secrets = secrets


class Leaving(msgspec.Struct, frozen=True):
    """What leaves the store with one run. `annotations`: by the name of their file, the lines that bear on it."""

    folder: RunFolder
    files: list[RunFile]
    named: Named
    annotations: dict[str, bytes]


def gather(folder: RunFolder) -> Leaving:
    """What leaves the store with a run, as it stands now. Raises OSError, RunBrokenError, LookupError."""
    files = run_files(folder)
    annotations = bearing_on(folder.path.parent.parent, folder.name)
    return Leaving(folder, files, named_blobs(files, folder.blobs), annotations)


def look_for_secrets(leaving: Leaving, environ: Mapping[str, str], allowed: bool = False) -> Scanned:
    """What was looked through. Raises SecretsFoundError when there may be secrets and they are not `allowed`."""
    plan = (leaving.folder.path / PLAN).read_text(encoding="utf-8", errors="replace")
    looker = Looker(environ, _FROM_ENVIRONMENT.findall(plan))
    found = list(looker.look_through(leaving.files, leaving.named, leaving.folder.blobs))
    for name, lines in leaving.annotations.items():
        found += looker.look(lines, always(f"annotations/{name}"))
    if found and not allowed:
        raise SecretsFoundError(leaving.folder.name, tuple(found))
    return looker.scanned(len(found))
