"""`iwtui watch`: what any process of this user plays, of whatever store; in the console, or one line an event."""

import threading
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from iwtui.archive.registry import live_runs
from iwtui.bench.text import one_line
from iwtui.cli.failures import NotFound
from iwtui.cli.options import open_store

if TYPE_CHECKING:
    from iwtui.archive.following import Growth, Logs
    from iwtui.archive.registry import LiveRun

POLL = 0.05
"""Seconds between two looks at the logs."""

LIST = 1.0
"""Seconds between two looks for new runs and new logs."""


class Played(NamedTuple):
    """A run that some process plays: the folder of its store, and its name."""

    store: str
    run: str


@click.command()
@click.argument("run", required=False)
@click.option("--plain", is_flag=True, help="One line an event as it is written, instead of the console.")
@click.option("--all", "whole", is_flag=True, help="With --plain: what was written before as well.")
def watch(run: str | None, plain: bool, whole: bool) -> None:
    """Follow what is being played: every live run of every store of yours, or RUN alone (a part of its name will do).

    Nothing is locked and nothing in a store is written: a watcher never holds a run up. With --plain and RUN it ends when
    nobody plays the run any more.
    """
    from iwtui.cli.console import fits, open_console

    chosen = _chosen(run) if run else None
    if plain or not fits():
        _Printer(chosen, whole).follow()
    else:
        from iwtui.archive.store import Store

        store = Store(Path(chosen.store)) if chosen else open_store()
        raise SystemExit(open_console(chosen.run if chosen else None, store=store, watching=True))


def _chosen(text: str) -> Played:
    """The live run that a part of its name stands for. Raises NotFound, AmbiguousError."""
    from iwtui.archive.errors import AmbiguousError
    from iwtui.bench.names import matching

    live = _live()
    names = sorted({played.run for played in live})
    found = [played for played in live if played.run in matching(text, names)]
    if not found:
        said = f"what is being played is {', '.join(map(one_line, names[:8]))}" if names else "nothing is being played"
        raise NotFound(f"no live run {text[:200]!r}: {said}\n`iwtui` opens the console on runs that are over.")
    if len(found) > 1:
        raise AmbiguousError(text, [f"{played.run} in {played.store}" for played in found])
    return next(iter(found))


def _live() -> "dict[Played, LiveRun]":
    return {Played(live.runner.store, live.runner.run): live for live in live_runs() if live.alive is not False}


class _Printer:
    """Prints the events of live runs, each run's episodes and judgings as they grow."""

    def __init__(self, chosen: Played | None, whole: bool) -> None:
        self._chosen = chosen
        self._since = 0.0 if whole else time.time()
        self._logs: dict[Played, Logs] = {}
        self._slots: dict[tuple[str, str], int | None] = {}

    def follow(self) -> None:
        """Until the chosen run is not played any more, or else for ever. Raises OSError."""
        pause = threading.Event()
        looked = float("-inf")
        if not _live():
            click.echo("iwtui: nothing is being played; waiting for a run", err=True)
        while True:
            gone: list[Played] = []
            if time.monotonic() - looked >= LIST:
                gone = self._look()
                looked = time.monotonic()
            more = [self._print_new(played) for played in list(self._logs)]
            for played in gone:
                self._part_with(played)
            if self._chosen in gone:
                return
            if not any(more):
                pause.wait(POLL)

    def _look(self) -> list[Played]:
        """Which runs have come; returns those that have gone."""
        from iwtui.archive.errors import StoreError
        from iwtui.archive.following import Logs
        from iwtui.archive.store import Store

        live = _live()
        for played in live.keys() - self._logs.keys():
            if self._chosen in (None, played):
                try:
                    folder = Store(Path(played.store)).run(played.run)
                except StoreError:
                    continue  # its folder is not there yet, or not any more
                self._logs[played] = Logs(folder, folder.episodes)
                click.echo(f"iwtui: {one_line(played.run)} in {one_line(played.store)} is being played", err=True)
        for logs in self._logs.values():
            logs.look()
        return [played for played in self._logs if played not in live]

    def _print_new(self, played: Played) -> bool:
        """Print what is new of a run; whether there may be more at once."""
        polled = self._logs[played].poll()
        for growth in polled.growths:
            self._print(growth)
        return polled.more

    def _part_with(self, played: Played) -> None:
        """What a runner wrote last is printed before it is let go of."""
        while self._print_new(played):
            pass
        del self._logs[played]
        click.echo(f"iwtui: nobody plays {one_line(played.run)} any more", err=True)

    def _print(self, growth: "Growth") -> None:
        from iwtui.tui.state.words import row_of

        key = (str(growth.episode), growth.judging)
        for record in growth.records:
            row = row_of(record, judging=bool(growth.judging), slot_before=self._slots.get(key))
            self._slots[key] = row.slot
            if record.t >= self._since:
                at = datetime.fromtimestamp(record.t).astimezone().strftime("%H:%M:%S.%f")[:-3]
                log = f"{growth.episode} {growth.judging}".rstrip()
                click.echo(f"{at} {one_line(log)} turn {row.turn} #{row.number} {row.kind} {row.glyph} {row.text}")
