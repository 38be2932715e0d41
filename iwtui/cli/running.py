"""What `run`, `demo`, `resume` and `retry` share: create a run, play it, print what came of it."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.case import Case
from iwtui.bench.judges import CHECKS, INTENT, VISUAL, judge_and_model
from iwtui.bench.names import slug
from iwtui.bench.plan import SCRIPTED, Plan, Roles, is_scripted
from iwtui.cli.asking import check_models
from iwtui.cli.assignments import StoredAssignment, unfinished
from iwtui.cli.console import fits, open_console
from iwtui.cli.failures import Failure
from iwtui.cli.planning import new_plan
from iwtui.cli.playing import Interrupted, OverBudget, play
from iwtui.cli.replaying import replay_of
from iwtui.cli.stopping import INTERRUPTED, how_to_go_on
from iwtui.cli.summary import episode_rows, print_detached, print_run
from iwtui.config import Config
from iwtui.models.scripted.scripts import SCRIPTS
from iwtui.resources import cache_folder
from iwtui.web.chromium import BrowserMissingError, Chromium, find
from iwtui.web.grounds import Grounds

SOME_INFRA = 1

Left = Callable[[RunFolder], Iterator[StoredAssignment]]
"""What of a run is to be played."""


def check_judge(judge: str) -> None:
    """Raises click.BadParameter for a judge that cannot be the primary one."""
    name, model = judge_and_model(judge)
    if name in (INTENT, VISUAL):
        text = f"`{name}` gives no verdicts on slots: name its model with --{name}, and a judge of the slots here"
        raise click.BadParameter(text, param_hint="--judge")
    if name != CHECKS and (model is None or "/" not in model):
        text = f"no judge {judge!r}: give `checks`, or the LiteLLM model of a voyager (provider/model)"
        raise click.BadParameter(text, param_hint="--judge")


def browser(config: Config) -> Chromium:
    """The browser to play with. Raises BrowserMissingError."""
    found = find(config.browser)
    if found is None:
        raise BrowserMissingError("no Chromium or Chrome was found; `iwtui setup` gets one")
    return found


def create(
    store: Store, pack: str, cases: Sequence[Case], builders: Sequence[str], roles: Roles, repeats: int, config: Config
) -> RunFolder:
    """A new run in the store, with nothing played yet.

    Raises click.BadParameter for builders that cannot be told apart; Failure when a model does not answer or a script is
    not there.
    """
    if len({slug(builder, dots=True) for builder in builders}) < len(builders):
        raise click.BadParameter(f"their files would bear the same name: {', '.join(builders)}", param_hint="--builder")
    grounds = Grounds(cache_folder(), config.sandbox)
    chromium = browser(config)
    plan = new_plan(
        pack, cases, builders, roles, repeats, chromium, config.settings, config.terms, grounds, config.second_sweep
    )
    check_scripts(plan)
    check_models(plan, config)
    return store.create_run(plan, cases)


def check_scripts(plan: Plan) -> None:
    """Raises Failure when a role is to be played by a script that is not there."""
    for role, model in plan.models:
        if is_scripted(model) and model.removeprefix(SCRIPTED) not in SCRIPTS:
            known = ", ".join(SCRIPTED + name for name in SCRIPTS)
            raise Failure(f"{role}: there is no script {model!r}; there are {known}")


def create_replay(store: Store, parent: RunFolder, config: Config) -> RunFolder:
    """A new run that plays another one from its record, with nothing played yet. Raises Failure for a fork."""
    if parent.plan.forks is not None:
        raise Failure(f"{parent.name} is a fork; `iwtui fork {parent.plan.forks} --turn N --recorded` plays from a record")
    plan, grounds = parent.plan, Grounds(cache_folder(), config.sandbox)
    chromium = browser(config)
    today = new_plan(plan.pack, (), plan.builders, plan.roles, plan.repeats, chromium, plan.settings, plan.terms, grounds)
    return replay_of(store, parent, today)


def play_or_watch(store: Store, folder: RunFolder, config: Config, headless: bool, as_json: bool) -> int:
    """Play a new run and print it; on a terminal, start it on its own and watch it in the console. Returns the exit code."""
    if headless or as_json or not fits():
        return play_again(store, folder, unfinished, config, as_json)
    process, log = start(store, folder, config)
    code = open_console(folder.name, process.pid)
    if process.poll() is None:
        print_detached(folder.name, process.pid, log, as_json=False)
    else:
        click.echo(f"run {folder.name}; next: `iwtui report {folder.name}`, or `iwtui` again", err=True)
    return code


def play_again(store: Store, folder: RunFolder, left: Left, config: Config, as_json: bool) -> int:
    """Play what is left of a run, print the whole run, and return the exit code. Raises RunBusyError."""
    click.echo(f"run {folder.name} in {store.root}", err=True)
    try:
        if not play(store, folder, left, browser(config), config):
            click.echo("nothing of it is left to play", err=True)
    except (Interrupted, KeyboardInterrupt) as interrupted:
        click.echo(f"{str(interrupted) or 'stopped'}\n{_how_to_go_on(folder.name, interrupted)}", err=True)
        return INTERRUPTED
    rows = episode_rows(store, folder.plan)
    print_run(folder.plan, rows, as_json)
    return SOME_INFRA if any(row["status"] == "infra" for row in rows) else 0


def _how_to_go_on(run: str, interrupted: BaseException) -> str:
    if isinstance(interrupted, OverBudget):
        return f"`iwtui resume {run} --max-cost USD`, with a higher limit, goes on from there"
    return how_to_go_on(run)


def detach(store: Store, folder: RunFolder, config: Config, as_json: bool) -> None:
    """Start the run as a process of its own, and say how to follow it."""
    process, log = start(store, folder, config)
    print_detached(folder.name, process.pid, log, as_json)


def start(store: Store, folder: RunFolder, config: Config) -> tuple["subprocess.Popen[bytes]", Path]:
    """Play the run in a process of its own session; the process, and the file in the run's folder that has its output."""
    log = folder.path / "runner.log"
    command = [sys.executable, "-m", "iwtui", "resume", folder.name, "--store", str(store.root), "--jobs", str(config.jobs)]
    command += ["--no-preflight"]  # it was made just now
    command += [] if config.max_cost is None else ["--max-cost", str(config.max_cost)]
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
    return process, log
