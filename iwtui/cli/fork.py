"""`iwtui fork`: go on from a turn of an episode in another way, and see what comes of it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from iwtui.cli.options import MAX_COST, NO_PREFLIGHT, open_store, settings

if TYPE_CHECKING:
    from iwtui.archive.store import Store
    from iwtui.bench.names import EpisodeName
    from iwtui.bench.plan import Roles
    from iwtui.cli.forking import Wanted
    from iwtui.config import Config

MOST_BYTES = 1_000_000
"""Of a file that a person puts in."""


@click.command()
@click.argument("episode")
@click.option(
    "--turn", type=click.IntRange(min=1), metavar="N", required=True, help="The turn at which it goes another way."
)
@click.option("--ask", metavar="TEXT", help="Ask the client this in turn N, in the builder's place.")
@click.option("--answer", metavar="TEXT", help="Answer the question of turn N with this, in the client's place.")
@click.option("--builder", metavar="M", help="This model plays from turn N on.")
@click.option(
    "--prompt", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Rules for the builder from N on."
)
@click.option(
    "--edit", "edits", multiple=True, metavar="[PLACE=]FILE", help="Put FILE into the site after turn N; may be given again."
)
@click.option("--recorded", is_flag=True, help="Answer every call from the record: without a change it repeats the episode.")
@MAX_COST
@NO_PREFLIGHT
@click.option("--detach", is_flag=True, help="Start it as a process of its own and return at once.")
@click.option("--json", "as_json", is_flag=True, help="Print the run and its episode as JSON.")
@click.pass_context
def fork(
    ctx: click.Context,
    episode: str,
    turn: int,
    ask: str | None,
    answer: str | None,
    builder: str | None,
    prompt: Path | None,
    edits: tuple[str, ...],
    recorded: bool,
    max_cost: float | None,
    no_preflight: bool,
    detach: bool,
    as_json: bool,
) -> None:
    """Go on from turn N of EPISODE in another way: a run of its own, of kind fork, that counts in no mean.

    With --ask, --builder or --prompt, or none of them, the turns before N are kept and N is played anew; with --answer all
    up to the question of N; with --edit N too. What a person puts in the builder's place costs a turn. The workspace is as
    it was, byte for byte; what the page had in its storage and what its server held in memory is not restored.
    """
    from iwtui.cli.asking import check_models
    from iwtui.cli.assignments import unfinished
    from iwtui.cli.forking import builder_of, fork_of
    from iwtui.cli.planning import new_plan
    from iwtui.cli.running import browser, check_scripts, play_again
    from iwtui.cli.running import detach as start_detached
    from iwtui.resources import cache_folder
    from iwtui.web.grounds import Grounds

    wanted = _wanted(turn, ask, answer, builder, prompt, edits, recorded)
    config, store = settings(max_cost=max_cost, preflight=False if no_preflight else None), open_store()
    parent = store.resolve_episode(episode)
    store.run(parent.run).check_own()
    roles, played = _roles(store, parent, config, wanted), store.run(parent.run).plan
    chromium, grounds = browser(config), Grounds(cache_folder(), config.sandbox)
    programs = new_plan(
        "", (), (builder or builder_of(store, parent),), roles, 1, chromium, played.settings, grounds=grounds
    )
    if not recorded:
        check_scripts(programs)
        check_models(programs, config)
    folder = fork_of(store, parent, wanted, roles, programs)
    if detach:
        start_detached(store, folder, config, as_json)
        return
    code = play_again(store, folder, unfinished, config, as_json)
    if not as_json:
        _compare(store, folder.name)
    ctx.exit(code)


def _wanted(
    turn: int,
    ask: str | None,
    answer: str | None,
    builder: str | None,
    prompt: Path | None,
    edits: tuple[str, ...],
    recorded: bool,
) -> "Wanted":
    """The fork that the options ask for. Raises click.UsageError."""
    from iwtui.bench.forks import Way
    from iwtui.cli.forking import Wanted

    ways = {
        Way.ASK: ask is not None,
        Way.ANSWER: answer is not None,
        Way.BUILDER: builder is not None,
        Way.PROMPT: prompt is not None,
        Way.EDIT: bool(edits),
    }
    chosen = [way for way, given in ways.items() if given]
    if len(chosen) > 1:
        raise click.UsageError(f"one way at a time: --{' and --'.join(way.value for way in chosen)} are given")
    if recorded and chosen:
        raise click.UsageError("--recorded repeats the episode; a change has no record")
    way = chosen[0] if chosen else Way.AGAIN
    text = (prompt.read_text(encoding="utf-8", errors="replace") if prompt else None) or ask or answer or ""
    if way in (Way.ASK, Way.ANSWER, Way.PROMPT) and not text.strip():
        raise click.UsageError(f"--{way.value} has no text")
    return Wanted(turn, way, text, tuple(map(_edit, edits)), builder, recorded)


def _edit(given: str) -> tuple[str, bytes]:
    """The place of a file in the workspace, and its content. Raises click.BadParameter."""
    place, equals, named = given.partition("=")
    file = Path(named if equals else place)
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
        content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--edit") from error
    if len(content) > MOST_BYTES:
        raise click.BadParameter(f"{file}: longer than {MOST_BYTES:,} bytes", param_hint="--edit")
    return place, content


def _roles(store: "Store", parent: "EpisodeName", config: "Config", wanted: "Wanted") -> "Roles":
    """Those of the parent's run; an imported one does not say who played, so there the settings do."""
    from iwtui.bench.plan import Roles

    plan = store.run(parent.run).plan
    if plan.kind != "import":
        return plan.roles
    if wanted.builder is None:
        raise click.UsageError("the log of an imported episode does not name a model: say who plays on with --builder")
    return Roles(config.copilot, config.client, config.judge, config.intent, config.visual)


def _compare(store: "Store", run: str) -> None:
    from iwtui.cli.forks import told_of

    for line in told_of(store, run):
        click.echo(line)
