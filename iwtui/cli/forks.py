"""`iwtui forks`: the tree of forks of an episode, each compared with its parent slot by slot."""

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from iwtui.cli.options import open_store
from iwtui.cli.output import WRITERS, Written

if TYPE_CHECKING:
    from iwtui.archive.store import Store
    from iwtui.bench.fold import EpisodeState
    from iwtui.bench.forks import Compared
    from iwtui.bench.names import EpisodeName
    from iwtui.bench.score import Verdict

COLUMNS = ["episode", "turn", "way", "status", "tcr", "passed", "failed", "same", "unknown"]


class _Standing:
    """One episode as it stands: its fold, status and score, and the primary verdicts on its slots, once it is scored."""

    def __init__(self, store: "Store", name: "EpisodeName") -> None:
        from iwtui.bench.score import UNKNOWN
        from iwtui.bench.status import Status, episode_score, status

        folder = store.run(name.run)
        self.name = name
        self.case = folder.case_of(name)
        self.episode: EpisodeState = folder.fold_episode(name)
        primary = folder.primary_judging(name)
        judging = primary[1] if primary else None
        self.status = status(self.episode, judging)
        self.tcr = (episode_score(self.case, self.episode, judging) if self.case else UNKNOWN).tcr
        self.verdicts: tuple[Verdict, ...] = ()
        if self.case and judging and self.status is Status.SCORED:
            self.verdicts = judging.slot_verdicts(len(self.case.slots))

    def against(self, parent: "_Standing | None") -> "Compared | None":
        """What became of the slots; None where one of the two has no verdicts."""
        from iwtui.bench.forks import compared

        same = parent is not None and len(parent.verdicts) == len(self.verdicts) > 0
        return compared(parent.verdicts, self.verdicts) if parent and same else None


@click.command()
@click.argument("episode", required=False)
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="table")
def forks(episode: str | None, form: str) -> None:
    """The tree of forks of EPISODE (else of all episodes that have some), each with what became of its parent's slots.

    `passed`: slots (from 0) that passed in the fork and not in its parent; `failed`: the other way round.
    """
    store = open_store()
    children = _children(store)
    forked = {str(name) for names in children.values() for name in names}
    roots = [str(store.resolve_episode(episode))] if episode else sorted(name for name in children if name not in forked)
    rows = [row for root in roots for row in _tree(store, root, children, form == "table")]
    WRITERS[form](COLUMNS, rows, sys.stdout)
    if not rows:
        click.echo("there is no fork yet; `iwtui fork EPISODE --turn N --ask TEXT` makes one", err=True)


def _children(store: "Store") -> "dict[str, list[EpisodeName]]":
    """The forks of each episode, by its name."""
    from iwtui.archive.errors import StoreError

    found: dict[str, list[EpisodeName]] = defaultdict(list)
    for run in store.runs():
        folder = store.run(run)
        try:
            parent = folder.plan.forks
        except StoreError as error:
            click.echo(f"iwtui: left out: {error}", err=True)
            continue
        if parent is not None:
            found[parent] += folder.episodes()
    return found


def _tree(store: "Store", root: str, children: "Mapping[str, Sequence[EpisodeName]]", drawn: bool) -> Iterator[list[object]]:
    """A row an episode, the parent before its forks; as it is `drawn`, a fork bears the name of its run."""
    left: list[tuple[str, _Standing | None, int]] = [(root, None, 0)]
    seen: set[str] = set()
    while left:
        name, parent, depth = left.pop()
        if name in seen:
            continue
        seen.add(name)
        standing = _standing(store, name)
        shown = f"{'  ' * (depth - 1)}└ {name.partition('/')[0]}" if drawn and depth else name
        yield [shown, *(_cells(standing, parent) if standing else [None, None, "removed", *[None] * 5])]
        left += [(str(fork), standing, depth + 1) for fork in reversed(children.get(name, ()))]


def _standing(store: "Store", name: str) -> _Standing | None:
    """None when the episode was removed."""
    from iwtui.archive.errors import RunMissingError
    from iwtui.bench.names import parse_stem

    run, _, stem = name.partition("/")
    parsed = parse_stem(run, stem)
    try:
        return _Standing(store, parsed) if parsed else None
    except (RunMissingError, FileNotFoundError):
        return None


def _cells(standing: _Standing, parent: _Standing | None) -> list[object]:
    forked, found = standing.episode.forked, standing.against(parent)
    return [
        forked.at_turn if forked else None,
        forked.way if forked else None,
        standing.status.value,
        None if standing.tcr is None else Written(f"{100 * standing.tcr:.1f}"),
        *([", ".join(map(str, part)) for part in (found.passed, found.failed)] if found else [None, None]),
        *([len(found.same), len(found.unknown)] if found else [None, None]),
    ]


def told_of(store: "Store", run: str) -> Iterator[str]:
    """The fork in a run against its parent, in lines."""
    from iwtui.bench.text import one_line

    folder = store.run(run)
    parent = _standing(store, folder.plan.forks or "")
    for name in folder.episodes():
        fork = _Standing(store, name)
        found = fork.against(parent)
        if found is None or fork.case is None:
            yield f"a fork of {folder.plan.forks}; the two cannot be compared: not both have a verdict on each slot"
            continue
        yield f"a fork of {folder.plan.forks}; it counts in no mean. Against it:"
        for word, slots in (("passes now", found.passed), ("fails now", found.failed)):
            for slot in slots:
                yield f"  {word}: slot {slot}, {one_line(fork.case.slots[slot].component, 60)}"
        if not (found.passed or found.failed):
            yield "  every slot as before"
