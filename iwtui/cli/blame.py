"""`iwtui blame`: why slots failed, each with the events that show it, or the share of each cause in what was lost."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from iwtui.cli.options import fresh_index, open_store
from iwtui.cli.output import WRITERS, Written, to_json
from iwtui.cli.report import ALL

if TYPE_CHECKING:
    from iwtui.analysis.causes import Share
    from iwtui.archive.store import Store
    from iwtui.bench.blame import Blame
    from iwtui.bench.case import Case
    from iwtui.bench.names import EpisodeName

DEFAULT_BY = "persona"
ESTIMATED = "~ how the instruction shows the slot is estimated by its words; nobody noted it"


@click.command()
@click.argument("what", nargs=-1, metavar="[RUN].. | EPISODE")
@click.option("--by", default=DEFAULT_BY, metavar="COLUMNS", help=f"What to group by, with commas (else {DEFAULT_BY}).")
@click.option("--where", "filter_text", default="", metavar="FILTER", help="Only these: persona:P-MIN builder:qwen* tcr<0.3")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="table")
def blame(what: tuple[str, ...], by: str, filter_text: str, form: str) -> None:
    """Why slots failed: the share of each cause in the lost weight of each RUN (else of all runs), by persona.

    Of an EPISODE: each failed slot with its cause, the turn that decided it, and the events that show it. Only failed slots
    of scored episodes have a cause; what the judge never looked at is told beside, as not observed.
    """
    from iwtui.archive.errors import RunMissingError

    store = open_store()
    try:
        runs = [store.resolve_run(name).name for name in what] if what else store.runs()
    except RunMissingError:
        if len(what) != 1:
            raise
        _tell_episode(store, store.resolve_episode(what[0]), form)
        return
    _tell_shares(store, runs, [column.strip() for column in by.split(",") if column.strip()], filter_text, form)


def _tell_shares(store: "Store", runs: Sequence[str], by: Sequence[str], filter_text: str, form: str) -> None:
    from iwtui.analysis.causes import load_lost, shares
    from iwtui.analysis.episodes import Asked
    from iwtui.analysis.frames import load_frame
    from iwtui.bench.filters import parse

    terms, known, index = parse(filter_text), store.runs(), fresh_index(store)
    episodes = load_frame(index, Asked(tuple(runs), terms, known[-1] if known else None))
    found = shares(load_lost(index, episodes), by)
    if form == "json":
        rows = [
            {column: share.group.get(column) for column in by}
            | {field: getattr(share, field) for field in share.__struct_fields__ if field != "group"}
            for share in found
        ]
        click.echo(to_json({"by": by, "where": filter_text, "runs": runs, "rows": rows}, indent=2))
        return
    columns = [*by, "cause", "lost %", "weight", "slots", "episodes", "estimated"]
    WRITERS[form](columns, [_cells(share, by) for share in found], sys.stdout)
    if form != "csv" and any(share.estimated for share in found):
        click.echo("\nestimated: slots of which nobody noted how the instruction shows them; it was told by words")


def _cells(share: "Share", by: Sequence[str]) -> list[object]:
    return [
        *(share.group[column] if share.group else ALL for column in by),
        share.cause,
        Written(f"{100 * share.share:.1f}"),
        Written(f"{share.weight:.2f}"),
        share.slots,
        share.episodes,
        share.estimated,
    ]


def _tell_episode(store: "Store", name: "EpisodeName", form: str) -> None:
    from iwtui.bench.blame import blames, blind_turn
    from iwtui.bench.status import Status, status
    from iwtui.cli.failures import Failure

    run = store.run(name.run)
    case, primary, episode = run.case_of(name), run.primary_judging(name), run.fold_episode(name)
    if case is None:
        raise Failure(f"the case of {name} is lost, and with it what its slots asked for")
    judging = primary[1] if primary else None
    if judging is None or status(episode, judging) is not Status.SCORED:
        raise Failure(f"{name} is {status(episode, judging).value}; only the failed slots of scored episodes have a cause")
    causes = blames(case, episode, judging, run.blobs)
    if form == "json":
        told = [_whole(case, blame) for blame in causes]
        judged = primary[0] if primary else None
        click.echo(
            to_json({"episode": str(name), "judging": judged, "blind_turn": blind_turn(causes), "causes": told}, indent=2)
        )
        return
    columns = ["slot", "component", "cause", "turn", "event", "what it shows"]
    WRITERS[form](columns, [row for blame in causes for row in _rows(case, blame)], sys.stdout)
    if form == "csv":
        return
    blind = blind_turn(causes)
    if blind is not None:
        click.echo(f"\nblind turn {blind}: the first that wrote code about what nobody knew")
    if any(blame.estimated for blame in causes):
        click.echo(ESTIMATED)


def _whole(case: "Case", blame: "Blame") -> dict[str, object]:
    return {
        "slot": blame.slot,
        "component": case.slots[blame.slot].component,
        "cause": blame.cause.value,
        "turn": blame.turn,
        "estimated": blame.estimated,
        "evidence": [
            {"event": one.seq, "log": "judging" if one.judging else "episode", "turn": one.turn or None, "why": one.why}
            for one in blame.evidence
        ],
    }


def _rows(case: "Case", blame: "Blame") -> list[list[object]]:
    """One line an event that shows it; the first bears the slot and its cause."""
    component = case.slots[blame.slot].component
    cause = f"{'~ ' if blame.estimated else ''}{blame.cause.value}"
    return [
        [
            *((blame.slot, component, cause, blame.turn) if not place else (blame.slot, "", "", None)),
            f"{'judging ' if one.judging else ''}{one.seq}",
            one.why,
        ]
        for place, one in enumerate(blame.evidence)
    ] or [[blame.slot, component, cause, blame.turn, "", ""]]
