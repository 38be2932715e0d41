"""Reading an episode into its view: the logs that are there in one go, in a thread; then what they grow by."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from iwtui.archive.annotations_read import read_annotations
from iwtui.archive.blobs import BlobStore
from iwtui.archive.errors import RunBrokenError, StoreError
from iwtui.archive.following import Growth, Logs
from iwtui.archive.log import Live
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.case import Case
from iwtui.bench.events import Blob
from iwtui.bench.manifest import Manifest, decode_manifest
from iwtui.bench.names import EpisodeName, parse_stem
from iwtui.bench.score import Verdict
from iwtui.bench.status import Status
from iwtui.tui.garbage import keeping
from iwtui.tui.state.episode import EpisodeView

MOST_CODE = 2_000_000
"""Bytes of a file that are shown; the rest of a longer one is counted."""

NUL = b"\0"


class Opened:
    """An episode's view, kept up with its logs. `live`: what it did when they were read.

    Raises StoreError when the run cannot be read.
    """

    def __init__(self, store: Store, name: EpisodeName) -> None:
        self.name = name
        self.live: Live | None = None
        folder = store.run(name.run)
        self.logs = Logs.of(folder, name)
        plan = folder.plan
        self.view = EpisodeView(_case(folder, name), plan.primary_judge, plan.primary_model)
        self.view.prefer(read_annotations(store.root).of(str(name)).primary)

    def read_all(self) -> None:
        """What the logs hold now; takes a while for long ones. When it is no longer wanted: `garbage.let_go`.

        Raises StoreError, OSError.
        """
        self.logs.look()
        more = True
        with keeping():
            while more:
                polled = self.logs.poll()
                self.take(polled.growths)
                self.live = dict(polled.live).get(self.name, self.live)
                more = polled.more

    def take(self, growths: Iterable[Growth]) -> None:
        """Put what the logs grew by into the view."""
        for growth in growths:
            if growth.judging:
                if growth.restarted:
                    self.view.clear_judging(growth.judging)
                self.view.feed_judging(growth.judging, growth.records)
            else:
                if growth.restarted:
                    self.view.clear()
                self.view.feed(growth.records)


def _case(folder: RunFolder, name: EpisodeName) -> Case | None:
    try:
        return folder.case_of(name)
    except RunBrokenError:
        return None  # the run's copy of its cases is damaged; the events tell most of it all the same


def verdicts_of(store: Store, episode: str, slots: int) -> tuple[Verdict, ...]:
    """The primary verdicts on the slots of an episode, by its name; none when it is not scored, or not there any more."""
    run, _, stem = episode.partition("/")
    name = parse_stem(run, stem)
    try:
        primary = store.run(run).primary_judging(name) if name else None
    except (StoreError, OSError):
        return ()
    judging = primary[1] if primary else None
    over = judging is not None and judging.ended is not None and judging.ended.status == Status.SCORED
    return judging.slot_verdicts(slots) if judging and over else ()


def read_texts(blobs: BlobStore, wanted: Sequence[Blob]) -> dict[Blob, str]:
    """The texts in some blobs; an empty one for a blob that is missing or damaged."""
    found = {}
    for blob in wanted:
        try:
            found[blob] = blobs.get(blob).decode("utf-8", "replace")
        except LookupError:
            found[blob] = ""
    return found


class FileTexts(NamedTuple):
    """A file before and after a turn; None: it was not there. `note` says why a text, or the end of it, is not shown."""

    before: str | None
    after: str | None
    note: str = ""


def read_file(blobs: BlobStore, before: Blob | None, after: Blob | None) -> FileTexts:
    """The two states of a file, as far as they are text, from their beginnings."""
    try:
        (old, _), (new, cut) = _text(blobs, before), _text(blobs, after)
    except (LookupError, _NoTextError) as error:
        return FileTexts(None, None, str(error))
    return FileTexts(old, new, cut)


class _NoTextError(Exception):
    pass


def _text(blobs: BlobStore, blob: Blob | None) -> tuple[str | None, str]:
    """The beginning of a text, and where the whole of it is when that is longer."""
    if blob is None:
        return None, ""
    content = blobs.get(blob)
    if NUL in content[:8_000]:
        raise _NoTextError(f"no text: {len(content):,} bytes, in {blobs.path(blob)}")
    left = len(content) - MOST_CODE
    note = f"{left:,} more bytes are not shown; the whole is in {blobs.path(blob)}" if left > 0 else ""
    return content[:MOST_CODE].decode("utf-8", "replace"), note


def read_manifest(blobs: BlobStore, blob: Blob | None) -> Manifest:
    """The files of a workspace; none for a manifest that is missing or damaged."""
    if blob is None:
        return {}
    try:
        return decode_manifest(blobs.get(blob))
    except (LookupError, msgspec.MsgspecError):
        return {}
