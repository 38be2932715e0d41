"""The code of an episode, searched: which turn wrote about a slot, and what stood there at the end."""

from functools import cached_property

import msgspec

from iwtui.bench.blame_words import LONGEST, Traits, Words, code, holds_it, share_of_words
from iwtui.bench.events import Blob
from iwtui.bench.fold import EpisodeState, Turn
from iwtui.bench.manifest import decode_manifest
from iwtui.bench.protocols import Blobs

MOST_FILES = 60
"""Files that are read of a workspace or a turn: the first by their paths."""

MOST_BYTES = 1_000_000
"""Bytes that are read of an episode in all."""

BEARS = 0.3
"""The part of a slot's words, by weight, that a turn's files must hold to have to do with it."""

_LEFT_OUT = ("package-lock.json", "yarn.lock", "pnpm-lock.yaml")
_TEXTS = tuple(
    ".html .htm .css .scss .sass .less .js .jsx .mjs .cjs .ts .tsx .vue .svelte .astro .json .svg .md .txt .py .php".split()
)


class Code:
    """Reads what it is asked for, each file once. What cannot be read, or is beyond the limits, holds nothing."""

    def __init__(self, episode: EpisodeState, blobs: Blobs) -> None:
        self._blobs = blobs
        self._read: dict[Blob, Words] = {}
        self._left = MOST_BYTES
        self._of_turn: dict[int, Words] = {}
        self._manifest = episode.manifest
        self.implements = tuple(turn for turn in episode.turns if turn.files)

    def first_bearing(self, traits: Traits, after: int = 0) -> Turn | None:
        """The first turn past `after` whose files have to do with the slot."""
        for turn in self.implements:
            if turn.number > after:
                words = self._changed(turn)
                if holds_it(traits, words) or share_of_words(traits, words) >= BEARS:
                    return turn
        return None

    def first_holding(self, phrases: list[str]) -> Turn | None:
        """The first turn whose files hold one of these phrases, given as normal words."""
        for turn in self.implements:
            if any(f" {phrase} " in self._changed(turn).line for phrase in phrases if phrase):
                return turn
        return None

    @cached_property
    def last(self) -> Words:
        """What stood there at the end."""
        if self._manifest is None:
            return Words()
        try:
            files = decode_manifest(self._blobs.get(self._manifest))
        except (LookupError, msgspec.MsgspecError):
            return Words()
        return self._joined([(path, blob) for path, (blob, _) in sorted(files.items())])

    def _changed(self, turn: Turn) -> Words:
        if turn.number not in self._of_turn:
            changes = turn.files.changes if turn.files else ()
            files = [(change.path, change.blob) for change in changes if change.blob]
            self._of_turn[turn.number] = self._joined(files)
        return self._of_turn[turn.number]

    def _joined(self, files: list[tuple[str, Blob]]) -> Words:
        joined = Words()
        wanted = [blob for path, blob in files if _is_source(path)]
        for blob in wanted[:MOST_FILES]:
            joined = joined.with_(self._words(blob))
        return joined

    def _words(self, blob: Blob) -> Words:
        if blob not in self._read:
            try:
                content = self._blobs.get(blob)[: min(LONGEST, max(0, self._left))]
            except LookupError:
                content = b""
            self._left -= len(content)
            self._read[blob] = code(content.decode("utf-8", "replace"))
        return self._read[blob]


def _is_source(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return name.endswith(_TEXTS) and name not in _LEFT_OUT
