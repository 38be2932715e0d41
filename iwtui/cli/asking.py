"""The models of a run: their gateway, what they may cost, and whether they answer at all, asked before the first case."""

import asyncio
from collections.abc import Sequence

import click
import msgspec

from iwtui.bench.case import Case
from iwtui.bench.plan import Plan, Roles, is_scripted
from iwtui.bench.settings import Settings
from iwtui.bench.text import visible
from iwtui.cli.failures import Failure
from iwtui.config import Config
from iwtui.engine.estimate import Estimate, estimate
from iwtui.engine.preflight import preflight
from iwtui.models.budget import Budget
from iwtui.models.gateway import Gateway
from iwtui.models.prices import price
from iwtui.models.retries import Retries

ATTEMPTS, PATIENCE = 3, 30.0
"""Of a sign of life before a run: a person is waiting for it. In seconds."""


def new_gateway(config: Config, settings: Settings, budget: Budget | None = None) -> Gateway:
    """The gateway that a run's episodes share; `settings` are the run's own."""
    retries = Retries(config.attempts, config.patience)
    return Gateway(config.token_limit, config.call_limit, settings=settings, retries=retries, budget=budget)


def expected(cases: Sequence[Case], roles: Roles, repeats: int, config: Config) -> Estimate:
    """Bounds of the calls and the costs of a run by the settings' builders."""
    plan = Plan(run="", pack="", builders=config.builders, roles=roles, case_ids=(), created=0.0)
    prices = {model: price(model, config.settings.of(role, model)) for role, model in plan.models}
    return estimate(cases, config.builders, roles, repeats, config.settings, prices, 2 if config.second_sweep else 1)


def check_models(plan: Plan, config: Config) -> None:
    """Ask each model of the run something small. Raises Failure when one does not answer, or sees nothing where it must.

    Scripts, the models of a replay, and those of a user who does not want it are not asked.
    """
    if not config.preflight or plan.asks_nobody or all(is_scripted(model) for _, model in plan.models):
        return
    click.echo("asking the models whether they answer", err=True)
    once_more = msgspec.structs.replace(
        config, attempts=min(config.attempts, ATTEMPTS), patience=min(config.patience, PATIENCE)
    )
    gateway = new_gateway(once_more, plan.settings)
    found = asyncio.run(preflight(gateway, plan.models, lambda text: click.echo(visible(text), err=True)))
    for checked in found:
        if checked.ok:
            click.echo(visible(checked.text), err=True)
    if failed := [checked.text for checked in found if not checked.ok]:
        told = "\n".join(failed)
        raise Failure(
            f"{len(failed)} of {len(found)} models cannot play their roles; nothing was begun\n{told}\n"
            "--no-preflight skips this check."
        )
