"""An episode that is being played: the end of what a model writes, what it waits for, and how long nothing has come."""

import time
from pathlib import Path

import msgspec

from iwtui.archive.log import Live, live_path
from iwtui.archive.registry import Registration
from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.tui.widgets.writing import LINES
from tests.support.stores import make_case, make_run, play
from tests.tui_episode.small_app import showing, until

HOSTILE = "\x1b[2J\x1b]52;c;eA==\x07[/][link='x']"


def _says(log: Path, detail: str, text: str = "", ago: float = 0.0) -> None:
    live = Live(time.time() - ago, "builder", detail, text)
    live_path(log).write_bytes(msgspec.json.encode(live))


async def test_what_is_being_written_stands_at_the_foot_and_is_never_history(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name: EpisodeName = play(folder, case, actions="C", end=None, began=time.time() - 60)
    log = folder.episode_log(name)
    with Registration(store.root, "run"):
        async with showing(store, name, (160, 40)) as (app, pilot, screen):
            blocks = len(screen.panes.dialogue.blocks)
            _says(log, "is writing, 9 characters", f"first words {HOSTILE} last words")
            await until(pilot, lambda: any("last words" in line for line in app.lines()), 10)
            assert any("builder is writing …" in line for line in app.lines())
            assert "generating · builder" in app.lines()[1]
            assert screen.panes.writing.size.height == LINES
            _says(log, "is writing, 99 characters", "other words")
            await until(pilot, lambda: any("other words" in line for line in app.lines()), 10)
            assert not any("last words" in line for line in app.lines())
            _says(log, "is writing, waiting for the rate limit, 7 s")
            await until(pilot, lambda: "waiting for the rate limit, 7 s" in app.lines()[1], 10)
            assert not screen.panes.writing.display
            _says(log, "is writing, stalled 30 s", "other words")
            await until(pilot, lambda: "stalled 30 s" in app.lines()[1], 10)
            live_path(log).unlink()
            await until(pilot, lambda: "stalled" not in app.lines()[1] and not screen.panes.writing.display, 10)
            assert len(screen.panes.dialogue.blocks) == blocks


async def test_the_seconds_without_a_change_go_on(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="C", end=None, began=time.time() - 600)
    _says(folder.episode_log(name), "is writing", ago=40)
    with Registration(store.root, "run"):
        async with showing(store, name, (160, 40)) as (app, pilot, _):
            await until(pilot, lambda: "idle 4" in app.lines()[1], 10)
            before = app.lines()[1]
            await until(pilot, lambda: "idle 4" in app.lines()[1] and app.lines()[1] != before, 5)
