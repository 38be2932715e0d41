"""`iwtui export`: one run, in a form that others can read."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from iwtui.bench.text import one_line
from iwtui.cli.options import fresh_index, open_store
from iwtui.cli.output import counted, to_json
from iwtui.cli.placing import placed_file, placed_folder

if TYPE_CHECKING:
    from iwtui.archive.exporters.leaving import Leaving
    from iwtui.archive.exporters.secrets import Scanned
    from iwtui.archive.store import Store

FORMATS = ("bundle", "interactweb", "parquet", "csv", "json", "html", "rl")
SUFFIXES = {".zip": "bundle", ".html": "html", ".json": "json", ".jsonl": "rl"}
FOLDERS = ("interactweb", "parquet", "csv")
SHOWN = 20

Told = dict[str, object]


@click.command()
@click.argument("run")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Else by the name of the file of -o.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="A file; a folder for interactweb, parquet and csv.",
)
@click.option("--allow-secrets", is_flag=True, help="Write it even if it may hold keys or passwords.")
@click.option("--json", "as_json", is_flag=True, help="What was done, as one object.")
def export(run: str, form: str | None, output: Path, allow_secrets: bool, as_json: bool) -> None:
    """Write RUN in a form that others can read.

    \b
    bundle       the whole run in one file, for `iwtui import`
    interactweb  the official harness's folders, for its scripts
    parquet, csv, json   the tables of the index
    html         a report that stands alone in one file
    rl           one JSON line a turn, to train on

    Whatever the form, the run is first looked through for keys and passwords; where there may be some, nothing is written.
    """
    from iwtui.archive.exporters.leaving import gather, look_for_secrets

    chosen = form or SUFFIXES.get(output.suffix)
    if chosen is None:
        raise click.UsageError(f"{output} does not say in which form: give --format {'|'.join(FORMATS)}")
    if chosen not in FOLDERS and output.is_dir():
        raise click.UsageError(f"{output} is a folder: name the file to be written")
    store = open_store()
    leaving = gather(store.resolve_run(run))
    try:
        scanned = look_for_secrets(leaving, os.environ, allow_secrets)
        told = _write(chosen, store, leaving, scanned, output)
    except LookupError as error:
        raise click.ClickException(f"{error}: a file of the run is lost or damaged; nothing was written") from error
    about = {"run": leaving.folder.name, "format": chosen, "output": str(output), "secrets": scanned.found, **told}
    if as_json:
        click.echo(to_json(about, indent=2))
        return
    _tell(about, leaving)


def _write(form: str, store: "Store", leaving: "Leaving", scanned: "Scanned", output: Path) -> Told:
    if form in FOLDERS:
        with placed_folder(output) as folder:
            return _WRITERS[form](store, leaving, scanned, folder)
    with placed_file(output) as file:
        return _WRITERS[form](store, leaving, scanned, file)


def _bundle(store: "Store", leaving: "Leaving", scanned: "Scanned", file: Path) -> Told:
    from iwtui.archive.exporters.bundle import write_bundle

    contents = write_bundle(leaving, scanned, file)
    return {"blobs": contents.blobs, "blob_bytes": contents.blob_bytes, "missing": contents.missing}


def _interactweb(store: "Store", leaving: "Leaving", scanned: "Scanned", folder: Path) -> Told:
    from iwtui.archive.exporters.official import write_official

    written: Told = msgspec.to_builtins(write_official(leaving.folder, folder))
    return written


def _parquet(store: "Store", leaving: "Leaving", scanned: "Scanned", folder: Path) -> Told:
    from iwtui.archive.exporters.tables import write_parquet

    return {"rows": write_parquet(fresh_index(store), leaving.folder.name, folder)}


def _csv(store: "Store", leaving: "Leaving", scanned: "Scanned", folder: Path) -> Told:
    from iwtui.cli.export_tables import write_csv_files

    return {"rows": write_csv_files(fresh_index(store), leaving.folder.name, folder)}


def _json(store: "Store", leaving: "Leaving", scanned: "Scanned", file: Path) -> Told:
    from iwtui.cli.export_tables import write_json_file

    return {"rows": write_json_file(fresh_index(store), leaving.folder.name, file)}


def _html(store: "Store", leaving: "Leaving", scanned: "Scanned", file: Path) -> Told:
    from iwtui.cli.html.page import write_report

    page: Told = msgspec.to_builtins(write_report(fresh_index(store), leaving.folder, file))
    return page


def _rl(store: "Store", leaving: "Leaving", scanned: "Scanned", file: Path) -> Told:
    from iwtui.archive.exporters.training import turns

    episodes: set[object] = set()
    written = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        for turn in turns(leaving.folder):
            written += 1
            episodes.add(turn["episode"])
            out.write(to_json(turn) + "\n")
    return {"episodes": len(episodes), "turns": written}


_WRITERS: dict[str, Callable[["Store", "Leaving", "Scanned", Path], Told]] = {
    "bundle": _bundle,
    "interactweb": _interactweb,
    "parquet": _parquet,
    "csv": _csv,
    "json": _json,
    "html": _html,
    "rl": _rl,
}


def _tell(about: Told, leaving: "Leaving") -> None:
    run, form, output = (one_line(str(about[key]), 500) for key in ("run", "format", "output"))
    if missing := leaving.named.missing:
        lost = counted(len(missing), "blob")
        click.echo(f"{lost} named in the logs of {run} lost; what is left was written", err=True)
    if about["secrets"]:
        click.echo(f"{about['secrets']} places may hold a secret; they were written, as you allowed", err=True)
    left_out = about.get("left_out")
    for entry in left_out[:SHOWN] if isinstance(left_out, list) else []:
        click.echo(one_line(f"left out: {entry['of']}: {entry['text']}", 400), err=True)
    if isinstance(left_out, list) and len(left_out) > SHOWN:
        click.echo(f"and {len(left_out) - SHOWN} more; --json has them all", err=True)
    for text in about.get("not_held", ()):  # type: ignore[attr-defined]
        click.echo(f"the format does not hold: {text}", err=True)
    click.echo(f"{run} as {form}: {output}")
    nexts = {"bundle": "iwtui import {}", "interactweb": "iwtui import {0} --tasks {0}/cases.jsonl"}
    if form in nexts:
        click.echo(f"next: `{nexts[form].format(output)}` takes it into another store", err=True)
