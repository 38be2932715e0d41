"""The annotations of a store as they hold now: who says what of which slot, which judging is primary, the notes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from iwtui.archive.annotations import FOLDER, Annotation, PrimaryChosen, SlotDecided, Undone, decode
from iwtui.archive.lines import Tail
from iwtui.bench.votes import Ruling, Word, rule

Place = tuple[str, int]
"""A judging and a slot (0-based)."""


class Kept(msgspec.Struct, frozen=True):
    """An annotation, whether its author took it back, and whether it holds: no later one took its place."""

    annotation: Annotation
    undone: bool
    holds: bool


class EpisodeAnnotations(msgspec.Struct, frozen=True):
    """All that was said of one episode, in the order in which it was."""

    kept: tuple[Kept, ...] = ()

    @property
    def primary(self) -> str | None:
        """The judging that somebody chose last as the primary one."""
        chosen = [one.annotation.said for one in self.kept if one.holds]
        return next((said.judging for said in reversed(chosen) if isinstance(said, PrimaryChosen)), None)

    @property
    def words(self) -> dict[Place, dict[str, Word]]:
        """By judging and slot, by author: the words that hold."""
        found: dict[Place, dict[str, Word]] = defaultdict(dict)
        for one in self.kept:
            said = one.annotation.said
            if one.holds and isinstance(said, SlotDecided):
                found[said.judging, said.slot][one.annotation.author] = said.verdict
        return dict(found)

    def rulings(self, judging: str | None) -> dict[int, Ruling]:
        """What people say together of the slots of a judging."""
        return {slot: rule(words.values()) for (of, slot), words in self.words.items() if of == judging}


class Annotations(msgspec.Struct, frozen=True):
    """All annotations of a store by episode. `bad_lines`: lines that are no annotation this program knows."""

    by_episode: Mapping[str, EpisodeAnnotations] = {}
    bad_lines: int = 0

    def of(self, episode: str) -> EpisodeAnnotations:
        """Those of one episode."""
        return self.by_episode.get(episode, EpisodeAnnotations())


def read_annotations(root: Path) -> Annotations:
    """What people said in the store at `root`, up to now; a last line without its end is left for later."""
    bad = 0
    said: list[Annotation] = []
    for path in sorted((root / FOLDER).glob("[!.]*.jsonl")):
        for line in _lines(path):
            try:
                said.append(decode(path.stem, line))
            except ValueError:
                bad += 1
    return Annotations(fold_annotations(said), bad)


def _lines(path: Path) -> Iterator[bytes]:
    tail = Tail(path)
    try:
        while lines := tail.read():
            yield from (line for _, line in lines)
    except FileNotFoundError:
        return  # removed since the folder was read


def fold_annotations(said: Iterable[Annotation]) -> dict[str, EpisodeAnnotations]:
    """By episode what holds: of an author's words on a slot of a judging the last one that was not taken back.

    Nobody takes back what another said.
    """
    ordered = sorted(said, key=lambda one: (one.t, one.id))
    undone = {(one.author, one.said.annotation) for one in ordered if isinstance(one.said, Undone)}
    last: dict[object, str] = {}
    for one in ordered:
        if (one.author, one.id) not in undone:
            last[_in_place_of(one)] = one.id
    found: dict[str, list[Kept]] = defaultdict(list)
    for one in ordered:
        if not isinstance(one.said, Undone):
            kept = Kept(one, (one.author, one.id) in undone, last.get(_in_place_of(one)) == one.id)
            found[one.said.episode].append(kept)
    return {episode: EpisodeAnnotations(tuple(kept)) for episode, kept in sorted(found.items())}


def _in_place_of(one: Annotation) -> object:
    """What a later annotation with the same value takes the place of."""
    match one.said:
        case SlotDecided(episode=episode, judging=judging, slot=slot):
            return ("slot", one.author, episode, judging, slot)
        case PrimaryChosen(episode=episode):
            return ("primary", episode)
    return one.id
