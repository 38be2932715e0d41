"""`iwtui show`: one episode, from its logs alone."""

import shutil
import sys
from collections.abc import Iterator
from typing import Any

import click

from iwtui.archive.log import read_log
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.events import Record, Text, head
from iwtui.bench.fold import fold
from iwtui.bench.longtext import read
from iwtui.bench.names import EpisodeName
from iwtui.bench.score import UNKNOWN
from iwtui.bench.status import episode_score, status
from iwtui.bench.text import visible
from iwtui.cli.episode_json import as_object
from iwtui.cli.options import open_store
from iwtui.cli.output import to_json
from iwtui.cli.story import Line, Reader, Subject, Telling, story

_STYLES: dict[str, dict[str, Any]] = {
    "heading": {"bold": True},
    "good": {"fg": "green"},
    "bad": {"fg": "red"},
    "warn": {"fg": "yellow"},
    "dim": {"dim": True},
}
WIDEST = 100


@click.command()
@click.argument("episode", default="last")
@click.option("--event", type=click.IntRange(min=0), metavar="N", help="As it stood after event N of its log.")
@click.option("--full", is_flag=True, help="Long texts whole.")
@click.option("--plain", "form", flag_value="plain", default=True, help="The story as text (the default).")
@click.option("--json", "form", flag_value="json", help="One JSON object.")
def show(episode: str, event: int | None, full: bool, form: str) -> None:
    """Tell EPISODE as a story: who said what, which files changed, what the browser saw, why each slot passed or failed.

    EPISODE is RUN/CASE.BUILDER.r1.a1, or any part of it that fits one episode only; `last` is the newest.
    """
    store = open_store()
    name = store.resolve_episode(episode)
    subject = read_subject(store, name, event)
    reader = _reader(store)
    if form == "json":
        click.echo(to_json(as_object(subject, reader), indent=2))
        return
    width = min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST) if sys.stdout.isatty() else WIDEST
    telling = Telling(reader, width - 8, None) if full else Telling(reader, width - 8)
    for line in story(subject, telling):
        click.echo(_styled(line))


def read_subject(store: Store, name: EpisodeName, upto: int | None) -> Subject:
    """The episode as its logs tell it, up to event `upto` or whole. Raises click.BadParameter when it has no such event."""
    run = store.run(name.run)
    episode = fold(_records(run, name, upto))
    if upto is not None and episode.seq < upto:
        raise click.BadParameter(f"{name} has the events 0 to {episode.seq}", param_hint="--event")
    judging_name, judging = (upto is None and run.primary_judging(name)) or ("", None)
    case = run.case_of(name)
    score = episode_score(case, episode, judging) if case else UNKNOWN
    return Subject(str(name), case, episode, status(episode, judging), score, judging, judging_name, upto)


def _records(run: RunFolder, name: EpisodeName, upto: int | None) -> Iterator[Record]:
    def bad(end: int, why: str) -> None:
        click.echo(f"iwtui: {name}: the line that ends at byte {end} is passed over: {visible(why)}", err=True)

    for _, record in read_log(run.episode_log(name), on_bad=bad):
        if upto is not None and record.seq > upto:
            return
        yield record


def _reader(store: Store) -> Reader:
    def whole(text: Text) -> str:
        try:
            return read(store.blobs, text)
        except LookupError as error:
            return f"{head(text)}… ({error})"

    return whole


def _styled(line: Line) -> str:
    return click.style(line.text, **_STYLES[line.tone]) if line.tone else line.text
