"""`iwtui judge`: judge the stored sites of a run, or of one episode, once more; the judgings stand beside the others."""

import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from iwtui.bench.judges import CHECKS, INTENT, JUDGES, VISUAL, VOYAGER, judge_and_model
from iwtui.cli.options import open_store, settings

if TYPE_CHECKING:
    from iwtui.archive.run_folder import RunFolder
    from iwtui.archive.store import Store
    from iwtui.bench.case import Case
    from iwtui.bench.fold import EpisodeState
    from iwtui.bench.names import EpisodeName
    from iwtui.config import Config
    from iwtui.judges.base import Judge

SOME_INFRA, INTERRUPTED = 1, 130

COLUMNS = (
    "episode judging judge model turn_judged status passed failed unobserved unjudged tcr tcr_clean sr hallucinated "
    "measures seconds tokens_in tokens_out cost message"
).split()
"""The fields of a judging in the JSON, in this order; `measures` maps a metric to its value."""

SHOWN = "judging judge status passed failed unobserved unjudged tcr measures seconds message".split()


@dataclass(frozen=True)
class Judged:
    """One episode that is judged, as of some turn, and the name of its judging."""

    episode: "EpisodeName"
    judging: str
    case: "Case"
    state: "EpisodeState"


@click.command()
@click.argument("what", metavar="RUN|EPISODE")
@click.option(
    "--judge",
    "setting",
    metavar="JUDGE",
    required=True,
    help="checks, voyager, intent or visual; a LiteLLM model (provider/model) stands for a voyager with it.",
)
@click.option("--model", metavar="M", help="The judge's LiteLLM model; else that of the run's own role.")
@click.option("--every-turn", is_flag=True, help="Judge the site after each turn that changed it, not only as it was last.")
@click.option("--second-sweep", is_flag=True, help="Let the voyager go and look at the slots that it never looked at.")
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Episodes judged at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print the judgings as JSON.")
@click.pass_context
def judge(
    ctx: click.Context,
    what: str,
    setting: str,
    model: str | None,
    every_turn: bool,
    second_sweep: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Judge the sites of RUN or EPISODE as they were handed in, without playing anything again.

    The score that is shown stays that of the run's own judge and model; the new judgings stand beside it. With
    --every-turn, what this judge has judged already is not judged again: the whole is the score turn by turn.
    """
    from iwtui.archive.errors import RunMissingError
    from iwtui.judges.choosing import make_judge

    name, model = _named(setting, model)
    config, store = settings(jobs=jobs), open_store()
    try:
        folder, only = store.resolve_run(what), None
    except RunMissingError:
        only = store.resolve_episode(what)
        folder = store.run(only.run)
    try:
        chosen = make_judge(name, model or _own_model(folder, name), second_sweep)
    except ValueError as error:
        raise click.UsageError(f"{error}; give --model") from error
    with folder.lock():
        wanted = _wanted(folder, name, only)
        if not wanted:
            raise click.UsageError(f"no episode of {only or folder.name} has come to an end that could be judged")
        if every_turn:
            wanted = [one for judged in wanted for one in _turn_by_turn(folder, judged, chosen)]
        try:
            asyncio.run(_judge(folder, wanted, chosen, config))
        except (KeyboardInterrupt, asyncio.CancelledError):
            click.echo("stopped; what was judged is kept", err=True)
            ctx.exit(INTERRUPTED)
    rows = _rows(store, wanted)
    _print(folder.name, rows, as_json, every_turn)
    ctx.exit(SOME_INFRA if any(row["status"] == "infra" for row in rows) else 0)


def _named(setting: str, model: str | None) -> tuple[str, str | None]:
    """The judge that is meant, and its model as far as it is given. Raises click.UsageError."""
    name, own = judge_and_model(setting)
    if own is not None and "/" not in own:
        text = f"no judge {setting!r}: give {', '.join(JUDGES)}, or the LiteLLM model of a voyager (provider/model)"
        raise click.BadParameter(text, param_hint="--judge")
    if own is not None and model is not None:
        raise click.UsageError(f"two models are named: {setting} and {model}")
    if name == CHECKS and model is not None:
        raise click.UsageError("the judge `checks` asks no model; leave --model out, or name another judge")
    return name, own or model


def _own_model(folder: "RunFolder", name: str) -> str | None:
    roles = folder.plan.roles
    return {VOYAGER: folder.plan.primary_model, INTENT: roles.intent, VISUAL: roles.visual}.get(name)


def _wanted(folder: "RunFolder", name: str, only: "EpisodeName | None") -> "list[Judged]":
    """The latest attempts that were played to their end; for `intent`, also those whose site does not run."""
    from iwtui.bench.names import EpisodeName

    latest: dict[tuple[object, ...], EpisodeName] = {episode.played: episode for episode in folder.episodes()}
    good = ("played", "crashed") if name == INTENT else ("played",)
    found: list[Judged] = []
    for episode in [only] if only else latest.values():
        case, state = folder.case_of(episode), folder.fold_episode(episode)
        if case is not None and state.ended is not None and state.ended.status in good:
            found.append(Judged(episode, f"{name}-{len(folder.judgings(episode)) + 1}", case, state))
    return found


def _turn_by_turn(folder: "RunFolder", judged: Judged, chosen: "Judge") -> "Iterator[Judged]":
    """The turns that changed the site, but those after which this judge came to a result on it before."""
    from iwtui.bench.by_turn import by_turn, turns_that_wrote

    made = [folder.fold_judging(judged.episode, judging) for judging in folder.judgings(judged.episode)]
    done = {one.turn for one in by_turn(judged.case, judged.state, made, chosen.name, chosen.model)}
    first = len(made) + 1
    left = [turn for turn in turns_that_wrote(judged.state) if turn not in done]
    for number, turn in enumerate(left, first):
        yield replace(judged, state=judged.state.kept(turn), judging=f"{chosen.name}-{number}")


async def _judge(folder: "RunFolder", wanted: "Sequence[Judged]", chosen: "Judge", config: "Config") -> None:
    from iwtui.bench.events import JudgingEnded
    from iwtui.cli.asking import new_gateway
    from iwtui.cli.running import browser
    from iwtui.engine.judging import judge_episode
    from iwtui.resources import cache_folder
    from iwtui.web.browser import Browser
    from iwtui.web.grounds import Grounds

    gateway, grounds = new_gateway(config, config.settings), Grounds(cache_folder(), config.sandbox)
    gate = asyncio.Semaphore(config.jobs)

    async def one(judged: Judged, running: Browser) -> None:
        async with gate:
            click.echo(f"{judged.episode}: {judged.judging}", err=True)
            with (
                folder.record_judging(judged.episode, judged.judging) as recorder,
                tempfile.TemporaryDirectory(prefix="iwtui-judge-") as root,
            ):
                try:
                    await judge_episode(
                        judged.case, judged.state, chosen, running, grounds, Path(root), recorder, lambda *_: None, gateway
                    )
                except LookupError as error:
                    text = f"a file of the site is not in the store any more: {error}"
                    recorder.append(JudgingEnded(status="infra", text=text[:2_000]), judged.state.turn)
                except asyncio.CancelledError:
                    recorder.append(JudgingEnded(status="cancelled", text="a person stopped it"), judged.state.turn)
                    raise

    async with Browser.launch(browser(config)) as running, asyncio.TaskGroup() as group:
        for judged in wanted:
            group.create_task(one(judged, running))


def _rows(store: "Store", wanted: "Sequence[Judged]") -> list[dict[str, object]]:
    from iwtui.archive.index import Index
    from iwtui.cli.output import objects

    if not wanted:
        return []
    query = f"""
        SELECT {", ".join("j." + column if column != "measures" else "m.measures" for column in COLUMNS)}
        FROM judgings j LEFT JOIN (
            SELECT episode, judging, map(list(metric ORDER BY event), list(value ORDER BY event)) AS measures
            FROM measures WHERE slot IS NULL GROUP BY ALL
        ) m USING (episode, judging)
        WHERE list_contains(?, j.episode || ' ' || j.judging) ORDER BY j.episode, j.turn_judged"""  # noqa: S608 - our own names
    names = [f"{judged.episode} {judged.judging}" for judged in wanted]
    index = Index(store)
    index.catch_up()
    return objects(COLUMNS, index.read(lambda con: con.execute(query, [names]).fetchall()))


def _print(run: str, rows: list[dict[str, object]], as_json: bool, every_turn: bool) -> None:
    from iwtui.cli.output import to_json, write_table

    if as_json:
        click.echo(to_json({"run": run, "judgings": rows}, indent=2))
        return
    if every_turn and not rows:
        click.echo("every turn was judged before", err=True)
        return
    shown = ["episode", *(["turn_judged"] if every_turn else []), *SHOWN]
    write_table(shown, [[_cell(row[column]) for column in shown] for row in rows], sys.stdout)
    if every_turn:
        click.echo("`iwtui sql @by-turn` tells which slots each turn gained and lost", err=True)


def _cell(value: object) -> object:
    if isinstance(value, dict):
        return ", ".join(f"{metric} {'?' if figure is None else f'{figure:g}'}" for metric, figure in value.items())
    return value
