"""`iwtui run`: play cases of a pack with one or more builders."""

import click

from iwtui.cli.options import JOBS, MAX_COST, NO_PREFLIGHT, open_store, settings


@click.command()
@click.argument("pack", required=False)
@click.option("--case", "cases", multiple=True, metavar="ID", help="Only this case; may be given again.")
@click.option("--persona", "personas", multiple=True, metavar="P", help="Only this persona; may be given again.")
@click.option("--difficulty", type=click.Choice(["easy", "middle", "hard"]), help="Only cases of this band.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Draw N of the cases that fit.")
@click.option("--seed", type=int, default=0, show_default=True, help="What the sample is drawn by.")
@click.option("--repeat", "repeats", type=click.IntRange(1, 100), default=1, show_default=True, metavar="K")
@JOBS
@click.option("--builder", "builders", multiple=True, metavar="M", help="A LiteLLM model; may be given again.")
@click.option("--copilot", metavar="M", help="The model that looks at the site in a Verify.")
@click.option("--client", metavar="M", help="The model that plays the client.")
@click.option("--judge", metavar="M", help="`checks`, or the LiteLLM model of a voyager: it looks at the site.")
@click.option("--second-sweep", is_flag=True, help="Let the voyager go and look at the slots that it never looked at.")
@click.option("--intent", metavar="M", help="The model that measures how well the client's intent was understood.")
@click.option("--visual", metavar="M", help="The model that measures how the site looks.")
@MAX_COST
@NO_PREFLIGHT
@click.option("--replay", metavar="RUN", help="Play RUN again from its record, without PACK and without any request.")
@click.option("--questions", type=click.IntRange(min=0), metavar="N", help="How many questions the client has time for.")
@click.option("--question-cost", type=click.FloatRange(0, 1), metavar="X", help="Points of TCR a question, told beside it.")
@click.option(
    "--conflict-challenges", type=click.IntRange(min=1), metavar="K", help="Challenges until a clashing wish is given up."
)
@click.option("--dry-run", is_flag=True, help="Say what would be played, and play nothing.")
@click.option("--detach", is_flag=True, help="Start it as a process of its own and return at once.")
@click.option("--headless", is_flag=True, help="Without the console.")
@click.option("--json", "as_json", is_flag=True, help="Print the run and its episodes as JSON.")
@click.pass_context
def run(
    ctx: click.Context,
    pack: str | None,
    cases: tuple[str, ...],
    personas: tuple[str, ...],
    difficulty: str | None,
    sample: int | None,
    seed: int,
    repeats: int,
    jobs: int | None,
    builders: tuple[str, ...],
    copilot: str | None,
    client: str | None,
    judge: str | None,
    second_sweep: bool,
    intent: str | None,
    visual: str | None,
    max_cost: float | None,
    no_preflight: bool,
    replay: str | None,
    questions: int | None,
    question_cost: float | None,
    conflict_challenges: int | None,
    dry_run: bool,
    detach: bool,
    headless: bool,
    as_json: bool,
) -> None:
    """Play the cases of PACK (a name or a folder) with each builder, record every event, and judge the sites.

    M is a LiteLLM model string: provider/model. Without any, scripted agents play; they need no API key and their results
    are labelled so. How a model is reached is told in iwtui.toml; the README has an example.
    On a terminal the console opens and follows the run, which is a process of its own.
    """
    from iwtui.bench.judges import CHECKS
    from iwtui.bench.plan import Roles
    from iwtui.cli import running
    from iwtui.cli.asking import expected as expected_of
    from iwtui.cli.judgeable import warn_without_checks
    from iwtui.cli.selection import select
    from iwtui.cli.summary import print_dry_run
    from iwtui.packs import load_pack

    config = settings(
        jobs=jobs,
        builders=builders or None,
        copilot=copilot,
        client=client,
        judge=judge,
        intent=intent,
        visual=visual,
        second_sweep=second_sweep or None,
        max_cost=max_cost,
        preflight=False if no_preflight else None,
        questions=questions,
        question_cost=question_cost,
        conflict_challenges=conflict_challenges,
    )
    running.check_judge(config.judge)
    if second_sweep and config.judge == CHECKS:
        raise click.UsageError("--second-sweep is for a judge that looks through a model: name it with --judge")
    store = open_store()
    if replay is not None:
        if pack or cases or personas or difficulty or sample or builders or dry_run:
            raise click.UsageError("--replay plays what that run played; it goes without PACK and what chooses from it")
        folder = running.create_replay(store, store.resolve_run(replay), config)
    elif pack is None:
        raise click.UsageError("PACK is missing; `iwtui tasks list` shows the packs")
    else:
        chosen = select(load_pack(pack, store.packs), cases, personas, difficulty, sample, seed)
        warn_without_checks(config.judge, chosen)
        roles = Roles(config.copilot, config.client, config.judge, config.intent, config.visual)
        if dry_run:
            expected = expected_of(chosen, roles, repeats, config)
            print_dry_run(chosen, config.builders, repeats, expected, config.max_cost, as_json)
            return
        folder = running.create(store, chosen[0].pack, chosen, config.builders, roles, repeats, config)
    if detach:
        running.detach(store, folder, config, as_json)
        return
    ctx.exit(running.play_or_watch(store, folder, config, headless, as_json))
