"""Reading two episodes to be shown side by side. It takes its time and belongs into a thread."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from iwtui.archive.blobs import BlobStore
from iwtui.archive.store import Store
from iwtui.bench.events import Blob
from iwtui.bench.names import EpisodeName
from iwtui.tui.opening import Opened, read_file, read_texts
from iwtui.tui.state.compare_episodes import file_entries
from iwtui.tui.state.episode import EpisodeView
from iwtui.tui.state.shapes import FileEntry
from iwtui.tui.widgets.diffing import diff

if TYPE_CHECKING:
    from iwtui.analysis.compare_episodes import FileDifference
    from iwtui.analysis.compare_logs import EpisodeComparison

COUNTED = 40
"""Files that differ whose lines are counted; of further ones it is not said how many changed."""


@dataclass(frozen=True)
class Beside:
    """Two episodes: what differs, their views, and the files that differ at the end and where the two part."""

    found: "EpisodeComparison"
    views: tuple[EpisodeView, EpisodeView]
    entries: tuple[FileEntry, ...]
    entries_then: tuple[FileEntry, ...]

    def before(self, entry: FileEntry, at_end: bool) -> Blob | None:
        """A's state of a file."""
        files = self.found.files if at_end else self.found.files_then
        return next((file.blob_a for file in files if file.path == entry.path), None)


def read_beside(store: Store, a: EpisodeName, b: EpisodeName) -> Beside:
    """Both, with whole texts as far as the console keeps them. Raises StoreError, ComparisonError, OSError."""
    from iwtui.analysis.compare_logs import compare_episodes

    found = compare_episodes(store, a, b)
    return Beside(
        found,
        (_view(store, a), _view(store, b)),
        file_entries(found.files, _counts(store.blobs, found.files)),
        file_entries(found.files_then, _counts(store.blobs, found.files_then)),
    )


def _view(store: Store, name: EpisodeName) -> EpisodeView:
    opened = Opened(store, name)
    opened.read_all()
    while wanted := opened.view.wanted():
        opened.view.supply(read_texts(store.blobs, wanted))
    return opened.view


def _counts(blobs: BlobStore, files: "Sequence[FileDifference]") -> dict[str, tuple[int, int]]:
    counts = {}
    for file in files[:COUNTED]:
        texts = read_file(blobs, file.blob_a, file.blob_b)
        signs = [row.sign for row in diff((texts.before or "").splitlines(), (texts.after or "").splitlines())]
        counts[file.path] = signs.count("+"), signs.count("-")
    return counts
