"""`iwtui demo`: two scripted builders meet the five personas of one starter seed."""

import click

from iwtui.cli.options import open_store, settings

PACK, SEED = "starter", "bakery"
BUILDERS = ("scripted/blind", "scripted/clarifier")


@click.command()
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Episodes played at a time.")
@click.option("--headless", is_flag=True, help="Without the console.")
@click.option("--json", "as_json", is_flag=True, help="Print the run and its episodes as JSON.")
@click.pass_context
def demo(ctx: click.Context, jobs: int | None, headless: bool, as_json: bool) -> None:
    """Play ten episodes, and show them in the console: a builder that executes blindly and one that asks, five clients each.

    The agents are scripts, the browser, the sites and the checks are real. Needs no API key.
    """
    from iwtui.bench.plan import Roles
    from iwtui.cli import running
    from iwtui.packs import load_pack

    config, store = settings(jobs=jobs), open_store()
    cases = [case for case in load_pack(PACK) if case.seed == SEED]
    roles = Roles(copilot="scripted/copilot", client="scripted/client")
    folder = running.create(store, PACK, cases, BUILDERS, roles, 1, config)
    ctx.exit(running.play_or_watch(store, folder, config, headless, as_json))
