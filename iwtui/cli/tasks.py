"""`iwtui tasks`: the packs, their cases, the proof that a pack's checks are right, and packs from elsewhere."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
import msgspec

from iwtui.bench.case import Case
from iwtui.bench.names import matching
from iwtui.bench.text import one_line, visible
from iwtui.bench.weights import weights
from iwtui.cli.failures import NotFound
from iwtui.cli.mutate import mutate
from iwtui.cli.options import open_store, settings
from iwtui.cli.output import WRITERS, counted, to_json
from iwtui.packs import load_pack, pack_path, packs, shipped_personas

if TYPE_CHECKING:
    from iwtui.judges.validate import Finding

STDIN = "<stdin>"


@click.group()
def tasks() -> None:
    """Task packs: what is asked of the builders."""


@tasks.command("list")
@click.argument("pack", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="A list of objects.")
def list_cases(pack: tuple[str, ...], as_json: bool) -> None:
    """The cases of each PACK, or of all packs that are found."""
    columns = ["pack", "case_id", "persona", "difficulty", "slots", "words", "title"]
    rows = [
        [case.pack, case.id, case.persona.id, case.difficulty, len(case.slots), len(case.instruction.split()), case.title]
        for case in _cases(pack)
    ]
    WRITERS["json" if as_json else "table"](columns, rows, sys.stdout)


@tasks.command("show")
@click.argument("case_id", metavar="CASE")
@click.option("--json", "as_json", is_flag=True, help="The case as one object.")
def show_case(case_id: str, as_json: bool) -> None:
    """What CASE says, what is meant, and the slots it is judged by."""
    cases = {case.id: case for case in _cases(())}
    found = matching(case_id, list(cases))
    if not found:
        raise NotFound(f"no case {case_id!r}\n`iwtui tasks list` lists them.")
    if len(found) > 1:
        raise click.UsageError(f"{case_id!r} may be any of {one_line(', '.join(found))}")
    case = cases[found[0]]
    if as_json:
        click.echo(to_json(msgspec.to_builtins(case), indent=2))
    else:
        _tell(case)


@tasks.command()
@click.argument("pack")
@click.option("--json", "as_json", is_flag=True, help="The findings as a list of objects.")
def validate(pack: str, as_json: bool) -> None:
    """Prove PACK with a real browser: its reference sites pass, and each fact left out fails the slots that need it.

    An imported pack has no sites: its rows, weights, difficulties and texts are proved. Exit code 1 when something is wrong.
    """
    path = pack_path(pack, open_store().packs)
    findings = asyncio.run(_validate(path)) if path.is_dir() else list(_validate_rows(path))
    columns = ["severity", "seed", "text"]
    rows = [[finding.severity, finding.seed, finding.text] for finding in findings]
    if as_json:
        WRITERS["json"](columns, rows, sys.stdout)
    else:
        for severity, seed, text in rows:
            click.echo(visible(": ".join(part for part in (severity, seed, text) if part)))
        click.echo(counted(len(rows), "finding"), err=True)
    if any(finding.severity == "error" for finding in findings):
        raise click.exceptions.Exit(1)


@tasks.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--name", metavar="PACK", help="What the pack is called here; else as the file.")
@click.option("--json", "as_json", is_flag=True, help="What was done, as one object.")
def import_pack(file: BinaryIO, name: str | None, as_json: bool) -> None:
    """Take the cases of FILE (JSON Lines: official rows, or ours; - is stdin) into the store, as a pack.

    Weights and difficulty are computed again. A line that is no case is left out and named; what is there already stays as
    it is. Exit code 1 when a line was left out, or says something else than the formula.
    """
    from iwtui.archive.pack_files import import_rows

    source = str(getattr(file, "name", STDIN))
    called = name or ("" if source == STDIN else Path(source).stem)
    if not called:
        raise click.UsageError("rows from stdin need a --name")
    if called in packs() or called == "personas":
        raise click.BadParameter(f"{called!r} is a pack of another kind already", param_hint="--name")
    done = import_rows(file, open_store().packs, called, shipped_personas())
    if as_json:
        click.echo(to_json({"pack": called, **msgspec.to_builtins(done, enc_hook=str)}, indent=2))
    else:
        for said in done.bad:
            click.echo(f"line {said.line} left out: {one_line(said.text, 400)}", err=True)
        for said in done.differing:
            click.echo(f"line {said.line} taken, by the formula: {one_line(said.text, 400)}", err=True)
        click.echo(
            f"pack {called}: {counted(done.added, 'case')} added, {done.known} there already, "
            f"{counted(len(done.bad), 'line')} left out, {counted(len(done.differing), 'difference')} from the formula"
        )
        if done.added:
            click.echo(f"next: `iwtui tasks list {called}`, `iwtui run {called} --sample 4`", err=True)
    if done.bad or done.differing:
        raise click.exceptions.Exit(1)


tasks.add_command(mutate)


def _validate_rows(path: Path) -> "Iterator[Finding]":
    from iwtui.judges.rows import validate_rows

    return validate_rows(path)


async def _validate(folder: Path) -> "list[Finding]":
    from iwtui.judges.validate import validate as prove
    from iwtui.web.browser import Browser
    from iwtui.web.chromium import BrowserMissingError, find

    chromium = find(settings().browser)
    if chromium is None:
        raise BrowserMissingError("no Chromium was found, and a pack is proved with a real one")
    async with Browser.launch(chromium) as browser:
        return await prove(folder, browser, lambda text: click.echo(one_line(text), err=True))


def _cases(names: Sequence[str]) -> list[Case]:
    imported = open_store().packs
    return [case for name in names or sorted(packs(imported)) for case in load_pack(name, imported)]


def _tell(case: Case) -> None:
    click.secho(one_line(f"{case.id} · {case.title}"), bold=True)
    click.echo(one_line(f"{case.pack} · {case.difficulty} · {case.application_type} · {case.category} · {case.language}"))
    click.echo(f"\nThe client ({one_line(case.persona.id)}, {one_line(case.persona.name)}) says:")
    click.echo(f"  {visible(case.instruction)}\n\nWhat is meant:")
    for number, fact in enumerate(case.facts, 1):
        click.echo(f"  {number}. {one_line(fact, 400)}")
    click.echo("\nWhat it is judged by:")
    for number, (slot, weight) in enumerate(zip(case.slots, weights(case.slots), strict=True)):
        shown = f", {case.visibility[number].value}" if number < len(case.visibility) else ""
        needs = f"; needs fact {', '.join(str(fact + 1) for fact in slot.facts)}" if slot.facts else ""
        kind = f"{slot.assertion.value.lower()} {slot.kind.value}{shown}{needs}"
        click.echo(f"  {number:>2} {weight:>5.2f}  {one_line(slot.component)} ({kind})")
        click.echo(f"            {one_line(slot.expected, 400)}")
