"""`iwtui tasks mutate`: a seed told anew by a persona, as a row that a pack can take."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from iwtui.bench.case import Case, Visibility
from iwtui.bench.rows import RowError, read_row, retold_row
from iwtui.bench.text import one_line, visible
from iwtui.cli.failures import Failure, NotFound
from iwtui.cli.options import open_store, settings
from iwtui.cli.output import counted, to_json
from iwtui.packs import load_pack, pack_path, packs, row_of, shipped_personas

if TYPE_CHECKING:
    from iwtui.engine.mutation.mutate import Mutation

TEMPERATURE = 0.9
"""Tellings are to differ; how the published ones were drawn is not known."""

SOME_OUTSIDE, FAULT_OF_OURS = 1, 1


class ModelFailure(Failure):
    """A model could not be asked."""

    exit_code = FAULT_OF_OURS


@click.command()
@click.argument("seed")
@click.option("--persona", required=True, metavar="P", help="Whose words: P-MIN, P-RAM, P-INT, P-CON, or P-BASE.")
@click.option("--model", metavar="M", help="A LiteLLM model that writes it; else it is made by rules, free and repeatable.")
@click.option("--tries", type=click.IntRange(1, 20), default=4, show_default=True, metavar="N", help="Tellings at most.")
@click.option("--pack", metavar="PACK", help="The pack of the seed, where several have it.")
@click.option("--id", "case_id", metavar="ID", help="The id of the new case; else seed, persona and a hash of the text.")
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Add the row to this file.")
def mutate(
    seed: str, persona: str, model: str | None, tries: int, pack: str | None, case_id: str | None, output: Path | None
) -> None:
    """Tell SEED in the words of an unclear client, and print it as a row that `iwtui tasks import` takes.

    The text is checked against the lengths and values of the benchmark's own; one that stays outside is given all the same,
    with exit code 1. Which slots it hides or contradicts is told by its wording.
    """
    from iwtui.engine.mutation.mutate import OperatorError

    case, path = _seed(seed, pack)
    personas = shipped_personas()
    if persona not in personas:
        raise click.BadParameter(f"{persona!r} is none of {', '.join(sorted(personas))}", param_hint="--persona")
    try:
        made = _made(case, persona, model, tries)
    except OperatorError as error:
        raise click.UsageError(str(error)) from error
    told = msgspec.structs.replace(made.case, id=case_id or made.case.id)
    about = {"of": case.id, "by": made.by, "tries": made.tries, "faults": list(made.faults)}
    row = to_json(retold_row(row_of(path, case.id), told, about))
    try:
        read_row(row.encode(), personas, told.pack)
    except RowError as error:
        raise click.UsageError(f"that is no case: {error}") from error
    _tell(made, told)
    if output is None:
        click.echo(row)
    else:
        with output.open("a", encoding="utf-8") as file:
            file.write(row + "\n")
    if made.faults:
        raise click.exceptions.Exit(SOME_OUTSIDE)


def _seed(name: str, pack: str | None) -> tuple[Case, Path]:
    """A case of the seed, and where its pack is. The seed's cases share what is told anew."""
    imported = open_store().packs
    found: dict[str, Case] = {}
    for known in [pack] if pack else sorted(packs(imported)):
        for case in load_pack(known, imported):
            if name in (case.seed, case.id):
                found.setdefault(known, case)
    if not found:
        raise NotFound(f"no seed {name!r}\n`iwtui tasks list` lists the cases; what stands before the last _ is the seed.")
    if len({case.golden for case in found.values()}) > 1:
        raise click.UsageError(f"{name!r} is a seed of {', '.join(found)}; name one with --pack")
    known, case = next(iter(found.items()))
    return case, pack_path(known, imported)


def _made(case: Case, persona: str, model: str | None, tries: int) -> "Mutation":
    from iwtui.engine.mutation.mutate import by_rules

    if model is None:
        return by_rules(case, shipped_personas()[persona], tries)
    return asyncio.run(_asked(case, persona, model, tries))


async def _asked(case: Case, persona: str, model: str, tries: int) -> "Mutation":
    from iwtui.engine.mutation.mutate import by_model
    from iwtui.models.budget import BudgetSpentError
    from iwtui.models.call import Call, Listener
    from iwtui.models.errors import ModelFaultError
    from iwtui.models.gateway import Gateway
    from iwtui.models.retries import Retries

    class Aloud(Listener):
        def failed(self, fault: ModelFaultError, attempt: int, wait: float) -> None:
            click.echo(f"{one_line(fault.message)}; again in {wait:.0f} s", err=True)

    config = settings()
    retries = Retries(config.attempts, config.patience)
    gateway = Gateway(config.token_limit, config.call_limit, settings=config.settings, retries=retries)

    async def ask(messages: Sequence[dict[str, str]]) -> str:
        call = Call(role="client", model=model, messages=messages, parameters={"temperature": TEMPERATURE})
        reply = await gateway.ask(call, Aloud())
        price = "at an unknown price" if reply.cost is None else f"for ${reply.cost:.4f}"
        click.echo(f"{one_line(model)} answered in {reply.seconds:.1f} s {price}", err=True)
        return reply.text

    try:
        click.echo(f"asking {one_line(model)}", err=True)
        return await by_model(case, shipped_personas()[persona], ask, model, tries)
    except BudgetSpentError as limit:
        raise ModelFailure(str(limit)) from limit
    except ModelFaultError as fault:
        raise ModelFailure(f"{model}: {fault.kind}: {fault.message}") from fault


def _tell(made: "Mutation", case: Case) -> None:
    words, golden = len(case.instruction.split()), len(case.golden.split())
    click.echo(f"{case.id} by {one_line(made.by)}, {counted(made.tries, 'telling')}:", err=True)
    click.echo(f"  {visible(case.instruction)}", err=True)
    click.echo(f"{words} words, {words / golden:.0%} of the golden text's {golden}", err=True)
    for shown in Visibility:
        slots = [number for number, word in enumerate(case.visibility) if word is shown]
        names = ", ".join(f"{number} {case.slots[number].component}" for number in slots)
        if slots:
            click.echo(f"{shown.value}: {one_line(names, 600)}", err=True)
    for fault in made.faults:
        click.echo(f"outside what is observed: {one_line(fault)}", err=True)
