"""`iwtui adjudicate`: a person's verdict on a slot beside the judge's, and what there is to be judged."""

import sys
from typing import TYPE_CHECKING

import click

from iwtui.bench.filters import parse
from iwtui.bench.score import Verdict
from iwtui.bench.votes import Word
from iwtui.cli.options import fresh_index, open_store
from iwtui.cli.output import WRITERS, counted
from iwtui.cli.people import AUTHOR, author_named, judging_named, keep

if TYPE_CHECKING:
    from iwtui.analysis.queue import Item, Wanted
    from iwtui.archive.store import Store

UNDO = "undo"
KINDS = "content style interaction data validation unrequested".split()
COLUMNS = "episode judging slot component kind verdict reason mine passes fails unsures judges_differ disputed".split()
JUDGES_OWN = ("verdict", "reason", "judges_differ")
"""What a blind list leaves out: it would tell the judge's verdict."""


@click.command()
@click.argument("episode", required=False)
@click.argument("slot", type=click.IntRange(0), required=False)
@click.argument("verdict", type=click.Choice([*(word.value for word in Word), UNDO]), required=False)
@click.option("--note", default="", metavar="TEXT", help="Why.")
@AUTHOR
@click.option("--judging", metavar="NAME", help="The judging that is overruled or borne out; else the primary one.")
@click.option("--where", "filter_text", default="", metavar="FILTER", help="List only these episodes: persona:P-MIN tcr<0.3")
@click.option("--judge", metavar="JUDGE", help="List the slots of this judge's judgings, else of the primary ones.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="List slots of this kind only.")
@click.option(
    "--verdict",
    "verdicts",
    multiple=True,
    type=click.Choice([one.value for one in Verdict]),
    help="List what the judge says so of.",
)
@click.option("--differing", is_flag=True, help="List only where judges, or people, do not say the same.")
@click.option("--undecided", is_flag=True, help="List only what you said nothing of yet.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="List so many, drawn by --seed.")
@click.option("--seed", type=int, default=0, metavar="S", help="Draws the sample.")
@click.option(
    "--blind", is_flag=True, help="Do not list what the judge says; a verdict is kept as given without a look at it."
)
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="table")
def adjudicate(
    episode: str | None,
    slot: int | None,
    verdict: str | None,
    note: str,
    author: str | None,
    judging: str | None,
    filter_text: str,
    judge: str | None,
    kinds: tuple[str, ...],
    verdicts: tuple[str, ...],
    differing: bool,
    undecided: bool,
    sample: int | None,
    seed: int,
    blind: bool,
    form: str,
) -> None:
    """Say what you think of SLOT (from 0) of EPISODE: pass, fail or unsure; undo takes your last word on it back.

    The verdict is kept beside the judge's and overrules that judging alone; `tcr_human` follows. Without a verdict the slots
    are listed: of EPISODE, or of all that fit the options.
    """
    from iwtui.analysis.queue import Wanted

    store, by = open_store(), author_named(author)
    if verdict is not None and episode is not None and slot is not None:
        _say(store, by, episode, slot, verdict, note, judging, blind)
        return
    wanted = Wanted(judging or judge, kinds, verdicts, differing, undecided, sample, seed)
    items = _queue(store, by, episode, slot, filter_text, wanted)
    columns = [column for column in COLUMNS if not (blind and column in JUDGES_OWN)]
    WRITERS[form](columns, [[getattr(item, column) for column in columns] for item in items], sys.stdout)
    if form == "table":
        said = sum(item.mine is not None for item in items)
        click.echo(f"\n{counted(len(items), 'slot')}, {said} of them judged by {by}.", err=True)


def _queue(
    store: "Store", by: str, episode: str | None, slot: int | None, filter_text: str, wanted: "Wanted"
) -> "list[Item]":
    import polars as pl

    from iwtui.analysis.episodes import Asked
    from iwtui.analysis.frames import load_frame
    from iwtui.analysis.queue import choose, load_items

    terms, known = parse(filter_text), store.runs()
    name = None if episode is None else store.resolve_episode(episode)
    runs = known if name is None else [name.run]
    index = fresh_index(store)
    episodes = load_frame(index, Asked(tuple(runs), terms, known[-1] if known else None, forks=name is not None))
    if name is not None:
        episodes = episodes.filter(pl.col("episode") == str(name))
    items = choose(load_items(index, runs, by), episodes, wanted)
    return [item for item in items if slot in (None, item.slot)]


def _say(
    store: "Store", by: str, episode: str, slot: int, verdict: str, note: str, judging: str | None, blind: bool
) -> None:
    from iwtui.archive.annotations import SlotDecided, Undone
    from iwtui.archive.annotations_read import read_annotations
    from iwtui.archive.errors import NotFoundError

    name = store.resolve_episode(episode)
    folder = store.run(name.run)
    of, case = judging_named(folder, name, judging), folder.case_of(name)
    if case is not None and slot >= len(case.slots):
        raise NotFoundError(f"{case.id} has {counted(len(case.slots), 'slot')}, from 0; there is no slot {slot}")
    if verdict == UNDO:
        mine = [
            one.annotation
            for one in read_annotations(store.root).of(str(name)).kept
            if isinstance(said := one.annotation.said, SlotDecided)
            and one.holds
            and (one.annotation.author, said.judging, said.slot) == (by, of, slot)
        ]
        if not mine:
            raise NotFoundError(f"{by} said nothing of slot {slot} of the judging {of} of {name}")
        keep(store, by, Undone(annotation=mine[-1].id))
    else:
        keep(
            store,
            by,
            SlotDecided(episode=str(name), judging=of, slot=slot, verdict=Word(verdict), note=note.strip(), blind=blind),
        )
    _tell(store, str(name))


def _tell(store: "Store", episode: str) -> None:
    """What it makes of the score."""
    index = fresh_index(store)
    sql = "SELECT tcr, tcr_human, n_human, n_overridden, n_disputed FROM attempts WHERE episode = ?"
    found = index.read(lambda con: con.execute(sql, [episode]).fetchone())
    if found is None:
        return
    tcr, human, decided, overridden, disputed = found
    shown = ["—" if value is None else f"{100 * value:.1f} %" for value in (tcr, human)]
    click.echo(
        f"{episode}: TCR {shown[0]}, by people {shown[1]}; of {counted(decided, 'slot')} that people judged, "
        f"{overridden} overruled, {disputed} disputed",
        err=True,
    )
